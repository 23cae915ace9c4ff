# The targets that people use. `make demo` and `make test` need nothing but Python >= 3.11 with venv
# and pip, and the package index; everything is installed into .venv.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?=
DEMO_ARGS ?=
FRESH_ARGS ?=
CHAOS_ARGS ?=
UPGRADE_ARGS ?=
FUZZ_ARGS ?=
BENCH_VENV ?= .venv-bench
MUTATION_VENV ?= .venv-mutation
MUTATION_ARGS ?=
BENCH_ARGS ?=
BOTS_ARGS ?=
SOAK_ARGS ?=
LEAKS_ARGS ?=
GALLERY_ARGS ?=
LOOK_ARGS ?=
DOCS ?= build/docs
VERSION ?=
RELEASE_ARGS ?=
# Python compiles a module once, and not again for each of the hundred processes of the tests. Where the
# machine forbids it to keep what it compiled, each of them takes seconds longer to start.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo play test check unit format rules-report mail-report messages fuzz references clicks gallery look pictures docs fresh package wheels release named chaos upgrade soak leaks mutation compiled bench bots lock clean

##@ Every day

help:  ## list the targets
	@sed -nE 's/^##@ /\n/p; s/^([a-z-]+):.*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 16

demo: $(VENV)/.installed  ## play a whole game by mail on this machine, and verify it
	@$(BIN)/pbem demo $(DEMO_ARGS)

play: $(VENV)/.installed  ## be one of the players, in a window of your browser; DEMO_ARGS="--game cathedral"
	@$(BIN)/pbem demo --play $(DEMO_ARGS)

# Side by side: types are one process, and the suite has moments in which it waits.
test: $(VENV)/.installed-dev  ## linters, types, contracts and the whole suite
	@$(MAKE) -j2 check unit

# The branch's own commits; without git, or without a branch `main`, there are none to check.
BASE ?= main
check: $(VENV)/.installed-dev  ## linters, types, import contracts, tests that cannot fail, commit subjects
	@git log --format=%s $(BASE)..HEAD 2>/dev/null | awk 'length > 60 { print "commit subject over 60 characters: " $$0; long = 1 } END { exit long }'
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.assertions

# One more than there are cores: many tests wait for servers.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
unit: $(VENV)/.installed-dev  ## the tests alone; PYTEST_ARGS="-k tokens" for some
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(PYTEST_ARGS)

format: $(VENV)/.installed-dev  ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

messages: $(VENV)/.installed-dev  ## find the sentences for players, bring the catalogs of languages up to date
	$(BIN)/python -m tools.messages

references: $(VENV)/.installed-dev  ## write the pages of docs/ about commands, configuration and events
	$(BIN)/python -m tools.references

gallery: $(VENV)/.installed-dev  ## every kind of mail of every game as HTML, text and (with chromium) PNG; GALLERY_ARGS="--language de"
	$(BIN)/python -m tools.gallery build/gallery $(GALLERY_ARGS)

look: $(VENV)/.installed-dev  ## every kind of mail in chromium, in every language, width and scheme: what is wrong with it; LOOK_ARGS="--row phalanx"
	$(BIN)/python -m tools.look $(LOOK_ARGS)

clicks: $(VENV)/.installed-dev  ## a whole game in the window of the demo, by clicking in chromium
	$(BIN)/python -m pytest -q tests/demo/test_playing.py

rules-report: $(VENV)/.installed-dev  ## rule ids and the tests that prove them; fails on holes
	$(BIN)/python -m tools.rules_report

mail-report: $(VENV)/.installed-dev  ## how well replies are read, over the corpus
	$(BIN)/python -m tools.mail_report

docs: $(VENV)/.installed-dev  ## these pages as a site; DOCS=/var/www/cards/docs puts it beside the pages of the games
	$(BIN)/sphinx-build -q -W --keep-going -d build/doctrees docs $(DOCS)

