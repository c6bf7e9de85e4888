/* SPDX-License-Identifier: MIT
 *
 * Everything that an instance of the page keeps. */
#ifndef KZ_WASM_SESSION_H
#define KZ_WASM_SESSION_H

#include <kanzen/api.h>

#define KZ_EXPORT(name) __attribute__((export_name(name)))

typedef struct session {
    kz_api *api;
    kz_error error; /* of the last call that failed */
    kz_api_answer answer;
    const kz_game *game; /* from a text (wasm/solver); else NULL */
} session;

#endif
