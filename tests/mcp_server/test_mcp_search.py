import pytest


def test_a_search_tells_place_key_id_score_and_the_lines_that_match(shop):
    data = shop.data("search", query="create invoice", mode="bm25", top_k=2)

    first = data["results"][0]
    assert data["mode"] == "bm25"
    assert len(data["results"]) == 2
    assert first["rank"] == 1
    assert first["score"] > 0
    assert {"id", "location", "node_key", "name", "type", "snippet"} <= first.keys()
    assert "text" not in first


def test_the_text_tells_what_the_data_tells(shop):
    answer = shop.call("search", query="create invoice", mode="bm25", top_k=3)

    for hit in answer.structured_content["results"]:
        assert hit["location"] in answer.content[0].text
        assert hit["node_key"] in answer.content[0].text
        assert hit["id"] in answer.content[0].text


def test_snippets_carry_line_numbers(shop):
    hit = shop.data("search", query="Invoice_Create", mode="bm25", top_k=1)["results"][0]

    number, _, line = next(line for line in hit["snippet"].split("\n") if line != "…").partition(": ")
    text = shop.text("show", key=f"{hit['location'].rsplit(':', 1)[0]}:{number}")
    assert line in text


def test_full_gives_whole_texts(shop):
    hit = shop.data("search", query="dbo.Invoice_Create", mode="bm25", top_k=1, full=True)["results"][0]

    assert "CREATE" in hit["text"]
    assert "snippet" not in hit


def test_explain_gives_the_parts_of_a_score(shop):
    hit = shop.data("search", query="invoice", mode="bm25", top_k=1, explain=True)["results"][0]

    assert any(part.startswith("bm25 +") for part in hit["explain"])


@pytest.mark.parametrize("mode", ["hybrid", "semantic", "semantic_rerank", "bm25"])
def test_every_mode_answers(shop, mode):
    assert shop.data("search", query="create invoice", mode=mode, top_k=1)["results"]


def test_filters_take_one_value_or_several(shop):
    data = shop.data("search", query="invoice", filters={"kind": ["PROC", "VIEW"], "schema": "dbo"}, top_k=20)

    assert data["results"]
    assert {hit["node_key"].split("|")[1] for hit in data["results"]} <= {"PROC", "VIEW"}


def test_filters_that_a_client_sends_as_text_are_read(shop):
    data = shop.data("search", query="invoice", filters='{"kind": "PROC"}', top_k="2")

    assert len(data["results"]) == 2


def test_where_narrows_the_search(shop):
    data = shop.data("search", query="invoice", where="end_line - start_line > 30", top_k=3)

    places = [hit["location"].rsplit(":", 1)[1].split("-") for hit in data["results"]]
    assert all(int(end) - int(start) > 30 for start, end in places)


def test_too_few_results_are_explained(shop):
    data = shop.data("search", query="invoice", filters={"name": "Invoice_Create"}, mode="bm25")

    assert any("qualif" in note for note in data["notes"])


def test_a_filter_that_is_given_up_is_told(shop):
    data = shop.data("search", query="invoice", filters={"schema": "nowhere"}, relax=["schema"], top_k=1)

    assert data["results"]
    assert "gave up the filter schema" in data["notes"]


def test_nothing_found_says_what_to_try(shop):
    text = shop.text("search", query="zzyzxqq", mode="bm25")

    assert text.startswith("0 results")
    assert "try other words" in text


def test_results_that_do_not_fit_are_counted(shop):
    data = shop.data("search", query="invoice", mode="bm25", top_k=50, full=True)

    assert any("more results do not fit" in note for note in data["notes"])
    assert len(data["results"]) < 50


def test_a_value_that_no_chunk_has_is_told_with_the_closest(shop):
    notes = shop.data("search", query="invoice", filters={"kind": "TABEL", "branch": ["nope"]})["notes"]

    assert "no chunk has kind 'TABEL'; did you mean TABLE?" in notes
    assert "no chunk has branch 'nope'" in notes
