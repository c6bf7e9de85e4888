/* SPDX-License-Identifier: MIT */
#include "shogi/src/records/decode.h"

#include "base/bits.h"
#include "base/encoding.h"
#include "base/error.h"
#include "shogi/src/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64 };

kz_shogi_dialect kz_records_dialect(kz_shogi_record record, kz_shogi_dialect asked) {
    if (asked != KZ_SHOGI_DIALECTS) {
        return asked;
    }
    return record == KZ_SHOGI_RECORD_HCPE || record == KZ_SHOGI_RECORD_HCPE2 ? KZ_SHOGI_APERY : KZ_SHOGI_YANEURAOU;
}

kz_status kz_records_decoder_for(kz_records_decoder *decoder, const kz_shogi_source *source,
                                 const kz_shogi_file_options *options, kz_error *error) {
    *decoder = (kz_records_decoder){
        .record = source->record,
        .info = kz_shogi_record_at(source->record),
        .dialect = kz_records_dialect(source->record, source->dialect),
        .without_box = options->without_box,
        .legal = options->legal,
        .unsearched = options->unsearched,
        .rules = kz_shogi_rules_for(NULL),
        .stop_at_bad = !options->skip_bad,
    };
    if (decoder->info->bytes != 0) {
        decoder->codec = kz_shogi_codec_for(decoder->info->format, NULL);
        if (!decoder->codec) {
            return kz_fail(error, KZ_ERR_UNSUPPORTED, "there is no code for %s here", decoder->info->name);
        }
    }
    return KZ_OK;
}

/* ---- Sheets ------------------------------------------------------------------------------------------------------ */

kz_status kz_records_new_sheet(kz_records_sheet *sheet, kz_error *error) {
    *sheet = (kz_records_sheet){
        .positions = aligned_alloc(CACHE_LINE, KZ_RECORDS_BATCH * sizeof *sheet->positions),
        .notes = aligned_alloc(CACHE_LINE, KZ_RECORDS_BATCH * sizeof *sheet->notes),
        .defects = malloc(KZ_RECORDS_BATCH * sizeof *sheet->defects),
        .lines = malloc(KZ_RECORDS_BATCH * sizeof *sheet->lines),
        .entries = malloc(KZ_RECORDS_BATCH * sizeof *sheet->entries),
        .left = UINT64_MAX,
    };
    if (!sheet->positions || !sheet->notes || !sheet->defects || !sheet->lines || !sheet->entries) {
        kz_records_free_sheet(sheet);
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for a batch of records");
    }
    return KZ_OK;
}

void kz_records_free_sheet(kz_records_sheet *sheet) {
    free(sheet->positions);
    free(sheet->notes);
    free(sheet->defects);
    free(sheet->lines);
    free(sheet->entries);
    *sheet = (kz_records_sheet){0};
}

void kz_records_clear(kz_records_sheet *sheet) {
    sheet->count = 0;
    sheet->reason_count = 0;
}

/* ---- Records of fixed size --------------------------------------------------------------------------------------- */

/* Looks at the defects of what has been unpacked so far: those of notes and of legality come last. */
static void read_notes(const kz_records_decoder *decoder, const uint8_t *bytes, size_t begin, size_t end,
                       kz_records_sheet *sheet) {
    size_t stride = decoder->info->bytes;
    if (decoder->info->holds == 0) {
        memset(sheet->notes + begin, 0, (end - begin) * sizeof *sheet->notes);
    } else {
        for (size_t i = begin; i < end; i++) {
            sheet->defects[i] = kz_shogi_read_note(decoder->record, decoder->dialect, bytes + i * stride,
                                                   (kz_shogi_side)sheet->positions[i].side, &sheet->notes[i]);
        }
    }
    if (decoder->legal) {
        for (size_t i = begin; i < end; i++) {
            if (sheet->defects[i] == KZ_SHOGI_FINE) {
                sheet->defects[i] = decoder->rules->position(&sheet->positions[i]);
            }
        }
    }
}

