/* SPDX-License-Identifier: MIT
 *
 * Retrograde analysis alone and by teams, with checkpoints between any two of them, of a game that is made up: a graph
 * whose edges are moves, in which who can't move has lost. What comes out is compared with values that are found
 * forwards, by looking at successors. The members of a team are threads, so that sanitizers see all of it. */
#include "tests/support/testing.h"

#include "base/bits.h"
#include "base/hash.h"
#include "solve/checkpoint.h"
#include "solve/retrograde.h"
#include "solve/team/far_source.h"
#include "tests/support/contents.h"
#include "tests/support/thread_team.h"

#include <stdatomic.h>
#include <unistd.h>

/* ---- The game ----------------------------------------------------------------------------------------------------*/

/* So many that a checkpoint of two members takes more than one round; the last chunk is shorter than the others. */
enum { CHUNK = KZ_BLOCK_POSITIONS, CHUNKS = 300, PLACES = CHUNKS * CHUNK - 1000, MOST_MOVES = 3, NEAR = 2000 };

static uint32_t after[PLACES][MOST_MOVES];
static uint8_t moves[PLACES];
static uint32_t first_before[PLACES + 1]; /* predecessors of a place: before[first_before[place]] and those behind it */
static uint32_t before[PLACES * MOST_MOVES];
static uint8_t plain[PLACES]; /* 0: a draw, otherwise plies + 1, and odd numbers are losses */

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 31) * UINT64_C(0x7FB5D329728EA185);
    x = (x ^ x >> 27) * UINT64_C(0x81DADEF4BC2DD44D);
    return x ^ x >> 33;
}

/* Mostly to places that are close, so that members have much to do by themselves. */
static void make_graph(void) {
    for (uint32_t place = 0; place < PLACES; place++) {
        uint64_t dice = mix(place + 1);
        moves[place] = dice % 97 == 0 ? 0 : (uint8_t)(1 + (dice >> 32) % MOST_MOVES);
        for (unsigned k = 0; k < moves[place]; k++) {
            uint64_t toss = mix(dice + k);
            uint64_t far = toss % 16 == 0 ? toss >> 8 : place + PLACES - NEAR + (toss >> 8) % (2 * NEAR);
            after[place][k] = (uint32_t)(far % PLACES);
            first_before[after[place][k] + 1]++;
        }
    }
    for (uint32_t place = 0; place < PLACES; place++) {
        first_before[place + 1] += first_before[place];
    }
    uint32_t *filled = calloc(PLACES, sizeof *filled);
    assert_non_null(filled);
    for (uint32_t place = 0; place < PLACES; place++) {
        for (unsigned k = 0; k < moves[place]; k++) {
            uint32_t to = after[place][k];
            before[first_before[to] + filled[to]++] = place;
        }
    }
    free(filled);
}

/* All moves lead to wins of the other side, or to the loss of it one does. */
static bool is_decided(uint32_t place, bool lost) {
    for (unsigned k = 0; k < moves[place]; k++) {
        uint8_t cell = plain[after[place][k]];
        bool win_of_other = cell != 0 && cell % 2 == 0;
        bool loss_of_other = cell % 2 == 1;
        if (lost ? !win_of_other : loss_of_other) {
            return !lost;
        }
    }
    return lost;
}

static void solve_plainly(void) {
    for (int n = 0, idle = 0; idle < 2; n++) {
        bool found = false;
        for (uint32_t place = 0; place < PLACES; place++) {
            if (plain[place] == 0 && is_decided(place, n % 2 == 0)) {
                plain[place] = (uint8_t)(n + 1);
                found = true;
            }
        }
        idle = found ? 0 : idle + 1;
        assert_true(n < KZ_MAX_DISTANCE);
    }
}

/* ---- Its solver --------------------------------------------------------------------------------------------------*/

typedef struct solver {
    int member;
    int members;
    _Atomic uint8_t *cells;   /* as `plain` */
    _Atomic uint8_t *escapes; /* moves that don't let the other side win */
    uint8_t *known;           /* cells of all members, as of the last time that they were told */
} solver;

static uint64_t first_chunk(const solver *s, int member) {
    return (uint64_t)CHUNKS * (uint64_t)member / (uint64_t)s->members;
}

