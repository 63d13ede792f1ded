# The commands of this repository. Everything that a command makes goes to bin/
# or out/, which git ignores.

GO       ?= go
FUZZTIME ?= 20s
ARGS     ?=
RUNS     ?= 10000000

.DEFAULT_GOAL := help
.PHONY: help demo test race lint bench golden docs fuzz fuzz-long fuzz-many mutation soak coverage outside build clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# What the compiler and the downloads say is shown only when they fail.
demo: ## lose one acknowledgement and watch what follows
	@mkdir -p bin out
	@test -x bin/ackgap || echo 'building bin/ackgap, which takes a minute or two the first time ...' >&2
	@$(GO) build -o bin/ackgap ./cmd/ackgap 2>out/build.log || { cat out/build.log >&2; exit 1; }
	@bin/ackgap demo $(ARGS)
	@command -v ackgap >/dev/null || printf '%s\n' 'FIRST, so that these commands can be pasted:' '  export PATH="$(CURDIR)/bin:$$PATH"' >&2

test: ## go vet and all tests
	$(GO) vet ./...
	$(GO) test ./...

race: ## all tests under the race detector (needs a C compiler)
	$(GO) test -race ./...

lint: ## gofmt, vet, simvet, staticcheck; golangci-lint if it is installed
	@bash .ci/lint

bench: ## ackgap beside its peers, into sim/bench/RESULTS.md (ARGS=-quick: less, printed only)
	@bash sim/bench/install
	cd sim/bench && $(GO) run . $(ARGS)

golden: ## rewrite the golden files and pinned histories; look at the diff
	@bash .ci/golden

docs: build ## draw the pictures of README and the gallery anew; look at the diff
	@bin/ackgap storm --out chart=reports/docs/pictures/storm.svg >/dev/null
	$(GO) test -count 1 -run '^TestDocs' ./reports/charts -update
	@git status --short reports/docs

fuzz: ## each fuzz target for FUZZTIME (20s)
	@bash .ci/fuzz $(FUZZTIME)

coverage: build ## random worlds until every fault struck at every phase at which it can
	@bin/ackgap coverage --runs 10000 $(ARGS)

fuzz-long: ## each fuzz target for an hour, or for FUZZTIME (2000000x: a count)
	@bash .ci/fuzz $(if $(filter-out 20s,$(FUZZTIME)),$(FUZZTIME),1h)

fuzz-many: ## 50 million executions, spread over the targets (FUZZ=...)
	@bash .ci/fuzz --many $(or $(FUZZ),50000000)

mutation: ## break the core, operator by operator: do its tests notice?
	@bash .ci/mutation

soak: ## ten million runs in memory that stays flat (RUNS=...)
	ACKGAP_SOAK=$(RUNS) $(GO) test -count 1 -timeout 0 -run '^TestMemoryStaysFlat' -v ./cmd/ackgap

outside: ## the reports in Chromium, and read by parsers of others (a module of its own)
	cd reports/outside && $(GO) test -count 1 ./...

build: ## bin/ackgap and bin/simvet
	@mkdir -p bin
	$(GO) build -o bin/ackgap ./cmd/ackgap
	$(GO) build -o bin/simvet ./cmd/simvet

clean: ## remove bin/ and out/
	rm -rf bin out
