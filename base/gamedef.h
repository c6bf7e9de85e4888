/* SPDX-License-Identifier: MIT
 *
 * What a game hands to the registry: one const struct of this type, defined in the game's folder.
 * The public calls in kanzen/game.h go through it; each member does what the call of the same name promises.
 * Nothing here is called once per position in a hot loop: solvers use kernels that work on whole blocks. */
#ifndef KZ_BASE_GAMEDEF_H
#define KZ_BASE_GAMEDEF_H

#include "base/plan.h"
#include "base/pool.h"

#include <kanzen/game.h>
#include <kanzen/solve.h>
#include <kanzen/table.h>

enum { KZ_MAX_DISTANCE = 253 };

/* How a game is solved by retrograde analysis. A solver is one allocation with all that it needs; its kernels work
 * on ranges of units (blocks of positions), from several threads at once; solve/retrograde.c calls them in this
 * order, each for all units before the next: start, spread losses in 0, count, settle, then for n = 2, 3, ...: spread
 * losses in n, spread wins in n, clear n; when two distances in a row brought nothing it is done. */
typedef struct kz_solver_ops {
    void *(*open)(int rules, kz_error *error);
    void (*close)(void *solver);
    uint64_t (*units)(const void *solver);
    void (*start)(void *solver, uint64_t begin, uint64_t end);
    uint64_t (*count)(void *solver, uint64_t begin, uint64_t end); /* how many the rules don't decide */
    void (*settle)(void *solver, uint64_t begin, uint64_t end);
    uint64_t (*spread)(void *solver, bool wins, int n, uint64_t begin, uint64_t end); /* how many it went out from */
    void (*clear)(void *solver, int n);
    /* The value of a position of the index. KZ_DRAW if it is still open. */
    kz_value (*value)(const void *solver, uint64_t index);
    /* Adds the values of positions [begin, end) to the counts: losses[n] and wins[n] by distance. */
    void (*tally)(const void *solver, uint64_t begin, uint64_t end, uint64_t losses[KZ_MAX_DISTANCE + 1],
                  uint64_t wins[KZ_MAX_DISTANCE + 1], uint64_t *draws);
    /* Writes for positions [begin, end) what a table stores: 0 if it is not lost, n + 1 if it is lost in n. */
    void (*losses)(const void *solver, uint64_t begin, uint64_t end, uint8_t *out);
} kz_solver_ops;

/* What an open table keeps of its game: tables that are made once and make ranks fast. Read-only after open, so any
 * number of threads may use it. */
typedef struct kz_reader_ops {
    void *(*open)(int rules, kz_error *error);
    void (*close)(void *reader);
    /* The value if the rules tell it; otherwise KZ_UNKNOWN, and the position's index. */
    kz_value (*look)(const void *reader, const kz_position *position, uint64_t *index);
    /* What the rules tell about `count` positions from `first` on, for the coder. */
    void (*plan)(const void *reader, uint64_t first, unsigned count, kz_plan *plan);
    /* The indices of those successors that may be lost for the side that moves there, and returns how many there are.
     * `best` is the best value that the rules alone promise for one of the moves, KZ_UNKNOWN if they promise no win. */
    int (*successors)(const void *reader, const kz_position *position, uint64_t indices[KZ_MAX_MOVES], kz_value *best);
} kz_reader_ops;

/* The second, plain implementation of the rules, kept for verification: it shares no move generator with the solver.
 * `losses` is what a table stores, for every position of the index: 0 if it is not lost, n + 1 if it is lost in n. */
typedef struct kz_checker_ops {
    void *(*open)(int rules, const uint8_t *losses, kz_error *error);
    void (*close)(void *checker);
    /* Finds the wins of positions [begin, end) from the losses among their successors. */
    void (*derive)(void *checker, uint64_t begin, uint64_t end);
    /* After all wins are found: checks every value against those of all successors. Adds to the report. */
    void (*check)(void *checker, uint64_t begin, uint64_t end, kz_verify_report *report,
                  uint64_t losses[KZ_MAX_DISTANCE + 1], uint64_t wins[KZ_MAX_DISTANCE + 1], uint64_t *draws);
} kz_checker_ops;

struct kz_game {
    const char *name;
    const char *title;
    const char *const *rules;     /* NULL-terminated, the default first */
    const char *const *notations; /* NULL-terminated, the canonical one first */
    void (*start)(kz_position *position);
    kz_status (*parse)(const char *text, size_t length, kz_position *position, kz_error *error);
    kz_status (*format)(const kz_position *position, int notation, char *text, size_t size, kz_error *error);
    kz_status (*draw)(const kz_position *position, char *text, size_t size, kz_error *error);
    kz_status (*draw_svg)(const kz_position *position, char *text, size_t size, kz_error *error);
    int (*moves)(int rules, const kz_position *position, kz_move *moves);
    void (*play)(int rules, kz_position *position, kz_move move);
    kz_status (*move_parse)(int rules, const kz_position *position, const char *text, size_t length, kz_move *move,
                            kz_error *error);
    kz_status (*move_format)(const kz_position *position, kz_move move, char *text, size_t size, kz_error *error);
    kz_value (*immediate)(int rules, const kz_position *position);
    const char *(*side_to_move)(const kz_position *position);
    bool (*same)(const kz_position *a, const kz_position *b);
    uint64_t index_size;
    bool (*rank)(const kz_position *position, uint64_t *index);
    void (*unrank)(uint64_t index, kz_position *position);
    const kz_reader_ops *reader;
    const kz_solver_ops *solver;
    const kz_checker_ops *checker;
    /* `solver` is a finished one, by the default rules. */
    kz_status (*count_positions)(const void *solver, kz_pool *pool, const kz_progress *progress, kz_count *counts,
                                 size_t room, size_t *found, kz_error *error);
};

#endif