static void decode_fixed(const kz_records_decoder *decoder, const kz_records_piece *piece, kz_records_sheet *sheet) {
    size_t stride = decoder->info->bytes;
    size_t count = piece->size / stride;
    memset(sheet->defects, 0, count * sizeof *sheet->defects);
    for (size_t at = 0; at < count;) {
        kz_shogi_defect defect = KZ_SHOGI_FINE;
        size_t done =
            decoder->codec->unpack_many(piece->bytes + at * stride, stride, count - at, sheet->positions + at, &defect);
        if (at + done < count && decoder->without_box &&
            kz_shogi_unpack_without_box(decoder->info->format, piece->bytes + (at + done) * stride,
                                        sheet->positions + at + done) == KZ_SHOGI_FINE) {
            done++;
            defect = KZ_SHOGI_FINE;
        }
        read_notes(decoder, piece->bytes, at, at + done, sheet);
        at += done;
        if (defect != KZ_SHOGI_FINE) {
            sheet->defects[at] = defect;
            memset(&sheet->notes[at], 0, sizeof sheet->notes[at]);
            at++;
        }
    }
    sheet->count = count;
    for (size_t i = 0; decoder->stop_at_bad && i < count; i++) {
        if (sheet->defects[i] != KZ_SHOGI_FINE) {
            sheet->count = i + 1;
            sheet->ended = true;
            break;
        }
    }
}

/* ---- Texts and games, record by record --------------------------------------------------------------------------- */

struct reader {
    const kz_records_decoder *decoder;
    kz_records_sheet *sheet;
    uint32_t line;        /* on which the record begins */
    unsigned visited;     /* positions of the game so far */
    const uint8_t *entry; /* hcpe3: where the move is */
};

/* Adds a record, or a bad one (then `reason` says more, and the position may be NULL). False to stop. */
static bool add(struct reader *reader, const kz_shogi_position *position, const kz_shogi_note *note,
                kz_shogi_defect defect, const char *reason) {
    kz_records_sheet *sheet = reader->sheet;
    if (sheet->pass > 0) {
        sheet->pass--;
        sheet->passed++;
        return true;
    }
    if (sheet->left == 0) {
        sheet->ended = true;
        return false;
    }
    if (sheet->count == KZ_RECORDS_BATCH && !sheet->full(sheet->user)) {
        sheet->ended = true;
        return false;
    }
    if (defect == KZ_SHOGI_FINE && reader->decoder->legal) {
        defect = kz_shogi_check_legal(position);
    }
    size_t at = sheet->count++;
    sheet->left--;
    sheet->lines[at] = reader->line;
    sheet->entries[at] = reader->entry;
    sheet->defects[at] = defect;
    if (position) {
        sheet->positions[at] = *position;
        sheet->notes[at] = *note;
    } else {
        memset(&sheet->positions[at], 0, sizeof sheet->positions[at]);
        memset(&sheet->notes[at], 0, sizeof sheet->notes[at]);
    }
    if (reason && sheet->reason_count < KZ_SHOGI_OFFENDERS) {
        kz_records_reason *kept = &sheet->reasons[sheet->reason_count++];
        kept->at = at;
        snprintf(kept->text, sizeof kept->text, "%.119s", reason);
    }
    if (defect != KZ_SHOGI_FINE && reader->decoder->stop_at_bad) {
        sheet->ended = true;
        return false;
    }
    return true;
}

static bool visit(void *user, const kz_shogi_position *position, const kz_shogi_note *note) {
    struct reader *reader = user;
    reader->visited++;
    if ((note->has & KZ_SHOGI_UNSEARCHED) != 0 && !reader->decoder->unsearched) {
        reader->sheet->unsearched++;
        return true;
    }
    return add(user, position, note, KZ_SHOGI_FINE, NULL);
}

static bool is_blank(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r') {
            return false;
        }
    }
    return true;
}

static size_t line_length(const char *text, size_t size) {
    const char *end = memchr(text, '\n', size);
    return !end ? size : (size_t)(end - text);
}

static void decode_sfen(struct reader *reader, const char *text, size_t size) {
    bool more = true;
    for (size_t at = 0; at < size && more;) {
        size_t length = line_length(text + at, size - at);
        reader->line = reader->sheet->line++;
        if (!is_blank(text + at, length)) {
            kz_shogi_position position;
            kz_shogi_note note = {0};
            kz_error error;
            kz_status status = kz_shogi_read_sfen_line(text + at, length, &position, &note, &error);
            more = status == KZ_OK ? add(reader, &position, &note, KZ_SHOGI_FINE, NULL)
                                   : add(reader, NULL, NULL, KZ_SHOGI_UNKNOWN, error.message);
        }
        at += length + 1;
    }
}

