/* SPDX-License-Identifier: MIT
 *
 * How to define a game: everything that a game needs, and nothing else. docs/add-a-game.md teaches it.
 *
 * A game is one `const kz_definition`. Kanzen solves it, writes its table, verifies the table, plays it and shows it in
 * the browser. A game that comes with Kanzen has a line in src/games/registry.c. Any other game is a shared object that
 * exports one function,
 *
 *     const kz_definition *kanzen_game(void);
 *
 * and `kanzen solve ./game.so` and all other commands take it.
 *
 * The rules of a game are functions. They get a context (what `open` made for a rule set), keep no other state, and are
 * called from several threads at the same time. They trust their arguments: positions come from the game's own
 * functions, and moves were listed for the position that they are played in. */
#ifndef KANZEN_DEFINE_H
#define KANZEN_DEFINE_H

#include <kanzen/error.h>
#include <kanzen/game.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KZ_NO_NUMBER UINT64_MAX

enum {
    KZ_DEFINE_VERSION = 1,
    KZ_GAME_BYTES = 60, /* of a kz_position are the game's; the last 4 are Kanzen's, and games leave them alone */
    KZ_DEFINE_MAX_MOVES = 4096,
    KZ_DEFINE_MAX_PREDECESSORS = 65536,
    KZ_MAX_RULES = 200,
    KZ_MAX_SQUARES = 1024,
    KZ_MAX_PIECE_LOOKS = 254,
    KZ_MAX_TIERS = 4096,
    KZ_MAX_SYMMETRIES = 64,
    KZ_MAX_PLIES = 65000 /* the longest distance that a table can hold */
};

/* ---- What the page needs to draw a board ------------------------------------------------------------------------ */

/* A square of the board, or any other place where a piece can be: a point of a graph, a slot of a hand. */
typedef struct kz_square {
    float x;           /* the centre; the square is 1 wide */
    float y;           /* grows downwards */
    const char *label; /* what moves call it: "a1". Unique. */
    int shape;         /* KZ_SHAPE_... */
    int side;          /* a slot of a hand: whose, 0 or 1. Otherwise -1. */
} kz_square;

enum { KZ_SHAPE_SQUARE = 0, KZ_SHAPE_POINT = 1, KZ_SHAPE_HAND = 2 };

/* A kind of piece as people see it. */
typedef struct kz_piece_look {
    const char *letter; /* one or two letters, always there */
    const char *emoji;  /* or NULL */
    const char *path;   /* an SVG path in a box of 100 x 100, or NULL */
    int side;           /* whose it is: 0 or 1, or -1 for neither */
    const char *name;   /* "white rook" */
} kz_piece_look;

typedef struct kz_board_look {
    int squares;
    const kz_square *square; /* [squares] */
    int pieces;
    const kz_piece_look *piece; /* [pieces] */
    int lines;                  /* lines between squares, for boards that are graphs */
    const uint16_t (*line)[2];  /* [lines] */
    const char *side_names[2];  /* "white", "black" */
} kz_board_look;

/* What a move touches, so that it can be chosen on the board: the squares to choose, in order, and what is left to tell
 * moves with the same squares apart ("promote", or NULL). */
enum { KZ_MAX_TOUCHED = 8 };

typedef struct kz_touched {
    int count;
    uint16_t square[KZ_MAX_TOUCHED];
    const char *choice;
} kz_touched;

/* What `numbers_after` tells about a position beside the numbers that it lists. All that it does not say is zero. */
typedef struct kz_sight {
    kz_outcome over; /* the game is over, or there are no moves: what that is worth. KZ_UNKNOWN: it goes on. */
    int win;         /* the soonest win by a move that is not listed, in plies from here; 0: there is none */
    int worst;       /* how soon the opponent wins after moves that are not listed: at the latest in so many plies */
    bool draws;      /* a move that is not listed ends the game as a draw */
} kz_sight;

/* ---- The definition --------------------------------------------------------------------------------------------- */

