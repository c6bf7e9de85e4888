/* SPDX-License-Identifier: MIT
 *
 * Which dialect the moves of a file are in. Blocks of records all over the file are read, and every move is tried in
 * every dialect: in the wrong one, drops and promotions become moves that are not legal. */
#include "base/bits.h"
#include "base/error.h"
#include "shogi/src/boards.h"
#include "shogi/src/records/decode.h"
#include "shogi/src/records/rawfile.h"
#include "shogi/src/records/source.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

enum { BLOCKS = 64, BLOCK_RECORDS = 256, MOVE_AT = 34, MOST_RECORD_BYTES = 64, LEAST_MOVES = 16 };

/* A dialect fits if nearly all moves are legal in it; a few may be wrong in any file. */
static bool fits(uint64_t legal, uint64_t moves) { return moves > 0 && 100 * legal >= 98 * moves; }

static unsigned fitting(const uint64_t legal[KZ_SHOGI_DIALECTS], uint64_t moves) {
    unsigned set = 0;
    for (int dialect = 0; dialect < KZ_SHOGI_DIALECTS; dialect++) {
        set |= fits(legal[dialect], moves) ? 1U << dialect : 0;
    }
    return set;
}

/* Tries the moves of a block; returns how many there are. */
static uint64_t try_block(const kz_shogi_codec *codec, const uint8_t *bytes, size_t stride, size_t count,
                          uint64_t legal[KZ_SHOGI_DIALECTS]) {
    const kz_shogi_rules *rules = kz_shogi_rules_for(NULL);
    uint64_t moves = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *record = bytes + i * stride;
        uint16_t bits = kz_load_le16(record + MOVE_AT);
        kz_shogi_position position;
        if (bits == 0 || codec->unpack(record, &position) != KZ_SHOGI_FINE) {
            continue;
        }
        moves++;
        for (int dialect = 0; dialect < KZ_SHOGI_DIALECTS; dialect++) {
            kz_shogi_move move;
            legal[dialect] += kz_shogi_read_move((kz_shogi_dialect)dialect, bits, &move) == KZ_SHOGI_FINE &&
                              (move.special != KZ_SHOGI_MOVE || rules->move(&position, move) == KZ_SHOGI_FINE);
        }
    }
    return moves;
}

static kz_status try_blocks(const kz_rawsource *raw, const kz_shogi_codec *codec, kz_shogi_dialect_guess *guess,
                            kz_error *error) {
    uint8_t bytes[BLOCK_RECORDS * MOST_RECORD_BYTES];
    uint64_t blocks = (raw->count + BLOCK_RECORDS - 1) / BLOCK_RECORDS;
    uint64_t tried = blocks < BLOCKS ? blocks : BLOCKS;
    unsigned all = (1U << KZ_SHOGI_DIALECTS) - 1;
    unsigned common = all; /* dialects that fit every block in which any fits */
    bool any = false;
    for (uint64_t i = 0; i < tried; i++) {
        uint64_t block = tried > 1 ? i * (blocks - 1) / (tried - 1) : 0;
        uint64_t first = block * BLOCK_RECORDS;
        size_t count = raw->count - first < BLOCK_RECORDS ? (size_t)(raw->count - first) : BLOCK_RECORDS;
        KZ_TRY(kz_rawsource_read(raw, first, count, bytes, error));
        uint64_t legal[KZ_SHOGI_DIALECTS] = {0};
        uint64_t moves = try_block(codec, bytes, raw->record_bytes, count, legal);
        guess->moves += moves;
        for (int dialect = 0; dialect < KZ_SHOGI_DIALECTS; dialect++) {
            guess->legal[dialect] += legal[dialect];
        }
        unsigned set = fitting(legal, moves);
        if (set != 0 && moves >= LEAST_MOVES) {
            common &= set;
            any = true;
        }
    }
    guess->fit = fitting(guess->legal, guess->moves);
    guess->mixed = guess->fit == 0 && any && common == 0;
    return KZ_OK;
}

kz_status kz_shogi_guess_dialect(const kz_shogi_source *source, kz_shogi_dialect_guess *guess, kz_error *error) {
    const kz_shogi_record_info *info = kz_shogi_record_at(source->record);
    *guess = (kz_shogi_dialect_guess){.moves = 0};
    if (info->bytes == 0 || (info->holds & KZ_SHOGI_HAS_MOVE) == 0) {
        return KZ_OK;
    }
    kz_rawsource raw;
    kz_shogi_file_options options = {.skip_bad = true};
    kz_status status = kz_rawsource_open(&raw, source, &options, error);
    if (status == KZ_OK) {
        status = try_blocks(&raw, kz_shogi_codec_for(info->format, NULL), guess, error);
        kz_rawsource_close(&raw);
    }
    return status;
}

static const char *const names[KZ_SHOGI_DIALECTS] = {
    [KZ_SHOGI_YANEURAOU] = "yaneuraou", [KZ_SHOGI_DROPS_82] = "drops82", [KZ_SHOGI_APERY] = "apery"};

const char *kz_shogi_dialect_name(kz_shogi_dialect dialect) {
    return (unsigned)dialect < KZ_SHOGI_DIALECTS ? names[dialect] : "none";
}

static double percent(uint64_t part, uint64_t whole) { return 100.0 * (double)part / (double)whole; }

kz_status kz_records_check_dialect(const kz_shogi_source *source, kz_error *error) {
    const kz_shogi_record_info *info = kz_shogi_record_at(source->record);
    struct stat found;
    if (source->dialect != KZ_SHOGI_DIALECTS || info->bytes == 0 || (info->holds & KZ_SHOGI_HAS_MOVE) == 0 ||
        kz_is_packed_name(source->path) || stat(source->path, &found) != 0 || !S_ISREG(found.st_mode)) {
        return KZ_OK;
    }
    kz_shogi_dialect_guess guess;
    kz_status status = kz_shogi_guess_dialect(source, &guess, error);
    kz_shogi_dialect usual = kz_records_dialect(source->record, KZ_SHOGI_DIALECTS);
    if (status != KZ_OK || guess.moves == 0 || (guess.fit >> usual & 1) != 0) {
        return status;
    }
    if (guess.mixed) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "%s mixes dialects of moves: parts of it fit one and other parts another (legal in a sample: "
                       "yaneuraou %.1f%%, drops82 %.1f%%, apery %.1f%%); part it, or name a dialect",
                       source->path, percent(guess.legal[0], guess.moves), percent(guess.legal[1], guess.moves),
                       percent(guess.legal[2], guess.moves));
    }
    for (int dialect = 0; dialect < KZ_SHOGI_DIALECTS; dialect++) {
        if ((guess.fit >> dialect & 1) != 0) {
            return kz_fail(error, KZ_ERR_INPUT,
                           "the moves of %s are not in the usual dialect of %s (%s): %.1f%% of a sample are not legal "
                           "in it; the dialect is %s (%.1f%% are legal), name it",
                           source->path, info->name, names[usual],
                           percent(guess.moves - guess.legal[usual], guess.moves), names[dialect],
                           percent(guess.legal[dialect], guess.moves));
        }
    }
    return KZ_OK;
}
