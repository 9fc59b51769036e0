"""What runs by itself has the role of a job: the methods by which it begins, and the classes made for that."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.graph import code_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
JobsOf = Callable[..., set[str]]


@pytest.fixture(scope="session")
def jobs_of(facts_of: FactsOf) -> JobsOf:
    """The methods of all jobs of a file."""

    def found(text: str, *, path: str = "Shop/A.cs", kind: str = "METHOD") -> set[str]:
        graph = code_graph(Catalog(facts_of({path: text})))
        return {
            node.node_key.removeprefix("csharp:").removesuffix(f"|{kind}")
            for node in graph.nodes
            if node.role == "JOB" and node.kind == kind
        }

    return found


@pytest.mark.parametrize(
    ("bases", "method"),
    [
        ("BackgroundService", "protected override Task ExecuteAsync(CancellationToken stop)"),
        (
            "Microsoft.Extensions.Hosting.IHostedService, IDisposable",
            "public Task StartAsync(CancellationToken stop)",
        ),
        ("ServiceBase", "protected override void OnStart(string[] args)"),
        ("ServiceControl", "public bool Start(HostControl host)"),
        ("IJob", "public Task Execute(IJobExecutionContext context)"),
        ("IInvocable", "public Task Invoke()"),
        ("BackgroundJob<Order>, ITransientDependency", "public override void Execute(Order order)"),
        ("AsyncBackgroundJob<Order>", "public override Task ExecuteAsync(Order order)"),
        ("AsyncPeriodicBackgroundWorkerBase", "protected override Task DoWorkAsync(Context context)"),
        ("PeriodicBackgroundWorkerBase", "protected override void DoWork()"),
        ("SchedulerClient", "public override void DoWork()"),
        ("IBackgroundTask", "public void Sweep()"),
    ],
)
def test_hosts_and_schedulers_call_what_derives_from_their_types(
    jobs_of: JobsOf, bases: str, method: str
) -> None:
    name = method.partition("(")[0].rpartition(" ")[2]
    text = (
        f"class Cleaner : {bases} {{ {method} => null; public void Help() {{ }} public void Stop() {{ }} }}"
    )

    assert jobs_of(text) == {f"Cleaner.{name}"}
    assert jobs_of(text, kind="TYPE") == {"Cleaner"}


@pytest.mark.parametrize(
    "interface",
    [
        "interface IJob { Task Work(Order order); }",
        "interface ITask { Task Work(); }",
        "interface IScheduledTask { string Name { get; } Task Work(); }",
        "interface IRecurringBackgroundJob : IBackgroundJob { } interface IBackgroundJob { void Work(Order order); }",
    ],
)
def test_own_interfaces_that_are_called_for_jobs(jobs_of: JobsOf, interface: str) -> None:
    name = interface.split()[1]
    text = f"class Cleaner : {name} {{ public Task Work() => null; public void Help() {{ }} }} {interface}"

    assert jobs_of(text) == {"Cleaner.Work"}


@pytest.mark.parametrize(
    ("base", "jobs"),
    [
        ("abstract class JobBase { public abstract Task Run(); }", {"Cleaner.Run"}),
        ("abstract class SchedulerTask { public abstract Task Run(); }", {"Cleaner.Run"}),
        ("abstract class PrintJob { public abstract Task Run(); }", set()),
        ("abstract class JobBase { public virtual Task Run() => null; }", set()),
    ],
)
def test_own_abstract_classes_for_jobs(jobs_of: JobsOf, base: str, jobs: set[str]) -> None:
    text = f"class Cleaner : {base.split()[2]} {{ public override Task Run() => null; void Help() {{ }} }} {base}"

    assert jobs_of(text) == jobs


def test_windows_services_may_begin_in_their_constructors(jobs_of: JobsOf) -> None:
    found = jobs_of(
        """
        class Cleaner : ServiceBase {
            public Cleaner() { _timer = new Timer(Work, null, 0, 5000); }
            protected override void OnStart(string[] args) { }
            static void Work(object state) { }
        }
        """
    )

    assert found == {"Cleaner.Cleaner", "Cleaner.OnStart"}


def test_methods_that_implement_a_job_explicitly(jobs_of: JobsOf) -> None:
    found = jobs_of("class Cleaner : IJob { Task IJob.Execute(Context c) => null; void Execute() { } }")

    assert found == {"Cleaner.IJob.Execute"}


def test_heirs_of_an_own_base_begin_with_what_they_override(jobs_of: JobsOf) -> None:
    text = """
        abstract class Timed : BackgroundService {
            protected override async Task ExecuteAsync(CancellationToken stop) { await Work(); }
            protected abstract Task Work();
            protected virtual string Name() => "";
            protected virtual void ConfigureServices() { }
        }
        class Cleaner : Timed {
            protected override Task Work() => null;
            public override string ToString() => "";
            protected override void ConfigureServices() { }
            public void Help() { }
        }
        class Idle : Timed { }
    """

    assert jobs_of(text) == {"Cleaner.Work", "Timed.ExecuteAsync"}
    assert jobs_of(text, kind="TYPE") == {"Cleaner", "Idle"}


@pytest.mark.parametrize(
    "text",
    [
        "interface IJob { void Execute(); void Stop(); } class Print : IJob { public void Execute() { } }",
        "interface ITask { void Execute(int a); } class Print : ITask { public void Execute(int a) { } }",
        "interface IBackground { void Execute(); } class Print : IBackground { public void Execute() { } }",
        "class BackgroundService { } class Print : BackgroundService { void ExecuteAsync() { } }",
        "abstract class Print : BackgroundService { protected override Task ExecuteAsync() => null; }",
        "class Print : ServiceBase { public Print() { } public Task Execute() => null; }",
        "struct Print : IJob { public void Execute() { } }",
        "class Print { public void Execute() { } public Task StartAsync() => null; }",
    ],
)
def test_other_classes_are_no_jobs(jobs_of: JobsOf, text: str) -> None:
    assert jobs_of(text) == set()


def test_classes_of_tests_are_no_jobs(jobs_of: JobsOf) -> None:
    text = "class Fake : BackgroundService { protected override Task ExecuteAsync() => null; }"

    assert jobs_of(text, path="Shop.Tests/A.cs") == set()


def test_functions_that_a_trigger_starts(jobs_of: JobsOf) -> None:
    text = """
        using Microsoft.Azure.Functions.Worker;
        class Functions {
            [Function("Nightly")] public Task Nightly([TimerTrigger("0 0 1 * * *")] TimerInfo timer) => null;
            public static void Mail([QueueTrigger("mails")] string mail) { }
            [Function("Report")] public Task Report([HttpTrigger] HttpRequestData request) => null;
            public void Help([FromBody] string text) { }
        }
    """

    assert jobs_of(text) == {"Functions.Nightly", "Functions.Mail"}


HANGFIRE = """
    using Hangfire;
    interface ICleaner {{ void Clean(int id); }}
    class Cleaner : ICleaner {{ public void Clean(int id) {{ }} public void Sweep() {{ }} public void Help() {{ }} }}
    class Schedule {{
        ICleaner _cleaner; Cleaner _sweeper; IBackgroundJobClient _client; Store _store;
        public void Begin(int id) {{ {statement} }}
        public void Report() {{ }}
    }}
    class Times {{ public static string Nightly() => ""; }}
    class Store {{ public void Enqueue(Action action) {{ }} }}
