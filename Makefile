# SPDX-License-Identifier: MIT
PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: build check start site npm wheel test test-gpu sanitize tsan coverage bench fuzz fuzz-coverage faults format lint dist deb test-packages install uninstall clean help

build: ## build the command, build/kanzen, and the library
	@tools/setup build
	@tools/build build product

start: build ## set up, build, solve Dobutsu Shogi if that was not done yet, and serve the analyzer
	@tools/setup site
	@tools/start

site: build ## build the page into build/site, a folder that any file host can serve
	@tools/setup site
	@tools/site build/site

wheel: ## pack the Python package as build/wheel/kanzen-VERSION-cp39-abi3-....whl
	@tools/setup wheel
	@tools/build build product
	@tools/wheel

npm: ## pack the engine for browsers and Node as build/npm/kanzen-VERSION.tgz
	@tools/setup site
	@tools/npm

check: ## build, and run the unit tests and the quick tests of the command: for every commit
	@tools/setup check
	@tools/check

test: ## set up, build with gcc, clang and sanitizers, and run all tests
	@tools/setup test
	@tools/run-tests

test-gpu: ## test the sweeps on a graphics card, if there is one
	@tools/setup build
	@tools/test-gpu

sanitize: ## build build-sanitize/kanzen with AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/setup test
	@tools/build build-sanitize -DKANZEN_SANITIZE=ON -DKANZEN_SHARED=OFF

tsan: ## run what several threads do under ThreadSanitizer; FULL=1 solves all of Dobutsu Shogi as well
	@tools/setup test
	@tools/tsan $(if $(FULL),--full)

coverage: ## run the tests in a build that counts lines; pages in build-coverage/html; fails below 95% of the library
	@tools/setup coverage
	@tools/coverage

bench: build ## build and run the benchmarks
	@tools/setup bench
	@tools/run-bench

fuzz: ## fuzz the readers of untrusted data: SECONDS=30 for each, NAME=all
	@tools/setup test
	@tools/fuzz $(or $(SECONDS),30) $(or $(NAME),all)

fuzz-coverage: ## which lines the inputs of the fuzz targets reach
	@tools/setup test
	@tools/fuzz-coverage

faults: ## many more faults and kills than the tests have time for: about half an hour
	@tools/setup test
	@tools/build build
	@tools/faults build

format: ## format the source
	@tools/setup test
	@tools/source-files | xargs clang-format -i

lint: ## check the format and run clang-tidy and cppcheck
	@tools/setup test
	@tools/lint

dist: ## build an archive that runs on any Linux and needs nothing installed: build/dist
	@tools/setup build
	@tools/dist

deb: ## build Debian packages: build/deb
	@tools/setup deb
	@tools/deb

test-packages: ## check the archive, the packages and cross builds in bare systems: a quarter of an hour, root, a network
	@tools/setup packages
	@tools/test-packages

install: build ## install below PREFIX (/usr/local); DESTDIR is put before it
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

uninstall: ## remove what was installed last; DESTDIR as for install
	@DESTDIR="$(DESTDIR)" tools/uninstall build

clean: ## remove everything that was built
	rm -rf build build-clang build-sanitize build-tsan build-coverage build-fuzz build-fuzz-coverage \
		web/dist web/packages/kanzen/dist web/node_modules web/public/kanzen.wasm web/public/kanzen-solve.wasm

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
