# Everything here needs python3 (3.11 or newer), make and git; the rest is fetched into .venv as pinned in requirements/,
# and into node_modules as pinned in package-lock.json. `make PYTHON=/path/to/python3 ...` chooses the interpreter.

VENV := .venv
PY := $(VENV)/bin/python
OUT := out
RITE := xiangshe
PINNED := pyproject.toml requirements/dev.txt
BASE := $(VENV)/.yanli-base
DEV := $(VENV)/.yanli-dev
BENCH := $(VENV)/.yanli-bench
PIP := $(PY) -m pip --disable-pip-version-check
INSTALL := $(PIP) install --quiet --no-input
# A Node of our own, where the path has none, is the first of the path.
WITH_NODE := PATH="$(CURDIR)/$(VENV)/bin:$$PATH"

# What the page stands on: libraries and fonts, made of packages of npm and of all that the page may show; and its own
# code in the short form in which readers get it.
WEB := src/yanli/web
MODULES := node_modules/.yanli
LIBRARIES := $(WEB)/vendor/importmap.json
FONTS := $(WEB)/fonts/fonts.json
LEAN := $(WEB)/lean/lean.json
SHOWN := $(shell find src/yanli -name __pycache__ -prune -o -path $(WEB)/vendor -prune -o -path $(WEB)/fonts -prune \
	-o -path $(WEB)/lean -prune \
	-o -type f \( -name '*.pu' -o -name '*.toml' -o -name '*.py' -o -name '*.js' -o -name '*.html' \) -print)

# An environment is made anew when it does not start, or when the folder was moved or copied after it was made.
ifneq ($(shell test -x $(PY) && test "$$(cat $(VENV)/.yanli-home 2>/dev/null)" = "$(CURDIR)" && $(PY) -c 'print("sound")' 2>/dev/null),sound)
.PHONY: $(PY)
$(shell rm -f $(BASE) $(DEV) $(BENCH))
endif

.DEFAULT_GOAL := help
.PHONY: help setup rehearse web serve stage pictures test lint format bench pins clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

setup: $(DEV) ## make .venv with all that developing needs

rehearse: $(BASE) ## perform a rite from its words and leave its papers in out/RITE (RITE=dashe chooses)
	@$(VENV)/bin/yanli rehearse $(RITE) -o $(OUT)/$(RITE)

web: $(LIBRARIES) $(FONTS) $(LEAN) ## build what the page of the stage stands on: libraries, fonts, its code made short

serve: web ## open the stage to the browsers of this machine (ARGS="--port 9000")
	@$(VENV)/bin/yanli serve $(ARGS)

stage: web ## write the stage as one file, out/RITE.html (RITE=dashe chooses)
	@mkdir -p $(OUT)
	@$(VENV)/bin/yanli stage $(RITE) -o $(OUT)/$(RITE).html

pictures: $(DEV) web ## draw a moment of every section, on a desktop and on a phone, into out/pictures
	@$(PY) -m tests.browser.scenes $(OUT)/pictures

test: $(DEV) web ## run every test (ARGS="-k name" chooses)
	@browser=$$($(PY) tools/browser.py); test -z "$$browser" || export YANLI_BROWSER="$$browser"; \
	if $(PY) -c 'import xdist' 2>/dev/null; then $(PY) -m pytest -n auto --dist loadgroup $(ARGS); else $(PY) -m pytest $(ARGS); fi

lint: $(DEV) $(MODULES) ## ruff, mypy, tsc and biome, all strict
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy --strict src tests tools hatch_build.py
	@$(WITH_NODE) node_modules/.bin/tsc -p tsconfig.json
	@$(WITH_NODE) node_modules/.bin/biome check --error-on-warnings

format: $(DEV) $(MODULES) ## put the files into their regular form
	@$(PY) -m ruff check --fix-only --quiet .
	@$(PY) -m ruff format .
	@$(WITH_NODE) node_modules/.bin/biome format --write

