"""What is no message is refused with the id of the request that it would be, where it has one."""

import mcp_types
import pytest
from pydantic import ValidationError

from ragduck.mcp_server.unread_lines import refusal_of


def refused(line):
    """Return what answers a line that the SDK does not take."""
    with pytest.raises(ValidationError) as caught:
        mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    return refusal_of(caught.value)


@pytest.mark.parametrize(
    ("line", "answered"),
    [
        ('{"jsonrpc": "2.0", "id": 7, "method": 5}', 7),
        ('{"jsonrpc": "2.0", "id": "a7", "method": "ping", "params": [1]}', "a7"),
        ('{"id": 7, "method": "ping"}', 7),
        ('{"jsonrpc": "2.0", "id": 7}', 7),
        ('{"jsonrpc": "2.0", "id": true}', None),
        ('{"jsonrpc": "2.0", "id": [7]}', None),
        ('{"jsonrpc": "2.0"}', None),
        ('{"jsonrpc": "2.0", "id": 7, "result": 5}', None),
        ('[{"jsonrpc": "2.0", "id": 7, "method": "ping"}]', None),
        ("7", None),
    ],
)
def test_an_invalid_request_is_answered_under_its_id(line, answered):
    refusal = refused(line)

    assert (refusal.id, refusal.error.code) == (answered, -32600)


@pytest.mark.parametrize(
    ("line", "answered"),
    [
        ('{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"query": "cut \\ud83d"}}', 7),
        ('{"jsonrpc": "2.0", "id": 7, "result": "cut \\ud83d"}', None),
        ('{"jsonrpc": "2.0", "id": 7', None),
    ],
)
def test_half_a_surrogate_pair_is_refused_under_the_id_of_the_request(line, answered):
    refusal = refused(line)

    assert (refusal.id, refusal.error.code) == (answered, -32700)
