/* SPDX-License-Identifier: MIT */
#include "shogi/tests/support/shogi_files.h"

struct sample samples[SAMPLES];

/* ---- Files ------------------------------------------------------------------------------------------------------- */

void put_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

struct buffer read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail_msg("there is no %s", path);
    }
    struct stat found;
    assert_int_equal(fstat(fileno(file), &found), 0);
    struct buffer buffer = {malloc(found.st_size > 0 ? (size_t)found.st_size : 1), (size_t)found.st_size};
    assert_non_null(buffer.bytes);
    assert_int_equal(fread(buffer.bytes, 1, buffer.size, file), buffer.size);
    fclose(file);
    return buffer;
}

static const char *path_in_source(const char *folder, const char *name) {
    static char path[4096];
    const char *source = getenv("KANZEN_SOURCE");
    snprintf(path, sizeof path, "%s/%s/%s", source ? source : ".", folder, name);
    return path;
}

struct buffer read_of_source(const char *folder, const char *name) {
    return read_file(path_in_source(folder, name));
}

FILE *open_shogi_data(const char *name) {
    const char *path = path_in_source("shogi/tests/data", name);
    FILE *file = fopen(path, "r");
    if (!file) {
        fail_msg("%s can't be read; KANZEN_SOURCE must be the root of the source", path);
    }
    return file;
}

size_t from_hex(const char *text, uint8_t *bytes) {
    size_t size = 0;
    for (; *text != '\0'; text += 2, size++) {
        unsigned byte;
        assert_int_equal(sscanf(text, "%2x", &byte), 1);
        bytes[size] = (uint8_t)byte;
    }
    return size;
}

bool exists(const char *path) { return access(path, F_OK) == 0; }

void assert_file(const char *path, struct buffer expected) {
    struct buffer got = read_file(path);
    assert_int_equal(got.size, expected.size);
    assert_memory_equal(got.bytes, expected.bytes, expected.size);
    free(got.bytes);
}

void assert_nothing_left(const char *path) {
    char name[64];
    assert_false(exists(path));
    snprintf(name, sizeof name, "%s.part", path);
    assert_false(exists(name));
    snprintf(name, sizeof name, "%s.part.state", path);
    assert_false(exists(name));
}

/* ---- Records, one by one ----------------------------------------------------------------------------------------- */

static kz_shogi_dialect usual_dialect(kz_shogi_record record) {
    return record == KZ_SHOGI_RECORD_HCPE || record == KZ_SHOGI_RECORD_HCPE2 ? KZ_SHOGI_APERY : KZ_SHOGI_YANEURAOU;
}

size_t write_record(kz_shogi_record record, const struct sample *sample, uint8_t *bytes) {
    const kz_shogi_record_info *info = kz_shogi_record_at(record);
    if (info->bytes != 0) {
        assert_int_equal(kz_shogi_codec_for(info->format, NULL)->pack(&sample->position, bytes), KZ_SHOGI_FINE);
        kz_shogi_write_note(record, usual_dialect(record), &sample->note, (kz_shogi_side)sample->position.side, bytes);
        return info->bytes;
    }
    if (record == KZ_SHOGI_RECORD_PLAIN) {
        return kz_shogi_format_plain(&sample->position, &sample->note, (char *)bytes);
    }
    int ply = sample->note.has & KZ_SHOGI_HAS_PLY ? sample->note.ply : 1;
    size_t length = kz_shogi_format_sfen(&sample->position, ply, (char *)bytes);
    bytes[length] = '\n';
    return length + 1;
}

struct buffer records_of(kz_shogi_record record, size_t begin, size_t end, unsigned kept) {
    struct buffer buffer = {malloc((end - begin) * KZ_SHOGI_PLAIN_BYTES + 1), 0};
    assert_non_null(buffer.bytes);
    for (size_t i = begin; i < end; i++) {
        struct sample sample = samples[i];
        sample.note.has &= (uint8_t)kept;
        buffer.size += write_record(record, &sample, buffer.bytes + buffer.size);
    }
    return buffer;
}

unsigned holds(kz_shogi_record record) { return kz_shogi_record_at(record)->holds; }

int make_samples(void **state) {
    (void)state;
    shogi_walker walker = {.state = 20260101};
    for (size_t i = 0; i < SAMPLES; i++) {
        struct sample *sample = &samples[i];
        sample->position = *shogi_walk(&walker);
        kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
        size_t count = kz_shogi_moves(&sample->position, moves);
        kz_shogi_move none = {.special = KZ_SHOGI_NONE};
        sample->note = (kz_shogi_note){
            .score = (int16_t)(shogi_random_below(&walker.state, 65536) - 32768),
            .ply = (uint16_t)walker.ply,
            .move = count > 0 ? moves[shogi_random_below(&walker.state, (unsigned)count)] : none,
            .result = (int8_t)(shogi_random_below(&walker.state, 3) - 1),
            .ending = (uint8_t)(1U << shogi_random_below(&walker.state, 3)),
            .extra = (uint8_t)shogi_random_below(&walker.state, 256),
            .has = KZ_SHOGI_HAS_SCORE | KZ_SHOGI_HAS_MOVE | KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_RESULT |
                   KZ_SHOGI_HAS_ENDING | KZ_SHOGI_HAS_EXTRA,
        };
    }
    return 0;
}

/* ---- Conversions ------------------------------------------------------------------------------------------------- */

kz_shogi_position shogi_parsed(const char *sfen) {
    kz_shogi_position position;
    kz_error why = {KZ_OK, ""};
    if (kz_shogi_parse_sfen(sfen, strlen(sfen), &position, NULL, &why) != KZ_OK) {
        fail_msg("%s: %s", sfen, why.message);
    }
    return position;
}

kz_shogi_source source_of(const char *path, kz_shogi_record record) {
    return (kz_shogi_source){.path = path, .record = record, .dialect = KZ_SHOGI_DIALECTS};
}

kz_shogi_target target_of(const char *path, kz_shogi_record record) {
    return (kz_shogi_target){.path = path, .record = record, .dialect = KZ_SHOGI_DIALECTS};
}

kz_shogi_file_report report;

kz_error error;

kz_status convert_as(const kz_shogi_source *source, const kz_shogi_target *target,
                     const kz_shogi_file_options *options) {
    error = (kz_error){.status = KZ_OK};
    kz_status status = kz_shogi_convert(source, target, options, NULL, &report, &error);
    assert_int_equal(status, error.status);
    return status;
}

kz_status convert(const char *in, kz_shogi_record from, const char *out, kz_shogi_record to,
                  kz_shogi_file_options options) {
    kz_shogi_source source = source_of(in, from);
    kz_shogi_target target = target_of(out, to);
    target.replace = true;
    return convert_as(&source, &target, &options);
}

void assert_message(const char *part) {
    if (strstr(error.message, part) == NULL) {
        fail_msg("'%s' does not say '%s'", error.message, part);
    }
}
