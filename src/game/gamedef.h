/* SPDX-License-Identifier: MIT
 *
 * What a game is inside the library: a definition (kanzen/define.h) that was opened, and doors to what the game has
 * beyond that. The public calls of kanzen/game.h go through the definition (game.c). docs/glossary.md explains the
 * words. */
#ifndef KZ_GAME_GAMEDEF_H
#define KZ_GAME_GAMEDEF_H

#include "base/pool.h"

#include <kanzen/estimate.h>
#include <kanzen/game.h>
#include <kanzen/solve.h>
#include <kanzen/table.h>

enum { KZ_MAX_DISTANCE = 253 };

/* The number of positions by value. */
typedef struct kz_histogram {
    uint64_t losses[KZ_MAX_DISTANCE + 1];
    uint64_t wins[KZ_MAX_DISTANCE + 1];
    uint64_t draws;
} kz_histogram;

/* The entry of a place of the index that is no position, in tables of all values: others are 0 for a draw and n + 1 if
 * the position is decided in n plies: odd ones are losses, even ones wins. Tables of losses only have 0 or n + 1. */
enum { KZ_NO_POSITION = 255 };

#define KZ_NO_INDEX UINT64_MAX

/* At least as many as there can be in a game whose tables have losses only. */
enum { KZ_MAX_PREDECESSORS = 256 };

/* The rules a second time, for the self-test (table/selftest.h), which compares them with the calls of kanzen/game.h.
 * It sees a position as the side to move does, and tells it by a key: two positions have the same one if they are the
 * same for that side. Read-only after open, so any number of threads may use it. */
typedef struct kz_twin_key {
    uint64_t words[2];
} kz_twin_key;

/* Gets what a legal move leads to. */
typedef void kz_twin_visit(void *context, kz_twin_key next);

/* A position that is worth the same as another one, such as its mirror image. */
typedef struct kz_twin_image {
    kz_position position;
    bool same_index; /* and has the same index, too */
} kz_twin_image;

enum { KZ_TWIN_MAX_IMAGES = 8 };

typedef struct kz_twin_ops {
    void *(*open)(int rules, kz_error *error);
    void (*close)(void *twin);
    kz_twin_key (*key)(const void *twin, const kz_position *position);
    /* A position with that key, for messages. */
    void (*position)(const void *twin, kz_twin_key key, kz_position *position);
    /* Calls `visit` for every legal move; what several moves lead to may come several times. Returns what kz_immediate
     * promises. */
    kz_value (*moves)(const void *twin, const kz_position *position, kz_twin_visit *visit, void *context);
    /* Returns how many there are. */
    int (*images)(const void *twin, const kz_position *position, kz_twin_image images[KZ_TWIN_MAX_IMAGES]);
} kz_twin_ops;

/* Moves in UCI, where programs expect other texts than kz_move_format writes. The calls promise what kz_move_parse and
 * kz_move_format do. */
typedef struct kz_uci_moves {
    kz_status (*parse)(int rules, const kz_position *position, const char *text, size_t length, kz_move *move,
                       kz_error *error);
    kz_status (*format)(const kz_position *position, kz_move move, char *text, size_t size, kz_error *error);
} kz_uci_moves;

/* What a game tells about itself so that its game records can be KIF, the text that shogi programs write. The board has
 * at most 9 files and 9 ranks; moves are written as in USI: "2c2b", "2b2a+", "C*2b". */
enum {
    KZ_KIF_NAMES = 5, /* of a kind of piece */
    KZ_KIF_KINDS = 8  /* at most */
};

typedef struct kz_kif {
    const char *const *titles; /* what 手合割 calls the game; the first one is written. NULL-terminated */
    int files;
    int ranks;
    int kinds;
    const char *const (*kind_names)[KZ_KIF_NAMES]; /* [kinds]; the first name is written. NULL: there are no more */
    /* The letters of the kinds that can be dropped, in the order of the kinds: these are kinds 0, 1, ... */
    const char *drops;
    /* The kind of the own piece on a square, or -1. Files and ranks count from 1, as shogi has them. */
    int (*kind_on)(const kz_position *position, int file, int rank);
} kz_kif;

/* Fails if a rule set stands for a game in parts as a whole. */
kz_status kz_game_check_whole(const kz_game *game, int rules, kz_error *error);

/* What a game has beyond its definition: each door is one function, or one struct, for a whole job, and any of them may
 * be missing (NULL). A door is called once for a job or a batch, never for a step of somebody else's loop. */
