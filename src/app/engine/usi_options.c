/* SPDX-License-Identifier: MIT
 *
 * The options of the USI engine. */
#include "app/engine/usi.h"

#include "base/error.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char EMPTY[] = "<empty>"; /* how both protocols write a text that has no characters */

/* Sent by many programs whether an engine has them or not, and of no use to this one. */
static const char *const ignored[] = {"USI_Ponder", "USI_Hash",        "Ponder",      "Hash",
                                      "Threads",    "UCI_AnalyseMode", "UCI_Opponent"};

/* ---- Listing them ----------------------------------------------------------------------------------------------- */

void kz_usi_list_options(const kz_usi *usi) {
    bool is_usi = usi->protocol == KZ_PROTOCOL_USI;
    const char *protocol = is_usi ? "USI" : "UCI";
    const char *game = kz_game_name(usi->game);
    usi_answer answer;

    kz_usi_begin(&answer, "option name Level type combo default ");
    (void)kz_usi_add(&answer, "%s", kz_level_name(usi->level));
    for (int i = 0; kz_level_name(i) != NULL; i++) {
        (void)kz_usi_add(&answer, " var %s", kz_level_name(i));
    }
    kz_usi_say(usi, &answer);
    kz_usi_sayf(usi, "option name Aggressive type check default %s", usi->aggressive ? "true" : "false");
    kz_usi_sayf(usi, "option name MultiPV type spin default %" PRIu64 " min 1 max %d", usi->lines, USI_MOST_LINES);
    kz_usi_sayf(usi, "option name PVLength type spin default %" PRIu64 " min 1 max %d", usi->plies, USI_MOST_PLIES);
    kz_usi_sayf(usi, "option name Seed type spin default %" PRIu64 " min 0 max %d", usi->seed, INT_MAX);
    kz_usi_begin(&answer, "option name Rules type combo default ");
    (void)kz_usi_add(&answer, "%s", kz_rules_name(usi->game, usi->rules));
    for (int i = 0; kz_rules_name(usi->game, i) != NULL; i++) {
        (void)kz_usi_add(&answer, " var %s", kz_rules_name(usi->game, i));
    }
    kz_usi_say(usi, &answer);
    kz_usi_sayf(usi, "option name Table type %s default %s", is_usi ? "filename" : "string",
                usi->path[0] ? usi->path : EMPTY);
    kz_usi_sayf(usi, "option name %sPonder type check default false", is_usi ? "USI_" : "");
    kz_usi_sayf(usi, "option name %s_Variant type combo default %s var %s", protocol, game, game);
}

/* ---- Setting them ----------------------------------------------------------------------------------------------- */

static kz_status set_number(kz_span value, const char *name, uint64_t least, uint64_t most, uint64_t *number,
                            kz_error *error) {
    uint64_t read;
    if (!kz_span_number(value, least, most, &read)) {
        return kz_fail(error, KZ_ERR_INPUT, "%s is a number from %" PRIu64 " to %" PRIu64, name, least, most);
    }
    *number = read;
    return KZ_OK;
}

static kz_status set_level(kz_usi *usi, kz_span value, kz_error *error) {
    for (int i = 0; kz_level_name(i) != NULL; i++) {
        if (kz_usi_is_name(value, kz_level_name(i))) {
            usi->level = i;
            return KZ_OK;
        }
    }
    return kz_fail(error, KZ_ERR_INPUT, "Level is one of beginner, easy, medium, hard, expert, perfect");
}

static kz_status set_aggressive(kz_usi *usi, kz_span value, kz_error *error) {
    if (!kz_usi_is_name(value, "true") && !kz_usi_is_name(value, "false")) {
        return kz_fail(error, KZ_ERR_INPUT, "Aggressive is true or false");
    }
    usi->aggressive = kz_usi_is_name(value, "true");
    return KZ_OK;
}

