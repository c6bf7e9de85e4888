/* SPDX-License-Identifier: MIT
 *
 * Turns as text. */
#include "base/list.h"
#include "games/pushfight/rules/notation.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "games/pushfight/rules/rules.h"
#include "games/pushfight/rules/turns.h"

#include <stdio.h>

enum { MOST_STEPS = 3 }; /* two moves and a push */

kz_status kz_pf_turn_format(const kz_pf_position *position, kz_move move, char *text, size_t size, kz_error *error) {
    const kz_pf_board *board = kz_pf_board_of(position);
    kz_pf_turn turn = kz_pf_turn_unpack(move);
    uint32_t pusher = UINT32_C(1) << turn.pusher;
    uint32_t target = kz_pf_step(pusher, turn.direction);
    uint32_t squares = pusher | target;
    for (int i = 0; i < turn.moves; i++) {
        squares |= UINT32_C(1) << turn.from[i] | UINT32_C(1) << turn.to[i];
    }
    if (kz_pf_turn_pack(&turn) != move || !target || squares & ~board->squares) {
        return kz_fail(error, KZ_ERR_INPUT, "%u is not the number of a move", (unsigned)move);
    }
    kz_writer writer = kz_writer_into(text, size);
    for (int i = 0; i < turn.moves; i++) {
        kz_write(&writer, "%s-%s,", kz_pf_name_square(board, turn.from[i]).text,
                 kz_pf_name_square(board, turn.to[i]).text);
    }
    kz_write(&writer, "%s-%s", kz_pf_name_square(board, turn.pusher).text,
             kz_pf_name_square(board, (int)kz_lowest_bit32(target)).text);
    return kz_written(&writer, error);
}

/* ---- Reading --------------------------------------------------------------------------------------------------- */

/* "d1-a2" and where it is in the text. */
typedef struct step {
    int from;
    int to;
    size_t from_at;
    size_t to_at;
} step;

static kz_status read_square(kz_reader *reader, const kz_pf_board *board, int *bit) {
    char letter = kz_next(reader);
    int columns = kz_pf_column_count(board);
    int rows = kz_pf_row_count(board);
    char why[80];
    if (letter < 'a' || letter >= 'a' + columns) {
        snprintf(why, sizeof why, "expected a square: a column from a to %c and a row from 1 to %d", 'a' + columns - 1,
                 rows);
        return kz_bad(reader, why);
    }
    reader->at++;
    char digit = kz_next(reader);
    if (digit < '1' || digit > '0' + rows) {
        snprintf(why, sizeof why, "expected a row from 1 to %d", rows);
        return kz_bad(reader, why);
    }
    *bit = KZ_PF_COLUMNS * (rows - (digit - '0')) + (letter - 'a');
    if (!(board->squares >> *bit & 1)) {
        snprintf(why, sizeof why, "the board has no square %c%c", letter, digit);
        return kz_bad_at(reader, reader->at - 1, why);
    }
    reader->at++;
    return KZ_OK;
}

static kz_status read_step(kz_reader *reader, const kz_pf_board *board, step *s) {
    s->from_at = reader->at;
    KZ_TRY(read_square(reader, board, &s->from));
    if (!kz_accept(reader, '-')) {
        return kz_bad(reader, "expected '-' and the square that the piece goes to");
    }
    s->to_at = reader->at;
    return read_square(reader, board, &s->to);
}

static void skip_spaces(kz_reader *reader) {
    while (kz_accept(reader, ' ')) {
    }
}

static kz_status read_steps(kz_reader *reader, const kz_pf_board *board, step steps[MOST_STEPS], int *count) {
    *count = 0;
    for (;;) {
        KZ_TRY(read_step(reader, board, &steps[*count]));
        ++*count;
        skip_spaces(reader);
        if (kz_at_end(reader)) {
            return KZ_OK;
        }
        if (*count == MOST_STEPS) {
            return kz_bad(reader, "the turn is complete before this: it has at most two moves and one push");
        }
        if (!kz_accept(reader, ',')) {
            return kz_bad(reader, "expected ',' or the end of the turn");
        }
        skip_spaces(reader);
    }
}

/* Only own pieces move and push. */
static kz_status check_owner(const kz_reader *reader, const kz_pf_position *position, const step *s) {
    uint32_t from = UINT32_C(1) << s->from;
    if (kz_pf_own(position) & from) {
        return KZ_OK;
    }
    char why[80];
    snprintf(why, sizeof why, kz_pf_enemy(position) & from ? "the piece on %s is not yours" : "there is no piece on %s",
             kz_pf_name_square(kz_pf_board_of(position), s->from).text);
    return kz_bad_at(reader, s->from_at, why);
}

