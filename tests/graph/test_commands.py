"""Commands and queries lead to their handlers, whatever the methods are called and wherever the message stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

RULE = "message handler"
PAID = """
    record OrderPaid(int Id) : INotification;
    class Mailer : INotificationHandler<OrderPaid> { Task Handle(OrderPaid paid, Token t) {} }
"""
COMMANDS = """
    interface ICommand; interface IContext; interface IQuery<R>;
    interface ICommandHandler<C> where C : ICommand { Task RunAsync(IContext context, C command); }
    interface IQueryHandler<Q, R> where Q : IQuery<R> { Task<R> AnswerAsync(Q query); bool Handles(R result); }
    class Pay : ICommand; class Refund : ICommand; class Total : IQuery<int>;
    class PayHandler : ICommandHandler<Pay> {
        public Task RunAsync(IContext context, Pay command) {}
        public bool Check(Pay command) {}
    }
    class TotalHandler : IQueryHandler<Total, int> { public Task<int> AnswerAsync(Total query) {} }
"""


def test_an_interface_of_the_system_tells_which_method_handles_a_message(code_edges: CodeEdges) -> None:
    assert code_edges("Handles", COMMANDS) == {
        ("Pay", "PayHandler.RunAsync", RULE),
        ("Total", "TotalHandler.AnswerAsync", RULE),
    }


def test_of_several_methods_that_take_a_message_those_handle_it_that_say_so(code_edges: CodeEdges) -> None:
    texts = """
        abstract class Handler<T> { public abstract bool CanRun(T given); protected abstract void Execute(T given); }
        interface IRestrictedHandler<T> { string[] RightsFor(T given); }
        class Pay; class Paying : Handler<Pay>, IRestrictedHandler<Pay> {
            public override bool CanRun(Pay given) {}
            public string[] RightsFor(Pay given) {}
            protected override void Execute(Pay given) {}
        }
    """

    assert code_edges("Handles", texts) == {("Pay", "Paying.Execute", RULE)}


def test_the_message_may_follow_the_context(code_edges: CodeEdges) -> None:
    texts = """
        class Paid; class Total; class Order;
        class Ledger : IMessageHandler<Paid> { public Task HandleAsync(IMessageContext context, Paid paid) {} }
        class Totals : IQueryHandler<Total, int> { public Task<int> Answer(IMessageContext context, Total query) {} }
        class Rows : ITypeHandler<Order> {
            public void Set(Row row, Order order) {}
            public void Parse(Order order) {}
        }
    """

    assert code_edges("Handles", texts) == {
        ("Paid", "Ledger.HandleAsync", RULE),
        ("Total", "Totals.Answer", RULE),
    }


def test_commands_and_queries_are_sent_by_who_executes_them(code_edges: CodeEdges) -> None:
    desk = """
        interface IExecutor {
            Task ExecuteAsync(ICommand command);
            Task<R> QueryAsync<R>(IQuery<R> query, IContext context);
        }
        interface IRules {
            void Execute(Pay command);
            void Validate(object given);
            Task Query(string sql, object given);
        }
        class Api {
            IExecutor executor;
            Task RunCommand(ICommand command) => executor.ExecuteAsync(command);
        }
        class Desk {
            IExecutor executor; IRules rules; Api api; IBus bus; Context context;
            void Pay() { executor.ExecuteAsync(new Pay()); }
            void Sum() { executor.QueryAsync(new Total(), null); }
            void Api() { api.RunCommand(new Pay()); }
            void Foreign() { bus.Query(new Total()); }
            void Checked(Pay pay) { rules.Execute(pay); rules.Validate(pay); rules.Query("select 1", pay); }
            void Sql(Pay pay) { connection.Execute("insert …", pay); connection.Execute(Sql, pay); }
        }
    """

    edges = code_edges("Calls", {"Shop/M.cs": COMMANDS, "Shop/D.cs": desk})

    assert {edge[:2] for edge in edges if edge[2] == RULE} == {
        ("Desk.Pay", "PayHandler.RunAsync"),
        ("Desk.Sum", "TotalHandler.AnswerAsync"),
        ("Desk.Api", "PayHandler.RunAsync"),
        ("Desk.Foreign", "TotalHandler.AnswerAsync"),
    }


def test_who_sends_may_stand_before_the_message(code_edges: CodeEdges) -> None:
    desk = """
        interface IQueue { Task PublishAsync(ClaimsPrincipal user, object message); }
        class Queue : IQueue {
            IMessageBus bus;
            public Task PublishAsync(ClaimsPrincipal user, object message) => bus.SendAsync(user, message);
        }
        class Desk : Controller {
            IMessageBus bus; IQueue queue; IHub hub;
            void Pay() { bus.SendAsync(User, new OrderPaid(1)); }
            void Later() { queue.PublishAsync(null, new OrderPaid(1)); }
            void Show(OrderPaid paid) { hub.Clients.SendAsync("paid", paid); hub.Clients.SendAsync(name, paid); }
        }
    """

    edges = code_edges("Calls", {"Shop/M.cs": PAID, "Shop/D.cs": desk})

    assert {edge[:2] for edge in edges if edge[2] == RULE} == {
        (sender, "Mailer.Handle") for sender in ("Desk.Pay", "Desk.Later")
    }


def test_a_handler_that_hands_its_message_to_a_database_does_not_call_itself(code_edges: CodeEdges) -> None:
    texts = """
        class Total; class Totals : IQueryHandler<Total, int> {
            public Task<int> Handle(Total query) { return session.Query(query); }
        }
    """

    assert code_edges("Calls", texts) == set()


def test_a_class_that_is_called_a_handler_may_do_something_else_by_another_name(
    code_edges: CodeEdges,
) -> None:
    texts = """
        abstract class LookupHandler<T> { protected abstract string[] DoQuery(T request); }
        class Text; class Staff : LookupHandler<Text> { protected override string[] DoQuery(Text request) {} }
    """

    assert code_edges("Handles", texts) == set()


def test_what_is_made_for_one_message_is_no_bus(code_edges: CodeEdges) -> None:
    desk = """
        class Search<T> { public void Query(T request) {} public void Execute<M>(M request) {} }
        class Desk {
            void Look(Search<Pay> search) { search.Query(new Pay()); }
            void Pay(Search<int> search) { search.Execute(new Pay()); }
        }
    """

    edges = code_edges("Calls", {"Shop/M.cs": COMMANDS, "Shop/D.cs": desk})

    assert {edge[:2] for edge in edges if edge[2] == RULE} == {("Desk.Pay", "PayHandler.RunAsync")}


def test_a_requirement_leads_to_what_authorizes_by_it(code_edges: CodeEdges) -> None:
    code = """
        class Change : IAuthorizationRequirement { }
        static class Operations { public static readonly Change Update = new(); }
        class ParcelGuard : AuthorizationHandler<Change, Parcel> {
            protected override Task HandleRequirementAsync(Context c, Change wanted, Parcel parcel) {}
        }
        class Parcel { }
        class Desk : Controller {
            IAuthorizationService rights;
            Task Put(Parcel parcel) => rights.AuthorizeAsync(User, parcel, Operations.Update);
            Task Get(Parcel parcel) => rights.AuthorizeAsync(User, parcel, "MayRead");
        }
    """

    edges = code_edges("Calls", code)

    assert {edge for edge in edges if edge[1].startswith("ParcelGuard")} == {
        ("Desk.Put", "ParcelGuard.HandleRequirementAsync", "message handler")
    }


def test_a_handler_of_another_resource_does_not_authorize(code_edges: CodeEdges) -> None:
    code = """
        class Change : IAuthorizationRequirement { }
        class ParcelGuard : AuthorizationHandler<Change, Item> {
            protected override Task HandleRequirementAsync(Context c, Change wanted, Item item) {}
        }
        class OfficeGuard : AuthorizationHandler<Change, Office> {
            protected override Task HandleRequirementAsync(Context c, Change wanted, Office office) {}
        }
        class Item { }
        class Parcel : Item { }
        class Office { }
        class Desk : Controller {
            IAuthorizationService rights;
            Task Put(Parcel parcel) => rights.AuthorizeAsync(User, parcel, new Change());
            Task Guess() => rights.AuthorizeAsync(User, Elsewhere.Found(), new Change());
        }
    """

    edges = code_edges("Calls", code)

    assert {edge[:2] for edge in edges if "Guard" in edge[1]} == {
        ("Desk.Put", "ParcelGuard.HandleRequirementAsync")
    }
