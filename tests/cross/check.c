/* SPDX-License-Identifier: MIT
 *
 * A program for other architectures and other C libraries, where no other library is at hand: the games against their
 * plain twins, every format of shogi positions on every path that the processor has, and the text of a system's error.
 * Prints what it did; exits with 1 at the first thing that is wrong. */
#include "base/error.h"
#include "shogi/tests/support/shogi_laws.h"
#include "shogi/tests/support/shogi_random.h"

#include <errno.h>
#include <kanzen/selftest.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

/* zstd, in place of its library: nothing is packed here. */
unsigned long long ZSTD_getFrameContentSize(const void *packed, size_t size) {
    (void)packed;
    (void)size;
    return ZSTD_CONTENTSIZE_ERROR;
}

size_t ZSTD_decompress(void *content, size_t room, const void *packed, size_t size) {
    (void)content;
    (void)room;
    (void)packed;
    (void)size;
    return (size_t)-1;
}

unsigned ZSTD_isError(size_t code) { return code != 0; }

ZSTD_ErrorCode ZSTD_getErrorCode(size_t code) { return code ? ZSTD_error_GENERIC : ZSTD_error_no_error; }

enum { GAME_POSITIONS = 300, SHOGI_POSITIONS = 3000 };

static void test_games(void) {
    for (size_t i = 0; kz_game_at(i); i++) {
        const kz_game *game = kz_game_at(i);
        for (int rules = 0; kz_rules_name(game, rules); rules++) {
            kz_selftest_options options = {.positions = rules == 0 ? GAME_POSITIONS : GAME_POSITIONS / 10, .seed = 7};
            kz_selftest_report report;
            kz_error error;
            if (kz_selftest(game, rules, &options, NULL, &report, &error) != KZ_OK) {
                printf("%s, %s: %s: %s\n", kz_game_name(game), kz_rules_name(game, rules), error.message,
                       report.problem);
                exit(1);
            }
            printf("%s, %s: %llu positions\n", kz_game_name(game), kz_rules_name(game, rules),
                   (unsigned long long)report.positions);
        }
    }
}

static void test_shogi(void) {
    uint64_t seed = 11;
    int paths = 0;
    for (int i = 0; i < SHOGI_PATHS; i++) {
        paths += kz_shogi_codec_for(KZ_SHOGI_SSPF, shogi_paths[i]) != NULL;
    }
    for (int i = 0; i < SHOGI_POSITIONS; i++) {
        kz_shogi_position position = shogi_random_position(&seed, shogi_random_wishes[(size_t)i % SHOGI_RANDOM_WISHES]);
        const char *broken = shogi_broken_by_any(&position);
        if (broken) {
            printf("shogi position %d: %s\n", i, broken);
            exit(1);
        }
    }
    printf("shogi: %d positions, %d paths\n", SHOGI_POSITIONS, paths);
}

static void test_errors(void) {
    kz_error error;
    kz_fail_errno(&error, KZ_ERR_IO, ENOENT, "can't open %s", "x");
    printf("%s\n", error.message);
    if (strcmp(error.message, "can't open x: No such file or directory") != 0) {
        exit(1);
    }
}

int main(void) {
    test_errors();
    test_shogi();
    test_games();
    return 0;
}