static uint64_t end_of(uint64_t chunk) { return (chunk + 1) * CHUNK < PLACES ? (chunk + 1) * CHUNK : PLACES; }

static void *solver_open(int rules, kz_error *error) {
    (void)rules;
    (void)error;
    solver *s = calloc(1, sizeof *s);
    if (s) {
        *s = (solver){0, 1, calloc(PLACES, 1), calloc(PLACES, 1), calloc(PLACES, 1)};
    }
    return s;
}

static void solver_close(void *context) {
    solver *s = context;
    free((void *)s->cells);
    free((void *)s->escapes);
    free(s->known);
    free(s);
}

static void solver_take_shard(void *context, int member, int members) {
    solver *s = context;
    s->member = member;
    s->members = members;
}

static void solver_slices(const void *context, uint64_t *begin, uint64_t *end) {
    const solver *s = context;
    *begin = first_chunk(s, s->member);
    *end = first_chunk(s, s->member + 1);
}

static void solver_shard(const void *context, uint64_t *begin, uint64_t *end, uint64_t *chunk) {
    solver_slices(context, begin, end);
    *begin *= CHUNK;
    *end = *end * CHUNK < PLACES ? *end * CHUNK : PLACES;
    *chunk = CHUNK;
}

static int solver_owner(const void *context, uint64_t place) {
    const solver *s = context;
    int member = 0;
    while (place / CHUNK >= first_chunk(s, member + 1)) {
        member++;
    }
    return member;
}

static void solver_start(void *context, uint64_t begin, uint64_t end) {
    solver *s = context;
    for (uint64_t place = begin * CHUNK; place < end_of(end - 1); place++) {
        s->cells[place] = moves[place] == 0;
    }
}

static void be_told(solver *s, kz_step step, uint64_t place) {
    uint8_t open = 0;
    if (step.counting) {
        s->escapes[place]++;
    } else if (!step.wins) {
        atomic_compare_exchange_strong(&s->cells[place], &open, (uint8_t)(step.n + 2));
    } else if (s->cells[place] == 0 && --s->escapes[place] == 0) {
        s->cells[place] = (uint8_t)(step.n + 2);
    }
}

static void solver_receive(void *context, kz_step step, const kz_updates *places) {
    for (unsigned i = 0; i < places->count; i++) {
        be_told(context, step, places->segment * UINT64_C(65536) + places->offsets[i]);
    }
}

static void tell_all_before(solver *s, kz_outbox *outbox, kz_step step, uint64_t place) {
    for (uint32_t i = first_before[place]; i < first_before[place + 1]; i++) {
        int owner = solver_owner(s, before[i]);
        uint16_t offset = (uint16_t)(before[i] % 65536);
        if (owner == s->member) {
            be_told(s, step, before[i]);
        } else if (s->known[before[i]] == 0) {
            kz_outbox_put(outbox, owner, &(kz_updates){(uint16_t)(before[i] / 65536), 1, &offset});
        }
    }
}

static uint64_t tell_from(solver *s, kz_outbox *outbox, kz_step step, uint8_t cell, uint64_t begin, uint64_t end) {
    uint64_t sources = 0;
    for (uint64_t place = begin * CHUNK; place < end_of(end - 1); place++) {
        if (s->cells[place] == cell) {
            tell_all_before(s, outbox, step, place);
            sources++;
        }
    }
    return sources;
}

static uint64_t solver_count(void *context, kz_outbox *outbox, uint64_t begin, uint64_t end) {
    return tell_from(context, outbox, (kz_step){.counting = true}, 0, begin, end);
}

static void solver_settle(void *context, uint64_t begin, uint64_t end) {
    solver *s = context;
    for (uint64_t place = begin * CHUNK; place < end_of(end - 1); place++) {
        if (s->cells[place] == 0 && s->escapes[place] == 0) {
            s->cells[place] = 3;
        }
    }
}

/* Who has lost is at an odd number. */
static uint64_t solver_propagate(void *context, kz_outbox *outbox, bool wins, int n, uint64_t begin, uint64_t end) {
    return (n % 2 == 1) == wins
               ? tell_from(context, outbox, (kz_step){.wins = wins, .n = n}, (uint8_t)(n + 1), begin, end)
               : 0;
}

static void solver_clear(void *context, int n) {
    (void)context;
    (void)n;
}

