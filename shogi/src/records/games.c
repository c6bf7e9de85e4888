/* SPDX-License-Identifier: MIT */
#include "shogi/src/records/games.h"

#include "base/bits.h"
#include "base/error.h"
#include "shogi/src/game.h"
#include "shogi/src/records/decode.h"

#include <limits.h>
#include <string.h>

enum { GAME_MOST = 16 << 20 }; /* bytes of a game of hcpe3; a longer one is cut in two */

bool kz_records_is_game(kz_shogi_record record) {
    return record == KZ_SHOGI_RECORD_CSA || record == KZ_SHOGI_RECORD_KIF || record == KZ_SHOGI_RECORD_HCPE3;
}

void kz_records_games_begin(kz_records_games *games, kz_shogi_record record, bool stop_at_bad) {
    *games = (kz_records_games){.record = record,
                                .style = record == KZ_SHOGI_RECORD_CSA   ? &kz_csa_style
                                         : record == KZ_SHOGI_RECORD_KIF ? &kz_kif_style
                                                                         : NULL,
                                .stop_at_bad = stop_at_bad};
}

bool kz_records_games_resume(kz_records_games *games, const kz_records_join *join, const kz_buffer *pending) {
    bool fits = join->open != 0 && !games->style ? pending->size >= KZ_HCPE3_HEAD_BYTES : pending->size == 0;
    if (!fits ||
        (join->open != 0 && (kz_shogi_check(&join->next) != KZ_SHOGI_FINE || join->outcome.winner > KZ_SHOGI_OPEN ||
                             join->outcome.ending > 7 || join->moves < 0 || join->number < 0 || join->ply < 0 ||
                             join->number == INT_MAX))) {
        return false;
    }
    uint8_t *room = pending->size > 0 ? kz_buffer_add(&games->text, pending->size) : NULL;
    if (room) {
        memcpy(room, pending->bytes, pending->size);
    }
    games->join = *join;
    return pending->size == 0 || room;
}

void kz_records_games_free(kz_records_games *games) { kz_buffer_free(&games->text); }

void kz_records_games_check(const kz_records_games *games, const kz_records_batch *batch) {
    for (size_t i = 0; i < batch->count; i++) {
        const kz_shogi_note *note = &batch->notes[i];
        if (batch->defects[i] != KZ_SHOGI_FINE) {
            continue;
        }
        kz_shogi_position next = batch->positions[i];
        if ((note->has & KZ_SHOGI_HAS_MOVE) == 0 || note->move.special != KZ_SHOGI_MOVE) {
            batch->defects[i] = KZ_SHOGI_BAD_MOVE;
        } else if (!games->style && (kz_shogi_king(&next, KZ_SHOGI_BLACK) == KZ_SHOGI_NO_SQUARE ||
                                     kz_shogi_king(&next, KZ_SHOGI_WHITE) == KZ_SHOGI_NO_SQUARE)) {
            batch->defects[i] = KZ_SHOGI_NO_KING;
        } else {
            batch->defects[i] = kz_shogi_make_move(&next, note->move);
        }
    }
}

static kz_status out_of_memory(kz_error *error) { return kz_fail(error, KZ_ERR_MEMORY, "out of memory for a game"); }

static kz_status put(kz_records_games *games, const void *bytes, size_t size, kz_error *error) {
    uint8_t *room = kz_buffer_add(&games->text, size);
    if (!room) {
        return out_of_memory(error);
    }
    memcpy(room, bytes, size);
    return KZ_OK;
}

static kz_shogi_outcome outcome_of(const kz_shogi_position *position, const kz_shogi_note *note) {
    if ((note->has & KZ_SHOGI_HAS_RESULT) == 0) {
        return (kz_shogi_outcome){KZ_SHOGI_OPEN, 0};
    }
    return (kz_shogi_outcome){kz_shogi_winner_of((kz_shogi_side)position->side, note->result),
                              (note->has & KZ_SHOGI_HAS_ENDING) != 0 ? note->ending & 7 : 0};
}