/* A line is a game; what comes before a bad move is taken, and the line counted as bad. */
static void decode_usi(struct reader *reader, const char *text, size_t size) {
    for (size_t at = 0; at < size && !reader->sheet->ended;) {
        size_t length = line_length(text + at, size - at);
        reader->line = reader->sheet->line++;
        kz_error error;
        if (!is_blank(text + at, length) && kz_shogi_read_usi_line(text + at, length, visit, reader, &error) != KZ_OK &&
            !reader->sheet->ended) {
            (void)add(reader, NULL, NULL, KZ_SHOGI_UNKNOWN, error.message);
        }
        at += length + 1;
    }
}

static uint32_t count_lines(const char *text, size_t size) {
    uint32_t lines = 0;
    for (size_t i = 0; i < size; i++) {
        lines += text[i] == '\n';
    }
    return lines;
}

static void decode_plain(struct reader *reader, const char *text, size_t size) {
    bool more = true;
    for (size_t at = 0; at < size && more;) {
        size_t length = line_length(text + at, size - at);
        if (is_blank(text + at, length)) {
            at += length + 1;
            reader->sheet->line++;
            continue;
        }
        reader->line = reader->sheet->line;
        kz_shogi_position position;
        kz_shogi_note note = {0};
        kz_error error;
        size_t used = 0;
        kz_status status = kz_shogi_read_plain(text + at, size - at, &used, &position, &note, &error);
        more = status == KZ_OK
                   ? add(reader, &position, &note, KZ_SHOGI_FINE, NULL)
                   : add(reader, NULL, NULL, used == 0 ? KZ_SHOGI_TRUNCATED : KZ_SHOGI_UNKNOWN, error.message);
        used = used == 0 ? size - at : used;
        reader->sheet->line += count_lines(text + at, used);
        at += used;
    }
}

/* How many moves a game says it has. */
static unsigned moves_of_hcpe3(const uint8_t *bytes, size_t size) {
    return size > KZ_HCPE3_COUNT_AT + 1 ? kz_load_le16(bytes + KZ_HCPE3_COUNT_AT) : 0;
}

static void decode_hcpe3(struct reader *reader, const uint8_t *bytes, size_t size) {
    bool more = true;
    for (size_t at = 0; at < size && more;) {
        kz_error error;
        size_t used = 0;
        reader->visited = 0;
        kz_status status = kz_hcpe3_read(bytes + at, size - at, &used, visit, reader, &reader->entry, &error);
        more = !reader->sheet->ended;
        if (more && status != KZ_OK) {
            unsigned moves = moves_of_hcpe3(bytes + at, size - at);
            reader->sheet->lost_positions += moves > reader->visited ? moves - reader->visited : 0;
            more = add(reader, NULL, NULL, KZ_SHOGI_ILLEGAL_MOVE, error.message);
        }
        at += used != 0 ? used : size - at;
    }
}

static void decode_pack(struct reader *reader, const uint8_t *bytes, size_t size) {
    enum { SMALLEST = 4, WITH_POSITION = 38, MOVE = 4 };
    for (size_t at = 0; at < size && !reader->sheet->ended;) {
        kz_error error;
        size_t used = 0;
        reader->visited = 0;
        kz_status status = kz_shogi_read_pack(bytes + at, size - at, &used, visit, reader, &error);
        if (status != KZ_OK && !reader->sheet->ended) {
            bool known = bytes[at] <= 1;
            size_t moves = (used - (bytes[at] == 1 ? SMALLEST : WITH_POSITION)) / MOVE;
            reader->sheet->lost_positions += known && moves > reader->visited ? moves - reader->visited : 0;
            (void)add(reader, NULL, NULL, known ? KZ_SHOGI_ILLEGAL_MOVE : KZ_SHOGI_UNKNOWN, error.message);
            /* Where the next game would begin can't be known. */
            reader->sheet->ended = reader->sheet->ended || !known;
        }
        at += used != 0 ? used : size - at;
    }
}

