# Two commands: `make edition` builds every text, `make test` checks everything. Both set up .venv by themselves.
# Needed: Python 3.11 or later, git, make, a way to PyPI. Nothing is installed outside this folder.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input install --quiet
HASHED := $(PIP) --only-binary :all: --require-hashes --requirement
# A stamp is named by the content of what it depends on, so that set-up is repeated only when that changes.
HASH := $(shell cat pyproject.toml constraints.txt .ci/requirements-*.txt | cksum | tr ' ' -)
RUN := $(BIN)/.jiaokan-run-$(HASH)
DEV := $(BIN)/.jiaokan-dev-$(HASH)
BENCH := $(BIN)/.jiaokan-bench-$(HASH)
DOCS := build/docs-$(HASH)/bin

.PHONY: edition test test-all printed twice check bench bench-apparatus profile accuracy docs pictures installed fuzz faults kills hashes sbom clean help
.DEFAULT_GOAL := edition

edition: $(RUN)  ## build TEI, HTML and PDF of every text into build/
	@$(BIN)/jiaokan build .

test: $(DEV)  ## lint, types and the usual tests; browser tests where Chromium is there
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/pytest -m "not thorough" -n 2 --dist loadfile --no-loadscope-reorder --max-worker-restart 0

test-all: $(DEV)  ## all tests with all of their inputs, faults and kills among them; before a release
	@JIAOKAN_TESTS=all $(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder --max-worker-restart 0

printed: $(DEV)  ## hold the PDFs of build/ against their TEI, character by character
	@$(BIN)/python -m tests.printed

twice: $(DEV)  ## build all texts once more, elsewhere; hold that the bytes are those of build/
	@$(BIN)/python -m tests.twice

bench: $(BENCH)  ## time builds, reading, collation, validation, HTML and PDF, beside other tools where they are
	@$(BIN)/python benchmarks/build.py
	@$(BIN)/python benchmarks/readers.py
	@$(BIN)/python benchmarks/collate.py
	@$(BIN)/python benchmarks/validate.py
	@$(BIN)/python benchmarks/pages.py
	@$(BIN)/python benchmarks/imports.py
	@$(BIN)/python benchmarks/pdf.py

bench-apparatus: $(BENCH)  ## collate published editions blind and compare with their apparatus; downloads them (8 MB)
	@$(BIN)/python benchmarks/apparatus.py --fetch

profile: $(BENCH)  ## where the time of a whole build goes, by stage and by function; about five minutes
	@$(BIN)/python benchmarks/road.py

accuracy: $(DEV)  ## how well layers, speakers and entries are found, on passages annotated by reading
	@$(BIN)/python -m tests.accuracy
	@if [ -f ../shared/raw/score.py ]; then $(BIN)/python ../shared/raw/score.py --jiaokan $(BIN)/jiaokan --quick; fi

pictures: $(DEV)  ## take the pictures of the documentation anew from build/ (`make edition`) and the example's desk
	@PYTHONPATH=.:pipeline $(BIN)/python docs/pictures.py

docs:  ## build the documentation site in English and Chinese into build/docs; a broken link is an error
	@test -x $(DOCS)/sphinx-build || { $(PYTHON) -m venv build/docs-$(HASH) && for each in docs edition; do \
	  $(DOCS)/python -m pip --disable-pip-version-check install --quiet --require-hashes \
	    --requirement .ci/requirements-$$each.txt; done; }
	@PYTHONPATH=.:pipeline $(DOCS)/python docs/make.py

installed: $(DEV)  ## install the wheel from an index with nothing else, as `pip install jiaokan` does, and use it
	@$(BIN)/python .ci/install.py

fuzz: $(DEV)  ## generated inputs against the laws, MINUTES=10 of them; SEED=… repeats a run
	@$(BIN)/python -m tests.fuzz --minutes $(or $(MINUTES),10) $(if $(SEED),--seed $(SEED))

faults: $(DEV)  ## refuse a build each write, rename, process and allocation, one at a time; about three hours of a core
	@$(BIN)/python -m tests.faults $(if $(SEED),--seed $(SEED))

kills: $(DEV)  ## kill builds, and the collation of the largest edition, at 200 random moments (KILLS=…); about half an hour
	@$(BIN)/python -m tests.faults.kills --kills $(or $(KILLS),200) $(if $(SEED),--seed $(SEED))

hashes:  ## write .ci/requirements-*.txt anew from pyproject.toml, constraints.txt and .ci/requirements-*.in
	@$(PYTHON) -m venv build/tools && build/tools/bin/pip --disable-pip-version-check install --quiet \
	  --only-binary :all: --require-hashes --requirement .ci/requirements-tools.txt
	@mkdir -p build && printf 'editables\nhatchling\n' > build/build.in
	@build/tools/bin/uv pip compile --quiet .ci/requirements-validate.in --constraint constraints.txt --universal \
	  --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command 'make hashes' \
	  --output-file .ci/requirements-validate.txt
	@for each in edition: 'dev:--extra dev'; do \
	  build/tools/bin/uv pip compile --quiet pyproject.toml build/build.in $${each#*:} --constraint constraints.txt \
	    --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command 'make hashes' \
	    --output-file .ci/requirements-$${each%%:*}.txt; done
	@for each in tools docs peers; do \
	  build/tools/bin/uv pip compile --quiet .ci/requirements-$$each.in --universal --python-version 3.11 --generate-hashes \
	    --no-annotate --custom-compile-command 'make hashes' --output-file .ci/requirements-$$each.txt; done

sbom: $(DEV)  ## write a bill of materials (CycloneDX) and a table of licences into build/
	@$(PYTHON) -m venv build/tools && build/tools/bin/pip --disable-pip-version-check install --quiet \
	  --only-binary :all: --require-hashes --requirement .ci/requirements-tools.txt
	@build/tools/bin/cyclonedx-py environment --pyproject pyproject.toml --mc-type application --output-reproducible \
	  --spec-version 1.6 --output-file build/sbom.cdx.json $(BIN)/python
	@build/tools/bin/pip-licenses --python $(BIN)/python --with-urls --format markdown --output-file build/licences.md

clean:  ## remove what was built (not the committed TEI)
	rm -rf build dist

help:  ## list these commands
	@sed -n 's/^\([a-z-]*\):.*##/\1\t/p' Makefile

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "jiaokan needs Python 3.11 or later; none was found" >&2; exit 2; }
	@$(PYTHON) -m venv .venv || { echo "$(PYTHON) cannot make a virtual environment: install its venv module" >&2; exit 2; }

$(RUN): | $(BIN)/python
	@echo "Setting up .venv with the pinned versions of constraints.txt (once, about a minute)"
	@$(HASHED) .ci/requirements-edition.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@rm -f $(BIN)/.jiaokan-run-* && touch $@

$(DEV): | $(RUN)
	@echo "Adding the pinned tools for tests to .venv (once)"
	@$(HASHED) .ci/requirements-dev.txt
	@rm -f $(BIN)/.jiaokan-dev-* && touch $@

$(BENCH): | $(DEV)
	@echo "Adding the tools that are measured beside ours to .venv (once)"
	@rm -f $(BIN)/.jiaokan-bench-*
	@$(PIP) --constraint constraints.txt collatex levenshtein && touch $@ || echo "They cannot be had: measuring without them"
