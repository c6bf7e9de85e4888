/* SPDX-License-Identifier: MIT
 *
 * Every format on every path that this machine has. Machines are noisy, and so the paths take turns, time is taken in
 * slices that are shorter than what an operating system gives to a program at once, and of each slice the best round
 * counts. */
#include "commands.h"

#include <inttypes.h>
#include <kanzen/system.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_POSITIONS = 100000,
    MOST_POSITIONS = 10000000,
    DEFAULT_ROUNDS = 10,
    MOST_ROUNDS = 100000,
    HOT_POSITIONS = 5,
    SLICE = 5000, /* positions */
    PATHS = 6
};

static const char *const paths[PATHS] = {"plain", "sse42", "avx2", "bmi2", "vbmi2", "neon"};

/* A few positions again and again are all in the nearest cache, and soon every branch is foreseen; the corpus is
 * neither. Hot positions are packed by single calls, the corpus by calls for a slice. */
enum { PACK_HOT, UNPACK_HOT, PACK_CORPUS, UNPACK_CORPUS, TURNS };

typedef struct pack_bench pack_bench;
typedef void turn(const pack_bench *bench, const kz_shogi_codec *codec, size_t first, size_t count);

/* A format on a path; or, without a codec, the yardstick. */
typedef struct pack_contender {
    const kz_shogi_codec *codec;
    turn *const *turns;     /* TURNS of them; NULL for one that it does not take */
    double *seconds[TURNS]; /* of each slice, in the best round */
    uint64_t hash;
} pack_contender;

struct pack_bench {
    uint64_t count, rounds, seed;
    const char *format, *path;
    kz_shogi_position *corpus, *unpacked; /* `count` each */
    uint8_t *records;
    double *seconds; /* all of the contenders' */
    kz_shogi_position hot[HOT_POSITIONS];
    pack_contender contenders[KZ_SHOGI_FORMATS * PATHS + 1]; /* the yardstick is the one after the last */
    size_t contender_count;
};

/* ---- What to measure --------------------------------------------------------------------------------------------- */

static bool is_asked(const char *asked, const char *name) { return !asked || strcmp(asked, name) == 0; }

static void add_to_list(char list[LIST_BYTES], const char *name) {
    size_t length = strlen(list);
    snprintf(list + length, LIST_BYTES - length, "%s%s", length > 0 ? ", " : "", name);
}

static int report_no_format(const cli_command *command, const char *name) {
    char list[LIST_BYTES] = "";
    for (kz_shogi_format format = 0; format < KZ_SHOGI_FORMATS; format++) {
        add_to_list(list, kz_shogi_format_name(format));
    }
    return report_usage(command, "there is no format '%s'; there are: %s", name, list);
}

static int report_no_path(const cli_command *command, const pack_bench *bench) {
    char list[LIST_BYTES] = "";
    for (size_t i = 0; i < PATHS; i++) {
        bool is_here = false;
        for (kz_shogi_format format = 0; format < KZ_SHOGI_FORMATS; format++) {
            is_here |= is_asked(bench->format, kz_shogi_format_name(format)) && kz_shogi_codec_for(format, paths[i]);
        }
        if (is_here) {
            add_to_list(list, paths[i]);
        }
    }
    return report_usage(command, "there is no path '%s'%s%s on this machine; there are: %s", bench->path,
                        bench->format ? " for " : "", bench->format ? bench->format : "", list);
}

/* The contenders that were asked for. If there are none, the user is told. */
static int choose_contenders(const cli_command *command, pack_bench *bench) {
    bool has_format = false;
    for (kz_shogi_format format = 0; format < KZ_SHOGI_FORMATS; format++) {
        if (!is_asked(bench->format, kz_shogi_format_name(format))) {
            continue;
        }
        has_format = true;
        for (size_t i = 0; i < PATHS; i++) {
            const kz_shogi_codec *codec = is_asked(bench->path, paths[i]) ? kz_shogi_codec_for(format, paths[i]) : NULL;
            if (codec) {
                bench->contenders[bench->contender_count++].codec = codec;
            }
        }
    }
    if (!has_format) {
        return report_no_format(command, bench->format);
    }
    return bench->contender_count > 0 ? STATUS_FINE : report_no_path(command, bench);
}