/* ---- hcpe3 ------------------------------------------------------------------------------------------------------- */

/* The candidates that the source has, or the move alone with one visit. Where a filter has mirrored the position, they
 * are mirrored, too. */
static kz_status put_candidates(kz_records_games *games, const kz_shogi_note *note, const uint8_t *entry,
                                kz_error *error) {
    uint8_t bytes[KZ_HCPE3_MOVE_BYTES];
    unsigned count = entry                                    ? kz_load_le16(entry + KZ_HCPE3_CANDIDATES_AT)
                     : (note->has & KZ_SHOGI_UNSEARCHED) != 0 ? 0
                                                              : 1;
    kz_store_le16(bytes, kz_shogi_write_move(KZ_SHOGI_APERY, note->move));
    kz_store_le16(bytes + KZ_HCPE3_SCORE_AT, (note->has & KZ_SHOGI_HAS_SCORE) != 0 ? (uint16_t)note->score : 0);
    kz_store_le16(bytes + KZ_HCPE3_CANDIDATES_AT, (uint16_t)count);
    kz_status status = put(games, bytes, sizeof bytes, error);
    for (unsigned i = 0; status == KZ_OK && i < count; i++) {
        uint8_t candidate[KZ_HCPE3_CANDIDATE_BYTES] = {bytes[0], bytes[1], 1, 0};
        if (entry) {
            memcpy(candidate, entry + KZ_HCPE3_MOVE_BYTES + (size_t)i * KZ_HCPE3_CANDIDATE_BYTES, sizeof candidate);
            kz_shogi_move move;
            if ((note->has & KZ_SHOGI_MIRRORED) != 0 &&
                kz_shogi_read_move(KZ_SHOGI_APERY, kz_load_le16(candidate), &move) == KZ_SHOGI_FINE) {
                kz_store_le16(candidate, kz_shogi_write_move(KZ_SHOGI_APERY, kz_records_mirror_move(move)));
            }
        }
        status = put(games, candidate, sizeof candidate, error);
    }
    return status;
}

static kz_status start_hcpe3(kz_records_games *games, const kz_shogi_position *position, kz_error *error) {
    uint8_t head[KZ_HCPE3_HEAD_BYTES] = {0};
    (void)kz_shogi_codec_for(KZ_SHOGI_HCP, NULL)->pack(position, head); /* it has both kings */
    unsigned winner = games->join.outcome.winner == KZ_SHOGI_OPEN ? KZ_SHOGI_DRAWN : games->join.outcome.winner;
    head[KZ_HCPE3_RESULT_AT] = (uint8_t)(winner | (unsigned)games->join.outcome.ending << 2);
    return put(games, head, sizeof head, error);
}

/* ---- Games ------------------------------------------------------------------------------------------------------- */

static kz_status end_game(kz_records_games *games, kz_error *error) {
    kz_status status = KZ_OK;
    if (!games->join.open) {
        return KZ_OK;
    }
    if (games->style) {
        char text[KZ_GAME_TEXT_BYTES];
        kz_game_ending ending;
        kz_shogi_side side = (kz_shogi_side)games->join.next.side;
        size_t length = games->style->end(side, games->join.outcome, games->join.number, &ending, text);
        games->join.lost |= ending == KZ_GAME_ENDING_LOST ? KZ_SHOGI_HAS_ENDING : 0;
        games->join.missing |= ending == KZ_GAME_ENDING_ASSUMED ? KZ_SHOGI_HAS_ENDING : 0;
        status = put(games, text, length, error);
    } else {
        kz_store_le16(games->text.bytes + games->begin + KZ_HCPE3_COUNT_AT, (uint16_t)games->join.moves);
    }
    games->join.open = false;
    games->join.any = true;
    games->begin = games->text.size;
    return status;
}

