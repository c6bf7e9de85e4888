/* SPDX-License-Identifier: MIT
 *
 * What every game offers: text, moves, and values that need no table.
 *
 * A position is text at first. kz_parse turns any notation that the game understands into a kz_position,
 * kz_moves lists what can be played, kz_play plays it, kz_format writes it down again. Nothing here keeps state, so all
 * of it can be called from any thread, and only kz_prove allocates memory. Numbers of rules and moves, and positions,
 * are taken on trust: they must be ones that these calls gave. */
#ifndef KANZEN_GAME_H
#define KANZEN_GAME_H

#include <kanzen/error.h>
#include <kanzen/progress.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    KZ_POSITION_BYTES = 64, /* room for a position of any game */
    KZ_TEXT_BYTES = 1024,   /* room for a position or move in any notation, or a drawn board */
    KZ_MAX_MOVES = 24576    /* no position of any game has more moves */
};

/* A game: one of those in the registry. It is constant and always there, as are all names that are returned below. */
typedef struct kz_game kz_game;

/* A position. What the bytes mean is the game's affair; copy it freely, compare it with kz_same. */
typedef struct kz_position {
    uint64_t words[KZ_POSITION_BYTES / 8]; /* words, so that any game's type is aligned in it */
} kz_position;

/* A move in the position that it was listed for; 0 is never one. */
typedef uint32_t kz_move;

typedef enum kz_outcome { KZ_UNKNOWN = 0, KZ_LOSS, KZ_DRAW, KZ_WIN } kz_outcome;

/* What a position is worth to the side to move. `distance` is the number of plies (single turns of either side) to the
 * end when the winner hurries and the loser delays; 0 for a draw and for an unknown value. */
typedef struct kz_value {
    kz_outcome outcome;
    int distance;
} kz_value;

/* The games, in a fixed order; NULL when `number` is past the last. */
const kz_game *kz_game_at(size_t number);
/* The game called `name`, or NULL. */
const kz_game *kz_game_find(const char *name);
const char *kz_game_name(const kz_game *game);
/* One line for a person. */
const char *kz_game_title(const kz_game *game);

/* Whether the rule sets are parts of one game, such as endings with different pieces: each position is in one of them,
 * and kz_parse by the default rule set finds it. */
bool kz_game_has_parts(const kz_game *game);

/* The names of the game's rule sets, the default first; NULL past the last. Calls that take `rules` take
 * the number of the rule set in this list. */
const char *kz_rules_name(const kz_game *game, int rules);
/* The number of the rule set called `name` (NULL: the default), or -1. */
int kz_rules_find(const kz_game *game, const char *name);

/* The notations that kz_format can write, the canonical one first; NULL past the last. */
const char *kz_notation_name(const kz_game *game, int notation);
/* The number of the notation called `name`, or -1. */
int kz_notation_find(const kz_game *game, const char *name);

/* The position that the game begins with. */
void kz_start(const kz_game *game, int rules, kz_position *position);

/* Reads a position in any notation of the game, or "startpos" for the one that the game begins with; the text need not
 * end with a 0. Bad text: KZ_ERR_INPUT, and the message
 * names the character (counted from 1) and what is wrong with it. */
kz_status kz_parse(const kz_game *game, int rules, const char *text, size_t length, kz_position *position,
                   kz_error *error);

/* How many lines of text a position takes that begins with this line: 1 but for notations that draw a board. Lines are
 * joined by '\n' for kz_parse, and kz_format writes them so. */
int kz_position_lines(const kz_game *game, int rules, const char *first_line, size_t length);

/* Writes a position in a notation (0: the canonical one), with a 0 at the end; `size` is the room in `text`, and
 * KZ_TEXT_BYTES is always enough. KZ_ERR_INPUT when there is too little, KZ_ERR_UNSUPPORTED when the notation can't
 * hold the position. */
kz_status kz_format(const kz_game *game, const kz_position *position, int notation, char *text, size_t size,
                    kz_error *error);

/* The board drawn in characters, several lines, or as an SVG document (at most `size` - 1 characters; 32 KiB is
 * enough). */
kz_status kz_draw(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error);
kz_status kz_draw_svg(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error);

/* No position of the game has more legal moves than that. It is at most KZ_MAX_MOVES, and for most games far less. */
int kz_max_moves(const kz_game *game, int rules);

/* Lists the legal moves in a fixed order and returns how many there are. `moves` has room for kz_max_moves. A finished
 * game has none. */
