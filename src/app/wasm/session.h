/* SPDX-License-Identifier: MIT
 *
 * What the page and the module want from each other, and everything that an instance of the page keeps. Sizes and
 * offsets are doubles, the only numbers of JavaScript that hold them without more ado. */
#ifndef KZ_WASM_SESSION_H
#define KZ_WASM_SESSION_H

#include <kanzen/api.h>

#define KZ_IMPORT(name) __attribute__((import_module("kanzen"), import_name(name)))

/* Copies bytes of a table file to `to` and returns 1; or returns 0 if they are not here yet, and remembers that they
 * are wanted. */
KZ_IMPORT("get") int kz_import_get(int table, double offset, size_t size, uint8_t *to);

/* Seconds since any fixed moment. */
KZ_IMPORT("seconds") double kz_import_seconds(void);

/* How far a solve has come. Only the module that solves has it. */
KZ_IMPORT("progress") void kz_import_progress(double done, double total);

#define KZ_EXPORT(name) __attribute__((export_name(name)))

typedef struct session {
    kz_api *api;
    kz_error error; /* of the last call that failed */
    kz_api_answer answer;
    const kz_game *game; /* from a text (wasm/solver); else NULL */
} session;

#endif