/* The start, three more positions of the reference's own benchmark of SSPFv1, and one from an opening. */
static void set_up_hot(pack_bench *bench) {
    static const char *const texts[HOT_POSITIONS] = {
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -",
        "3k3nl/G3n2r1/P1P+LB+B1p1/1G2ppp1p/KP1P1P1P1/p2sP1P1P/5SN2/4G4/L+R6L w SGN2Psp",
        "lr5nl/3g1kg2/2n1ppsp1/p1pps1p1p/1p5P1/P1PPSPP1P/1PS1P1N2/2GK1G3/LN5RL w Bb",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p",
        "lnsgk1snl/1r4g2/p1ppppb1p/6pP1/7R1/2P6/P2PPPP1P/1SG6/LN2KGSNL b B2Pp",
    };
    for (int i = 0; i < HOT_POSITIONS; i++) {
        (void)kz_shogi_parse_sfen(texts[i], strlen(texts[i]), &bench->hot[i], NULL, NULL);
    }
}

/* ---- Measuring --------------------------------------------------------------------------------------------------- */

static void pack_hot(const pack_bench *bench, const kz_shogi_codec *codec, size_t first, size_t count) {
    for (size_t done = first; done < first + count; done += HOT_POSITIONS) {
        for (size_t i = 0; i < HOT_POSITIONS; i++) {
            (void)codec->pack(&bench->hot[i], bench->records + i * KZ_SHOGI_RECORD_BYTES);
        }
    }
}

static void unpack_hot(const pack_bench *bench, const kz_shogi_codec *codec, size_t first, size_t count) {
    for (size_t done = first; done < first + count; done += HOT_POSITIONS) {
        for (size_t i = 0; i < HOT_POSITIONS; i++) {
            (void)codec->unpack(bench->records + i * KZ_SHOGI_RECORD_BYTES, &bench->unpacked[i]);
        }
    }
}

static void pack_corpus(const pack_bench *bench, const kz_shogi_codec *codec, size_t first, size_t count) {
    kz_shogi_defect defect;
    (void)codec->pack_many(bench->corpus + first, count, bench->records + first * KZ_SHOGI_RECORD_BYTES,
                           KZ_SHOGI_RECORD_BYTES, &defect);
}

static void unpack_corpus(const pack_bench *bench, const kz_shogi_codec *codec, size_t first, size_t count) {
    kz_shogi_defect defect;
    (void)codec->unpack_many(bench->records + first * KZ_SHOGI_RECORD_BYTES, KZ_SHOGI_RECORD_BYTES, count,
                             bench->unpacked + first, &defect);
}

/* The yardstick: the same bytes are read and written, and nothing else is done. */
static void copy_96_to_32(const pack_bench *bench, const kz_shogi_codec *codec, size_t first, size_t count) {
    (void)codec;
    for (size_t i = first; i < first + count; i++) {
        uint64_t words[3][4];
        memcpy(words, &bench->corpus[i], sizeof words);
        for (int j = 0; j < 4; j++) {
            words[0][j] |= words[1][j] | words[2][j];
        }
        memcpy(bench->records + i * KZ_SHOGI_RECORD_BYTES, words[0], KZ_SHOGI_RECORD_BYTES);
    }
}

static void copy_32_to_96(const pack_bench *bench, const kz_shogi_codec *codec, size_t first, size_t count) {
    (void)codec;
    for (size_t i = first; i < first + count; i++) {
        for (int part = 0; part < 3; part++) {
            memcpy((uint8_t *)&bench->unpacked[i] + part * KZ_SHOGI_RECORD_BYTES,
                   bench->records + i * KZ_SHOGI_RECORD_BYTES, KZ_SHOGI_RECORD_BYTES);
        }
    }
}

