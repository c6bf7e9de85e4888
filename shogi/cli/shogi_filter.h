/* SPDX-License-Identifier: MIT
 *
 * The options that choose and edit records of shogi, which several commands have. */
#ifndef CLI_SHOGI_FILTER_H
#define CLI_SHOGI_FILTER_H

#include "app/cli/options.h"

#include <kanzen/shogi_files.h>

/* What the user said. */
typedef struct shogi_filter {
    const char *require;
    const char *drop;
    const char *results;
    const char *ply;
    const char *score;
    const char *scale;
    uint64_t clip;
    bool fold;
} shogi_filter;

#define FILTER_DROP_WORDS "in-check entering captures promotions noisy illegal-moves"

/* clang-format off */
#define OPTIONS_OF_FILTER(filter_)                                                                                     \
    OPTION_TEXT("require", &(filter_)->require, "LIST",                                                                \
                "leave out records that lack one of these: score,move,ply,result"),                                    \
    OPTION_TEXT("drop", &(filter_)->drop, "LIST",                                                                      \
                "leave out records of these kinds: in-check,entering,captures,promotions,noisy (any of in-check, "     \
                "captures, promotions),illegal-moves"),                                                                \
    OPTION_TEXT("results", &(filter_)->results, "LIST", "keep only these results for the side to move: won,drawn,lost"),\
    OPTION_TEXT("ply", &(filter_)->ply, "FROM:TO", "keep only records of these plies; either may be left out"),        \
    OPTION_TEXT("score", &(filter_)->score, "FROM:TO", "keep only records with these scores; either may be left out"), \
    OPTION_TEXT("scale", &(filter_)->scale, "FACTOR", "multiply scores by this, like 0.5"),                            \
    OPTION_NUMBER("clip", &(filter_)->clip, 1, 32767, "scores beyond N become N, on both sides"),                      \
    OPTION_FLAG("fold", &(filter_)->fold, "take a position and its mirror image for the same, and write one of them")
/* clang-format on */

/* If it is none, the user has been told what is wrong. */
int read_filter(const cli_command *command, const shogi_filter *asked, kz_shogi_filter *filter);

#endif
