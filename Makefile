# SPDX-License-Identifier: MIT
PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: build start site test test-gpu sanitize tsan coverage bench fuzz fuzz-coverage faults format lint install clean help

build: ## build the command, build/kanzen, and the library
	@scripts/setup build
	@scripts/build build

start: build ## set up, build, solve Dobutsu Shogi if that was not done yet, and serve the analyzer
	@scripts/setup site
	@scripts/start

site: build ## build the page into build/site, a folder that any file host can serve
	@scripts/setup site
	@scripts/site build/site

test: ## set up, build with gcc, clang and sanitizers, and run all tests
	@scripts/setup test
	@scripts/run-tests

test-gpu: ## test the sweeps on a graphics card, if there is one
	@scripts/setup build
	@scripts/test-gpu

sanitize: ## build build-sanitize/kanzen with AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/setup test
	@scripts/build build-sanitize -DKANZEN_SANITIZE=ON -DKANZEN_SHARED=OFF

tsan: ## run what several threads do under ThreadSanitizer; FULL=1 solves all of Dobutsu Shogi as well
	@scripts/setup test
	@scripts/tsan $(if $(FULL),--full)

coverage: ## run the tests in a build that counts lines; pages in build-coverage/html; fails below 95% of the library
	@scripts/setup coverage
	@scripts/coverage

bench: build ## build and run the benchmarks
	@scripts/setup bench
	@scripts/bench

fuzz: ## fuzz the readers of untrusted data: SECONDS=30 for each, NAME=all
	@scripts/setup test
	@scripts/fuzz $(or $(SECONDS),30) $(or $(NAME),all)

fuzz-coverage: ## which lines the inputs of the fuzz targets reach
	@scripts/setup test
	@scripts/fuzz-coverage

faults: ## many more faults and kills than the tests have time for: about half an hour
	@scripts/setup test
	@scripts/build build
	@scripts/faults build

format: ## format the source
	@scripts/setup test
	@scripts/source-files | xargs clang-format -i

lint: ## check the format and run clang-tidy and cppcheck
	@scripts/setup test
	@scripts/lint

install: build ## install below PREFIX (/usr/local); DESTDIR is put before it
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

clean: ## remove everything that was built
	rm -rf build build-clang build-sanitize build-tsan build-coverage build-fuzz build-fuzz-coverage \
		web/dist web/node_modules web/public/kanzen.wasm

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