static kz_status make_move(const kz_reader *reader, const step *s, kz_pf_position *position) {
    KZ_TRY(check_owner(reader, position, s));
    const kz_pf_board *board = kz_pf_board_of(position);
    kz_pf_square_name from_name = kz_pf_name_square(board, s->from);
    kz_pf_square_name to_name = kz_pf_name_square(board, s->to);
    uint32_t from = UINT32_C(1) << s->from;
    uint32_t to = UINT32_C(1) << s->to;
    uint32_t free = board->squares & ~(kz_pf_own(position) | kz_pf_enemy(position));
    char why[120];
    if (s->from == s->to) {
        return kz_bad_at(reader, s->to_at, "a move takes the piece to another square");
    }
    if (!(free & to)) {
        snprintf(why, sizeof why, "%s is occupied: only the push, which ends the turn, goes to an occupied square",
                 to_name.text);
        return kz_bad_at(reader, s->to_at, why);
    }
    if (!(kz_pf_reach(from, free) & to)) {
        snprintf(why, sizeof why, "there is no way from %s to %s over empty squares", from_name.text, to_name.text);
        return kz_bad_at(reader, s->to_at, why);
    }
    uint32_t *set = position->own_movers & from ? &position->own_movers : &position->own_pushers;
    *set = (*set & ~from) | to;
    return KZ_OK;
}

static bool find_direction(const step *s, kz_pf_direction *direction) {
    for (kz_pf_direction d = 0; d < KZ_PF_DIRECTIONS; d++) {
        if (kz_pf_step(UINT32_C(1) << s->from, d) == UINT32_C(1) << s->to) {
            *direction = d;
            return true;
        }
    }
    return false;
}

static const char *why_no_push(kz_pf_push_result result) {
    switch (result) {
    case KZ_PF_PUSH_ANCHORED:
        return "the piece with the anchor can't be pushed";
    case KZ_PF_PUSH_RAILED:
        return "the railing holds the pieces in this direction";
    default:
        return "this would push a piece of your own off the board";
    }
}

static kz_status make_push(const kz_reader *reader, const step *s, kz_pf_position *position,
                           kz_pf_direction *direction) {
    KZ_TRY(check_owner(reader, position, s));
    const kz_pf_board *board = kz_pf_board_of(position);
    char why[80];
    if (!((kz_pf_own(position) | kz_pf_enemy(position)) >> s->to & 1)) {
        snprintf(why, sizeof why, "a turn ends with a push, and %s is empty", kz_pf_name_square(board, s->to).text);
        return kz_bad_at(reader, s->to_at, why);
    }
    if (position->own_movers >> s->from & 1) {
        snprintf(why, sizeof why, "the piece on %s is a mover, and only pushers push",
                 kz_pf_name_square(board, s->from).text);
        return kz_bad_at(reader, s->from_at, why);
    }
    if (!find_direction(s, direction)) {
        return kz_bad_at(reader, s->to_at, "a push goes to a square next to the piece");
    }
    kz_pf_push_result result = kz_pf_push(position, s->from, *direction);
    return kz_pf_push_legal(result) ? KZ_OK : kz_bad_at(reader, s->to_at, why_no_push(result));
}

kz_status kz_pf_turn_parse(const kz_pf_position *position, const char *text, size_t length, kz_move *move,
                           kz_error *error) {
    kz_reader reader = kz_read_trimmed(text, length, error);
    kz_reader begin = reader;
    step steps[MOST_STEPS] = {{0}};
    int count;
    KZ_TRY(read_steps(&reader, kz_pf_board_of(position), steps, &count));
    if (kz_pf_finished(position)) {
        return kz_bad(&begin, "the game is over: there are no moves");
    }
    kz_pf_position after = *position;
    kz_pf_turn turn = {.moves = count - 1, .pusher = steps[count - 1].from};
    for (int i = 0; i < turn.moves; i++) {
        turn.from[i] = steps[i].from;
        turn.to[i] = steps[i].to;
        KZ_TRY(make_move(&reader, &steps[i], &after));
    }
    KZ_TRY(make_push(&reader, &steps[count - 1], &after, &turn.direction));
    *move = kz_pf_turn_pack(&turn);
    kz_list memory;
    kz_move *turns = kz_list_open(&memory, KZ_MAX_MOVES, sizeof *turns);
    if (!turns) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to list the turns");
    }
    int turn_count = kz_pf_turns(position, turns);
    for (int i = 0; i < turn_count; i++) {
        kz_pf_position next = *position;
        kz_pf_play(&next, turns[i]);
        if (kz_pf_same(&next, &after)) {
            *move = turns[i];
            break;
        }
    }
    kz_list_close(&memory);
    return KZ_OK;
}
