"""XAML is tied to the class behind it, to handlers of events, to types that it names and to what it binds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Edges = set[tuple[str, str, float]]

CODE = """
    using System.Windows;
    namespace Desk.Views
    {
        public class Base : Window { protected void Close_Click(object sender, RoutedEventArgs e) { } }
        public partial class OrderView : Base
        {
            public int Count { get; set; }
            private void Save_Click(object sender, RoutedEventArgs e) { }
            private void Center() { }
            private void Slide(object sender, RoutedPropertyChangedEventArgs<double> e) { }
        }
        public class BadgeControl { }
    }
    namespace Desk.ViewModels
    {
        public class OrderViewModel
        {
            public string Title { get; set; }
            public ICommand PrintCommand { get; }
            [RelayCommand] private async Task SaveAsync() { }
            private void Other() { }
        }
        public class LineViewModel { public string Title { get; set; } public int Price { get; set; } }
    }
    """
ROOT = """
    <Window x:Class="Desk.Views.OrderView" xmlns:x="http://schemas.microsoft.com/winfx/2006/xaml"
            xmlns:v="clr-namespace:Desk.Views" xmlns:vm="clr-namespace:Desk.ViewModels;assembly=Desk" {more}>
    {markup}
    </Window>
    """
MODEL = "Desk.ViewModels.OrderViewModel"
ALWAYS = {
    ("Handles code-behind", "Desk.Views.OrderView", 1.0),
    ("Handles view model", MODEL, 0.8),
}


@pytest.fixture(scope="session")
def edges_of(facts_of: FactsOf) -> Callable[..., Edges]:
    """What leads away from a view with the given markup, as (relation and rule, to, confidence)."""

    def edges(markup: str, *, more: str = "", name: str = "Desk/OrderView.xaml") -> Edges:
        ruled = build_graph(facts_of({name: ROOT.format(markup=markup, more=more), "Desk/code.cs": CODE}))
        assert not ruled.problems
        return {
            (
                f"{edge.relation} {edge.rule}",
                edge.to_key.partition(":")[2].rpartition("|")[0],
                edge.confidence,
            )
            for edge in ruled.graph.edges
            if edge.from_key == f"file:{name}|FILE"
        }

    return edges


@pytest.mark.parametrize("name", ["Desk/OrderView.xaml", "Desk/OrderView.axaml"])
def test_a_view_has_its_class_and_the_view_model_that_is_called_like_it(
    edges_of: Callable[..., Edges], name: str
) -> None:
    assert edges_of("<Grid />", name=name) == ALWAYS


def test_a_view_model_that_is_said_is_sure(edges_of: Callable[..., Edges]) -> None:
    expected = {("Handles code-behind", "Desk.Views.OrderView", 1.0)}
    expected |= {("Handles view model", "Desk.ViewModels.LineViewModel", 1.0)}

    assert edges_of("<Grid />", more='x:DataType="vm:LineViewModel"') == expected
    assert edges_of("<Grid />", more='d:DataContext="{d:DesignInstance Type=vm:LineViewModel}"') == expected


@pytest.mark.parametrize(
    "markup",
    [
        "<Window.DataContext><vm:LineViewModel /></Window.DataContext>",
        "<Window.DataContext>\n  <!-- design --><vm:LineViewModel/>\n</Window.DataContext>",
        "<Window.BindingContext><vm:LineViewModel></vm:LineViewModel></Window.BindingContext>",
    ],
)
def test_a_view_model_that_is_made_in_the_view_is_sure(edges_of: Callable[..., Edges], markup: str) -> None:
    assert edges_of(f'{markup}<Label Text="{{Binding Price}}" />') == {
        ("Handles code-behind", "Desk.Views.OrderView", 1.0),
        ("Handles view model", "Desk.ViewModels.LineViewModel", 1.0),
        ("Uses binding", "Desk.ViewModels.LineViewModel.Price", 1.0),
    }


@pytest.mark.parametrize(
    ("constructor", "expected"),
    [
        ("public OrderView() { DataContext = new Desk.ViewModels.LineViewModel(); }", ("LineViewModel", 1.0)),
        ("public OrderView(Desk.ViewModels.LineViewModel m) { DataContext = m; }", ("LineViewModel", 1.0)),
        ("public OrderView() { this.BindingContext = new Desk.ViewModels.LineViewModel(); }", ("LineViewModel", 1.0)),
        ("public OrderView(object m) { DataContext = m; }", None),
        ("public OrderView() { Title = new Desk.ViewModels.LineViewModel(); }", ("OrderViewModel", 0.8)),
    ],
)  # fmt: skip
def test_a_view_model_that_the_class_puts_in_comes_before_names(
    facts_of: FactsOf, constructor: str, expected: tuple[str, float] | None
) -> None:
    code = CODE.replace("public int Count", f"{constructor} public int Count", 1)
    files = {"Desk/A.xaml": ROOT.format(markup="", more=""), "Desk/code.cs": code}

    graph = build_graph(facts_of(files)).graph

    found = [(e.to_key, e.confidence) for e in graph.edges if e.rule == "view model"]
    assert found == ([(f"csharp:Desk.ViewModels.{expected[0]}|TYPE", expected[1])] if expected else [])


def test_of_two_that_are_called_like_the_view_the_longer_name_counts(facts_of: FactsOf) -> None:
    code = "namespace Desk { class MainWindow : Window { } class MainViewModel { } class MainWindowViewModel { } }"
    files = {"Desk/A.xaml": '<Window x:Class="Desk.MainWindow" />', "Desk/code.cs": code}

    graph = build_graph(facts_of(files)).graph

    found = [edge.to_key for edge in graph.edges if edge.rule == "view model"]
    assert found == ["csharp:Desk.MainWindowViewModel|TYPE"]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<Button Click="Save_Click" />', ("Handles event handler", "Desk.Views.OrderView.Save_Click", 1.0)),
        ('<Button Click="Close_Click" />', ("Handles event handler", "Desk.Views.Base.Close_Click", 1.0)),
        ("<v:BadgeControl />", ("Uses names type", "Desk.Views.BadgeControl", 1.0)),
        ('<Style TargetType="{x:Type v:BadgeControl}" />', ("Uses names type", "Desk.Views.BadgeControl", 1.0)),
        ('<Label Text="{Binding Title}" />', ("Uses binding", f"{MODEL}.Title", 0.8)),
        ('<Label Text="{Binding Path=Title, Mode=OneWay}" />', ("Uses binding", f"{MODEL}.Title", 0.8)),
        ('<Label Text="{Binding Mode=TwoWay, Path=Title}" />', ("Uses binding", f"{MODEL}.Title", 0.8)),
        ('<Grid DataContext="{Binding Title}" />', ("Uses binding", f"{MODEL}.Title", 0.8)),
        (
            '<Grid DataContext="{Binding No}"></Grid><Label Text="{Binding Title}" />',
            ("Uses binding", f"{MODEL}.Title", 0.8),
        ),
        ('<Slider ValueChanged="Slide" />', ("Handles event handler", "Desk.Views.OrderView.Slide", 1.0)),
        ('<Button Command="{Binding PrintCommand}" />', ("Uses binding", f"{MODEL}.PrintCommand", 0.8)),
        ('<Button Command="{Binding SaveCommand}" />', ("Handles command", f"{MODEL}.SaveAsync", 0.8)),
        ('<Label Text="{x:Bind Count}" />', ("Uses binding", "Desk.Views.OrderView.Count", 1.0)),
    ],
)  # fmt: skip
def test_markup_leads_to_what_it_names(
    edges_of: Callable[..., Edges], markup: str, expected: tuple[str, str, float]
) -> None:
    assert edges_of(markup) - ALWAYS == {expected}


@pytest.mark.parametrize(
    "markup",
    [
        '<!-- <Button Click="Save_Click" /> -->',
        '<Label HorizontalAlignment="Center" />',
        '<Label x:Name="Save_Click" />',
        '<Label Text="{Binding Title, ElementName=other}" />',
        '<Label Text="{Binding ElementName=Title}" />',
        '<ItemsControl><DataTemplate><Label Text="{Binding Title}" /></DataTemplate></ItemsControl>',
        '<DataGridTextColumn Binding="{Binding Title}" />',
        '<GridViewColumn DisplayMemberBinding="{Binding Title}" />',
        '<Style><Setter Property="x" Value="{Binding Title}" /></Style>',
        '<Grid DataContext="{Binding Missing}"><Label Text="{Binding Title}" /></Grid>',
        '<Grid DataContext="{Binding Missing}" Tag="{Binding Title}" />',
        '<![CDATA[ <Label Text="{Binding Title}" /> ]]>',
        '<Button Command="{Binding OtherCommand}" />',
        "<w:Unknown />",
    ],
)
def test_what_names_nothing_of_the_view_leads_nowhere(edges_of: Callable[..., Edges], markup: str) -> None:
    assert edges_of(markup) == ALWAYS


def test_bindings_after_a_template_are_those_of_the_view_again(edges_of: Callable[..., Edges]) -> None:
    template = '<DataTemplate>\n<Label Text="{Binding Price}" />\n</DataTemplate>\n<DataTemplate />'
    markup = f'{template}\n<Label Text="{{Binding Title}}" />'

    assert edges_of(markup) - ALWAYS == {("Uses binding", f"{MODEL}.Title", 0.8)}


@pytest.mark.parametrize(
    "piece", ["<DataTemplate ", "<DataTemplate>", "<a:b ", '<a b="{Binding ', '<a b="x" ', "<!--"]
)
def test_hostile_files_are_read_in_a_moment(facts_of: FactsOf, piece: str) -> None:
    start = perf_counter()

    facts = facts_of({"Desk/A.xaml": piece * (300_000 // len(piece))})

    assert len(facts[0].views) <= 5_000
    assert perf_counter() - start < 5
