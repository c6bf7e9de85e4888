/* SPDX-License-Identifier: MIT
 *
 * doubutsu-states-full.txt and doubutsu-states-win.txt: positions in the order in which they are found.
 *
 * That order is a part of the files: the position that was found last is looked at next; those after it are put on the
 * pile by ascending index, each one the first time that it comes up. So there is one thread, and what counts is the
 * time that a move takes: states of pairs (games/dobutsu/index/pairs.h) in place of boards, and sums in place of
 * indices. */
#include "app/export/ordered.h"
#include "base/bits.h"
#include "base/error.h"
#include "games/dobutsu/compat/index18.h"
#include "games/dobutsu/rules/forward.h"
#include "games/dobutsu/rules/rules.h"

#include <kanzen/dobutsu_files.h>
#include <stdlib.h>

enum {
    MOST_CHILDREN = KZ_DOBUTSU_MAX_MOVES,
    LINE_MOST = (MOST_CHILDREN + 3) * (KZ_DECIMAL_MOST + 1),
    BUFFER = 1 << 20,
    REPORT_EVERY = 1 << 16,
    HOME_ROW = 07
};

/* How many there are, for the progress. */
static const uint64_t all_states = 507669530;

typedef struct child {
    uint64_t index;
    uint32_t place;
} child;

typedef struct finder {
    kz_dobutsu_space *space;
    kz_dobutsu_forward forward;
    kz_dobutsu_index18 index18;
    uint64_t *covered; /* by place, solved and decided zones */
    uint32_t *pile;    /* places */
    size_t height;
    size_t room;
    bool win; /* of the position that is looked at: it can be won at once */
    int count;
    child children[MOST_CHILDREN]; /* ascending */
    kz_outfile file;
    size_t used;
    char buffer[BUFFER + LINE_MOST];
} finder;

/* ---- The positions after one ------------------------------------------------------------------------------------ */

static void add_child(finder *f, child new) {
    int at = f->count;
    while (at > 0 && f->children[at - 1].index > new.index) {
        at--;
    }
    if (at > 0 && f->children[at - 1].index == new.index) {
        return;
    }
    for (int i = f->count++; i > at; i--) {
        f->children[i] = f->children[i - 1];
    }
    f->children[at] = new;
}

/* The position after a move, as the side that moved sees it. A lion that reaches the far row and can't be taken there
 * has won. */
static void add_position(finder *f, const kz_dobutsu_states *after) {
    const kz_dobutsu_space *space = f->space;
    if (KZ_DOBUTSU_FAR_ROW_SET >> after->own_lion & 1) {
        unsigned attacked = space->elephant[after->elephants].enemy_attacks |
                            space->giraffe[after->giraffes].enemy_attacks | space->chick[after->chicks].enemy_attacks |
                            kz_dobutsu_steps(KZ_DOBUTSU_LION, after->enemy_lion);
        if (!(attacked >> after->own_lion & 1)) {
            f->win = true;
            return;
        }
    }
    const kz_dobutsu_states seen = kz_dobutsu_turned(space, after);
    uint32_t place = (uint32_t)kz_dobutsu_space_rank(space, &seen);
    __builtin_prefetch(&f->covered[place / 64], 1);
    add_child(f, (child){kz_dobutsu_index18_of(&f->index18, &seen), place});
}

/* A step onto a square that may hold an enemy piece of another pair than the one that moved. */
static void add_step(finder *f, kz_dobutsu_states after, unsigned to) {
    kz_dobutsu_take(&f->forward, &after, to);
    add_position(f, &after);
}

static void add_pair_moves(finder *f, const kz_dobutsu_states *states, int kind, unsigned own, unsigned enemy) {
    kz_dobutsu_states after = *states;
    const kz_dobutsu_pair_moves *list = kind == KZ_DOBUTSU_CHICK      ? &f->forward.chick[states->chicks]
                                        : kind == KZ_DOBUTSU_ELEPHANT ? &f->forward.elephant[states->elephants]
                                                                      : &f->forward.giraffe[states->giraffes];
    unsigned *moved = kind == KZ_DOBUTSU_CHICK      ? &after.chicks
                      : kind == KZ_DOBUTSU_ELEPHANT ? &after.elephants
                                                    : &after.giraffes;
    for (unsigned i = 0; i < list->count; i++) {
        const kz_dobutsu_pair_move *move = &list->moves[i];
        bool drop = move->from == KZ_DOBUTSU_FROM_HAND;
        if ((own | (drop ? enemy : 0)) >> move->to & 1) {
            continue;
        }
        *moved = move->state;
        if (enemy >> move->to & 1) {
            add_step(f, after, move->to);
        } else {
            add_position(f, &after);
        }
    }
}