static turn *const codec_turns[TURNS] = {
    [PACK_HOT] = pack_hot, [UNPACK_HOT] = unpack_hot, [PACK_CORPUS] = pack_corpus, [UNPACK_CORPUS] = unpack_corpus};
static turn *const copy_turns[TURNS] = {[PACK_CORPUS] = copy_96_to_32, [UNPACK_CORPUS] = copy_32_to_96};

/* Positions in a turn: those of the corpus, or one slice of hot ones. */
static size_t turn_size(const pack_bench *bench, int which) {
    return which == PACK_HOT || which == UNPACK_HOT ? SLICE : (size_t)bench->count;
}

static size_t slices_of(const pack_bench *bench, int which) { return (turn_size(bench, which) + SLICE - 1) / SLICE; }

/* False if there is no memory. */
static bool set_up_contenders(pack_bench *bench) {
    size_t slices = 0;
    for (int which = 0; which < TURNS; which++) {
        slices += slices_of(bench, which);
    }
    size_t all = slices * (bench->contender_count + 1);
    bench->seconds = malloc(all * sizeof *bench->seconds);
    if (!bench->seconds) {
        return false;
    }
    for (size_t i = 0; i < all; i++) {
        bench->seconds[i] = INFINITY;
    }
    double *next = bench->seconds;
    for (size_t i = 0; i <= bench->contender_count; i++) {
        pack_contender *contender = &bench->contenders[i];
        contender->turns = contender->codec ? codec_turns : copy_turns;
        for (int which = 0; which < TURNS; which++) {
            contender->seconds[which] = next;
            next += slices_of(bench, which);
        }
    }
    return true;
}

static void take_turn(const pack_bench *bench, const pack_contender *contender, int which) {
    size_t size = turn_size(bench, which);
    double *best = contender->seconds[which];
    double begin = kz_seconds();
    for (size_t first = 0; first < size; first += SLICE) {
        contender->turns[which](bench, contender->codec, first, size - first < SLICE ? size - first : SLICE);
        double end = kz_seconds();
        if (end - begin < *best) {
            *best = end - begin;
        }
        best++;
        begin = end;
    }
}

static void measure(const pack_bench *bench) {
    for (uint64_t round = 0; round < bench->rounds; round++) {
        for (size_t i = 0; i <= bench->contender_count; i++) {
            const pack_contender *contender = &bench->contenders[i];
            for (int which = 0; which < TURNS; which++) {
                if (contender->turns[which]) {
                    take_turn(bench, contender, which);
                }
            }
        }
    }
}

/* For one position. */
static double nanoseconds(const pack_bench *bench, const pack_contender *contender, int which) {
    double seconds = 0;
    for (size_t i = 0; i < slices_of(bench, which); i++) {
        seconds += contender->seconds[which][i];
    }
    return 1e9 * seconds / (double)turn_size(bench, which);
}

/* ---- Checking ---------------------------------------------------------------------------------------------------- */

/* FNV-1a. */
static uint64_t hash_bytes(uint64_t hash, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    }
    return hash;
}

/* Packs and unpacks these positions. What others have left is removed, so that nothing is right by their work. */
static bool come_back(const pack_bench *bench, pack_contender *contender, turn *pack, turn *unpack,
                      const kz_shogi_position *positions, size_t count) {
    memset(bench->records, 0, count * KZ_SHOGI_RECORD_BYTES);
    memset(bench->unpacked, 0, count * sizeof *positions);
    pack(bench, contender->codec, 0, count);
    unpack(bench, contender->codec, 0, count);
    contender->hash = hash_bytes(contender->hash, bench->records, count * KZ_SHOGI_RECORD_BYTES);
    return memcmp(bench->unpacked, positions, count * sizeof *positions) == 0;
}

static bool all_come_back(const pack_bench *bench, pack_contender *contender) {
    contender->hash = UINT64_C(0xCBF29CE484222325); /* where FNV-1a begins */
    return come_back(bench, contender, pack_hot, unpack_hot, bench->hot, HOT_POSITIONS) &&
           come_back(bench, contender, pack_corpus, unpack_corpus, bench->corpus, (size_t)bench->count);
}

