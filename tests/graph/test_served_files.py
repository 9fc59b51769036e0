"""Requests lead to web services, to methods of pages and to handlers by the paths of their files."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

FILES = {
    "Web/Web.csproj": "<Project />",
    "Web/Mail/Mail.asmx": '<%@ WebService Language="C#" CodeBehind="Mail.asmx.cs" Class="Web.Mail" %>',
    "Web/Mail/Mail.asmx.cs": """
        namespace Web
        {
            public class Post { [WebMethod] public void Check() { } }
            public class Mail : Post { [WebMethod] public void Send() { } public void Own() { } }
        }
        """,
    "Web/Orders.aspx": '<%@ Page Inherits="Web.Orders" %>',
    "Web/Orders.aspx.cs": """
        namespace Web
        {
            public class Orders : System.Web.UI.Page
            {
                [WebMethod] public static string Find(string text) { return text; }
                [WebMethod] public string Lost(string text) { return text; }
            }
        }
        """,
    "Web/Ping.ashx": """
        <%@ WebHandler Language="C#" Class="Web.Ping" %>
        namespace Web { public class Ping : IHttpHandler { public void ProcessRequest(HttpContext c) { } } }
        """,
}


def asked(facts_of: FactsOf, files: Mapping[str, str]) -> set[tuple[str, float]]:
    """The methods that requests lead to, without their namespace, and how sure that is."""
    edges = build_graph(facts_of({**FILES, **files})).graph.edges
    return {
        (edge.to_key.removeprefix("csharp:Web.").removesuffix("|METHOD"), edge.confidence)
        for edge in edges
        if edge.rule == "http request"
    }


@pytest.mark.parametrize(
    ("path", "address", "expected"),
    [
        ("Web/Mail/mail.js", "'Mail.asmx/Send'", ("Mail.Send", 0.8)),
        ("Web/Mail/mail.js", "'mail.asmx/send?now=1'", ("Mail.Send", 0.8)),
        ("Web/Mail/mail.js", "'Mail.asmx/Check'", ("Post.Check", 0.8)),
        ("Web/Scripts/mail.js", "'../Mail/Mail.asmx/Send'", ("Mail.Send", 0.8)),
        ("Web/Scripts/mail.js", "'Mail/Mail.asmx/Send'", ("Mail.Send", 0.8)),
        ("Web/Scripts/mail.js", "'/Mail/Mail.asmx/Send'", ("Mail.Send", 0.8)),
        ("Web/Scripts/mail.js", "'Mail.asmx/Send'", ("Mail.Send", 0.6)),
        ("Web/Scripts/mail.js", "root + 'Mail/Mail.asmx/Send'", ("Mail.Send", 0.6)),
        ("Web/Scripts/mail.js", "root + '/Mail/Mail.asmx/Send'", ("Mail.Send", 0.6)),
        ("Web/Scripts/mail.js", "'http://localhost:80/Mail/Mail.asmx/Send'", ("Mail.Send", 0.8)),
        ("Web/orders.js", "'Orders.aspx/Find'", ("Orders.Find", 0.8)),
        ("Web/orders.js", "'Ping.ashx'", ("Ping.ProcessRequest", 0.8)),
        ("Web/orders.js", "'Ping.ashx?id=' + id", ("Ping.ProcessRequest", 0.8)),
        ("Other/orders.js", "'/Ping.ashx'", ("Ping.ProcessRequest", 0.6)),
    ],
)
def test_scripts_ask_for_files(
    facts_of: FactsOf, path: str, address: str, expected: tuple[str, float]
) -> None:
    script = f"function run(id) {{ $.ajax({{ type: 'POST', url: {address} }}); }}"

    assert asked(facts_of, {path: script}) == {expected}


@pytest.mark.parametrize(
    "address",
    [
        "'Mail/Mail.asmx'",
        "'Mail/Mail.asmx/Own'",
        "'Orders.aspx'",
        "'Orders.aspx/Lost'",
        "'Other.asmx/Send'",
        "'OldMail.asmx/Send'",
        "'https://example.org/Mail/Mail.asmx/Send'",
        "folder + '/' + name + '/Send'",
    ],
)
def test_what_no_file_serves_leads_nowhere(facts_of: FactsOf, address: str) -> None:
    script = f"function run(id) {{ $.ajax({{ type: 'POST', url: {address} }}); }}"

    assert asked(facts_of, {"Web/run.js": script}) == set()


def test_a_client_asks_for_files_too(facts_of: FactsOf) -> None:
    code = 'class Job { void Run(HttpClient client) { client.PostAsync("/Mail/Mail.asmx/Send", null); } }'

    assert asked(facts_of, {"Web/Job.cs": code}) == {("Mail.Send", 0.8)}


def test_of_two_files_of_one_name_none_is_guessed(facts_of: FactsOf) -> None:
    files = {
        "Shop/Mail/Mail.asmx": '<%@ WebService Class="Web.Mail" %>',
        "Other/run.js": "function run() { $.get('/Mail/Mail.asmx/Send'); }",
    }

    assert asked(facts_of, files) == set()
