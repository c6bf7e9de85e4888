/* SPDX-License-Identifier: MIT
 *
 * Verifying a table by a second implementation of the game's rules (verify.c), for kinds whose entries are bytes. */
#ifndef KZ_TABLE_VERIFY_H
#define KZ_TABLE_VERIFY_H

#include "table/reader.h"

/* The second, plain implementation of the rules, kept for verification: it shares no move generator with the solver.
 * It takes in what a table stores, all of it, and then checks it against itself. */
typedef struct kz_checker_ops {
    void *(*open)(int rules, int workers, kz_error *error);
    void (*close)(void *checker);
    /* Takes in the numbers of places [first, first + count). A table's extents come one by one, in any
     * order, from several threads at once. */
    void (*take)(void *checker, int worker, uint64_t first, uint64_t count, const uint8_t *numbers);
    /* How many batches (of the checker's own making) `derive` and `check` go over. */
    uint64_t (*batches)(const void *checker);
    /* Works out what the table does not store from what it does, for batches [begin, end). NULL if there is nothing. */
    void (*derive)(void *checker, int worker, uint64_t begin, uint64_t end);
    /* After all of that: checks every value of batches [begin, end) against those of all successors. Adds to the report
     * and to the counts; `first_wrong` is a place of the index. */
    void (*check)(void *checker, int worker, uint64_t begin, uint64_t end, kz_verify_report *report,
                  uint64_t losses[KZ_MAX_DISTANCE + 1], uint64_t wins[KZ_MAX_DISTANCE + 1], uint64_t *draws);
    /* Whether there was no memory for some of that, so that the report means nothing. NULL: it takes none. */
    bool (*ran_out)(const void *checker);
} kz_checker_ops;

/* kz_table_verify with such a checker. */
kz_status kz_verify_by(const kz_checker_ops *ops, const kz_table *table, int threads, const kz_progress *progress,
                       kz_verify_report *report, kz_error *error);

#endif