/* Says on stderr what is wrong. */
static bool check(const cli_command *command, pack_bench *bench) {
    bool fine = true;
    for (size_t i = 0; i < bench->contender_count; i++) {
        pack_contender *contender = &bench->contenders[i];
        const kz_shogi_codec *codec = contender->codec;
        if (!all_come_back(bench, contender)) {
            (void)report_message(command, STATUS_IO, "%s, path %s: what is unpacked is not what was packed",
                                 codec->name, codec->path);
            fine = false;
        }
        const pack_contender *before = i > 0 ? &bench->contenders[i - 1] : contender;
        if (before->codec->format == codec->format && before->hash != contender->hash) {
            (void)report_message(command, STATUS_IO, "%s: the paths %s and %s write different records", codec->name,
                                 before->codec->path, codec->path);
            fine = false;
        }
    }
    return fine;
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

static bool is_default(const pack_contender *contender) {
    return contender->codec == kz_shogi_codec_for(contender->codec->format, NULL);
}

/* PackedSfen is what others are compared with, as it is used here by default; NULL if it was not measured. */
static const pack_contender *find_psfen(const pack_bench *bench) {
    for (size_t i = 0; i < bench->contender_count; i++) {
        const pack_contender *contender = &bench->contenders[i];
        if (contender->codec->format == KZ_SHOGI_PSFEN && is_default(contender)) {
            return contender;
        }
    }
    return NULL;
}

static void report_times(cli_report *report, const pack_bench *bench, const pack_contender *contender,
                         const pack_contender *psfen, int hot, int corpus) {
    double each = nanoseconds(bench, contender, corpus);
    report_line(report, "   %8.2f %8.2f", nanoseconds(bench, contender, hot), each);
    if (psfen) {
        report_line(report, " %6.2fx", nanoseconds(bench, psfen, corpus) / each);
    } else {
        report_line(report, " %7s", "-");
    }
}

/* The turns that the contender takes. */
static void json_nanoseconds(cli_json *json, const pack_bench *bench, const pack_contender *contender) {
    static const char *const keys[TURNS] = {
        [PACK_HOT] = "pack_hot", [UNPACK_HOT] = "unpack_hot", [PACK_CORPUS] = "pack", [UNPACK_CORPUS] = "unpack"};
    for (int which = 0; which < TURNS; which++) {
        if (contender->turns[which]) {
            json_double(json, keys[which], nanoseconds(bench, contender, which));
        }
    }
}

static void report_contender(cli_report *report, const pack_bench *bench, const pack_contender *contender,
                             const pack_contender *psfen) {
    cli_json *json = &report->json;
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, contender->hash);
    report_line(report, "%-6s %-6s%2s", contender->codec->name, contender->codec->path,
                is_default(contender) ? "*" : "");
    report_times(report, bench, contender, psfen, PACK_HOT, PACK_CORPUS);
    report_times(report, bench, contender, psfen, UNPACK_HOT, UNPACK_CORPUS);
    report_line(report, "   %s\n", hash);
    json_object(json, NULL);
    json_text(json, "format", contender->codec->name);
    json_text(json, "path", contender->codec->path);
    json_boolean(json, "default", is_default(contender));
    json_nanoseconds(json, bench, contender);
    json_text(json, "hash", hash);
    json_end_object(json);
}

