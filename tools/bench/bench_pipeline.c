/* SPDX-License-Identifier: MIT
 *
 * How many records a second `check` and the pipeline make, beside copying the same bytes in the same run.
 *
 *     bench_pipeline [RECORDS [FOLDER]]      measures; 4 million records in /dev/shm by default
 *     bench_pipeline --write FILE RECORDS    writes psv records: all different but for one in sixteen
 *     bench_pipeline --write-legal FILE RECORDS   writes positions of games, with a legal move each
 *
 * Records come from games at random, of which 65,536 positions are changed at random: pieces change sides and promote.
 * So there are as many different ones as anybody wants, and most of them are not legal. `check` gets the games as they
 * are, with a legal move each. */
#include "shogi/tests/support/shogi_random.h"

#include <fcntl.h>
#include <kanzen/shogi_pipeline.h>
#include <kanzen/system.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { RECORDS = 4000000, PSV_BYTES = 40, ROUNDS = 3, POOL = 65536, BLOCK = 4096, WRITERS = 2 };

static kz_shogi_position pool[POOL];
static kz_shogi_move pool_moves[POOL];

static void fail(const char *what) {
    fprintf(stderr, "bench_pipeline: %s\n", what);
    exit(1);
}

static void make_pool(void) {
    shogi_walker walker = {.state = 1};
    for (int i = 0; i < POOL; i++) {
        kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
        pool[i] = *shogi_walk(&walker);
        size_t count = kz_shogi_moves(&pool[i], moves);
        pool_moves[i] = count > 0 ? moves[shogi_random_below(&walker.state, (unsigned)count)]
                                  : (kz_shogi_move){.special = KZ_SHOGI_NONE};
    }
}

/* The position of record `number`. */
static kz_shogi_position changed(uint64_t number) {
    uint64_t state = number;
    kz_shogi_position position = pool[shogi_random_below(&state, POOL)];
    uint64_t bits = shogi_random(&state);
    for (int i = 0; i < 8; i++, bits >>= 8) {
        uint8_t *square = &position.board[(bits & 0xFF) % KZ_SHOGI_SQUARES];
        if ((*square & 0x80) != 0) {
            *square ^= KZ_SHOGI_WHITES;
        }
    }
    return position;
}

static void make_record(uint64_t number, bool legal, uint8_t *record) {
    /* One in sixteen is a copy of an earlier one. */
    uint64_t source = number % 16 == 15 ? number / 2 : number;
    int at = (int)(source % POOL);
    kz_shogi_position position = legal ? pool[at] : changed(source);
    const kz_shogi_note note = {
        .score = (int16_t)(source * 2654435761U % 4000),
        .ply = (uint16_t)(1 + source % 200),
        .result = (int8_t)((int)(source % 3) - 1),
        .move = legal ? pool_moves[at] : (kz_shogi_move){.special = KZ_SHOGI_NONE},
        .has = KZ_SHOGI_HAS_SCORE | KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_RESULT | KZ_SHOGI_HAS_MOVE,
    };
    if (kz_shogi_codec_for(KZ_SHOGI_PSFEN, NULL)->pack(&position, record) != KZ_SHOGI_FINE) {
        fail("a position can't be packed");
    }
    kz_shogi_write_note(KZ_SHOGI_RECORD_PSV, KZ_SHOGI_YANEURAOU, &note, (kz_shogi_side)position.side, record);
}

struct writer {
    int descriptor;
    uint64_t begin, end;
    bool legal;
};

static void *write_range(void *user) {
    const struct writer *writer = user;
    static _Thread_local uint8_t bytes[BLOCK * PSV_BYTES];
    for (uint64_t at = writer->begin; at < writer->end; at += BLOCK) {
        uint64_t count = writer->end - at < BLOCK ? writer->end - at : BLOCK;
        for (uint64_t i = 0; i < count; i++) {
            make_record(at + i, writer->legal, bytes + i * PSV_BYTES);
        }
        if (pwrite(writer->descriptor, bytes, count * PSV_BYTES, (off_t)(at * PSV_BYTES)) !=
            (ssize_t)(count * PSV_BYTES)) {
            fail("no room for a file");
        }
    }
    return NULL;
}

static void write_psv(const char *path, uint64_t count, bool legal) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (descriptor < 0) {
        fail("can't write a file");
    }
    struct writer writers[WRITERS];
    pthread_t threads[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){.descriptor = descriptor,
                                     .begin = count / WRITERS * (uint64_t)i,
                                     .end = i == WRITERS - 1 ? count : count / WRITERS * (uint64_t)(i + 1),
                                     .legal = legal};
        if (pthread_create(&threads[i], NULL, write_range, &writers[i]) != 0) {
            fail("no thread");
        }
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
    }
    close(descriptor);
}

