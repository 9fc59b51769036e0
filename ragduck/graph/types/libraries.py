"""Libraries of which code asks whether a file opens a namespace of theirs: all of them, so that others may know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NewType

Libraries = NewType("Libraries", tuple[str, ...])  # namespaces; those below count, too
_all: set[str] = set()


def _of(*namespaces: str) -> Libraries:
    _all.update(namespaces)
    return Libraries(namespaces)


ABP = _of("Volo.Abp")
CONTAINERS = _of(
    "Autofac",
    "Castle.MicroKernel",
    "Castle.Windsor",
    "DryIoc",
    "Grace.DependencyInjection",
    "Lamar",
    "LightInject",
    "Microsoft.Extensions.DependencyInjection",
    "Microsoft.Extensions.Hosting",
    "Microsoft.Practices.ServiceLocation",
    "Microsoft.Practices.Unity",
    "Ninject",
    "Prism.Ioc",
    "SimpleInjector",
    "StructureMap",
    "System.ComponentModel.Composition",
    "System.Composition",
    "Unity",
    "Volo.Abp",
)
FAST_ENDPOINTS = _of("FastEndpoints")
FLURL = _of("Flurl")
FUNCTIONS = _of("Microsoft.Azure")  # LINQ to SQL marks what calls procedures as a `Function`, too
GRIFFIN = _of("Griffin.Data")
HANGFIRE = _of("Hangfire")
HIBERNATE = _of("NHibernate")  # CsvHelper has a ClassMap, too
MICRO_ORMS = _of(
    "Dapper",
    "DapperExtensions",
    "Dommel",
    "FreeSql",
    "Griffin.Data",
    "NPoco",
    "PetaPoco",
    "RepoDb",
    "ServiceStack.OrmLite",
    "SqlSugar",
)
MOCKS = _of("NSubstitute", "Moq", "FakeItEasy", "Rhino.Mocks", "Telerik.JustMock")
ORCHARD = _of("Orchard.Data", "OrchardCore.Data")
POCO_DATABASES = _of("NPoco", "PetaPoco", "Umbraco")
REPO_DB = _of("RepoDb")
REST_INTERFACES = _of("Refit", "RestEase")
SERVICE_STACK = _of("ServiceStack")
SQL_KATA = _of("SqlKata")
WEB = _of("System.Web")
WEB_CONTROLS = _of("System.Web.UI")  # other frameworks have controls and pages, too


def is_called_like(name: str, libraries: Iterable[str]) -> bool:
    """Say whether the name of one of some libraries stands anywhere in a name."""
    return any(one in name for one in libraries)


def may_be_asked_for(namespace: str) -> bool:
    """Say whether it may be asked if a file opens a namespace; it may not if its name has none of a library in it."""
    return is_called_like(namespace, _all)
