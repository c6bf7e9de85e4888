/* SPDX-License-Identifier: MIT
 *
 * Shogi positions in 32 bytes: one of them there and back, or a whole file of records in another form.
 *
 *     cc pack.c $(pkg-config --cflags --libs kanzen) -o pack
 *     ./pack 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'
 *     ./pack train.psv psv train.hcpe hcpe */
#include <inttypes.h>
#include <kanzen/shogi_files.h>
#include <stdio.h>
#include <string.h>

/* SFEN -> record -> SFEN. */
static int pack_one(const char *sfen) {
    kz_error error;
    kz_shogi_position position;
    int ply;
    if (kz_shogi_parse_sfen(sfen, strlen(sfen), &position, &ply, &error) != KZ_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    /* The codec is the fastest one for this processor. It is constant data of the library: nothing to free. */
    const kz_shogi_codec *codec = kz_shogi_codec_for(KZ_SHOGI_SSPF, NULL);
    uint8_t record[KZ_SHOGI_RECORD_BYTES];
    kz_shogi_defect defect = codec->pack(&position, record);
    if (defect != KZ_SHOGI_FINE) {
        fprintf(stderr, "%s can't hold this position: %s\n", codec->name, kz_shogi_defect_text(defect));
        return 1;
    }
    for (int i = 0; i < KZ_SHOGI_RECORD_BYTES; i++) {
        printf("%02x", record[i]);
    }
    kz_shogi_position again;
    defect = codec->unpack(record, &again);
    if (defect != KZ_SHOGI_FINE) {
        fprintf(stderr, "%s\n", kz_shogi_defect_text(defect));
        return 1;
    }
    char text[KZ_SHOGI_SFEN_BYTES];
    kz_shogi_format_sfen(&again, ply, text);
    printf("\n%s\n", text);
    return 0;
}

static bool report(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    fprintf(stderr, "\r%s: %" PRIu64 " of %" PRIu64, stage, done, total);
    return true; /* false would stop the work */
}

/* Records of one kind to those of another. A target that is there already is refused. */
static int convert(const char *from, const char *from_record, const char *to, const char *to_record) {
    /* Members that are not named are 0, and 0 always means the usual thing. Dialects are an exception. */
    kz_shogi_source source = {.path = from, .record = kz_shogi_record_named(from_record), .dialect = KZ_SHOGI_DIALECTS};
    kz_shogi_target target = {.path = to, .record = kz_shogi_record_named(to_record), .dialect = KZ_SHOGI_DIALECTS};
    if (source.record == KZ_SHOGI_RECORDS || target.record == KZ_SHOGI_RECORDS) {
        fprintf(stderr, "there are no such records\n");
        return 2;
    }
    kz_shogi_file_options options = {.skip_bad = true};
    kz_progress progress = {.report = report};
    kz_shogi_file_report done;
    kz_error error;
    if (kz_shogi_convert(&source, &target, &options, &progress, &done, &error) != KZ_OK) {
        fprintf(stderr, "\n%s\n", error.message);
        return 1;
    }
    fprintf(stderr, "\n");
    printf("read %" PRIu64 ", written %" PRIu64 ", bad %" PRIu64 "\n", done.read, done.written, done.bad);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2) {
        return pack_one(argv[1]);
    }
    if (argc == 5) {
        return convert(argv[1], argv[2], argv[3], argv[4]);
    }
    fprintf(stderr, "usage: %s SFEN\n       %s FILE RECORD FILE RECORD\n", argv[0], argv[0]);
    return 2;
}