static double copy_seconds(const char *in, const char *out) {
    static char bytes[1 << 20];
    double begin = kz_seconds();
    int from = open(in, O_RDONLY);
    int to = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ssize_t got = from >= 0 && to >= 0 ? 1 : -1;
    while (got > 0 && (got = read(from, bytes, sizeof bytes)) > 0) {
        if (write(to, bytes, (size_t)got) != got) {
            got = -1;
        }
    }
    if (got < 0 || close(to) != 0) {
        fail("no room for a file");
    }
    close(from);
    return kz_seconds() - begin;
}

static double check_seconds(const char *in) {
    const kz_shogi_source source = {.path = in, .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS};
    const kz_shogi_file_options options = {.threads = 0};
    kz_shogi_file_report report;
    kz_error error;
    double begin = kz_seconds();
    if (kz_shogi_check_file(&source, &options, NULL, &report, &error) != KZ_OK) {
        fail(error.message);
    }
    if (report.bad != 0 || report.not_legal != 0 || report.impossible_moves != 0) {
        fail("check finds what is not there");
    }
    return kz_seconds() - begin;
}

static double pipeline_seconds(const char *in, const char *out, kz_shogi_pipeline_report *report) {
    const kz_shogi_source source = {.path = in, .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_YANEURAOU};
    const kz_shogi_pipeline pipeline = {.inputs = &source,
                                        .input_count = 1,
                                        .path = out,
                                        .record = KZ_SHOGI_RECORD_PSV,
                                        .dialect = KZ_SHOGI_DIALECTS,
                                        .replace = true};
    const kz_shogi_file_options options = {.memory = UINT64_C(2) << 30};
    kz_error error;
    double begin = kz_seconds();
    if (kz_shogi_pipeline_run(&pipeline, &options, NULL, report, &error) != KZ_OK) {
        fail(error.message);
    }
    return kz_seconds() - begin;
}

/* Processor time of this process. Where others use the machine, it says more than the time that passes. */
static double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double least(double a, double b) { return a < b ? a : b; }

int main(int argc, char **argv) {
    make_pool();
    bool legal_ones = argc == 4 && strcmp(argv[1], "--write-legal") == 0;
    if (legal_ones || (argc == 4 && strcmp(argv[1], "--write") == 0)) {
        write_psv(argv[2], strtoull(argv[3], NULL, 10), legal_ones);
        return 0;
    }
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : RECORDS;
    const char *folder = argc > 2 ? argv[2] : "/dev/shm";
    if (access(folder, W_OK) != 0) {
        printf("there is no %s to write to\n", folder);
        return 0;
    }
    char in[256];
    char legal[256];
    char out[256];
    char manifest[300];
    snprintf(in, sizeof in, "%s/kanzen-bench-%ld.psv", folder, (long)getpid());
    snprintf(legal, sizeof legal, "%s/kanzen-bench-%ld-legal.psv", folder, (long)getpid());
    snprintf(out, sizeof out, "%s/kanzen-bench-%ld-out.psv", folder, (long)getpid());
    snprintf(manifest, sizeof manifest, "%s.manifest.json", out);
    write_psv(in, count, false);
    write_psv(legal, count, true);
    double copy = 1e9;
    double check = 1e9;
    double whole = 1e9;
    double copy_work = 1e9;
    double check_work = 1e9;
    double whole_work = 1e9;
    kz_shogi_pipeline_report best = {.shards = 0};
    for (int round = 0; round < ROUNDS; round++) {
        kz_shogi_pipeline_report report;
        double begin = processor_seconds();
        copy = least(copy, copy_seconds(in, out));
        copy_work = least(copy_work, processor_seconds() - begin);
        begin = processor_seconds();
        check = least(check, check_seconds(legal));
        check_work = least(check_work, processor_seconds() - begin);
        begin = processor_seconds();
        double seconds = pipeline_seconds(in, out, &report);
        whole_work = least(whole_work, processor_seconds() - begin);
        best = seconds < whole ? report : best;
        whole = least(whole, seconds);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%llu records of psv in %s, best of %d rounds, all threads\n", (unsigned long long)count, folder, ROUNDS);
    printf("%-10s %7.2f million records/s\n", "copying", (double)count / copy / 1e6);
    printf("%-10s %7.2f million records/s  (%.1f times as long as copying)\n", "check", (double)count / check / 1e6,
           check / copy);
    printf(
        "%-10s %7.2f million records/s  (%.1f times as long as copying; reading %.2f s, writing %.2f s, hashing %.2f "
        "s; %llu repeated)\n",
        "pipeline", (double)count / whole / 1e6, whole / copy, best.reading_seconds, best.writing_seconds,
        best.hashing_seconds, (unsigned long long)best.records.repeated);
    printf("processor time of a record: copying %.0f ns, check %.0f ns, pipeline %.0f ns\n",
           copy_work / (double)count * 1e9, check_work / (double)count * 1e9, whole_work / (double)count * 1e9);
    printf("memory of this process at its largest: %ld MiB\n", usage.ru_maxrss / 1024);
    unlink(in);
    unlink(legal);
    unlink(out);
    unlink(manifest);
    return 0;
}
