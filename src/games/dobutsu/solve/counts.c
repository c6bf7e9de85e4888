/* SPDX-License-Identifier: MIT
 *
 * The sets of Dobutsu Shogi positions that people have published figures for. */
#include "base/error.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/solve/reach.h"
#include "games/dobutsu/solve/solve.h"

/* ---- What is counted ------------------------------------------------------------------------------------------ */

enum set { ARRANGEMENTS, LEGAL, TANAKA, SAFE_TRY, PLAY_ON, SETS };

/* The reachable sets: when play stops. Tanaka lets a Try be answered, so that it ends the game a ply later.
 * PLAY_ON serves both rule sets: by the simplified ones the game is not over yet after a safe Try, by the official ones
 * it is, and these positions are left out of the count. Nothing that is counted comes after them. */
static const struct {
    const char *stage;
    unsigned stop;
} reachable[SETS] = {
    [TANAKA] = {"reachable positions, Tanaka", KZ_DOBUTSU_CAN_CAPTURE | KZ_DOBUTSU_TRIED},
    [SAFE_TRY] = {"reachable positions, safe Try", KZ_DOBUTSU_CAN_CAPTURE | KZ_DOBUTSU_TRIED | KZ_DOBUTSU_CAN_TRY},
    [PLAY_ON] = {"reachable positions, playing on", 0},
};

/* Conditions on the features of a position, as sets of the 8 combinations of KZ_FEATURE_*: so `&`, `|` and `~` mean
 * what they say. */
enum {
    ANY = 0xFF,
    CAPTURE = 0xAA,
    TRIED = 0xCC,
    TRY = 0xF0,
    OPEN = ANY & ~(CAPTURE | TRIED),
    LOST = TRIED & ~CAPTURE,
};
_Static_assert(KZ_DOBUTSU_CAN_CAPTURE == 1 && KZ_DOBUTSU_TRIED == 2 && KZ_DOBUTSU_CAN_TRY == 4,
               "conditions fit the features");

/* What of them is counted: with mirror images as one position, as two, or as one and only those of one value. */
enum measure { FOLDED, UNFOLDED, WINS, DRAWS, LOSSES };

static const struct {
    const char *name;
    const char *meaning;
    enum set set;
    unsigned condition;
    enum measure measure;
} figures[] = {
    {"arrangements", "both lions on the board, all else anywhere (mirror images apart)", ARRANGEMENTS, ANY, UNFOLDED},
    {"legal", "lions apart and none on its far row", LEGAL, ANY, FOLDED},
    {"legal-not-won-in-1", "of legal: the side to move can't win at once", LEGAL, OPEN & ~TRY, FOLDED},
    {"reachable-tanaka", "reachable if the game ends when a lion can be taken or has made a Try (Tanaka 2009)", TANAKA,
     ANY, FOLDED},
    {"reachable-tanaka-nonterminal", "of reachable-tanaka: the game goes on", TANAKA, OPEN, FOLDED},
    {"reachable-tanaka-wins", "of reachable-tanaka-nonterminal: won, also by a Try at once", TANAKA, OPEN, WINS},
    {"reachable-tanaka-draws", "of reachable-tanaka-nonterminal: drawn", TANAKA, OPEN, DRAWS},
    {"reachable-tanaka-losses", "of reachable-tanaka-nonterminal: lost", TANAKA, OPEN, LOSSES},
    {"reachable-tanaka-capture", "of reachable-tanaka: the side to move can take the lion", TANAKA, CAPTURE, FOLDED},
    {"reachable-tanaka-tried", "of reachable-tanaka: the enemy's lion has made a Try and can't be taken", TANAKA, LOST,
     FOLDED},
    {"reachable-safe-try", "reachable if the game ends when a lion can be taken or a safe Try be made", SAFE_TRY, ANY,
     FOLDED},
    {"reachable-safe-try-nonterminal", "of reachable-safe-try: the game goes on", SAFE_TRY, OPEN & ~TRY, FOLDED},
    {"reachable-missed-wins", "reachable by the official rules if wins may be missed", PLAY_ON, ANY & ~LOST, FOLDED},
    {"reachable-missed-wins-nonterminal", "of reachable-missed-wins: the side to move can't win at once", PLAY_ON,
     OPEN & ~TRY, FOLDED},
    {"reachable-simplified-nonterminal",
     "reachable by the simplified rules, the mover's lion neither taken nor on its far row (mirror images apart)",
     PLAY_ON, ANY, UNFOLDED},
};

