/* SPDX-License-Identifier: MIT
 *
 * Bytes as the state of a conversion that was interrupted. The settings in it and its checksum are set right, so that
 * it is taken for one of this run; then the conversion goes on from wherever it says. */
#include "tests/fuzz/files.h"

#include "base/bits.h"
#include "base/hash.h"
#include "shogi/src/records/convert_state.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);

enum { RECORDS = 6, BYTES = 40, PART = 96 };

static const kz_shogi_source source = {.path = "source", .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS};
static const kz_shogi_target target = {
    .path = "target", .record = KZ_SHOGI_RECORD_SSPFX, .dialect = KZ_SHOGI_DIALECTS, .replace = true};
static kz_shogi_file_options options = {.threads = 1, .resume = true, .skip_bad = true};
static uint8_t image[4096]; /* a state as it is written */
static size_t image_bytes;

/* Records of the start position. */
static void make_source(void) {
    kz_shogi_position position;
    uint8_t bytes[RECORDS * BYTES] = {0};
    static const char start[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    if (kz_shogi_parse_sfen(start, strlen(start), &position, NULL, NULL) != KZ_OK) {
        abort();
    }
    for (int i = 0; i < RECORDS; i++) {
        if (kz_shogi_codec_for(KZ_SHOGI_PSFEN, NULL)->pack(&position, bytes + i * BYTES) != KZ_SHOGI_FINE) {
            abort();
        }
    }
    fuzz_write_file("source", bytes, sizeof bytes);
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    fuzz_enter_folder();
    make_source();
    struct stat found;
    kz_convert_state state;
    if (stat("source", &found) != 0) {
        abort();
    }
    kz_convert_state_begin(&state, &source, &target, &options, &found);
    const kz_buffer nothing = {NULL, 0, 0};
    if (kz_convert_state_save(&state, &nothing, "state", NULL) != KZ_OK) {
        abort();
    }
    uint8_t *bytes = fuzz_read_file("state", &image_bytes);
    fuzz_keep(image_bytes <= sizeof image ? NULL : "the state is too long for this");
    memcpy(image, bytes, image_bytes);
    free(bytes);
    return 0;
}

static const char *broken_by_resuming(void) {
    kz_shogi_file_report report;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_shogi_convert(&source, &target, &options, NULL, &report, &error);
    fuzz_keep_failure(status, &error);
    LAW(status == KZ_OK || status == KZ_ERR_CORRUPT || status == KZ_ERR_INPUT || status == KZ_ERR_IO);
    if (status == KZ_OK) {
        size_t size;
        free(fuzz_read_file("target", &size));
        LAW(size <= PART + RECORDS * KZ_SHOGI_RECORD_BYTES);
        unlink("target");
    }
    return NULL;
}

/* The place, the size and the report of the state are the input's, and checksums are right; the first byte says whether
 * all of it is as the input has it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint8_t part[PART];
    enum { STATE = 16 }; /* a magic number and the size are before it */
    uint8_t bytes[sizeof image];
    size_t place = STATE + offsetof(kz_convert_state, place);
    bool all = fuzz_byte(&data, &size) % 8 == 0;
    size_t length = image_bytes;
    memcpy(bytes, image, length);
    if (all) {
        length = size < sizeof bytes ? size : sizeof bytes;
        memcpy(bytes, data, length);
    } else {
        memcpy(bytes + place, data, size < length - place ? size : length - place);
        uint64_t written = kz_load_le64(bytes + STATE + offsetof(kz_convert_state, bytes));
        kz_store_le64(bytes + STATE + offsetof(kz_convert_state, hash),
                      kz_hash64(part, written < PART ? (size_t)written : PART));
        kz_store_le64(bytes + length - 8, kz_hash64(bytes, length - 8));
    }
    fuzz_write_file("target.part", part, sizeof part);
    fuzz_write_file("target.part.state", bytes, length);
    fuzz_keep(broken_by_resuming());
    return 0;
}