static kz_status start_game(kz_records_games *games, const kz_shogi_position *position, const kz_shogi_note *note,
                            kz_error *error) {
    bool plied = (note->has & KZ_SHOGI_HAS_PLY) != 0;
    bool numbered = games->style && games->style->numbered;
    games->join.open = true;
    games->begin = games->text.size;
    games->join.next = *position;
    games->join.outcome = outcome_of(position, note);
    games->join.moves = 0;
    games->join.number = numbered && plied && note->ply > 0 ? note->ply : 1;
    games->join.last_to = KZ_SHOGI_NO_SQUARE;
    games->join.lost |= plied && note->ply != games->join.number ? KZ_SHOGI_HAS_PLY : 0;
    if (!games->style) {
        return start_hcpe3(games, position, error);
    }
    char text[KZ_GAME_TEXT_BYTES];
    return put(games, text, games->style->start(position, games->join.any, text), error);
}

/* Whether a record goes on with the game. */
static bool goes_on(const kz_records_games *games, const kz_shogi_position *position, const kz_shogi_note *note) {
    kz_shogi_outcome outcome = outcome_of(position, note);
    bool plied = (note->has & KZ_SHOGI_HAS_PLY) != 0 && note->ply > 0 && games->join.ply > 0;
    if (plied && note->ply != games->join.ply) {
        return false; /* the moves between were left out, or it is another game */
    }
    bool room = games->style || (games->join.moves < UINT16_MAX && games->text.size - games->begin < GAME_MOST);
    return games->join.open && room && outcome.winner == games->join.outcome.winner &&
           outcome.ending == games->join.outcome.ending && memcmp(position, &games->join.next, sizeof *position) == 0;
}

static kz_status add_record(kz_records_games *games, const kz_shogi_position *position, const kz_shogi_note *note,
                            const uint8_t *entry, kz_error *error) {
    kz_status status = KZ_OK;
    if (!goes_on(games, position, note)) {
        status = end_game(games, error);
        if (status == KZ_OK) {
            status = start_game(games, position, note, error);
        }
    }
    if (status != KZ_OK) {
        return status;
    }
    if (games->style) {
        char text[KZ_GAME_TEXT_BYTES];
        status =
            put(games, text, games->style->move(position, note, games->join.number, games->join.last_to, text), error);
    } else {
        status = put_candidates(games, note, entry, error);
        games->join.missing |= (KZ_SHOGI_HAS_SCORE | KZ_SHOGI_HAS_RESULT) & ~(unsigned)note->has;
    }
    games->join.lost |= note->extra != 0 ? KZ_SHOGI_HAS_EXTRA : 0;
    games->join.last_to = note->move.to;
    /* 0 is what records have whose ply nobody knew, and 65535 may have been more. */
    bool plied = (note->has & KZ_SHOGI_HAS_PLY) != 0 && note->ply > 0 && note->ply < UINT16_MAX;
    games->join.ply = plied ? note->ply + 1 : 0;
    games->join.moves++;
    games->join.number++;
    (void)kz_shogi_make_move(&games->join.next, note->move); /* that it can be made has been seen */
    return status;
}

kz_status kz_records_games_add(kz_records_games *games, const kz_records_batch *batch, uint64_t *written, size_t *ready,
                               kz_error *error) {
    kz_status status = KZ_OK;
    *written = 0;
    for (size_t i = 0; status == KZ_OK && i < batch->count; i++) {
        if (batch->defects[i] == KZ_SHOGI_FINE) {
            const uint8_t *entry = batch->entries ? batch->entries[i] : NULL;
            status = add_record(games, &batch->positions[i], &batch->notes[i], entry, error);
            ++*written;
        } else if (batch->defects[i] != KZ_SHOGI_LEFT_OUT && games->stop_at_bad) {
            break;
        }
    }
    *ready = !games->style && games->join.open ? games->begin : games->text.size;
    return status;
}

void kz_records_games_drop(kz_records_games *games, size_t ready) {
    memmove(games->text.bytes, games->text.bytes + ready, games->text.size - ready);
    games->text.size -= ready;
    games->begin -= games->begin < ready ? games->begin : ready;
}

kz_status kz_records_games_end(kz_records_games *games, kz_error *error) { return end_game(games, error); }
