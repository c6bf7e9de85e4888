/* SPDX-License-Identifier: MIT
 *
 * A variant of chess or shogi that a text describes (docs/variants.md), as tables. Read-only after it was made, so any
 * number of threads may use it.
 *
 * Squares are numbered rank by rank from white's left: square = rank * files + file. White moves towards higher ranks.
 */
#ifndef KZ_VARIANT_VARIANT_H
#define KZ_VARIANT_VARIANT_H

#include <kanzen/define.h>

enum {
    KZ_VARIANT_SQUARES = 64, /* at most */
    KZ_VARIANT_USUAL = 8,    /* files and ranks, if a text does not say */
    KZ_VARIANT_FILES = 12,
    KZ_VARIANT_RANKS = 10,
    KZ_VARIANT_TYPES = 32,
    KZ_VARIANT_RAYS = 40,
    KZ_VARIANT_HAND = 8,    /* types that can be in a hand */
    KZ_VARIANT_PIECES = 32, /* on the board, at most */
    KZ_VARIANT_MOVES = 600, /* in any position */
    KZ_VARIANT_NAME = 16
};

enum { KZ_WHITE = 0, KZ_BLACK = 1 };

/* One direction of a piece: a step, or as many steps of the same kind as there is room for. */
typedef struct kz_ray {
    int8_t file; /* for white; black's rank is negated */
    int8_t rank;
    uint8_t limit; /* steps; 0: any number */
    bool moves;
    bool captures;
} kz_ray;

typedef struct kz_piece_type {
    char letter;   /* lower case */
    char name[24]; /* the key that defined it: "shogiPawn" */
    int rays;
    kz_ray ray[KZ_VARIANT_RAYS];
    int promotes_to; /* the type that it becomes in the promotion zone (shogi), or -1 */
    int base;        /* what it is in a hand: itself, or for a promoted type the one before */
    bool promoted;   /* written with '+' */
    int hand;        /* its slot in a hand, or -1 */
    bool is_shogi_pawn;
} kz_piece_type;

/* When a side is out of pieces of some types. */
typedef struct kz_extinction {
    bool on;
    kz_outcome value; /* for the side that is out of them */
    uint32_t types;   /* a bit for each type; KZ_VARIANT_ALL: all together count as one */
    bool all;
    int count;
    int opponent_count;
    bool claim;
} kz_extinction;

typedef struct kz_variant {
    char name[KZ_VARIANT_NAME];
    int files;
    int ranks;
    int squares;
    int types;
    kz_piece_type type[KZ_VARIANT_TYPES];
    int hand_types;
    int hand_type[KZ_VARIANT_HAND];
    int royal;       /* the type whose check matters, or -1 */
    int pawn;        /* the type that steps twice, or -1 */
    char start[160]; /* FEN */
    int line;        /* in its text, for messages: where the section begins */
    int start_line;  /* and where the start is; 0: in a text that comes with Kanzen, or nowhere */
    int start_column;

    uint64_t promotion_region[2];
    uint32_t promotion_pawns;  /* types that become one of ... */
    uint32_t promotion_pieces; /* ... these on the promotion region */
    bool mandatory_pawn_promotion;
    bool mandatory_piece_promotion;
    bool promotion_on_capture;
    bool double_step;
    uint64_t double_step_region[2];
    uint32_t en_passant_types;

    bool drops;
    bool captures_to_hand;
    uint64_t drop_region[2];
    int no_doubled; /* a type that must not be dropped on a file that has `no_doubled_count` of it, or -1 */
    int no_doubled_count;
    bool immobile_illegal;
    bool pawn_drop_mate_illegal;
    bool first_rank_pawn_drops;
    bool promotion_zone_pawn_drops;

    bool checking; /* a move may give check */
    bool must_capture;
    kz_outcome stalemate;
    kz_outcome checkmate;
    kz_extinction extinction;
    int flag_piece; /* the type that wins on the flag region; -1: none; KZ_VARIANT_TYPES: any */
    uint64_t flag_region[2];
    bool flag_move;
    bool flag_safe; /* it counts only while it can't be captured */

    /* Worked out from the above. */
    uint64_t reach[KZ_VARIANT_TYPES][2][KZ_VARIANT_SQUARES]; /* what the piece could capture on an empty board */
    uint64_t mobile[KZ_VARIANT_TYPES][2];                    /* squares that the piece could leave on an empty board */
    bool odd_start;   /* pieces begin where play can't bring them, so they may stand on any square */
    bool color_blind; /* the board upside down with colours exchanged is the same game */
    int symmetries;   /* of the board, for the whole game: 1, 2 or 8 */
} kz_variant;

/* What a variant is in a text that holds several: "twelve" or "" for the only one. KZ_ERR_INPUT with line and column.
 */
kz_status kz_variant_parse(const char *text, size_t length, const char *file, const char *name, kz_variant *variant,
                           kz_error *error);
/* The texts of the variants that come with Kanzen. */
const char *kz_variant_texts(void);

/* Betza notation. Returns NULL, or what is wrong; `at` is then the character. */
const char *kz_betza_parse(const char *text, size_t length, kz_piece_type *type, size_t *at);

/* ---- Positions --------------------------------------------------------------------------------------------------- */

/* A piece on the board: 0, or 1 + 2 * type + colour. */
static inline int kz_piece(int type, int color) { return 1 + 2 * type + color; }
static inline int kz_piece_type_of(int piece) { return (piece - 1) >> 1; }
static inline int kz_piece_color(int piece) { return (piece - 1) & 1; }