int kz_moves(const kz_game *game, int rules, const kz_position *position, kz_move *moves);

/* Plays a move that kz_moves listed. A move that ends the game leaves a position that kz_immediate calls lost in 0
 * (or in 1, under rules in which the loser moves once more). */
void kz_play(const kz_game *game, int rules, kz_position *position, kz_move move);

/* Reads a legal move of this position, as kz_move_format writes it. KZ_ERR_INPUT otherwise, with the reason. */
kz_status kz_move_parse(const kz_game *game, int rules, const kz_position *position, const char *text, size_t length,
                        kz_move *move, kz_error *error);
/* Writes a move of this position, which is the one before it, with a 0 at the end. Room as for kz_format. */
kz_status kz_move_format(const kz_game *game, const kz_position *position, kz_move move, char *text, size_t size,
                         kz_error *error);

/* The value, if the rules alone tell it: a finished game, or one that this move ends. KZ_UNKNOWN otherwise. */
kz_value kz_immediate(const kz_game *game, int rules, const kz_position *position);

/* "unknown", "loss", "draw" or "win". */
const char *kz_outcome_name(kz_outcome outcome);

/* The distance as people count it in this game, and what they count: "plies", or "turns" of the side to move, who wins
 * with his k-th turn after 2k - 1 plies, or loses after k turns and 2k plies. */
int kz_distance_shown(const kz_game *game, kz_value value);
const char *kz_distance_unit(const kz_game *game);

/* Whether the game has a search that can tell the value of a position without a table. */
bool kz_can_prove(const kz_game *game);
/* Searches for the value, for seconds at most. `value` is KZ_UNKNOWN if nothing was proven. KZ_ERR_UNSUPPORTED if the
 * game has no such search. */
kz_status kz_prove(const kz_game *game, int rules, const kz_position *position, const kz_progress *progress,
                   kz_value *value, kz_error *error);
/* The same to a depth, which counts as kz_distance_shown does: `value` is KZ_UNKNOWN if the side to move has no win
 * within so many turns, and has not lost within fewer. kz_prove looks kz_prove_depth deep, which never takes long; each
 * turn more takes some hundred times as long, up to kz_prove_most_depth, and `progress` can end it. `threads`: 0 is one
 * for each processor. `best` may be NULL; it gets a winning move if the search has found one, else 0. */
int kz_prove_depth(const kz_game *game);
int kz_prove_most_depth(const kz_game *game);
kz_status kz_prove_to(const kz_game *game, int rules, const kz_position *position, int depth, int threads,
                      const kz_progress *progress, kz_value *value, kz_move *best, kz_error *error);

/* A number that is larger the better the value is for the side to move: win soon, win late, draw or unknown, lose late,
 * lose soon. */
int kz_value_worth(kz_value value);
/* What a move is worth to the side that makes it, when `after` is the value of the position that it leads to. */
kz_value kz_value_before(kz_value after);

/* "sente"/"gote" and the like: who moves, as a person says it. */
const char *kz_side_to_move(const kz_game *game, const kz_position *position);

/* Whether two positions are the same, move number and the like aside. */
bool kz_same(const kz_game *game, const kz_position *a, const kz_position *b);

/* Whether the bytes of a position are such as kz_start, kz_parse, kz_play and kz_unrank make by these rules;
 * KZ_ERR_INPUT with the reason otherwise. Those that look up or search for values (kz_probe and the like) check that
 * first; the other calls expect a valid position. An all-zero struct is not one. */
kz_status kz_validate(const kz_game *game, int rules, const kz_position *position, kz_error *error);

/* The number of move sequences of `depth` plies, modulo 2^64; UINT64_MAX if there is no memory, of which it takes less
 * than a kilobyte a ply. */
uint64_t kz_perft(const kz_game *game, int rules, const kz_position *position, int depth);

/* The dense index that tables are ordered by: 0 to kz_index_size - 1, one for each position up to symmetry whose
 * value kz_immediate need not know. Returns false if the position has none. */
uint64_t kz_index_size(const kz_game *game, int rules);
bool kz_rank(const kz_game *game, const kz_position *position, uint64_t *index);
/* A position with that index; index < kz_index_size. False: no position has it, and `position` is left as it was. Push
 * Fight numbers arrangements that can't occur, too: kz_rank knows no index for what this gives then. */
bool kz_unrank(const kz_game *game, int rules, uint64_t index, kz_position *position);

#ifdef __cplusplus
}
#endif
#endif
