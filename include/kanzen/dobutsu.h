/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi for programs that want its positions themselves: the position type and the packed forms
 * of the analyzer specification. The general calls are in game.h. */
#ifndef KANZEN_DOBUTSU_H
#define KANZEN_DOBUTSU_H

#include <kanzen/game.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rule sets, as numbered by kz_rules_name. */
enum { KZ_DOBUTSU_OFFICIAL = 0, KZ_DOBUTSU_SIMPLIFIED = 1 };

/* Kinds of pieces. Chick, elephant and giraffe double as hand slots. */
enum {
    KZ_DOBUTSU_CHICK = 0,
    KZ_DOBUTSU_ELEPHANT = 1,
    KZ_DOBUTSU_GIRAFFE = 2,
    KZ_DOBUTSU_LION = 3,
    KZ_DOBUTSU_HEN = 4, /* a promoted chick; never in a hand */
    KZ_DOBUTSU_KINDS = 5
};

enum { KZ_DOBUTSU_SQUARES = 12, KZ_DOBUTSU_EMPTY = 0, KZ_DOBUTSU_ENEMY = 8, KZ_DOBUTSU_MAX_MOVES = 128 };

/* A position as the side to move sees it. Square 3 * row + column; row 0 is the mover's home row, row 3 the
 * enemy's, column 0 is on the mover's left. A square holds KZ_DOBUTSU_EMPTY, or 1 + kind, plus KZ_DOBUTSU_ENEMY if the
 * piece is the opponent's. Rotating the board half a turn (square 11 - s) gives the opponent's view. A captured lion is
 * in the captor's hand, and the game is over. */
typedef struct kz_dobutsu {
    uint8_t board[KZ_DOBUTSU_SQUARES];
    uint8_t hand[2][4]; /* [0 mover, 1 opponent][chick, elephant, giraffe, lion] */
    uint8_t turn;       /* who the mover is: 0 sente, 1 gote. Does not matter to the value. */
    uint8_t reserved;
    uint16_t move_number; /* as in SFEN, from 1; 0: not known. Does not matter to anything. */
} kz_dobutsu;

/* The kz_position of the general calls holds a kz_dobutsu at its beginning. */
void kz_dobutsu_to_position(const kz_dobutsu *dobutsu, kz_position *position);
void kz_dobutsu_from_position(const kz_position *position, kz_dobutsu *dobutsu);

/* Two chicks or hens, two elephants, two giraffes and two lions; the opponent's lion on the board (the game ended
 * before this turn otherwise); the mover's lion on the board, or captured and in the opponent's hand. KZ_ERR_INPUT
 * with the reason otherwise. The calls below that write a position expect a valid one. */
kz_status kz_dobutsu_validate(const kz_dobutsu *position, kz_error *error);

/* ---- Packed forms of the analyzer specification -------------------------------------------------------------- */

/* 40-bit state, most significant first: chick0(6) chick1(6) elephant0(5) elephant1(5) giraffe0(5) giraffe1(5)
 * own lion(4) enemy lion(4). A piece is allegiance(1, not for lions) row(2) column(2) promotion(1, chicks only);
 * row and column 3 mean "in hand". Pairs are sorted, which makes the state unique; mirror images stay apart. */
uint64_t kz_dobutsu_to_state40(const kz_dobutsu *position);
/* Refuses what no position packs to: column 3 on the board, two pieces on a square, a promoted piece in hand, a
 * captured passive lion, bits above the 40th, and, if `sorted` is set, an unsorted pair. The mover becomes sente. */
kz_status kz_dobutsu_from_state40(uint64_t state, bool sorted, kz_dobutsu *position, kz_error *error);

/* 56 bits: a state with its statistics above it. */
typedef struct kz_dobutsu_stats {
    unsigned required; /* children that have not reported yet, 0..127; 0: the outcome is final */
    int outcome;       /* 201 - n: win in n; n - 201: loss in n; 0: draw; -256..255 */
} kz_dobutsu_stats;
uint64_t kz_dobutsu_pack56(uint64_t state40, kz_dobutsu_stats stats);
void kz_dobutsu_unpack56(uint64_t packed, uint64_t *state40, kz_dobutsu_stats *stats);
/* Between a value and the 9-bit outcome. A distance over 200 does not fit: it is written as 0; an outcome beyond 201
 * or -201 is read as KZ_UNKNOWN. */
int kz_dobutsu_outcome_of(kz_value value);
kz_value kz_dobutsu_value_of_outcome(int outcome);

/* 7-bit action: actor(3: 1 lion, 2 chick0 .. 7 giraffe1, as numbered in the sorted state) row(2) column(2); 0 is "no
 * action" and goes with move 0. Of two equal pieces in hand either may be the actor of an action that is read; the
 * first one is written. */
unsigned kz_dobutsu_to_action(const kz_dobutsu *position, kz_move move);
kz_status kz_dobutsu_from_action(const kz_dobutsu *position, unsigned action, kz_move *move, kz_error *error);

/* 64-bit board: 4 bits a square at 4 * (4 * row + column), allegiance(1) piece(3), numbered as the actors are (both
 * lions 1). Hands and promotions are not part of it: reading takes the hands (of the mover, of the opponent) and
 * `hens`, the coordinate set of the promoted chicks. The bits of column 3 are written as 0 and not read. */
uint64_t kz_dobutsu_to_board64(const kz_dobutsu *position);
kz_status kz_dobutsu_from_board64(uint64_t board, const uint8_t own_hand[4], const uint8_t enemy_hand[4], uint16_t hens,
                                  kz_dobutsu *position, kz_error *error);

/* 16-bit coordinate set: bit 4 * row + column. Between it and a set with bit 3 * row + column; column 3 is not read. */
uint16_t kz_dobutsu_to_coordset(unsigned squares);
unsigned kz_dobutsu_from_coordset(uint16_t set);

/* The state index of the 18-number form: cells from the far left corner in rows, base 11, then hands in base 3.
 * Written normalized: the smaller one of the two mirror images. It can't hold a captured lion: what is written for such
 * a position can't be read again. Either mirror image is read; the mover becomes sente. */
uint64_t kz_dobutsu_to_index18(const kz_dobutsu *position);
kz_status kz_dobutsu_from_index18(uint64_t index, kz_dobutsu *position, kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
