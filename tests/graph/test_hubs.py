"""Both ends of SignalR lead to each other by the names of methods and messages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.graph.conftest import CodeEdges

Tied = Callable[..., set[tuple[str, str]]]

HUB = """
    using Microsoft.AspNetCore.SignalR;
    public class ChatHub : Hub {
        public Task Join(string room) => Task.CompletedTask;
        private void Hidden() { }
    }
    """
PAGE = """
    export class Chat {
        connection: HubConnection;
        start() { this.connection.on('Joined', name => this.show(name)); }
        join() { this.connection.invoke('join', 'lobby'); }
        hide() { this.connection.send('Hidden'); }
        show(name: string) { }
    }
    """


@pytest.fixture
def tied(code_edges: CodeEdges) -> Tied:
    """The edges of SignalR as (from, to), of files."""

    def found(**files: str) -> set[tuple[str, str]]:
        texts = {f"shop/{name.replace('_', '.')}": text for name, text in files.items()}
        return {(start, end) for start, end, rule in code_edges("Calls", texts) if rule == "signalr"}

    return found


def test_a_client_calls_methods_of_hubs_by_name(tied: Tied) -> None:
    assert tied(ChatHub_cs=HUB, chat_ts=PAGE) == {("shop.chat.Chat.join", "ChatHub.Join")}


@pytest.mark.parametrize(
    "send",
    [
        'public Task Tell() => _hub.Clients.All.SendAsync("Joined", 1);',
        'public Task Tell() => _hub.Clients.Group("lobby").SendCoreAsync(Names.Joined, new object[0]);',
        'public Task Tell() { var users = _hub.Clients.All; return users.SendAsync("joined"); }',
        'public Task Tell(IClientProxy proxy) => proxy.SendAsync("Joined");',
    ],
)
def test_messages_lead_to_who_listens(tied: Tied, send: str) -> None:
    code = f"""
        public static class Names {{ public const string Joined = "Joined"; }}
        public class Rooms {{ IHubContext<ChatHub> _hub; {send} }}
        """

    found = tied(ChatHub_cs=HUB, chat_ts=PAGE, Rooms_cs=code)

    assert ("Rooms.Tell", "shop.chat.Chat.start") in found


def test_messages_go_through_methods_that_are_given_the_name(tied: Tied) -> None:
    code = """
        public class Events {
            IHubContext<ChatHub> _hub;
            public Task Publish(int user, string name) => _hub.Clients.All.SendAsync(name, user);
        }
        public class Rooms {
            public Task Enter(Events events) => events.Publish(1, "Joined");
            public Task Leave(Events events) => events.Publish(1, "Left");
        }
        """

    found = tied(ChatHub_cs=HUB, chat_ts=PAGE, Rooms_cs=code)

    assert {one for one in found if one[1] == "shop.chat.Chat.start"} == {
        ("Rooms.Enter", "shop.chat.Chat.start")
    }


def test_typed_hubs_tell_the_methods_of_their_clients(code_edges: CodeEdges) -> None:
    code = """
        public interface IChatClient { Task Joined(string name); }
        public interface IOther { Task Joined(string name); }
        public class TypedHub : Hub<IChatClient> { public Task Enter() => Clients.All.Joined("Ann"); }
        """

    found = code_edges("Calls", {"shop/TypedHub.cs": code, "shop/chat.ts": PAGE})

    assert {(start, end) for start, end, rule in found if rule == "signalr"} == {
        ("TypedHub.Enter", "IChatClient.Joined"),
        ("IChatClient.Joined", "shop.chat.Chat.start"),
    }


def test_each_typed_hub_has_its_own_clients(tied: Tied) -> None:
    code = """
        public interface IChatClient { Task Joined(string name); Task Remove(int id); }
        public interface IOrderClient { Task Joined(string name); }
        public class TypedHub : Hub<IChatClient> { public Task Enter() => Clients.Group("a").Joined("Ann"); }
        public class OrderHub : Hub<IOrderClient> { }
        public class Shop { List<Customer> Clients; public void Drop(int id) => Clients.Remove(id); }
        """

    assert tied(TypedHub_cs=code, chat_ts=PAGE) == {
        ("TypedHub.Enter", "IChatClient.Joined"),
        ("IChatClient.Joined", "shop.chat.Chat.start"),
        ("IOrderClient.Joined", "shop.chat.Chat.start"),
    }


def test_a_client_in_csharp_asks_and_listens(tied: Tied) -> None:
    client = """
        using Microsoft.AspNetCore.SignalR.Client;
        public class ChatClient {
            HubConnection _connection;
            public void Start() { _connection.On<string>("Joined", name => Show(name)); }
            public Task Join() => _connection.InvokeAsync("Join", "lobby");
            void Show(string name) { }
        }
        public class Rooms { IHubContext<ChatHub> _hub; public Task Tell() => _hub.Clients.All.SendAsync("Joined"); }
        """

    assert tied(ChatHub_cs=HUB, Client_cs=client) == {
        ("ChatClient.Join", "ChatHub.Join"),
        ("Rooms.Tell", "ChatClient.Start"),
    }


@pytest.mark.parametrize(
    "other",
    [
        "export class Other { socket: Socket; start() { this.socket.on('Joined', () => 1); } }",
        "export class Other { bus: any; join() { this.bus.send('Join'); } }",
        "export class Other { connection: HubConnection; join(name: string) { this.connection.invoke(name); } }",
    ],
)
def test_what_is_no_connection_or_not_told_leads_nowhere(tied: Tied, other: str) -> None:
    sends = 'public class Rooms { IHubContext<ChatHub> _hub; Task Tell() => _hub.Clients.All.SendAsync("Joined"); }'

    assert tied(ChatHub_cs=HUB, other_ts=other, Rooms_cs=sends) == set()


def test_without_hubs_nothing_is_tied(tied: Tied) -> None:
    assert tied(chat_ts=PAGE, Other_cs="public class Other { public void Join() { } }") == set()