/* Fills in the children, and whether the position is won at once. */
static void look_at(finder *f, const kz_dobutsu_states *states) {
    const kz_dobutsu_space *space = f->space;
    const kz_dobutsu_footprint *e = &space->elephant[states->elephants];
    const kz_dobutsu_footprint *g = &space->giraffe[states->giraffes];
    const kz_dobutsu_footprint *c = &space->chick[states->chicks];
    unsigned steps = kz_dobutsu_steps(KZ_DOBUTSU_LION, states->own_lion);
    unsigned prey = 1U << states->enemy_lion;
    unsigned lions = 1U << states->own_lion | prey;
    f->count = 0;
    f->win = (steps | e->own_attacks | g->own_attacks | c->own_attacks) & prey;
    /* Whoever does not take a lion that has made its Try has lost: there is nothing after that. */
    if (prey & HOME_ROW) {
        return;
    }
    for (unsigned to = steps & ~(lions | e->own | g->own | c->own); to; to &= to - 1) {
        kz_dobutsu_states after = *states;
        after.own_lion = (int)kz_lowest_bit32(to);
        add_step(f, after, kz_lowest_bit32(to));
    }
    add_pair_moves(f, states, KZ_DOBUTSU_CHICK, lions | e->own | g->own, (unsigned)e->enemy | g->enemy);
    add_pair_moves(f, states, KZ_DOBUTSU_ELEPHANT, lions | c->own | g->own, (unsigned)c->enemy | g->enemy);
    add_pair_moves(f, states, KZ_DOBUTSU_GIRAFFE, lions | c->own | e->own, (unsigned)c->enemy | e->enemy);
}

/* ---- From the start to the end ---------------------------------------------------------------------------------- */

static kz_status pile_up(finder *f, uint32_t place, kz_error *error) {
    uint64_t bit = UINT64_C(1) << (place % 64);
    if (f->covered[place / 64] & bit) {
        return KZ_OK;
    }
    f->covered[place / 64] |= bit;
    if (f->height == f->room) {
        size_t room = f->room ? 2 * f->room : REPORT_EVERY;
        uint32_t *pile = realloc(f->pile, room * sizeof *pile);
        if (!pile) {
            return kz_fail(error, KZ_ERR_MEMORY, "no memory for %zu positions that are still to be looked at", room);
        }
        f->pile = pile;
        f->room = room;
    }
    f->pile[f->height++] = place;
    return KZ_OK;
}

static kz_dobutsu_states states_at(const kz_dobutsu_space *space, uint32_t place) {
    const kz_dobutsu_run *run = kz_dobutsu_run_of(space, place);
    return (kz_dobutsu_states){.own_lion = space->own_lion[run->lion_class],
                               .enemy_lion = space->enemy_lion[run->lion_class],
                               .elephants = run->elephants,
                               .giraffes = run->giraffes,
                               .chicks = space->chick_state[kz_dobutsu_run_chicks(space, run)][place - run->base]};
}

static kz_status flush(finder *f, kz_error *error) {
    kz_status status = kz_outfile_write(&f->file, f->buffer, f->used, error);
    f->used = 0;
    return status;
}

/* Of a position that is won at once the line tells only that. */
static kz_status write_line(finder *f, uint64_t index, kz_error *error) {
    char *at = kz_put_decimal(f->buffer + f->used, index);
    int count = f->win ? 0 : f->count;
    *at++ = ' ';
    *at++ = f->win ? '1' : '0';
    *at++ = ' ';
    at = kz_put_decimal(at, (uint64_t)count);
    for (int i = 0; i < count; i++) {
        *at++ = ' ';
        at = kz_put_decimal(at, f->children[i].index);
    }
    *at++ = '\n';
    f->used = (size_t)(at - f->buffer);
    return f->used >= BUFFER ? flush(f, error) : KZ_OK;
}

static kz_status tell(const kz_progress *progress, uint64_t looked_at, kz_error *error) {
    bool go_on =
        !progress || !progress->report || progress->report(progress->user, "finding positions", looked_at, all_states);
    return go_on ? KZ_OK : kz_fail(error, KZ_ERR_CANCELLED, "interrupted");
}

static kz_status find_all(finder *f, bool won, const kz_export_options *options, uint64_t *written, kz_error *error) {
    kz_dobutsu start;
    uint64_t place;
    kz_dobutsu_start(&start);
    kz_dobutsu_space_rank_all(f->space, &start, &place);
    KZ_TRY(pile_up(f, (uint32_t)place, error));
    for (uint64_t looked_at = 0; f->height; looked_at++) {
        kz_dobutsu_states states = states_at(f->space, f->pile[--f->height]);
        look_at(f, &states);
        if (f->win == won) {
            KZ_TRY(write_line(f, kz_dobutsu_index18_of(&f->index18, &states), error));
            if (++*written == options->count) {
                break;
            }
        }
        for (int i = 0; i < f->count; i++) {
            KZ_TRY(pile_up(f, f->children[i].place, error));
        }
        if (looked_at % REPORT_EVERY == 0) {
            KZ_TRY(tell(options->progress, looked_at, error));
        }
    }
    return flush(f, error);
}

kz_status kz_dobutsu_export_states(const char *path, bool won, const kz_export_options *options, uint64_t *written,
                                   kz_error *error) {
    finder *f = calloc(1, sizeof *f);
    *written = 0;
    if (!f) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to write %s", path ? path : "the stream");
    }
    f->space = kz_dobutsu_space_new();
    f->covered = calloc(KZ_DOBUTSU_DECIDED_END / 64 + 1, sizeof *f->covered);
    bool complete = f->space && f->covered && kz_dobutsu_forward_fill(&f->forward);
    kz_status status = complete ? kz_export_open(&f->file, path, options, error)
                                : kz_fail(error, KZ_ERR_MEMORY, "no memory for a set of positions");
    if (status == KZ_OK) {
        kz_dobutsu_index18_fill(&f->index18);
        status = find_all(f, won, options, written, error);
        if (status == KZ_OK) {
            status = kz_outfile_commit(&f->file, error);
        } else {
            kz_outfile_discard(&f->file);
        }
    }
    kz_dobutsu_space_free(f->space);
    free(f->covered);
    free(f->pile);
    free(f);
    return status;
}