struct kz_solve_job;
struct kz_table_kind;
typedef struct kz_doors {
    const struct kz_table_kind *kind; /* of its own tables (table/kind.h) */
    /* A solver of its own (solve/job.h), from the rules to the written table. */
    kz_status (*solve)(const struct kz_solve_job *job, kz_error *error);
    bool card; /* which can use a graphics card */
    /* What kz_count_positions promises. */
    kz_status (*counts)(kz_pool *pool, const kz_progress *progress, kz_count *counts, size_t room, size_t *found,
                        kz_error *error);
    /* What such a solve takes with report->threads threads: kz_estimate, where nothing has to be sampled. */
    kz_status (*estimate)(int rules, kz_estimate_report *report, kz_error *error);
    /* kz_prove_to. */
    kz_status (*prove)(int rules, const kz_position *position, int depth, int threads, const kz_progress *progress,
                       kz_value *value, kz_move *best, kz_error *error);
    int prove_depth;      /* that never takes long */
    int prove_most_depth; /* that can be asked for */
    /* The numbers of positions: those of the definition (KZ_DEFINED_DOORS), or those of tables of its own. */
    uint64_t (*index_size)(const kz_game *game, int rules);
    bool (*rank)(const kz_game *game, const kz_position *position, uint64_t *index);
    bool (*unrank)(const kz_game *game, int rules, uint64_t index, kz_position *position);
    int max_moves; /* of a position, if there are more than the definition may list; 0: the definition's */
    /* The rules a second time, for the self-test. */
    const kz_twin_ops *twin;
    /* For tables that have losses only: the positions from which a move leads to this one, and maybe others in which
     * the game was over already; returns how many. `before` has room for KZ_MAX_PREDECESSORS. */
    int (*predecessors)(const kz_position *position, kz_position *before);
    /* What writes and reads a move, and draws in characters, if the definition does not. */
    void (*move_format)(const kz_game *game, const kz_position *position, kz_move move, char *text);
    kz_status (*move_parse)(const kz_game *game, int rules, const kz_position *position, const char *text,
                            size_t length, kz_move *move, kz_error *error);
    kz_status (*draw)(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error);
    kz_status (*draw_svg)(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error);
    const kz_uci_moves *uci; /* NULL: moves in UCI are those of kz_move_format */
    const kz_kif *kif;       /* NULL: game records can't be KIF */
    /* Another part of the same game, by the name of its rule set; close it. */
    kz_status (*sibling)(const kz_game *game, const char *rules, const kz_game **sibling, kz_error *error);
    /* Of a game in parts: fails with what to solve to get a table that has this position. */
    kz_status (*no_table)(const kz_game *game, const kz_position *position, kz_error *error);
} kz_doors;

enum { KZ_MAX_DOORS = 20 };
_Static_assert(sizeof(kz_doors) <= (KZ_MAX_DOORS + 2) * sizeof(void *), "at most 20 doors, and two words of numbers");

/* A game in parts: its rule sets are parts of one game, such as endings with different pieces. A position that is read
 * by the default one is marked with the first that takes it, and keeps it when it is played on. */
typedef struct kz_parts {
    int whole;             /* the last rule set, which has the rules of all and no table */
    const char *start;     /* where the game as a whole begins */
    const char *too_large; /* why it has no table, and what to solve instead */
} kz_parts;

/* A game is its definition, opened: a context for each rule set. Those that come with Kanzen are constant. */
struct kz_game {
    const struct kz_definition *definition;
    const kz_doors *doors; /* never NULL */
    void *const *contexts; /* one for each rule set */
    const kz_parts *parts; /* NULL: each rule set is a game by itself */
    void *library;         /* what was loaded for it, and what unloads it */
    void (*unload)(void *library);
    bool opened; /* kz_game_close frees it */
};

/* ---- choices.c --------------------------------------------------------------------------------------------------- */

/* The moves that a player can choose from, each with where it leads and what it is worth. A move is played once, here:
 * who looks for its value and who writes it down both find the position after it. This is also the one place that says
 * in which order moves are told. */
typedef struct kz_choice {
    kz_move move;
    kz_value value; /* for the side that makes the move; unknown as long as nobody has looked for it */
    int number;     /* equals are told in this order, that of kz_moves at first */
    kz_position after;
} kz_choice;

/* Lists the moves of a position and plays each. Free the list in any case. */
kz_status kz_list_choices(const kz_game *game, int rules, const kz_position *position, kz_choice **choices, int *count,
                          kz_error *error);

/* Best first: win soon, win late, draw or unknown, lose late, lose soon. */
void kz_sort_choices(kz_choice *choices, int count);

/* The games, in the order of kz_game_at; NULL after the last. src/games/registry.c has the list. */
extern const kz_game *const kz_games[];

#endif