static void *solver_hints(void *context, uint64_t *begins) {
    solver *s = context;
    for (int member = 0; member <= s->members; member++) {
        begins[member] = first_chunk(s, member) * CHUNK;
    }
    begins[s->members] = PLACES;
    memcpy(s->known + begins[s->member], (void *)(s->cells + begins[s->member]),
           begins[s->member + 1] - begins[s->member]);
    return s->known;
}

static size_t solver_state_bytes(const void *context, uint64_t begin, uint64_t end) {
    (void)context;
    return 2 * (end - begin);
}

static void solver_save(const void *context, uint64_t begin, uint64_t end, uint8_t *bytes) {
    const solver *s = context;
    memcpy(bytes, (void *)(s->cells + begin), end - begin);
    memcpy(bytes + (end - begin), (void *)(s->escapes + begin), end - begin);
}

static void solver_load(void *context, int n, uint64_t begin, uint64_t end, const uint8_t *bytes) {
    (void)n;
    solver *s = context;
    memcpy((void *)(s->cells + begin), bytes, end - begin);
    memcpy((void *)(s->escapes + begin), bytes + (end - begin), end - begin);
}

static void add_value(uint8_t cell, uint64_t *losses, uint64_t *wins, uint64_t *draws) {
    if (cell == 0) {
        ++*draws;
    } else {
        ++(cell % 2 ? losses : wins)[cell - 1];
    }
}

static void solver_tally(const void *context, uint64_t begin, uint64_t end, uint64_t losses[KZ_MAX_DISTANCE + 1],
                         uint64_t wins[KZ_MAX_DISTANCE + 1], uint64_t *draws) {
    const solver *s = context;
    for (uint64_t place = begin; place < end; place++) {
        add_value(s->cells[place], losses, wins, draws);
    }
}

static kz_status read_losses(void *context, int worker, uint64_t unit, uint8_t *numbers, kz_error *error) {
    (void)worker;
    (void)error;
    const solver *s = context;
    for (uint64_t place = unit * CHUNK; place < end_of(unit); place++) {
        *numbers++ = s->cells[place] % 2 ? s->cells[place] : 0;
    }
    return KZ_OK;
}

static kz_source solver_source(void *context) { return (kz_source){.context = context, .read = read_losses}; }

static uint64_t index_size(const kz_game *that, int rules) {
    (void)that;
    (void)rules;
    return PLACES;
}

static const kz_solver_ops ops = {
    .open = solver_open,
    .close = solver_close,
    .take_shard = solver_take_shard,
    .shard = solver_shard,
    .owner = solver_owner,
    .slices = solver_slices,
    .start = solver_start,
    .count = solver_count,
    .settle = solver_settle,
    .propagate = solver_propagate,
    .receive = solver_receive,
    .clear = solver_clear,
    .hints = solver_hints,
    .state_bytes = solver_state_bytes,
    .save = solver_save,
    .load = solver_load,
    .tally = solver_tally,
    .source = solver_source,
};
static const char *const rules[] = {"one", "other", NULL};
static const kz_game game = {.name = "graph", .title = "", .rules = rules, .index_size = index_size, .solver = &ops};

/* ---- Runs --------------------------------------------------------------------------------------------------------*/

typedef struct run {
    /* Asked for: */
    int members;
    int threads; /* of each */
    int rules;
    const char *folder;
    int last_distance;
    double checkpoint_seconds;
    uint64_t stop_after; /* sources; 0: never */
    /* Found: */
    kz_status status[THREAD_TEAM_MOST];
    kz_error error[THREAD_TEAM_MOST];
    bool complete;
    uint8_t *cells;
    uint8_t *losses; /* as a table gets them */
    kz_histogram histogram;
    atomic_int reports;
} run;

static bool hear(void *user, const char *stage, uint64_t done, uint64_t total) {
    run *r = user;
    r->reports++;
    return r->stop_after == 0 || strcmp(stage, "going back") != 0 || done < r->stop_after || done > total;
}

