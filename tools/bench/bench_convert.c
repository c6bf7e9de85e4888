/* SPDX-License-Identifier: MIT
 *
 * How many records a second the converter makes: a psv file of random games, read and written in memory (/dev/shm), to
 * formats that people convert to, beside copying the same bytes with one thread in the same run. The best of several
 * rounds, in turn. An argument is the number of records. */
#include "shogi/tests/support/shogi_random.h"

#include <kanzen/shogi_files.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RECORDS = 4000000, PSV_BYTES = 40, ROUNDS = 7 };

static const char *const folder = "/dev/shm";

static void fail(const char *what) {
    fprintf(stderr, "bench_convert: %s\n", what);
    exit(1);
}

static void write_psv(const char *path, uint64_t count) {
    const kz_shogi_codec *codec = kz_shogi_codec_for(KZ_SHOGI_PSFEN, NULL);
    shogi_walker walker = {.state = 1};
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        fail("no room for a file");
    }
    for (uint64_t i = 0; i < count; i++) {
        uint8_t record[PSV_BYTES];
        const kz_shogi_position *position = shogi_walk(&walker);
        kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
        kz_shogi_note note = {
            .score = (int16_t)shogi_random_below(&walker.state, 4000),
            .ply = (uint16_t)walker.ply,
            .result = (int8_t)((int)shogi_random_below(&walker.state, 3) - 1),
            .has = KZ_SHOGI_HAS_SCORE | KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_RESULT | KZ_SHOGI_HAS_MOVE,
        };
        note.move = kz_shogi_moves(position, moves) > 0 ? moves[0] : (kz_shogi_move){.special = KZ_SHOGI_NONE};
        if (codec->pack(position, record) != KZ_SHOGI_FINE) {
            fail("a position can't be packed");
        }
        kz_shogi_write_note(KZ_SHOGI_RECORD_PSV, KZ_SHOGI_YANEURAOU, &note, (kz_shogi_side)position->side, record);
        fwrite(record, sizeof record, 1, file);
    }
    if (fclose(file) != 0) {
        fail("no room for a file");
    }
}

static double copy_seconds(const char *in, const char *out) {
    static char bytes[1 << 20];
    double begin = kz_seconds();
    FILE *from = fopen(in, "rb");
    FILE *to = fopen(out, "wb");
    if (from == NULL || to == NULL) {
        fail("no room for a file");
    }
    setvbuf(from, NULL, _IONBF, 0);
    setvbuf(to, NULL, _IONBF, 0);
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, from)) > 0;) {
        fwrite(bytes, 1, got, to);
    }
    fclose(from);
    fclose(to);
    return kz_seconds() - begin;
}

static double convert_seconds(const char *in, const char *out, kz_shogi_record record, int threads) {
    kz_shogi_source source = {.path = in, .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS};
    kz_shogi_target target = {.path = out, .record = record, .dialect = KZ_SHOGI_DIALECTS, .replace = true};
    kz_shogi_file_options options = {.threads = threads};
    kz_shogi_file_report report;
    kz_error error;
    double begin = kz_seconds();
    if (kz_shogi_convert(&source, &target, &options, NULL, &report, &error) != KZ_OK) {
        fail(error.message);
    }
    return kz_seconds() - begin;
}

int main(int argc, char **argv) {
    static const struct {
        kz_shogi_record record;
        int threads;
    } cases[] = {
        {KZ_SHOGI_RECORD_HCPE, 0}, {KZ_SHOGI_RECORD_HCPE, 1}, {KZ_SHOGI_RECORD_SSPV, 0},
        {KZ_SHOGI_RECORD_SSPV, 1}, {KZ_SHOGI_RECORD_PSV, 0},  {KZ_SHOGI_RECORD_PLAIN, 0},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : RECORDS;
    char in[64];
    char out[64];
    double best[CASES] = {0};
    double best_copy = 1e9;
    if (access(folder, W_OK) != 0) {
        printf("there is no %s to write to\n", folder);
        return 0;
    }
    snprintf(in, sizeof in, "%s/kanzen-bench-%ld.psv", folder, (long)getpid());
    snprintf(out, sizeof out, "%s/kanzen-bench-%ld.out", folder, (long)getpid());
    write_psv(in, count);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < CASES; i++) {
            double seconds = convert_seconds(in, out, cases[i].record, cases[i].threads);
            best[i] = round == 0 || seconds < best[i] ? seconds : best[i];
        }
        double seconds = copy_seconds(in, out);
        best_copy = seconds < best_copy ? seconds : best_copy;
    }
    printf("%llu records of psv, best of %d rounds\n", (unsigned long long)count, ROUNDS);
    for (int i = 0; i < CASES; i++) {
        printf("psv to %-6s %s  %6.2f million records/s\n", kz_shogi_record_at(cases[i].record)->name,
               cases[i].threads == 1 ? "one thread " : "all threads", (double)count / best[i] / 1e6);
    }
    printf("copying the bytes           %6.2f million records/s\n", (double)count / best_copy / 1e6);
    unlink(in);
    unlink(out);
    return 0;
}