/* By other rules the position may be none, so the engine is back at the start. */
static kz_status set_rules(kz_usi *usi, kz_span value, kz_error *error) {
    for (int i = 0; kz_rules_name(usi->game, i) != NULL; i++) {
        if (kz_usi_is_name(value, kz_rules_name(usi->game, i))) {
            if (i != usi->rules) {
                usi->rules = i;
                usi->table = NULL;
                usi->table_is_stale = true;
                kz_start(usi->game, i, &usi->position);
            }
            return KZ_OK;
        }
    }
    return kz_fail(error, KZ_ERR_INPUT, "Rules is the name of rules of the game %s", kz_game_name(usi->game));
}

static kz_status set_table(kz_usi *usi, kz_span value, kz_error *error) {
    if (kz_span_is(value, EMPTY)) {
        value.length = 0;
    }
    if (value.length >= sizeof usi->path || (value.length > 0 && memchr(value.text, '\0', value.length) != NULL)) {
        return kz_fail(error, KZ_ERR_INPUT, "Table is no path");
    }
    if (value.length > 0) {
        memcpy(usi->path, value.text, value.length);
    }
    usi->path[value.length] = '\0';
    usi->table = NULL;
    usi->table_is_stale = true;
    return KZ_OK;
}

static kz_status set_variant(const kz_usi *usi, kz_span value, kz_error *error) {
    return kz_usi_is_name(value, kz_game_name(usi->game))
               ? KZ_OK
               : kz_fail(error, KZ_ERR_INPUT, "this engine plays %s only", kz_game_name(usi->game));
}

static kz_status set(kz_usi *usi, kz_span name, kz_span value, kz_error *error) {
    if (kz_usi_is_name(name, "Level")) {
        return set_level(usi, value, error);
    }
    if (kz_usi_is_name(name, "Aggressive")) {
        return set_aggressive(usi, value, error);
    }
    if (kz_usi_is_name(name, "MultiPV")) {
        return set_number(value, "MultiPV", 1, USI_MOST_LINES, &usi->lines, error);
    }
    if (kz_usi_is_name(name, "PVLength")) {
        return set_number(value, "PVLength", 1, USI_MOST_PLIES, &usi->plies, error);
    }
    if (kz_usi_is_name(name, "Seed")) {
        return set_number(value, "Seed", 0, INT_MAX, &usi->seed, error);
    }
    if (kz_usi_is_name(name, "Rules")) {
        return set_rules(usi, value, error);
    }
    if (kz_usi_is_name(name, "Table")) {
        return set_table(usi, value, error);
    }
    if (kz_usi_is_name(name, "USI_Variant") || kz_usi_is_name(name, "UCI_Variant")) {
        return set_variant(usi, value, error);
    }
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
        if (kz_usi_is_name(name, ignored[i])) {
            return KZ_OK;
        }
    }
    return kz_fail(error, KZ_ERR_UNSUPPORTED, "there is no such option");
}

kz_status kz_usi_set(kz_usi *usi, const char *name, const char *value, kz_error *error) {
    return set(usi, (kz_span){name, strlen(name)}, kz_span_trimmed((kz_span){value, strlen(value)}), error);
}

void kz_usi_setoption(kz_usi *usi, kz_span rest) {
    kz_span after_name = rest;
    if (!kz_span_is(kz_span_word(&after_name), "name")) {
        /* Old USI programs leave the words out: "setoption USI_Hash 32" is of no use to anybody any more. */
        kz_usi_complain(usi, "setoption wants 'name NAME value VALUE', not", kz_span_trimmed(rest));
        return;
    }
    /* A name may have spaces in it, in theory; it ends before the word "value". */
    kz_span name = kz_span_trimmed(after_name);
    kz_span value = {name.text, 0};
    for (kz_span at = name; at.length > 0;) {
        kz_span word = kz_span_word(&at);
        if (kz_span_is(word, "value")) {
            value = kz_span_trimmed(at);
            name = kz_span_trimmed((kz_span){name.text, (size_t)(word.text - name.text)});
            break;
        }
    }
    kz_error error;
    kz_status status = set(usi, name, value, &error);
    if (status == KZ_ERR_UNSUPPORTED) {
        kz_usi_complain(usi, "there is no option", name);
    } else if (status != KZ_OK) {
        char message[KZ_ERROR_MESSAGE_BYTES + sizeof ", not"];
        (void)snprintf(message, sizeof message, "%s, not", error.message);
        kz_usi_complain(usi, message, value);
    }
}