/* A question that is none of the member's business, then all that there are. */
static kz_status read_from_all(run *r, void *s, kz_team *team, kz_error *error) {
    kz_far_source *far = kz_far_source_new(&game, s, 1, team);
    kz_status status = kz_team_agree(team, far ? KZ_OK : KZ_ERR_MEMORY, error);
    if (!far || status != KZ_OK) {
        return status;
    }
    kz_source source = kz_far_source_of(far);
    kz_buffer answer = {.bytes = NULL};
    kz_status refused = kz_team_ask(team, 1, 0, &answer, error);
    kz_buffer_free(&answer);
    for (uint64_t unit = 0; status == KZ_OK && unit < CHUNKS; unit++) {
        status = source.read(source.context, 0, unit, r->losses + unit * CHUNK, error);
    }
    kz_team_dismiss(team, NULL);
    kz_far_source_free(far);
    return refused == KZ_ERR_INPUT ? status : KZ_ERR_UNSUPPORTED;
}

static kz_status take_results(run *r, solver *s, kz_pool *pool, kz_team *team, kz_error *error) {
    uint64_t begin, end, chunk;
    solver_shard(s, &begin, &end, &chunk);
    memcpy(r->cells + begin, (void *)(s->cells + begin), end - begin);
    kz_histogram histogram;
    kz_status status = kz_retrograde_histogram(&game, s, pool, team, &histogram, error);
    if (kz_team_rank(team) == 0) {
        r->histogram = histogram;
    }
    if (status != KZ_OK || kz_team_size(team) == 1) {
        return status;
    }
    return kz_team_rank(team) == 0 ? read_from_all(r, s, team, error) : kz_far_source_serve(&game, s, team, error);
}

static void take_part_in(kz_team *team, void *context) {
    run *r = context;
    int rank = kz_team_rank(team);
    kz_error *error = &r->error[rank];
    kz_pool *pool = kz_pool_new(r->threads, error);
    const kz_progress progress = {.report = hear, .user = r};
    const kz_retrograde_plan plan = {.game = &game,
                                     .rules = r->rules,
                                     .pool = pool,
                                     .progress = &progress,
                                     .team = team,
                                     .folder = r->folder,
                                     .checkpoint_seconds = r->checkpoint_seconds,
                                     .last_distance = r->last_distance};
    void *s = NULL;
    bool complete = false;
    r->status[rank] = pool ? kz_retrograde_run(&plan, &s, &complete, error) : KZ_ERR_MEMORY;
    if (r->status[rank] == KZ_OK && complete) {
        r->status[rank] = take_results(r, s, pool, team, error);
    }
    if (rank == 0) {
        r->complete = complete;
    }
    if (s) {
        solver_close(s);
    }
    if (pool) {
        kz_pool_free(pool);
    }
}

static void go(run *r) {
    r->cells = calloc(PLACES, 1);
    r->losses = calloc(CHUNKS, CHUNK);
    assert_true(r->cells && r->losses);
    if (r->members == 1) {
        take_part_in(NULL, r);
    } else {
        run_as_threads(r->members, take_part_in, r);
    }
}

static void end_run(run *r) {
    free(r->cells);
    free(r->losses);
}

static void assert_all(const run *r, kz_status status) {
    for (int member = 0; member < r->members; member++) {
        if (r->status[member] != status) {
            fail_msg("member %d of %d: %d, %s", member, r->members, r->status[member], r->error[member].message);
        }
        assert_string_equal(r->error[member].message, r->error[0].message);
    }
}

static void assert_solved(run r) {
    go(&r);
    for (int member = 0; member < r.members; member++) {
        r.error[member].message[0] = '\0'; /* member 0 was refused an answer */
    }
    assert_all(&r, KZ_OK);
    assert_true(r.complete);
    assert_memory_equal(r.cells, plain, PLACES);
    kz_histogram expected = {.draws = 0};
    for (uint32_t place = 0; place < PLACES; place++) {
        add_value(plain[place], expected.losses, expected.wins, &expected.draws);
        if (r.members > 1) {
            assert_int_equal(r.losses[place], plain[place] % 2 ? plain[place] : 0);
        }
    }
    assert_memory_equal(&r.histogram, &expected, sizeof expected);
    assert_true(r.reports > 0);
    end_run(&r);
}

/* Not to the end. */
static void assert_stops(run r, kz_status status) {
    go(&r);
    assert_all(&r, status);
    assert_false(r.complete);
    end_run(&r);
}

/* ---- Tests -------------------------------------------------------------------------------------------------------*/

