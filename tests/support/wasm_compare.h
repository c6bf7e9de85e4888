/* SPDX-License-Identifier: MIT
 *
 * The module for the browser against the library: the same requests, and every answer the same byte for byte. */
#ifndef TESTS_WASM_COMPARE_H
#define TESTS_WASM_COMPARE_H

#include "tests/support/testing.h"

#include "tests/support/dobutsu_samples.h"

#include <kanzen/api.h>
#include <kanzen/solve.h>
#include <kanzen/values.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

typedef struct wasm_compare {
    kz_api *api;
    const kz_game *game;
    int rules;
    FILE *requests;
    FILE *answers; /* the library's */
    int count;
} wasm_compare;

/* Builds the module as kanzen.wasm in the current folder. Returns 0, or what the program has to return at once: without
 * node or a compiler for WebAssembly there is nothing to compare. */
int wasm_build(void);

/* Asks the library, then the module, and compares. */
void wasm_compare_all(const char *game, const char *rules, const char *table_path, int games, int plies);

#endif
