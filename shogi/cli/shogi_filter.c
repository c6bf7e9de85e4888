/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

typedef struct filter_word {
    const char *word;
    unsigned bit;
} filter_word;

/* "score,move": the bits of the words, which commas separate. */
static int read_list(const cli_command *command, const char *option, const char *text, const filter_word *words,
                     unsigned *bits) {
    *bits = 0;
    for (const char *at = text; at && *at != '\0';) {
        size_t length = strcspn(at, ",");
        const filter_word *found = words;
        while (found->word && (strlen(found->word) != length || memcmp(found->word, at, length) != 0)) {
            found++;
        }
        if (!found->word) {
            return report_usage(command, "--%s: there is no '%.*s'; kanzen help %s lists the words", option,
                                (int)length, at, command->name);
        }
        *bits |= found->bit;
        at += length + (at[length] == ',');
    }
    return STATUS_FINE;
}

static bool read_whole(const char *text, size_t length, long least, long most, long *number) {
    char digits[16];
    char *end;
    if (length == 0 || length >= sizeof digits) {
        return false;
    }
    memcpy(digits, text, length);
    digits[length] = '\0';
    *number = strtol(digits, &end, 10);
    return *end == '\0' && *number >= least && *number <= most;
}

/* "FROM:TO"; what is left out is `least` or `most`. */
static int read_range(const cli_command *command, const char *option, const char *text, long least, long most,
                      long *from, long *to) {
    const char *colon = strchr(text, ':');
    *from = least;
    *to = most;
    bool fine = colon && colon[1 + strcspn(colon + 1, ":")] == '\0' && strlen(text) > 1;
    fine = fine && (colon == text || read_whole(text, (size_t)(colon - text), least, most, from));
    fine = fine && (colon[1] == '\0' || read_whole(colon + 1, strlen(colon + 1), least, most, to));
    return fine && *from <= *to
               ? STATUS_FINE
               : report_usage(command, "--%s takes a range FROM:TO of numbers from %ld to %ld, not '%s'", option, least,
                              most, text);
}

int read_filter(const cli_command *command, const shogi_filter *asked, kz_shogi_filter *filter) {
    static const filter_word members[] = {{"score", KZ_SHOGI_HAS_SCORE},
                                          {"move", KZ_SHOGI_HAS_MOVE},
                                          {"ply", KZ_SHOGI_HAS_PLY},
                                          {"result", KZ_SHOGI_HAS_RESULT},
                                          {NULL, 0}};
    static const filter_word drops[] = {{"in-check", KZ_SHOGI_DROP_IN_CHECK},
                                        {"entering", KZ_SHOGI_DROP_ENTERING},
                                        {"captures", KZ_SHOGI_DROP_CAPTURES},
                                        {"promotions", KZ_SHOGI_DROP_PROMOTIONS},
                                        {"noisy", KZ_SHOGI_DROP_NOISY},
                                        {"illegal-moves", KZ_SHOGI_DROP_ILLEGAL_MOVES},
                                        {NULL, 0}};
    static const filter_word results[] = {{"lost", 1}, {"drawn", 2}, {"won", 4}, {NULL, 0}};
    long from;
    long to;
    *filter = (kz_shogi_filter){.clip = (uint16_t)asked->clip, .fold = asked->fold};
    CLI_TRY(read_list(command, "require", asked->require, members, &filter->require));
    CLI_TRY(read_list(command, "drop", asked->drop, drops, &filter->drop));
    CLI_TRY(read_list(command, "results", asked->results, results, &filter->results));
    if (asked->ply) {
        CLI_TRY(read_range(command, "ply", asked->ply, 0, UINT16_MAX, &from, &to));
        filter->least_ply = (uint16_t)from;
        filter->most_ply = (uint16_t)to;
    }
    if (asked->score) {
        CLI_TRY(read_range(command, "score", asked->score, INT16_MIN, INT16_MAX, &from, &to));
        filter->has_scores = true;
        filter->least_score = (int16_t)from;
        filter->most_score = (int16_t)to;
    }
    if (asked->scale) {
        char *end;
        filter->scale = strtod(asked->scale, &end);
        if (*end != '\0' || !(filter->scale > 0 && filter->scale <= 1e6)) {
            return report_usage(command, "--scale takes a number above 0, like 0.5, not '%s'", asked->scale);
        }
    }
    return STATUS_FINE;
}
