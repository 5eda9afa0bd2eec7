# What there is to do here; `make help` lists it. Works with GNU make 3.81, which macOS ships.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

# Touched when the set-up has ended well; the next one happens when a pin or a dependency changes.
STAMP  := $(VENV)/.set-up

SOURCES := src tests tools demo benchmarks

# The model for tests and benchmarks, which have no home of their own; the package stays beside it,
# because tests compare with it. Users' own lies in their data folder.
MODELS  := $(CURDIR)/build/models
PACKAGE := $(CURDIR)/build/model-package

# What the tests of the viewer bring into the browser; the browser is the system's own.
AXE := tests/browser/node_modules/.package-lock.json

# A vector server for tests, in an environment of its own.
CHROMA := $(CURDIR)/build/chroma

WORDS_ONLY = echo "There is no model: search goes on by words only, and make model tries again."

# Tests and the demo get a home of their own, which is removed whatever happens.
IN_THROWAWAY_HOME = throwaway=$$(mktemp -d) && trap 'rm -rf "$$throwaway"' EXIT && HOME="$$throwaway"

WITH_MODEL = RECOLLECT_MODEL_DIR="$(MODELS)"

.DEFAULT_GOAL := help
.PHONY: help setup model up down demo test test-model chroma axe conformance check format docs pictures bench bench-retrieval wheel

help: ## show what there is to do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## make .venv with the recollect command in it; start nothing

model: setup ## build the model that finds by meaning into your data folder, once
	@$(BIN)/recollect model build

test-model: setup
	@$(WITH_MODEL) $(BIN)/recollect model build --package "$(PACKAGE)" >/dev/null || $(WORDS_ONLY)

up: setup ## set up what is missing and start the worker
	@$(BIN)/recollect model build >/dev/null || $(WORDS_ONLY)
	@$(BIN)/recollect up --detach
	@echo "Next: $(BIN)/recollect wiring claude-code   prints what to put into your agent's settings"
	@echo "      make down                            stops the worker; nothing that was captured is lost"

down: ## stop the worker
	@test -x $(BIN)/recollect || { echo "nothing is set up here, so nothing runs"; exit 1; }
	@$(BIN)/recollect down

demo: setup ## replay a coding session into a throw-away store and show what is remembered
	@$(IN_THROWAWAY_HOME) $(BIN)/python demo/replay.py

# Touched like the other stamp. pip of our own installs it: two would double the environment.
$(CHROMA)/.set-up: $(STAMP) tests/chroma-requirements.txt
	@"$(PYTHON)" -m venv --clear --without-pip "$(CHROMA)"
	@$(BIN)/python -m pip --python "$(CHROMA)/bin/python" install --quiet \
		--disable-pip-version-check --no-deps --requirement tests/chroma-requirements.txt
	@touch "$(CHROMA)/.set-up"

chroma: $(CHROMA)/.set-up ## install the vector server that tests talk to

$(AXE): tests/browser/package-lock.json
	@npm ci --prefix tests/browser --no-audit --no-fund --silent
	@touch $(AXE)

axe: $(AXE) ## install what looks for barriers in the viewer (needs npm)

test: test-model ## set up what is missing and run every test
	@$(MAKE) --no-print-directory chroma || \
		echo "There is no Chroma: the tests that need it will say so, and make chroma tries again."
	@$(MAKE) --no-print-directory axe || \
		echo "There is no axe: the tests that need it will say so, and make axe tries again."
	@$(IN_THROWAWAY_HOME) $(WITH_MODEL) $(BIN)/python -m pytest -n 2

conformance: setup ## run the MCP conformance suite (needs npm)
	@$(IN_THROWAWAY_HOME) $(BIN)/python tests/conformance/run.py

check: setup ## format, lint, types, import rules and generated pages, changing nothing
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	MYPYPATH=src:tests:tests/conformance:. $(BIN)/mypy --explicit-package-bases $(SOURCES)
	$(BIN)/lint-imports --no-cache
	$(BIN)/python tools/reference.py --check

format: setup ## put the source into its form
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

docs: setup ## write the generated pages anew
	$(BIN)/python tools/reference.py

pictures: test-model ## take the screenshots in docs/images anew, by the viewer's tests (needs Chromium)
	@mkdir -p docs/images
	@$(IN_THROWAWAY_HOME) RECOLLECT_PICTURES="$(CURDIR)/docs/images" $(WITH_MODEL) $(BIN)/python -m pytest tests/browser/test_pictures.py

bench: test-model ## measure, into benchmarks/results/; NAMES="record serve" measures some
	@$(IN_THROWAWAY_HOME) $(WITH_MODEL) $(BIN)/python -m benchmarks $(NAMES)

bench-retrieval: test-model ## is the right memory found? DATA=<file or folder>, the coding set without it
	@$(IN_THROWAWAY_HOME) $(WITH_MODEL) $(BIN)/python -m benchmarks.retrieval.run $(if $(DATA),"$(DATA)") $(OPTIONS)

# From a copy: a model inside the sources would be found by every test that means to have none.
wheel: test-model ## build a release into dist/ that carries the model
	@stage=$$(mktemp -d) && trap 'rm -rf "$$stage"' EXIT && \
		cp -R pyproject.toml README.md LICENSE src "$$stage" && \
		rm -rf "$$stage/src/recollect/embed/model" && \
		cp -R "$(MODELS)" "$$stage/src/recollect/embed/model" && \
		$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
			--no-build-isolation --wheel-dir dist "$$stage"
	@echo "Built: $$(ls -t dist/recollect-*.whl | head -n 1)"

$(STAMP): pyproject.toml constraints.txt
	@command -v "$(PYTHON)" >/dev/null || \
		{ echo "There is no $(PYTHON) here. Recollect needs Python 3.11 or newer; try make PYTHON=/path/to/python3.12"; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is $$("$(PYTHON)" -V 2>&1), and Recollect needs 3.11 or newer; try make PYTHON=/path/to/python3.12"; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON) cannot make a virtual environment; on Debian: apt install python3-venv"; exit 1; }
	@echo "Setting up $(VENV) with $$("$(PYTHON)" -V) and the packages of constraints.txt; the first time takes a minute or two ..."
	@"$(PYTHON)" -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev,llm]" --constraint constraints.txt
	@touch $(STAMP)
	@echo "Set up: $$($(BIN)/recollect --version) in $(BIN)/recollect"