clean:  ## remove what was installed and built
	rm -rf $(VENV) $(BENCH_VENV) $(MUTATION_VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

##@ Release

package: $(VENV)/.installed-dev  ## build wheel and sdist in dist/, and use the wheel where there is no checkout
	$(BIN)/python -m tools.package dist

# Built from the sdist, so that nothing compiled stays in the checkout. pip takes it where it fits, the pure one elsewhere.
wheels: package  ## more wheels in dist/, with the rules as machine code for each Python here; a whole game with each; needs a C compiler
	$(BIN)/python -m tools.package.wheels dist
	rm -rf build/wheels
	$(BIN)/python -m pip install --quiet --no-deps --no-index --find-links dist --target build/wheels/used pbem-cards
	PYTHONSAFEPATH=1 PYTHONPATH=build/wheels/used:. $(BIN)/python -c "from engine import cards; assert cards.__file__.endswith('.so')"
	PYTHONSAFEPATH=1 PYTHONPATH=build/wheels/used:. $(BIN)/python -m pytest -q --import-mode=importlib \
	  -p no:cacheprovider tests/engine -k "golden or transcript or against_reference or perft"

# mypyc comes with mypy; the golden logs and the transcripts must come out the same.
compiled: $(VENV)/.installed-dev  ## the rules as machine code, in build/compiled; needs a C compiler
	$(BIN)/python -m bench.compiled build/compiled
	PYTHONSAFEPATH=1 PYTHONPATH=build/compiled:. $(BIN)/python -m pytest -q --import-mode=importlib \
	  -p no:cacheprovider tests/engine -k "golden or transcript or against_reference or perft"

release: named test package  ## try a release: all checks, version, tag, notes, packages; VERSION=1.1.0, RELEASE_ARGS=--really does it
	$(BIN)/python -m tools.package.release $(VERSION) $(RELEASE_ARGS)

named:
	@[ -n "$(VERSION)" ] || { echo "Name the version, such as: make release VERSION=1.1.0"; exit 1; }

fresh:  ## the README's commands on a Debian of its own (root, debootstrap), or with an empty home; FRESH_ARGS=demo, =container for the Containerfile, =systemd for the units
	tools/fresh.sh $(FRESH_ARGS)

pictures: $(VENV)/.installed-dev  ## make the pictures of the documentation anew; needs chromium
	$(BIN)/python -m tools.pictures docs/pictures

bots: $(VENV)/.installed-dev  ## how well bots play: tables in docs/bots.md, ratings; BOTS_ARGS="--games 40 --cells phyliss:4"
	@[ -d build/compiled/engine ] || ! command -v cc >/dev/null || $(MAKE) compiled
	PYTHONSAFEPATH=1 PYTHONPATH=build/compiled:. $(BIN)/python -m tools.bots --page docs/bots.md \
	  --ratings pbem/bots/ratings.json $(BOTS_ARGS)

bench: $(BENCH_VENV)/.installed  ## figures as ratios beside public peers; BENCH_ARGS="playouts"
	@mkdir -p build
	@[ -d build/compiled/engine ] || ! command -v cc >/dev/null || $(MAKE) compiled
	@$(BENCH_VENV)/bin/python -m bench --json build/bench.json \
	  $(if $(BENCH_ARGS),$(BENCH_ARGS),--page docs/dev/bench.md)

lock: $(VENV)/.installed-dev  ## resolve the lock files anew
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
	  --python-version 3.11 --extra postgres --extra openpgp pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
	  --python-version 3.11 --all-extras pyproject.toml -o requirements-dev.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
	  --python-version 3.11 bench/requirements.in -o bench/requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
	  --python-version 3.11 trials/mutation/requirements.in -c requirements-dev.lock \
	  -o trials/mutation/requirements.lock

##@ Trials

chaos: $(VENV)/.installed-dev  ## kill the service over and over during games; the log must not notice
	$(BIN)/python -m trials.chaos $(CHAOS_ARGS)

upgrade: $(VENV)/.installed-dev  ## upgrade an installation of 1.0.0 in the middle of its games; UPGRADE_ARGS="--database sqlite"
	$(BIN)/python -m trials.upgrade $(UPGRADE_ARGS)

soak: $(VENV)/.installed-dev  ## thousands of games of every kind, a year of deadlines, leagues, worlds that nobody may tell apart; SOAK_ARGS="--games 1000"
	$(BIN)/python -m trials.soak $(SOAK_ARGS)
	$(BIN)/python -m trials.soak.year
	$(BIN)/python -m trials.soak.league
	$(BIN)/python -m trials.leaks $(LEAKS_ARGS)

leaks: $(VENV)/.installed-dev  ## pairs of worlds that nobody may tell apart; LEAKS_ARGS="--ruleset phalanx --games 300"
	$(BIN)/python -m trials.leaks $(LEAKS_ARGS)

fuzz: $(VENV)/.installed-dev  ## damaged mails without end; FUZZ_ARGS="--seconds 600 --seed 3"
	$(BIN)/python -m trials.fuzz $(FUZZ_ARGS)

mutation: $(MUTATION_VENV)/.installed  ## which changes of the rules no test notices; MUTATION_ARGS="phyliss"
	@$(MUTATION_VENV)/bin/python -m trials.mutation $(MUTATION_ARGS)

$(BIN)/python:
	@echo "Making a virtual environment in $(VENV) …"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "pbem needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 …"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "The Python here lacks venv; on Debian: apt install python3-venv"; exit 1; }

$(VENV)/.installed: requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing what pbem needs …"
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock $(VENV)/.installed
	@echo "Installing what the tests need …"
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-dev.lock
	@touch $@

# The peers live apart from pbem, with an environment of their own.
$(BENCH_VENV)/.installed: bench/requirements.lock requirements.lock
	@$(PYTHON) -m venv $(BENCH_VENV)
	@$(BENCH_VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
	  -r requirements.lock
	@$(BENCH_VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
	  -r bench/requirements.lock
	@$(BENCH_VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(MUTATION_VENV)/.installed: trials/mutation/requirements.lock requirements-dev.lock
	@$(PYTHON) -m venv $(MUTATION_VENV)
	@$(MUTATION_VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
	  -r requirements-dev.lock
	@$(MUTATION_VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
	  -r trials/mutation/requirements.lock
	@touch $@
