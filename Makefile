# `make help` lists what there is. Every target sets up .venv by itself when it has to.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTHON ?= python3
DEMO ?= runs/demo

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-plain test-frameworks check bench new-game docs clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

$(STAMP): pyproject.toml setup.py constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "backroom needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	@echo "setting up $(VENV): PyTorch and some dozens of packages, about two minutes"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -qq --disable-pip-version-check torch==2.13.0
	$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e ".[play,train,dev]"
	@touch $@

setup: $(STAMP)  ## install everything into .venv

demo: $(STAMP)  ## learn three games in a few minutes, judge them, and write games to watch
	$(BIN)/python -m backroom.train.demo --out $(DEMO)

test: $(STAMP)  ## the whole suite, compiled, as CI runs it
	$(BIN)/python -m pytest -q -n 2 --dist worksteal

test-plain: $(STAMP)  ## the quick loop: the rules as plain Python, without the slow tests
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow"

test-frameworks: $(STAMP)  ## external frameworks, each in an environment of its own: long, gigabytes
	$(BIN)/python tests/frameworks/run.py $(FRAMEWORKS)

check: $(STAMP)  ## ruff, mypy --strict, import-linter
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)  ## throughput beside PettingZoo's hold'em, and compile times
	$(BIN)/python benchmarks/throughput.py --cold

new-game: $(STAMP)  ## start a game: make new-game NAME=skull
	@test -n "$(NAME)" || { echo "say its name: make new-game NAME=skull" >&2; exit 2; }
	$(BIN)/backroom new-game $(NAME)

docs: $(STAMP)  ## write the tables in the READMEs anew from the code
	$(BIN)/python -m backroom.train.docs

clean:  ## remove .venv, caches and runs/demo
	rm -rf $(VENV) $(DEMO) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