"""


@pytest.mark.parametrize(
    ("statement", "jobs"),
    [
        ('RecurringJob.AddOrUpdate<Cleaner>("c", one => one.Sweep(), Cron.Daily);', {"Cleaner.Sweep"}),
        ('RecurringJob.AddOrUpdate<ICleaner>("c", one => one.Clean(1), Cron.Daily);', {"Cleaner.Clean"}),
        ('RecurringJob.AddOrUpdate("c", () => _cleaner.Clean(id), Cron.Daily);', {"Cleaner.Clean"}),
        ('RecurringJob.AddOrUpdate("c", () => Report(), "0 3 * * *");', {"Schedule.Report"}),
        ('RecurringJob.AddOrUpdate("c", () => Report(), () => Times.Nightly());', {"Schedule.Report"}),
        ("Hangfire.BackgroundJob.Enqueue(() => _sweeper.Sweep());", {"Cleaner.Sweep"}),
        ("_client.Schedule<Cleaner>(one => one.Sweep(), TimeSpan.Zero);", {"Cleaner.Sweep"}),
        ("_client.ContinueJobWith(id, () => _sweeper.Sweep());", {"Cleaner.Sweep"}),
        ('RecurringJob.AddOrUpdate("c", () => Console.WriteLine("x"), Cron.Daily);', set()),
        ("_store.Enqueue(() => _sweeper.Sweep());", set()),
        ('RecurringJob.RemoveIfExists("c");', set()),
    ],
)
def test_hangfire_calls_what_it_is_given(jobs_of: JobsOf, statement: str, jobs: set[str]) -> None:
    assert jobs_of(HANGFIRE.format(statement=statement)) == jobs


def test_services_of_topshelf_start(jobs_of: JobsOf) -> None:
    text = """
        using Topshelf;
        class Mill { public void Start() { } public void Stop() { } }
        class Program {
            static void Main() => HostFactory.Run(host => host.Service<Mill>(service => {
                service.ConstructUsing(name => new Mill());
                service.WhenStarted(mill => mill.Start());
                service.WhenStopped(mill => mill.Stop());
            }));
        }
    """

    assert jobs_of(text) == {"Mill.Start"}


def test_packages_of_integration_services_are_jobs(jobs_of: JobsOf) -> None:
    package = '<DTS:Executable xmlns:DTS="www.microsoft.com/SqlServer/Dts"></DTS:Executable>'

    assert jobs_of(package, path="Etl/Load.dtsx", kind="FILE") == {"file:Etl/Load.dtsx"}
