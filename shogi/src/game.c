/* SPDX-License-Identifier: MIT */
#include "shogi/src/game.h"

#include "base/encoding.h"
#include "base/error.h"

void kz_shogi_game_tell(kz_shogi_game *game) {
    if (game->waiting && game->visit && !game->stopped) {
        kz_shogi_note_outcome(&game->note, (kz_shogi_side)game->before.side, game->outcome);
        game->stopped = !game->visit(game->user, &game->before, &game->note);
    }
    game->waiting = false;
}

kz_shogi_defect kz_shogi_game_move(kz_shogi_game *game, kz_shogi_move move) {
    kz_shogi_game_tell(game);
    game->before = game->position;
    kz_shogi_defect defect = kz_shogi_make_move(&game->position, move);
    if (defect == KZ_SHOGI_FINE) {
        bool cut = game->ply > UINT16_MAX;
        game->note = (kz_shogi_note){.move = move,
                                     .ply = cut ? UINT16_MAX : (uint16_t)game->ply,
                                     .has = KZ_SHOGI_HAS_MOVE | KZ_SHOGI_HAS_PLY | (cut ? KZ_SHOGI_PLY_CUT : 0)};
        game->waiting = true;
        game->ply++;
    }
    return defect;
}

void kz_shogi_game_score(kz_shogi_game *game, long black_score) {
    if (game->waiting) {
        long score = game->before.side == KZ_SHOGI_BLACK ? black_score : -black_score;
        game->note.score = (int16_t)(score > INT16_MAX ? INT16_MAX : score < -INT16_MAX ? -INT16_MAX : score);
        game->note.has |= KZ_SHOGI_HAS_SCORE;
    }
}

void kz_shogi_game_over(kz_shogi_game *game, const kz_shogi_end_word *end) {
    int mover = game->position.side;
    kz_shogi_winner winner = KZ_SHOGI_OPEN;
    switch (end->verdict) {
    case KZ_SHOGI_UNDECIDED:
        break;
    case KZ_SHOGI_DRAW:
        winner = KZ_SHOGI_DRAWN;
        break;
    case KZ_SHOGI_MOVER_LOSES:
        winner = (kz_shogi_winner)(KZ_SHOGI_WHITE_WON - mover);
        break;
    case KZ_SHOGI_MOVER_WINS:
        winner = (kz_shogi_winner)(KZ_SHOGI_BLACK_WON + mover);
        break;
    case KZ_SHOGI_BLACK_LOSES:
        winner = KZ_SHOGI_WHITE_WON;
        break;
    case KZ_SHOGI_WHITE_LOSES:
        winner = KZ_SHOGI_BLACK_WON;
        break;
    }
    game->outcome = (kz_shogi_outcome){winner, end->ending};
}

kz_status kz_shogi_read_games(const char *text, size_t length, kz_shogi_next_game *next, kz_shogi_visit *visit,
                              void *user, kz_error *error) {
    if (kz_is_utf16(text, length)) {
        return kz_fail(error, KZ_ERR_INPUT, "%s", KZ_SHOGI_NO_UTF16);
    }
    kz_lines lines = kz_lines_of(text, length, error);
    kz_status first = KZ_OK;
    bool stopped = false;
    while (lines.rest.length > 0 && !stopped) {
        uint64_t lost;
        kz_error ignored;
        kz_status status = next(&lines, visit, user, &stopped, &lost, first == KZ_OK ? error : &ignored);
        first = first == KZ_OK ? status : first;
    }
    return first;
}