static void decode_nshogi(struct reader *reader, const uint8_t *bytes, size_t size) {
    bool more = true;
    for (size_t at = 0; at < size && more; at += KZ_SHOGI_NSHOGI_BYTES) {
        kz_shogi_position position;
        kz_shogi_note note;
        kz_shogi_defect defect = kz_shogi_read_nshogi(bytes + at, &position, &note);
        bool placed = defect == KZ_SHOGI_FINE || defect == KZ_SHOGI_BAD_MOVE || defect == KZ_SHOGI_BAD_RESULT;
        more = add(reader, placed ? &position : NULL, placed ? &note : NULL, defect, NULL);
    }
}

/* A game with a mistake is one bad record, and the moves that are lost with it are counted. */
static void decode_game_file(struct reader *reader, const char *text, size_t size) {
    static kz_shogi_next_game *const readers[KZ_SHOGI_RECORDS] = {[KZ_SHOGI_RECORD_CSA] = kz_shogi_next_csa,
                                                                  [KZ_SHOGI_RECORD_KIF] = kz_shogi_next_kif,
                                                                  [KZ_SHOGI_RECORD_KI2] = kz_shogi_next_ki2};
    kz_error error;
    kz_lines lines = kz_lines_of(text, size, &error);
    while (lines.rest.length > 0 && !reader->sheet->ended) {
        bool stopped = false;
        uint64_t lost = 0;
        kz_status status = readers[reader->decoder->record](&lines, visit, reader, &stopped, &lost, &error);
        if (status != KZ_OK && !reader->sheet->ended) {
            char reason[sizeof((kz_shogi_offender *)NULL)->reason];
            snprintf(reason, sizeof reason, "%.80s%s", error.message, lost > 0 ? " (the game is lost)" : "");
            reader->sheet->lost_positions += lost;
            (void)add(reader, NULL, NULL, KZ_SHOGI_UNKNOWN, reason);
        }
    }
}

/* A text may begin with a byte order mark, which is no part of its first line. */
static size_t size_of_mark(const kz_records_piece *piece) {
    return piece->offset == 0 ? kz_mark_size((const char *)piece->bytes, piece->size) : 0;
}

static bool is_text(kz_shogi_record record) {
    return record == KZ_SHOGI_RECORD_SFEN || record == KZ_SHOGI_RECORD_USI || record == KZ_SHOGI_RECORD_PLAIN ||
           record == KZ_SHOGI_RECORD_CSA || record == KZ_SHOGI_RECORD_KIF || record == KZ_SHOGI_RECORD_KI2;
}

void kz_records_decode(const kz_records_decoder *decoder, const kz_records_piece *piece, kz_records_sheet *sheet) {
    struct reader reader = {.decoder = decoder, .sheet = sheet};
    const char *text = (const char *)piece->bytes;
    size_t mark = size_of_mark(piece);
    sheet->line = 0;
    if (is_text(decoder->record) && piece->offset == 0 && kz_is_utf16(text, piece->size)) {
        (void)add(&reader, NULL, NULL, KZ_SHOGI_UNKNOWN, KZ_SHOGI_NO_UTF16);
        sheet->ended = true; /* no line of it can be read */
        return;
    }
    switch ((int)decoder->record) {
    case KZ_SHOGI_RECORD_SFEN:
        decode_sfen(&reader, text + mark, piece->size - mark);
        break;
    case KZ_SHOGI_RECORD_USI:
        decode_usi(&reader, text + mark, piece->size - mark);
        break;
    case KZ_SHOGI_RECORD_PLAIN:
        decode_plain(&reader, text + mark, piece->size - mark);
        break;
    case KZ_SHOGI_RECORD_HCPE3:
        decode_hcpe3(&reader, piece->bytes, piece->size);
        break;
    case KZ_SHOGI_RECORD_PACK:
        decode_pack(&reader, piece->bytes, piece->size);
        break;
    case KZ_SHOGI_RECORD_NSHOGI:
        decode_nshogi(&reader, piece->bytes, piece->size);
        break;
    case KZ_SHOGI_RECORD_CSA:
    case KZ_SHOGI_RECORD_KIF:
    case KZ_SHOGI_RECORD_KI2:
        decode_game_file(&reader, text, piece->size);
        break;
    default:
        decode_fixed(decoder, piece, sheet);
    }
}
