"""Commands and events lead to the methods that handle them, though who sends them names none."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ragduck.facts import FileFacts
from ragduck.graph.code.senders import Senders
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

RULE = "message handler"
MESSAGES = """
    record PayOrder(int Id) : IRequest<bool>;
    record OrderPaid(int Id) : INotification;
    class PayOrderHandler : IRequestHandler<PayOrder, bool> { Task<bool> Handle(PayOrder order, Token t) {} }
    class Mailer : INotificationHandler<OrderPaid> { Task Handle(OrderPaid paid, Token t) {} }
    class Ledger : IConsumer<OrderPaid> { Task Consume(ConsumeContext<OrderPaid> context) {} }
"""


def test_messages_are_handled_by_the_methods_that_take_them(code_edges: CodeEdges) -> None:
    assert code_edges("Handles", MESSAGES) == {
        ("PayOrder", "PayOrderHandler.Handle", RULE),
        ("OrderPaid", "Mailer.Handle", RULE),
        ("OrderPaid", "Ledger.Consume", RULE),
    }


def test_who_sends_a_message_calls_its_handlers(code_edges: CodeEdges) -> None:
    sender = """
        class Desk {
            IMediator mediator;
            Task Pay(int id) => mediator.Send(new PayOrder(id));
            void Tell(OrderPaid paid) { mediator.Publish(paid); }
            void Log(OrderPaid paid) { logger.Write(paid); }
        }
    """

    edges = code_edges("Calls", {"Shop/M.cs": MESSAGES, "Shop/D.cs": sender})

    assert edges == {
        ("Desk.Pay", "PayOrderHandler.Handle", RULE),
        ("Desk.Tell", "Mailer.Handle", RULE),
        ("Desk.Tell", "Ledger.Consume", RULE),
    }


def test_a_type_handles_each_of_its_messages(code_edges: CodeEdges) -> None:
    both = """
        class Desk : IRequestHandler<Open, bool>, IRequestHandler<Close, bool> {
            Task<bool> Handle(Open given) {}
            Task<bool> Handle(Close given) {}
        }
        class Open; class Close;
    """

    assert code_edges("Handles", both) == {("Open", "Desk.Handle", RULE), ("Close", "Desk.Handle", RULE)}


def test_what_stands_around_the_handler_of_a_message_handles_it_too(code_edges: CodeEdges) -> None:
    around = """
        class PayOrder;
        class CheckLimit : IPipelineBehavior<PayOrder, bool> {
            public Task<bool> Handle(PayOrder request, Next<bool> next, Token t) {}
        }
        class Trace<T, R> : IPipelineBehavior<T, R> { public Task<R> Handle(T request, Next<R> next, Token t) {} }
        class Lock : IRequestPreProcessor<PayOrder> { public Task Process(PayOrder request, Token t) {} }
        class Unlock : IRequestPostProcessor<PayOrder, bool> {
            public Task Process(PayOrder request, bool paid, Token t) {}
        }
        class Desk {
            IMediator mediator;
            Task Pay() => mediator.Send(new PayOrder());
        }
    """

    assert code_edges("Calls", around) == {
        ("Desk.Pay", "CheckLimit.Handle", RULE),
        ("Desk.Pay", "Lock.Process", RULE),
        ("Desk.Pay", "Unlock.Process", RULE),
    }


def test_own_interfaces_and_generic_messages_count(code_edges: CodeEdges) -> None:
    texts = """
        interface IEventHandler<T> { void HandleEvent(T given); }
        class Inserted<T>; class Order; class Line;
        class OrderCache : IEventHandler<Inserted<Order>> { public void HandleEvent(Inserted<Order> given) {} }
        class LineCache : IEventHandler<Inserted<Line>> { public void HandleEvent(Inserted<Line> given) {} }
        class Both : IEventHandler<Inserted<Order>>, IEventHandler<Inserted<Line>> {
            public void HandleEvent(Inserted<Order> given) {}
            public void HandleEvent(Inserted<Line> given) {}
        }
        class Desk {
            IBus bus;
            void Add() { bus.Publish(new Inserted<Order>()); }
            void Any<T>() { bus.Publish(new Inserted<T>()); }
        }
        interface IBus { void Publish(object given); }
    """

    assert code_edges("Handles", texts) == {
        ("Inserted", "OrderCache.HandleEvent", RULE),
        ("Inserted", "LineCache.HandleEvent", RULE),
        ("Inserted", "Both.HandleEvent", RULE),
    }
    assert code_edges("Calls", texts) == {
        ("Desk.Add", "IBus.Publish", "receiver type"),
        ("Desk.Add", "OrderCache.HandleEvent", RULE),
        ("Desk.Add", "Both.HandleEvent", RULE),
        ("Desk.Any", "IBus.Publish", "receiver type"),
    }


def test_what_takes_no_message_handles_none(code_edges: CodeEdges) -> None:
    texts = """
        class Options; class Order;
        class Tokens : AuthenticationHandler<Options> { protected override Task HandleAuthenticateAsync() {} }
        class Rows : TypeHandler<Order> { public override void SetValue(Parameter p, Order order) {} }
        class Wrapper<T> : IRequestHandler<T, bool> { Task<bool> Handle(T request) {} }
    """

    assert code_edges("Handles", texts) == set()


def test_tests_with_doubles_reach_no_handlers(code_edges: CodeEdges) -> None:
    test = "using Moq; class DeskTests { IMediator bus; [Fact] void Pays() { bus.Send(new PayOrder(1)); } }"

    assert code_edges("Calls", {"Shop/M.cs": MESSAGES, "Shop.Tests/DeskTests.cs": test}) == set()


def test_what_takes_the_message_itself_is_no_bus(code_edges: CodeEdges) -> None:
    texts = """
        class OrderPaid;
        class Ledger : IEventHandler<OrderPaid> {
            public void Handle(OrderPaid paid) {}
            public void HandleFailure(Exception error, OrderPaid paid) {}
            public void HandleAll(List<OrderPaid> paid) {}
        }
        class SmtpSender { public void Send(OrderPaid paid) {} }
        class Desk {
            Queue<OrderPaid> waiting; SmtpSender smtp; Action<OrderPaid> done;
            void Buffer(OrderPaid paid) { waiting.Enqueue(paid); }
            void Mail(OrderPaid paid) { smtp.Send(paid); }
            void Tell(OrderPaid paid) { done.Invoke(paid); }
        }
    """

    assert code_edges("Handles", texts) == {("OrderPaid", "Ledger.Handle", RULE)}
    assert code_edges("Calls", texts) == {("Desk.Mail", "SmtpSender.Send", "receiver type")}


def test_who_hands_a_message_on_lets_its_callers_send_it(code_edges: CodeEdges) -> None:
    module = """
        interface IModule { Task Run(ICommand command); Task<R> Ask<R>(IQuery<R> query); }
        class Module : IModule {
            IMediator mediator;
            public Task Run(ICommand command) => Runner.Execute(command);
            public Task<R> Ask<R>(IQuery<R> query) { return mediator.Send(query); }
        }
        static class Runner {
            public static Task Execute(ICommand command) { return mediator.Send(command); }
            public static Task Execute(int job) { return null; }
        }
    """
    page = """
        class Page {
            IModule module;
            Task Pay() => module.Run(new PayOrder(1));
            Task Look(int id) { var paid = new OrderPaid(id); return module.Ask(paid); }
            void Other() { Log.Execute(new PayOrder(1)); }
        }
        class Log { public static void Execute(PayOrder order) {} }
    """

    edges = code_edges("Calls", {"Shop/M.cs": MESSAGES, "Shop/N.cs": module, "Shop/P.cs": page})

    assert {edge for edge in edges if edge[2] == RULE} == {
        ("Page.Pay", "PayOrderHandler.Handle", RULE),
        ("Page.Look", "Mailer.Handle", RULE),
        ("Page.Look", "Ledger.Consume", RULE),
    }


def test_callers_of_generic_methods_send_what_these_make_of_their_types(code_edges: CodeEdges) -> None:
    texts = """
        class Inserted<T>; class Order; class Line;
        class OrderCache : IEventHandler<Inserted<Order>> { public void Handle(Inserted<Order> given) {} }
        class LineCache : IEventHandler<Inserted<Line>> { public void Handle(Inserted<Line> given) {} }
        interface IStore<E> { void Insert(E entity); }
        class Store<T> : IStore<T> {
            IBus bus;
            public void Insert(T entity) { bus.Publish(new Inserted<T>(entity)); }
        }
        static class Bus {
            public static void Added<T>(this IBus bus, T entity) { bus.Publish(new Inserted<T>(entity)); }
        }
        class Desk {
            IStore<Order> orders; IBus bus;
            void Add(Order order) { orders.Insert(order); }
            void Tell(Line line) { bus.Added(line); }
        }
        interface IBus { void Publish(object given); }
    """

    edges = code_edges("Calls", texts)

    assert {edge for edge in edges if edge[2] == RULE} == {
        ("Desk.Add", "OrderCache.Handle", RULE),
        ("Desk.Tell", "LineCache.Handle", RULE),
    }


def test_what_is_put_off_by_a_system_s_own_method_is_sent(code_edges: CodeEdges) -> None:
    desk = """
        interface IScheduler { Task EnqueueAsync(object command); }
        class Desk {
            IScheduler scheduler; Queue<OrderPaid> waiting;
            Task Later() => scheduler.EnqueueAsync(new PayOrder(1));
            void Wait() { waiting.Enqueue(new OrderPaid(1)); }
        }
        class Order : Entity { void Pay() { AddDomainEvent(new OrderPaid(1)); } }
    """

    edges = code_edges("Calls", {"Shop/M.cs": MESSAGES, "Shop/D.cs": desk})

    assert {edge for edge in edges if edge[2] == RULE} == {
        ("Desk.Later", "PayOrderHandler.Handle", RULE),
        ("Order.Pay", "Mailer.Handle", RULE),
        ("Order.Pay", "Ledger.Consume", RULE),
    }


def test_a_base_class_handles_each_of_its_messages(code_edges: CodeEdges) -> None:
    texts = """
        class Opened<T>; class Closed<T>; class Order;
        abstract class Cache<T> : IEventHandler<Opened<T>>, IEventHandler<Closed<T>> {
            public void Handle(Opened<T> given) {}
            public void Handle(Closed<T> given) {}
        }
        class OrderCache : Cache<Order> { public override void Handle(Closed<Order> given) {} }
    """

    assert ("Closed", "OrderCache.Handle", RULE) in code_edges("Handles", texts)


def test_behind_a_marker_methods_tell_what_they_handle(code_edges: CodeEdges) -> None:
    texts = """
        interface IConsumer { }
        class OrderPaid; class Refunded; class Order;
        class Events : IConsumer {
            public Task HandleAsync(OrderPaid paid, Mailer mailer) {}
            public void Handle(ConsumeContext<Refunded> context) {}
            public void HandleErrors(Order order) {}
        }
        class Desk { void Pay() { bus.Publish(new OrderPaid()); } }
    """

    assert code_edges("Handles", texts) == {
        ("OrderPaid", "Events.HandleAsync", RULE),
        ("Refunded", "Events.Handle", RULE),
    }
    assert code_edges("Calls", texts) == {("Desk.Pay", "Events.HandleAsync", RULE)}


def test_an_overload_that_sends_nothing_reaches_no_handler(code_edges: CodeEdges) -> None:
    desk = """
        class Store {
            IMediator mediator;
            void Save(OrderPaid paid) { rows.Add(paid); }
            void Save(OrderPaid paid, bool tell) { mediator.Publish(paid); }
            void Keep(object given) { rows.Add(given); }
            void Keep(object given, string why) { mediator.Publish(given); }
        }
        class Desk {
            Store store;
            void Quietly() { store.Keep(new OrderPaid(1)); }
            void Loudly() { store.Keep(new OrderPaid(1), "paid"); }
        }
    """

    edges = code_edges("Calls", {"Shop/M.cs": MESSAGES, "Shop/D.cs": desk})

    assert {edge for edge in edges if edge[2] == RULE} == {
        (sender, handler, RULE)
        for sender in ("Store.Save", "Desk.Loudly")
        for handler in ("Mailer.Handle", "Ledger.Consume")
    }


def test_an_extension_method_that_sends_is_told_by_the_number_of_its_arguments(code_edges: CodeEdges) -> None:
    desk = """
        static class Later { public static void Tell(this IMediator bus, object given, int when) {} }
        static class Now { public static void Tell(this IMediator bus, object given) => bus.Publish(given); }
        class Store { IMediator mediator; public void Keep(object given) { mediator.Tell(given); } }
        class Desk { Store store; void Pay() { store.Keep(new OrderPaid(1)); } }
    """

    edges = code_edges("Calls", {"Shop/M.cs": MESSAGES, "Shop/D.cs": desk})

    assert {edge[:2] for edge in edges if edge[2] == RULE} == {
        ("Desk.Pay", "Mailer.Handle"),
        ("Desk.Pay", "Ledger.Consume"),
    }


def test_of_a_method_that_sends_very_much_some_is_known(facts_of: FactsOf) -> None:
    parameters = ", ".join(f"object given{number}" for number in range(300))
    sent = " ".join(f"mediator.Send(given{number});" for number in range(300))
    desk = f"class Desk {{ IMediator mediator; void Tell({parameters}) {{ {sent} }} }}"

    senders = Senders(Catalog(facts_of({"Shop/M.cs": MESSAGES, "Shop/D.cs": desk})), ["csharp:PayOrder|TYPE"])

    assert [len(what) for what in senders.sent.values()] == [20]


def test_a_marker_may_have_a_generic_namesake(code_edges: CodeEdges) -> None:
    text = """
        interface IConsumer { }
        interface IConsumer<T> : IConsumer { void HandleEvent(T message); }
        class Events : IConsumer { public void HandleEvent(Inserted one) {} }
        class Others : IConsumer<Deleted> {
            public void HandleEvent(Deleted one) {}
            public void HandleEvent(Inserted one) {}
        }
        class Inserted; class Deleted;
        class Desk { void Run(IPublisher to) { to.Publish(new Inserted()); to.Publish(new Deleted()); } }
        interface IPublisher { void Publish<T>(T message); }
    """

    assert code_edges("Handles", text) == {
        ("Inserted", "Events.HandleEvent", RULE),
        ("Deleted", "Others.HandleEvent", RULE),
    }
    assert {to for one, to, rule in code_edges("Calls", text) if rule == RULE} == {
        "Events.HandleEvent",
        "Others.HandleEvent",
    }


def test_an_interface_may_name_the_verb_of_its_only_method(code_edges: CodeEdges) -> None:
    texts = """
        class Paid; class Refresh; class Order;
        interface IHandleAsync<T> { void HandleAsync(T message); }
        interface IExecute<T> { void Execute(T command); }
        interface ISave<T> { void Save(T entity); }
        interface IProcess<T> { void Process(T first); void Stop(T last); }
        class Ledger : IHandleAsync<Paid> { public void HandleAsync(Paid message) {} }
        class Refresher : IExecute<Refresh> {
            public void Execute(Refresh command) {}
            public void ExecuteAll(Refresh command) {}
        }
        class Orders : ISave<Order>, IProcess<Order> {
            public void Save(Order entity) {} public void Process(Order first) {} public void Stop(Order last) {}
        }
        interface IQueue { void Push<T>(T command); }
        class Desk {
            IQueue queue; Stack<Refresh> waiting;
            void Later() { queue.Push(new Refresh()); }
            void Wait() { waiting.Push(new Refresh()); }
        }
    """

    assert code_edges("Handles", texts) == {
        ("Paid", "Ledger.HandleAsync", RULE),
        ("Refresh", "Refresher.Execute", RULE),
    }
    assert {edge for edge in code_edges("Calls", texts) if edge[2] == RULE} == {
        ("Desk.Later", "Refresher.Execute", RULE)
    }


def test_topics_lead_to_their_subscribers(code_edges: CodeEdges) -> None:
    texts = """
        class Names { public const string Paid = "order.paid"; }
        class Mailer {
            [CapSubscribe("order.paid")] public void OnPaid(string order) {}
            [CapSubscribe(Names.Paid, Group = "b")] public void Note(string order) {}
            [Topic("pubsub", "orders")] public void OnOrder(string order) {}
            [Display("order.paid")] public void Show() {}
        }
        class Desk {
            ICapPublisher bus; DaprClient dapr; ILog log;
            void Pay(string order) { bus.PublishAsync(Names.Paid, order); }
            void Order(string order) { dapr.PublishEventAsync("pubsub", "orders", order); }
            void Other(string order) { bus.PublishAsync("other", order); log.Write("order.paid"); }
        }
    """

    assert {edge for edge in code_edges("Calls", texts) if edge[2] == RULE} == {
        ("Desk.Pay", "Mailer.OnPaid", RULE),
        ("Desk.Pay", "Mailer.Note", RULE),
        ("Desk.Order", "Mailer.OnOrder", RULE),
    }
