/* SPDX-License-Identifier: MIT
 *
 * What the rules of Push Fight tell about the positions of a table's block before their values are read. The coder
 * turns that into probabilities (run_model.h).
 *
 * Entries come in runs of equal length, and runs in groups. The rules decide about a whole run whether its positions
 * exist and whether they are won at once; only the other runs, the open ones, have values that need to be stored. A run
 * is what differs in sigma only, a group is a pair of sets, and a block is a number of pairs of one own set with
 * consecutive enemy sets. */
#ifndef KZ_PUSHFIGHT_PLAN_H
#define KZ_PUSHFIGHT_PLAN_H

#include "games/pushfight/index/space.h"
#include "games/pushfight/rules/wins_at_once.h"

/* ---- won_runs.c ------------------------------------------------------------------------------------------------- */

/* Which positions of a pair of sets are won at once, by pushing a piece off the board, for all (alpha, rho) together.
 *
 * It is what wins_at_once.h does for one position, with a bit for each rho: a line of squares behind a piece that can
 * fall is won for those rho in which some own piece that can get to its end is a pusher, and for those alpha whose
 * piece is not in the line. */

/* What it takes to know about a board. Read-only once it is filled. */
typedef struct kz_pf_won_tables {
    kz_pf_edges edges;
    uint64_t all_splits;                 /* a bit for each rho */
    uint64_t spread[KZ_PF_SUBSETS];      /* a set of alphas: times a set of rhos, it gives the bits of the pairs */
    uint16_t some_pusher[KZ_PF_SUBSETS]; /* rhos in which a set of pieces has a pusher */
} kz_pf_won_tables;

void kz_pf_won_tables_fill(kz_pf_won_tables *tables, const kz_pf_space *space);

/* Bit alpha * splits + rho is set if that is a win at once; only alphas of the set `anchors` are looked at. */
uint64_t kz_pf_won_runs(const kz_pf_won_tables *tables, uint32_t own, uint32_t enemy, uint32_t anchors);

/* ---- plan.c ----------------------------------------------------------------------------------------------------- */

enum { KZ_GROUP_RUNS = 64 }; /* at most */

/* What the rules tell about a group: a bit for each run. And earlier groups of the block that resemble it, entry by
 * entry: how many groups before this one they are; 0: there is none. */
enum { KZ_GROUP_NEIGHBOURS = 2 };

typedef struct kz_group_plan {
    uint64_t exists;
    uint64_t won; /* of those that exist */
    uint16_t back[KZ_GROUP_NEIGHBOURS];
} kz_group_plan;

/* Which earlier entries of its group resemble an entry is the same in all groups. They are listed, the most similar
 * ones first; how much each counts depends on where it is in the list (games/pushfight/table/run_coder.c). */
enum { KZ_RUN_NEIGHBOURS = 12, KZ_RUN_NEAREST = 7, KZ_ENTRY_KINDS = 60 };

typedef struct kz_entry_plan {
    uint16_t back[KZ_RUN_NEIGHBOURS]; /* how many entries before this one the neighbour is; 0: there is none */
    uint8_t kind;                     /* entries of one kind have neighbours of the same meaning */
} kz_entry_plan;

/* What a source may know instead of all entries of an extent (kz_source.read_open). */
typedef struct kz_open_runs {
    const uint64_t *won;  /* by group: a bit for each run that is won at once; those of other runs that are not open
                             don't matter */
    const uint64_t *runs; /* the open runs in order, a word for each: its entries are the lower bytes, lowest first */
    uint64_t count;       /* of these runs */
} kz_open_runs;

/* How many pairs a block has: they never are of two own sets. */
unsigned kz_pf_block_pairs(const kz_pf_space *space);

/* The plans of `count` pairs from number `first` on, all of one own set. Bit alpha * splits + rho is a run.
 * `won` is NULL, or has the runs that are won at once, a word for each pair. */
void kz_pf_group_plans(const kz_pf_space *space, const kz_pf_won_tables *tables, uint64_t first, unsigned count,
                       const uint64_t *won, kz_group_plan *plans);

/* Which earlier places of a pair resemble a place: same positions but for two pieces of one side that have changed
 * roles, or for another piece that has the anchor. */
void kz_pf_offset_plan(const kz_pf_space *space, unsigned place, kz_entry_plan *plan);

#endif