static int make_and_solve(void **state) {
    (void)state;
    make_graph();
    solve_plainly();
    return 0;
}

/* There are wins and losses of many lengths, and draws. */
static void test_the_game_is_worth_solving(void **state) {
    (void)state;
    uint8_t longest = 0;
    unsigned draws = 0;
    for (uint32_t place = 0; place < PLACES; place++) {
        longest = plain[place] > longest ? plain[place] : longest;
        draws += plain[place] == 0;
    }
    assert_true(longest > 20 && draws > PLACES / 100);
}

static void test_alone(void **state) {
    (void)state;
    assert_solved((run){.members = 1, .threads = 1});
    assert_solved((run){.members = 1, .threads = 3});
}

static void test_teams(void **state) {
    (void)state;
    assert_solved((run){.members = 2, .threads = 2});
    assert_solved((run){.members = 3, .threads = 1});
    assert_solved((run){.members = 5, .threads = 1});
}

/* Stopped on request, by the clock and by an interrupt; gone on with by others. */
static void test_checkpoints(void **state) {
    (void)state;
    const char *folder = "retrograde.work";
    assert_stops((run){.members = 2, .threads = 2, .folder = folder, .last_distance = 5}, KZ_OK);
    assert_stops((run){.members = 3, .threads = 1, .folder = folder, .last_distance = 8}, KZ_OK);
    assert_stops((run){.members = 1, .threads = 2, .folder = folder, .last_distance = 9}, KZ_OK);
    assert_stops((run){.members = 2, .threads = 1, .folder = folder, .stop_after = 1}, KZ_ERR_CANCELLED);
    assert_solved((run){.members = 5, .threads = 1, .folder = folder, .checkpoint_seconds = 1e-9});
    assert_int_equal(access("retrograde.work/checkpoint.kzr", F_OK), 0);
    assert_solved((run){.members = 1, .threads = 1, .folder = folder});
    kz_checkpoint_remove(folder);
    assert_int_not_equal(access(folder, F_OK), 0);
}

/* What member 0 can't write or read, all fail with. */
static void test_failures(void **state) {
    (void)state;
    const char *folder = "failing.work";
    put_content("blocked", "", 0);
    assert_stops((run){.members = 3, .threads = 1, .folder = "blocked/work", .last_distance = 3}, KZ_ERR_IO);
    unlink("blocked");

    assert_stops((run){.members = 1, .threads = 1, .folder = folder, .last_distance = 4}, KZ_OK);
    assert_stops((run){.members = 2, .threads = 1, .rules = 1, .folder = folder}, KZ_ERR_CORRUPT);
    const char *path = "failing.work/checkpoint.kzr";
    content whole = needed_content(path);
    static const double places[] = {0, 0.001, 0.5, 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t at = (size_t)(places[i] * (double)(whole.size - 1));
        whole.bytes[at] ^= 16;
        put_content(path, whole.bytes, whole.size);
        assert_stops((run){.members = 1 + (int)i % 3, .threads = 1, .folder = folder}, KZ_ERR_CORRUPT);
        whole.bytes[at] ^= 16;
    }
    put_content(path, whole.bytes, whole.size - 1);
    assert_stops((run){.members = 2, .threads = 1, .folder = folder}, KZ_ERR_CORRUPT);
    /* A reserved byte that is not 0, with a header whose hash is right. */
    enum { RESERVED = 95, HEADER_HASH = 120 };
    uint64_t hash = kz_load_le64(whole.bytes + HEADER_HASH);
    whole.bytes[RESERVED] = 1;
    kz_store_le64(whole.bytes + HEADER_HASH, kz_hash64(whole.bytes, HEADER_HASH));
    put_content(path, whole.bytes, whole.size);
    assert_stops((run){.members = 2, .threads = 1, .folder = folder}, KZ_ERR_CORRUPT);
    whole.bytes[RESERVED] = 0;
    kz_store_le64(whole.bytes + HEADER_HASH, hash);
    put_content(path, whole.bytes, whole.size);
    assert_solved((run){.members = 2, .threads = 1, .folder = folder});
    free(whole.bytes);
    kz_checkpoint_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_game_is_worth_solving),
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_teams),
        cmocka_unit_test(test_checkpoints),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests_name("retrograde", tests, make_and_solve, NULL);
}