bench: $(BENCH) web ## run the benchmarks, with their peers beside them
	@$(PY) -m pytest -s -o addopts="" -o python_files='bench_*.py' -o python_functions='bench_*' --benchmark-only \
		--benchmark-sort=name benchmarks $(ARGS)

pins: $(DEV) ## resolve the pinned requirements again, for every Python from 3.11 on
	@$(PY) -m uv --version >/dev/null 2>&1 || $(INSTALL) uv
	@$(PY) -m uv pip compile --quiet --universal --python-version 3.11 --no-header --all-extras --upgrade \
		pyproject.toml requirements/dev.in -o requirements/dev.txt
	@$(PY) -m uv pip compile --quiet --universal --python-version 3.11 --no-header --upgrade \
		requirements/bench.in -o requirements/bench.txt
	@$(PY) -m uv pip compile --quiet --universal --python-version 3.11 --no-header --upgrade \
		requirements/node.in -o requirements/node.txt

clean: ## remove .venv, out and everything else that was made
	rm -rf $(VENV) $(OUT) node_modules $(WEB)/vendor $(WEB)/fonts $(WEB)/lean dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Candidates are run, not only looked for: a version manager may leave commands that start nothing.
$(PY):
	@found=; old=; \
	for p in $(PYTHON) python3.13 python3.12 python3.11 python3 python; do \
		v=$$("$$p" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue; \
		if "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$p; break; fi; \
		old="$$old $$p=$$v"; \
	done; \
	if [ -z "$$found" ]; then \
		if [ -n "$$old" ]; then echo "Yanli needs Python 3.11 or newer; found only:$$old" >&2; \
		else echo "Yanli needs Python 3.11 or newer; found no python3 at all" >&2; fi; \
		echo "Install a newer one, or name one: make PYTHON=/path/to/python3 $(MAKECMDGOALS)" >&2; exit 1; \
	fi; \
	if ! "$$found" -c 'import venv, ensurepip' 2>/dev/null; then \
		v=$$("$$found" -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		echo "$$found ($$v) cannot make an environment: its venv and ensurepip modules are not installed." >&2; \
		echo "On Debian and Ubuntu: sudo apt install python$$v-venv (or python3-venv); then run make again." >&2; exit 1; \
	fi; \
	echo "setting up $(VENV) with $$found ($$("$$found" -c 'import platform; print(platform.python_version())'))"; \
	"$$found" -m venv --clear $(VENV) && printf '%s\n' "$(CURDIR)" > $(VENV)/.yanli-home

# What a user gets from a plain install, at the pinned versions.
$(BASE): $(PINNED) | $(PY)
	@echo "installing Yanli and what it stands on (the first time takes a minute)"
	@$(INSTALL) -c requirements/dev.txt -e .
	@touch $@

$(DEV): $(BASE) $(PINNED) | $(PY)
	@echo "installing the tools for testing"
	@$(INSTALL) -r requirements/dev.txt
	@touch $@

$(BENCH): $(DEV) requirements/bench.txt | $(PY)
	@echo "installing the peers for the benchmarks"
	@$(INSTALL) -r requirements/bench.txt
	@touch $@

$(MODULES): package.json package-lock.json .npmrc tools/packages.py requirements/node.txt | $(DEV)
	@$(PY) tools/packages.py
	@touch $@

$(LIBRARIES): $(MODULES) tools/vendor.py tools/folder.py $(wildcard $(WEB)/*.js) | $(DEV)
	@$(PY) tools/vendor.py
	@touch $@

$(FONTS): $(MODULES) tools/fonts.py tools/fonts.toml tools/characters.py tools/folder.py $(SHOWN) | $(DEV)
	@$(PY) tools/fonts.py
	@touch $@

$(LEAN): $(MODULES) tools/lean.py tools/folder.py $(wildcard $(WEB)/*.js $(WEB)/*.css $(WEB)/*.html) | $(DEV)
	@$(PY) tools/lean.py
	@touch $@