typedef struct kz_definition {
    uint32_t version; /* KZ_DEFINE_VERSION */
    uint32_t size;    /* sizeof(kz_definition): members that are added later are zero in older games */

    /* ---- Required ---- */

    const char *name;  /* lower-case letters, digits, '-'; at most 15: the table's file name begins with it */
    const char *title; /* one line for a person */
    int max_moves;     /* at least as many as any position has; at most KZ_DEFINE_MAX_MOVES */

    /* Positions are in the game's own form, which begins at the first byte of a kz_position and takes at most
     * KZ_GAME_BYTES. Unused bytes of these are zero, so that equal positions have equal bytes. */
    void (*start)(const void *context, kz_position *position);
    /* Lists the legal moves in a fixed order; returns how many. Not called for a finished game. A move is not 0. */
    int (*moves)(const void *context, const kz_position *position, kz_move *moves);
    /* Plays a move and passes the turn: afterwards the position is the other side's to move. */
    void (*play)(const void *context, kz_position *position, kz_move move);
    /* KZ_WIN, KZ_LOSS or KZ_DRAW for the side to move if the game is over; KZ_UNKNOWN if it goes on. */
    kz_outcome (*result)(const void *context, const kz_position *position);
    /* What a position without moves is worth, if `result` does not say: KZ_LOSS, KZ_DRAW or KZ_WIN. */
    kz_outcome without_moves;

    /* The number of each position, 0 to index_size - 1. Two positions may share a number only if they are worth the
     * same (mirror images, the same position with colours exchanged). A number that no position has is a hole. A
     * finished game need not have one: `rank` may return KZ_NO_NUMBER for it. */
    uint64_t (*index_size)(const void *context);
    uint64_t (*rank)(const void *context, const kz_position *position);
    /* False: a hole. */
    bool (*unrank)(const void *context, uint64_t index, kz_position *position);

    /* Position text; `text` has room for KZ_TEXT_BYTES. `parse` says in `error` what is wrong and where. */
    void (*format)(const void *context, const kz_position *position, char *text);
    kz_status (*parse)(const void *context, const char *text, size_t length, kz_position *position, kz_error *error);

    /* ---- Optional: zero means the default ---- */

    /* Rule sets: a list of names that ends with NULL, the default first. Default: one, "standard". `rules` is the
     * number in that list. `open` makes the context that all functions get (default: NULL); `close` frees it. */
    const char *const *rules;
    kz_status (*open)(int rules, void **context, kz_error *error);
    void (*close)(void *context);

    /* Default: the number of the move in the list of moves, from 1. A move is read by comparing texts. */
    void (*move_format)(const void *context, const kz_position *position, kz_move move, char *text);
    /* Who moves, 0 or 1: look->side_names[side_to_move] if there is a look, otherwise "first" and "second". Default:
     * the number of plies since the start, or since the position that was given as text, modulo 2. So write this one if
     * a position tells it. */
    int (*side_to_move)(const void *context, const kz_position *position);

    /* The positions from which a move leads to this one; returns how many, at most max_predecessors. Finished games and
     * positions that can't occur may be among them; positions of other tiers may be left out. Not called for a finished
     * game. With it a game is solved backwards; without it, forwards, which
     * takes longer: docs/add-a-game.md. */
    int max_predecessors;
    int (*predecessors)(const void *context, const kz_position *position, kz_position *before);

    /* Symmetries 1 to count - 1 of the board: a position that is worth the same. Symmetry 0 is the position itself.
     * With it only one position of each class is solved and stored: the one with the lowest rank. Default: 1. */
    int symmetries;
    void (*symmetry)(const void *context, const kz_position *position, int number, kz_position *image);

    /* Tiers: parts of the index that are solved one after the other, such as the positions with so many stones. Tier t
     * has the numbers from tier_begin(t) to tier_begin(t + 1) - 1, and tier_begin(tiers) is index_size. Moves lead to
     * the same tier or to one with a smaller number. Memory is then what the largest tier and the tiers that its moves
     * lead to need. Default: 1 tier. */
    int (*tiers)(const void *context);
    uint64_t (*tier_begin)(const void *context, int tier);
    /* Which other tiers the moves of a tier lead to; returns how many. Default: every smaller one. */
    int (*tier_next)(const void *context, int tier, int *tiers);
    /* A short name of the tier for people: "5 against 4 stones". `text` has room for 64 bytes. */
    void (*tier_name)(const void *context, int tier, char *text);
    /* Every move leads to a tier with a smaller number: the game never repeats, and one pass solves it. */
    bool never_repeats;

    /* A board in characters, several lines. `text` has room for KZ_TEXT_BYTES. Default: drawn from `look`; without
     * that, the position text. The SVG drawing always comes from `look`. */
    void (*draw)(const void *context, const kz_position *position, char *text);
    /* The board for the page, the piece on each square (1 + its number in look->piece, 0: empty), how many pieces of a
     * kind are in a slot of a hand (0 and 1: no number is shown), and what a move touches. */
    const kz_board_look *(*look)(const void *context);
    void (*pieces)(const void *context, const kz_position *position, uint8_t *piece, uint8_t *count);
    void (*touches)(const void *context, const kz_position *position, kz_move move, kz_touched *touched);

    /* The rules a second time, written in another way, for `selftest` and `verify`: calls `visit` with what each legal
     * move leads to and returns what `result` returns. */
    kz_outcome (*twin)(const void *context, const kz_position *position,
                       void (*visit)(void *user, const kz_position *next), void *user);

    /* Hints for the coder of tables: numbers s such that the positions i and i - s are often worth the same; up to 8,
     * the best first. Default: found by trying. */
    uint64_t strides[8];
    /* People count the turns of the side to move, not plies. */
    bool counts_own_turns;

    /* What a position without moves is worth, where that depends on the position (mate or stalemate). Default:
     * `without_moves`. */
    kz_outcome (*stuck)(const void *context, const kz_position *position);
    /* The context of all functions, for games that have no `open`. */
    void *user;

    /* Moves as numbers, for games with very many positions: some times faster than positions and moves one by one. Both
     * functions say what the ones above say (`selftest` compares them), for the position with a number:
     *
     * `numbers_after` lists the numbers that moves lead to, at most max_moves, and returns how many; -1: a hole, or a
     * position that is not the first of its images. It fills in `sight`, which is zero before, with what moves that are
     * not listed are worth. A position for which it says that the game is over, or that `win` is 1, is *settled*, and
     * needs no list. Positions that are settled and won or drawn are never listed. Positions that are settled and lost,
     * or lost and without a list, may be listed or not.
     *
     * `numbers_before` lists the numbers of the positions of the same tier that list this one, and each as often as
     * that one lists it; at most max_predecessors. Settled positions and holes may be among them. It is not called for
     * settled positions that are won or drawn. A game without predecessors needs none. */
    int (*numbers_after)(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight);
    int (*numbers_before)(const void *context, uint64_t index, uint64_t *numbers);

    /* Of the rules: any number, and another one when the rules change, so that tables and tiers that were made before
     * are refused. Most changes are noticed without it, because some positions and their moves are compared. */
    uint32_t edition;

    /* More ways to write a position: the names of all notations, a list that ends with NULL, that of `format` first.
     * Default: one, "text". `format_as` writes the notation with that number, and says in `error` why it can't; `text`
     * has room for KZ_TEXT_BYTES. `parse` reads all of them. */
    const char *const *notations;
    kz_status (*format_as)(const void *context, const kz_position *position, int notation, char *text, kz_error *error);
    /* How many lines the text of a position takes whose first line is this one. Default: 1. */
    int (*lines)(const void *context, const char *first_line, size_t length);
    /* Reads a move, if more texts than that of `move_format` mean one. */
    kz_status (*move_parse)(const void *context, const kz_position *position, const char *text, size_t length,
                            kz_move *move, kz_error *error);
    /* What the rules tell at a glance, such as a win in one ply. Default: whether the game is over. */
    kz_value (*immediate)(const void *context, const kz_position *position);
    /* Whether two positions are the same. Default: they have the same bytes. */
    bool (*same)(const kz_position *a, const kz_position *b);
    /* Whether bytes from elsewhere are a position. Default: they are. */
    kz_status (*validate)(const void *context, const kz_position *position, kz_error *error);
    /* What the sides are called. Default: look->side_names, or "first" and "second". */
    const char *side_names[2];
} kz_definition;

/* What a shared object with a game exports. */
typedef const kz_definition *kz_game_function(void);

#ifdef __cplusplus
}
#endif
#endif