enum { FIGURES = sizeof figures / sizeof figures[0] };

/* ---- Counting it ---------------------------------------------------------------------------------------------- */

typedef struct tallying {
    kz_dobutsu_reach *reach;
    const kz_dobutsu_retro *retro;
    kz_dobutsu_reach_tally tallies[SETS];
    enum set set;
} tallying;

static void tally_runs(void *context, int worker, uint64_t begin, uint64_t end) {
    tallying *run = context;
    (void)worker;
    if (run->set == ARRANGEMENTS || run->set == LEGAL) {
        kz_dobutsu_reach_count_all(run->reach, begin, end, &run->tallies[run->set]);
    } else {
        kz_dobutsu_reach_count(run->reach, run->set == TANAKA ? run->retro : NULL, begin, end, &run->tallies[run->set]);
    }
}

static kz_status fill_tallies(tallying *run, kz_pool *pool, const kz_progress *progress, kz_error *error) {
    const kz_dobutsu_space *space = run->reach->space;
    kz_status status = KZ_OK;
    for (int set = 0; set < SETS && status == KZ_OK; set++) {
        uint32_t runs = set == ARRANGEMENTS ? space->run_count
                        : set == LEGAL      ? space->solved_runs
                                            : space->decided_runs;
        run->set = (enum set)set;
        if (reachable[set].stage) {
            status = kz_dobutsu_reach_run(run->reach, reachable[set].stop, pool, progress, reachable[set].stage, error);
        }
        if (status == KZ_OK) {
            status = kz_pool_for(pool, runs, 0, tally_runs, run, progress, "counting", error);
        }
    }
    return status;
}

static uint64_t measure_of(const kz_dobutsu_reach_tally *tally, unsigned features, enum measure measure) {
    switch (measure) {
    case FOLDED:
        return tally->folded[features];
    case UNFOLDED:
        return tally->unfolded[features];
    case WINS:
        return tally->values[features][KZ_WIN];
    case DRAWS:
        return tally->values[features][KZ_DRAW];
    default:
        return tally->values[features][KZ_LOSS];
    }
}

static uint64_t sum_of(const kz_dobutsu_reach_tally *tally, unsigned condition, enum measure measure) {
    uint64_t sum = 0;
    for (unsigned features = 0; features < KZ_DOBUTSU_FEATURE_SETS; features++) {
        if (condition >> features & 1) {
            sum += measure_of(tally, features, measure);
        }
    }
    return sum;
}

kz_status kz_dobutsu_count_positions(kz_pool *pool, const kz_progress *progress, kz_count *counts, size_t room,
                                     size_t *found, kz_error *error) {
    kz_dobutsu_retro *retro = NULL;
    KZ_TRY(kz_dobutsu_solve_in_memory(KZ_DOBUTSU_OFFICIAL, true, pool, progress, &retro, error));
    tallying run = {.reach = kz_dobutsu_reach_new(), .retro = retro};
    kz_status status =
        run.reach ? fill_tallies(&run, pool, progress, error)
                  : kz_fail(error, KZ_ERR_MEMORY, "out of memory for a set of %d positions", KZ_DOBUTSU_DECIDED_END);
    kz_dobutsu_reach_free(run.reach);
    kz_dobutsu_retro_free(retro);
    KZ_TRY(status);
    *found = room < FIGURES ? room : FIGURES;
    for (size_t i = 0; i < *found; i++) {
        counts[i] = (kz_count){
            .name = figures[i].name,
            .meaning = figures[i].meaning,
            .count = sum_of(&run.tallies[figures[i].set], figures[i].condition, figures[i].measure),
        };
    }
    return KZ_OK;
}
