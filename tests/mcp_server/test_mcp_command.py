import json
import subprocess
import sys

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from ragduck.errors import UsageError
from ragduck.mcp_server.settings import ServerSettings

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def served(shop_store, ragduck_command, ragduck_environment):
    command, *arguments = ragduck_command
    parameters = StdioServerParameters(
        command=command,
        args=[*arguments, "mcp", str(shop_store), "--row-limit", "5"],
        env=ragduck_environment,
    )
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(stdio_client(parameters))) as client,
    ):
        yield portal, client


def test_a_client_that_starts_the_command_gets_answers(served):
    portal, client = served
    answer = portal.call(client.call_tool, "search", {"query": "create invoice", "top_k": 2, "mode": "bm25"})

    assert len(answer.structured_content["results"]) == 2


def test_the_options_of_the_command_hold(served):
    portal, client = served
    answer = portal.call(client.call_tool, "sql", {"statement": "select * from nodes"})

    assert len(answer.structured_content["rows"]) == 5


@pytest.mark.parametrize("before", [[], [INITIALIZE]])
def test_a_line_that_is_no_message_is_answered_and_the_next_is_served(
    shop_store, ragduck_command, ragduck_environment, before
):
    ping = {"jsonrpc": "2.0", "id": 9, "method": "ping"}
    lines = [*map(json.dumps, before), "not json", "", '{"jsonrpc": "2.0", "id": 5}', json.dumps(ping)]

    process = subprocess.Popen(
        [*ragduck_command, "mcp", str(shop_store)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", env=ragduck_environment,
    )  # fmt: skip
    answers = []
    with process:
        process.stdin.write("".join(f"{line}\n" for line in lines))
        process.stdin.flush()
        while not answers or answers[-1].get("id") != 9:
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()

    refused = [(answer["id"], answer["error"]["code"]) for answer in answers if "error" in answer]
    assert refused == [(None, -32700), (5, -32600)]


def test_only_the_protocol_is_on_stdout(shop_store, ragduck_command, ragduck_environment):
    call = {"name": "show", "arguments": {"key": "dbo.Invoice"}}
    messages = [
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    process = subprocess.Popen(
        [*ragduck_command, "mcp", str(shop_store)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, encoding="utf-8", env=ragduck_environment,
    )  # fmt: skip
    with process:
        process.stdin.write("not json\n" + "".join(json.dumps(message) + "\n" for message in messages))
        process.stdin.flush()
        lines = [json.loads(process.stdout.readline()) for _ in range(2)]
        while lines[-1].get("id") != 2:
            lines.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        rest, said = process.stdout.read(), process.stderr.read()

    assert all(line["jsonrpc"] == "2.0" for line in lines)
    assert "CREATE TABLE" in lines[-1]["result"]["content"][0]["text"]
    assert rest == ""
    assert "Traceback" not in said
    assert process.returncode == 0


def test_a_client_that_is_gone_ends_the_server(shop_store, ragduck_command, ragduck_environment):
    process = subprocess.Popen(
        [*ragduck_command, "mcp", str(shop_store)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, encoding="utf-8", env=ragduck_environment,
    )  # fmt: skip
    with process:
        process.stdout.close()
        process.stdin.write(json.dumps(INITIALIZE) + "\n")
        process.stdin.close()
        said = process.stderr.read()

    assert "Traceback" not in said
    assert "unexpected" not in said


def test_a_store_that_is_missing_is_told_at_once(run_ragduck, tmp_path):
    finished = run_ragduck("mcp", tmp_path / "missing.duckdb", stdin=subprocess.DEVNULL)

    assert finished.returncode == 1
    assert finished.stdout == ""
    assert "error: there is no store at" in finished.stderr


def test_a_limit_out_of_range_is_refused(run_ragduck, shop_store):
    finished = run_ragduck("mcp", shop_store, "--row-limit", 0, stdin=subprocess.DEVNULL)

    assert finished.returncode == 2
    assert "error: the row limit is 0" in finished.stderr


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_time_limit_is_a_number_of_seconds(tmp_path, seconds):
    with pytest.raises(UsageError, match="time limit is"):
        ServerSettings(store=tmp_path, time_limit=seconds)


def test_without_the_extra_the_hint_installs_it(shop_store, ragduck_environment):
    script = (
        "import sys; sys.modules['mcp_types'] = sys.modules['mcp'] = None; import ragduck.cli as c; c.main()"
    )
    finished = subprocess.run(
        [sys.executable, "-c", script, "mcp", str(shop_store)],
        env=ragduck_environment, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert finished.returncode == 2
    assert 'hint: in the folder of ragduck: pip install -e ".[mcp]"' in finished.stderr


def test_the_command_line_does_not_load_the_sdk(ragduck_environment):
    script = "import sys, ragduck.cli.commands; print({'mcp', 'mcp_types', 'pydantic'} & set(sys.modules))"
    finished = subprocess.run(
        [sys.executable, "-c", script], env=ragduck_environment, capture_output=True, text=True, check=True
    )

    assert finished.stdout == "set()\n"