static void print_results(const pack_bench *bench, bool as_json) {
    const pack_contender *psfen = find_psfen(bench);
    const pack_contender *copying = &bench->contenders[bench->contender_count];
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    char count[THOUSANDS_BYTES];
    json_unsigned(json, "positions", bench->count);
    json_unsigned(json, "rounds", bench->rounds);
    json_unsigned(json, "seed", bench->seed);
    report_line(&report,
                "positions of random games: %s (seed %" PRIu64 "); nanoseconds a position, best of %" PRIu64
                " rounds\n\n",
                format_thousands(bench->count, count), bench->seed, bench->rounds);
    report_line(&report, "%-15s   %-25s   %s\n", "", "pack", "unpack");
    report_line(&report, "%-6s %-8s   %8s %8s %7s   %8s %8s %7s   %s\n", "format", "path", "hot", "corpus", "speedup",
                "hot", "corpus", "speedup", "hash of the records");
    report_list(&report, "results");
    for (size_t i = 0; i < bench->contender_count; i++) {
        report_contender(&report, bench, &bench->contenders[i], psfen);
    }
    report_end_list(&report);
    report_line(&report, "%-15s   %8s %8.2f %7s   %8s %8.2f\n", "copying bytes", "",
                nanoseconds(bench, copying, PACK_CORPUS), "", "", nanoseconds(bench, copying, UNPACK_CORPUS));
    json_object(json, "copying");
    json_nanoseconds(json, bench, copying);
    json_end_object(json);
    report_line(&report,
                "\n*        used by default here\n"
                "hot      %d positions again and again, by single calls; the corpus is packed by calls for many\n"
                "speedup  of the corpus, against psfen as it is used by default\n"
                "copying  96 bytes to 32, and 32 to 96: what memory alone takes\n",
                HOT_POSITIONS);
    report_end(&report);
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

/* Room for `count` items from the beginning of a cache line on, or NULL; never less than the hot positions need. */
static void *allocate(uint64_t count, size_t item) {
    size_t items = count > HOT_POSITIONS ? (size_t)count : HOT_POSITIONS;
    return aligned_alloc(64, (items * item + 63) / 64 * 64);
}

static int run(cli_arguments *arguments) {
    pack_bench bench = {.count = DEFAULT_POSITIONS, .rounds = DEFAULT_ROUNDS, .seed = 1};
    bool json = false;
    const cli_option options[] = {
        OPTION_NUMBER("positions", &bench.count, 1, MOST_POSITIONS, "positions of random games (default: 100000)"),
        OPTION_NUMBER("rounds", &bench.rounds, 1, MOST_ROUNDS, "how often; the best one counts (default: 10)"),
        OPTION_NUMBER("seed", &bench.seed, 0, UINT64_MAX, "another number gives other games (default: 1)"),
        OPTION_TEXT("format", &bench.format, "NAME", "only this format: sspf, sspfx, sspfc, psfen or hcp",
                    .words = "sspf sspfx sspfc psfen hcp"),
        OPTION_TEXT("path", &bench.path, "NAME", "only this path: plain, sse42, avx2, bmi2, vbmi2 or neon",
                    .words = "plain sse42 avx2 bmi2 vbmi2 neon"),
        OPTION_JSON(&json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 0, 0));
    CLI_TRY(choose_contenders(arguments->command, &bench));
    bench.corpus = allocate(bench.count, sizeof *bench.corpus);
    bench.unpacked = allocate(bench.count, sizeof *bench.unpacked);
    bench.records = allocate(bench.count, KZ_SHOGI_RECORD_BYTES);
    int code;
    if (!bench.corpus || !bench.unpacked || !bench.records || !set_up_contenders(&bench)) {
        code = report_error(arguments->command, &(kz_error){.status = KZ_ERR_MEMORY, .message = "out of memory"});
    } else {
        play_shogi_at_random(bench.seed, bench.corpus, (size_t)bench.count);
        set_up_hot(&bench);
        code = check(arguments->command, &bench) ? STATUS_FINE : STATUS_NO;
        measure(&bench);
        print_results(&bench, json);
    }
    free(bench.corpus);
    free(bench.unpacked);
    free(bench.records);
    free(bench.seconds);
    return code;
}

const cli_command command_bench_pack = {
    .name = "bench pack",
    .summary = "Measure how fast positions of shogi are packed and unpacked",
    .operands = "",
    .help = "Packs positions of shogi into 32 bytes and unpacks them, in every format and on every\n"
            "path (code for a kind of processor) that this machine has. The exit code is 1 if a\n"
            "position does not come back, or if paths of a format write different records.\n",
    .examples = "kanzen bench pack --format sspf\n",
    .run = run,
};