enum { KZ_NO_SQUARE = 255 };

/* A position that is worked with. */
typedef struct kz_board {
    uint64_t occupied; /* a bit for each square that has a piece */
    uint8_t at[KZ_VARIANT_SQUARES];
    uint8_t hand[2][KZ_VARIANT_HAND];
    uint8_t side;
    uint8_t en_passant; /* the square that a pawn passed, or KZ_NO_SQUARE */
} kz_board;

/* Puts a piece on a square, or takes it away (0). */
static inline void kz_board_put(kz_board *board, int square, int piece) {
    uint64_t bit = UINT64_C(1) << square;
    board->at[square] = (uint8_t)piece;
    board->occupied = piece ? board->occupied | bit : board->occupied & ~bit;
}

/* Goes through the squares of a set: while (left) { int square = kz_next_square(&left); ... } */
static inline int kz_next_square(uint64_t *left) {
    int square = __builtin_ctzll(*left);
    *left &= *left - 1;
    return square;
}

void kz_board_unpack(const kz_position *position, kz_board *board);
void kz_board_pack(const kz_board *board, kz_position *position);

/* A move: where from (or a drop), where to, and what the piece becomes. */
enum { KZ_DROP = 1 << 21, KZ_PROMOTES = 1 << 22 };
static inline kz_move kz_step_move(int from, int to, int becomes) {
    return 1U << 31 | (unsigned)from | (unsigned)to << 7 | (unsigned)becomes << 14;
}
static inline int kz_move_from(kz_move move) { return (int)(move & 127); }
static inline int kz_move_to(kz_move move) { return (int)(move >> 7 & 127); }
/* The type that stands on the square afterwards; for a drop the type that is dropped. */
static inline int kz_move_type(kz_move move) { return (int)(move >> 14 & 127); }

/* The legal moves; returns how many. */
int kz_variant_moves(const kz_variant *variant, const kz_board *board, kz_move *moves);
/* The legal moves of the piece on a square, or the drops on it if `drop`. */
bool kz_variant_is_legal(const kz_variant *variant, const kz_board *board, kz_move move);
/* Whether a piece of this type may be dropped on a free square; `at` are the pieces by square. */
bool kz_variant_may_drop(const kz_variant *variant, const uint8_t *at, int color, int type, int to);
void kz_variant_play(const kz_variant *variant, kz_board *board, kz_move move);
/* KZ_UNKNOWN unless the rules end the game before the side to move does anything: by what is left on the board, or by a
 * flag. */
kz_outcome kz_variant_ended(const kz_variant *variant, const kz_board *board);
/* The same, by what is left on the board alone. */
kz_outcome kz_variant_extinct(const kz_variant *variant, const kz_board *board);
/* What ends the game, flags too, and what a position without moves is worth. */
kz_outcome kz_variant_result(const kz_variant *variant, const kz_board *board);
bool kz_variant_attacked(const kz_variant *variant, const kz_board *board, int square, int by);
/* Whether the royal piece of a side is attacked. */
bool kz_variant_in_check(const kz_variant *variant, const kz_board *board, int color);
/* Adds what may have been before; each candidate is checked by playing forwards. Returns how many. */
int kz_variant_before(const kz_variant *variant, const kz_board *after, kz_position *before, int room);

/* ---- Text -------------------------------------------------------------------------------------------------------- */

kz_status kz_variant_read_fen(const kz_variant *variant, const char *text, size_t length, kz_board *board,
                              kz_error *error);
void kz_variant_write_fen(const kz_variant *variant, const kz_board *board, char *text);
void kz_variant_write_move(const kz_variant *variant, const kz_board *board, kz_move move, char *text);

/* ---- Index ------------------------------------------------------------------------------------------------------- */

typedef struct kz_variant_index kz_variant_index;

/* An index of all material that play can lead to from these boards. */
kz_status kz_variant_index_new(const kz_variant *variant, const kz_board *roots, size_t count, kz_variant_index **made,
                               kz_error *error);
void kz_variant_index_free(kz_variant_index *index);
uint64_t kz_variant_index_size(const kz_variant_index *index);
uint64_t kz_variant_rank(const kz_variant_index *index, const kz_board *board);
bool kz_variant_unrank(const kz_variant_index *index, uint64_t number, kz_board *board);
/* Pieces never stand where play can't bring them: pawns on the first and last ranks, unless the game begins so. */
bool kz_variant_may_stand(const kz_variant *variant, int type, int color, int square);
/* The same of all pieces of a board, and no king is in check out of turn. */
bool kz_variant_can_occur(const kz_variant *variant, const kz_board *board);
int kz_variant_tiers(const kz_variant_index *index);
uint64_t kz_variant_tier_begin(const kz_variant_index *index, int tier);
void kz_variant_tier_name(const kz_variant_index *index, int tier, char *text);

/* ---- The game ---------------------------------------------------------------------------------------------------- */

/* "twelve.ini", "twelve.ini:NAME", "chess:KBNvK", "chess:men4": a game that a text describes. NULL and KZ_OK if the
 * name is of another kind. */
kz_status kz_variant_open_named(const char *name, const kz_game **game, kz_error *error);

/* ---- twin.c: the rules a second time ----------------------------------------------------------------------------- */

/* As `twin` of kanzen/define.h: visits what each legal move leads to, and returns what the rules tell without one. */
kz_outcome kz_variant_twin(const kz_variant *variant, const kz_position *position,
                           void (*visit)(void *user, const kz_position *next), void *user);

#endif
