/* SPDX-License-Identifier: MIT
 *
 * What the members of a team call while they solve a game together: mail for positions of others, checkpoints that any
 * other number of members goes on from, and the entries of others for the table. The state is made up. The members are
 * threads, so that sanitizers see all of it. */
#include "tests/support/testing.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/random.h"
#include "games/dobutsu/table/plan.h"
#include "solve/checkpoint.h"
#include "solve/job.h"
#include "solve/team/mail.h"
#include "tests/support/forge.h"
#include "tests/support/thread_team.h"

#include <stdatomic.h>
#include <unistd.h>

/* So many that a checkpoint of two members takes more than one round; the last segment is shorter than the others. */
enum { SEGMENT = KZ_BLOCK_POSITIONS, SEGMENTS = 300, PLACES = SEGMENTS * SEGMENT - 1000 };

static uint64_t first_place(int member, int members) {
    uint64_t place = kz_team_part(SEGMENTS, member, members) * SEGMENT;
    return place < PLACES ? place : PLACES;
}

/* What a call found, at each member. */
typedef struct run {
    int members;
    kz_status status[THREAD_TEAM_MOST];
    kz_error error[THREAD_TEAM_MOST];
} run;

static void assert_all(const run *r, kz_status status) {
    for (int member = 0; member < r->members; member++) {
        if (r->status[member] != status) {
            fail_msg("member %d of %d: %d, %s", member, r->members, r->status[member], r->error[member].message);
        }
        assert_string_equal(r->error[member].message, r->error[0].message);
    }
}

static void go(int members, thread_member *part, void *context) {
    if (members == 1) {
        part(NULL, context);
    } else {
        run_as_threads(members, part, context);
    }
}

/* ---- Checkpoints -------------------------------------------------------------------------------------------------*/

typedef struct saving {
    run run;
    const char *rules;
    const char *folder;
    int refused; /* the segment whose bytes `load` does not take; 0: none */
    kz_checkpoint checkpoint[THREAD_TEAM_MOST];
    bool found[THREAD_TEAM_MOST];
    uint8_t *loads; /* how often a place was loaded */
    uint8_t *state;
    int distance;
} saving;

static uint8_t cell_of(uint64_t place, int distance) {
    return (uint8_t)(kz_scramble(place) >> 60 | (unsigned)distance << 4);
}

static size_t save(const void *context, uint64_t begin, uint64_t end, uint8_t *bytes) {
    const saving *s = context;
    for (uint64_t place = begin; place < end; place++) {
        *bytes++ = cell_of(place, s->distance);
        *bytes++ = (uint8_t)(255 - cell_of(place, s->distance));
    }
    return 2 * (size_t)(end - begin);
}

static bool load(void *context, int distance, uint64_t begin, uint64_t end, const uint8_t *bytes, size_t size) {
    saving *s = context;
    if (size != 2 * (end - begin) || (s->refused && begin == (uint64_t)s->refused * SEGMENT)) {
        return false;
    }
    for (uint64_t place = begin; place < end; place++, bytes += 2) {
        s->loads[place] = (uint8_t)(s->loads[place] + (bytes[0] + bytes[1] == 255));
        s->state[place] = (uint8_t)(bytes[0] ^ (unsigned)distance << 4);
    }
    return true;
}

static kz_checkpoint_state state_of(saving *s) {
    return (kz_checkpoint_state){.game = "made-up",
                                 .rules = s->rules ? s->rules : "one",
                                 .positions = PLACES,
                                 .segment = SEGMENT,
                                 .most = 2 * SEGMENT,
                                 .context = s,
                                 .save = save,
                                 .load = load};
}

static void write_part(kz_team *team, void *context) {
    saving *s = context;
    int rank = kz_team_rank(team);
    const kz_checkpoint_state state = state_of(s);
    const kz_checkpoint checkpoint = {s->distance, 1, 1000, UINT64_C(1) << 40};
    kz_pool *pool = kz_pool_new(1 + rank % 2, NULL);
    s->run.status[rank] = kz_checkpoint_write(&checkpoint, &state, s->folder, pool, team, &s->run.error[rank]);
    kz_pool_free(pool);
}

static void read_part(kz_team *team, void *context) {
    saving *s = context;
    int rank = kz_team_rank(team);
    const kz_checkpoint_state state = state_of(s);
    kz_pool *pool = kz_pool_new(1 + rank % 2, NULL);
    s->run.status[rank] =
        kz_checkpoint_read(&s->checkpoint[rank], &state, s->folder, pool, team, &s->found[rank], &s->run.error[rank]);
    kz_pool_free(pool);
}

static void assert_writes(int members, const char *folder, int distance, kz_status status) {
    saving s = {.run.members = members, .folder = folder, .distance = distance};
    go(members, write_part, &s);
    assert_all(&s.run, status);
}

/* What is asked for is in `s`. */
static void assert_reads(saving s, kz_status status) {
    s.loads = calloc(PLACES, 1);
    s.state = calloc(PLACES, 1);
    assert_true(s.loads && s.state);
    go(s.run.members, read_part, &s);
    assert_all(&s.run, status);
    for (int member = 0; status == KZ_OK && member < s.run.members; member++) {
        const kz_checkpoint *c = &s.checkpoint[member];
        assert_true(s.found[member]);
        assert_true(c->distance == s.distance && c->idle == 1 && c->open == 1000 && c->sources == UINT64_C(1) << 40);
    }
    for (uint64_t place = 0; status == KZ_OK && place < PLACES; place++) {
        assert_int_equal(s.loads[place], 1);
        assert_int_equal(s.state[place], cell_of(place, 0));
    }
    free(s.loads);
    free(s.state);
}

/* From any number of members to any other. */
TEST(test_checkpoints) {
    static const int members[] = {1, 2, 3, 5, 8};
    enum { KINDS = sizeof members / sizeof *members };
    const char *folder = "some.work";
    saving nothing = {.run.members = 3, .folder = folder};
    go(3, read_part, &nothing);
    assert_all(&nothing.run, KZ_OK);
    assert_false(nothing.found[0] || nothing.found[1] || nothing.found[2]);
    for (int from = 0; from < KINDS; from++) {
        int distance = 3 + from; /* the one before is replaced */
        assert_writes(members[from], folder, distance, KZ_OK);
        for (int to = 0; to < KINDS; to++) {
            assert_reads((saving){.run.members = members[to], .folder = folder, .distance = distance}, KZ_OK);
        }
    }
    kz_checkpoint_remove(folder);
    assert_int_not_equal(access(folder, F_OK), 0);
}

/* What one member can't write, read or take, all fail with. */
TEST(test_failures) {
    const char *folder = "failing.work";
    const char *path = "failing.work/checkpoint.kzr";
    put_content("blocked", "", 0);
    assert_writes(3, "blocked/work", 3, KZ_ERR_IO);
    unlink("blocked");

    assert_writes(1, folder, 4, KZ_OK);
    assert_reads((saving){.run.members = 2, .folder = folder, .rules = "other"}, KZ_ERR_CORRUPT);
    assert_reads((saving){.run.members = 3, .folder = folder, .refused = SEGMENTS - 1}, KZ_ERR_CORRUPT);
    content whole = needed_content(path);
    static const double places[] = {0, 0.001, 0.5, 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t at = (size_t)(places[i] * (double)(whole.size - 1));
        whole.bytes[at] ^= 16;
        put_content(path, whole.bytes, whole.size);
        assert_reads((saving){.run.members = 1 + (int)i % 3, .folder = folder}, KZ_ERR_CORRUPT);
        whole.bytes[at] ^= 16;
    }
    put_content(path, whole.bytes, whole.size - 1);
    assert_reads((saving){.run.members = 2, .folder = folder}, KZ_ERR_CORRUPT);
    /* A reserved byte that is not 0, with a header whose hash is right. */
    enum { RESERVED = 95, HEADER_HASH = 120 };
    uint64_t hash = kz_load_le64(whole.bytes + HEADER_HASH);
    whole.bytes[RESERVED] = 1;
    kz_store_le64(whole.bytes + HEADER_HASH, kz_hash64(whole.bytes, HEADER_HASH));
    put_content(path, whole.bytes, whole.size);
    assert_reads((saving){.run.members = 2, .folder = folder}, KZ_ERR_CORRUPT);
    whole.bytes[RESERVED] = 0;
    kz_store_le64(whole.bytes + HEADER_HASH, hash);
    put_content(path, whole.bytes, whole.size);
    assert_reads((saving){.run.members = 2, .folder = folder, .distance = 4}, KZ_OK);
    free(whole.bytes);
    kz_checkpoint_remove(folder);
}

/* ---- Entries of others -------------------------------------------------------------------------------------------*/

typedef struct reading {
    run run;
    uint8_t *entries; /* as member 0 gets them */
    kz_status refused;
} reading;

static uint8_t entry_of(uint64_t place) {
    uint64_t dice = kz_scramble(place);
    return dice % 4 ? 0 : (uint8_t)(dice >> 56);
}

static kz_status read_own(void *context, int worker, uint64_t extent, uint8_t *numbers, kz_error *error) {
    const uint64_t *own = context;
    (void)worker;
    uint64_t begin = extent * KZ_BLOCK_POSITIONS;
    uint64_t end = begin + KZ_BLOCK_POSITIONS < PLACES ? begin + KZ_BLOCK_POSITIONS : PLACES;
    if (begin < own[0] || end > own[1]) {
        return kz_fail(error, KZ_ERR_INPUT, "not its own");
    }
    for (uint64_t place = begin; place < end; place++) {
        *numbers++ = entry_of(place);
    }
    return KZ_OK;
}

/* A question that is none of the member's business, then all that there are. */
static kz_status read_from_all(reading *r, const kz_far_shard *shard, kz_error *error) {
    kz_far_source *far = kz_far_source_new(shard, 1);
    kz_status status = kz_team_agree(shard->team, far ? KZ_OK : KZ_ERR_MEMORY, error);
    if (!far || status != KZ_OK) {
        return status;
    }
    kz_source source = kz_far_source_of(far);
    kz_buffer answer = {.bytes = NULL};
    r->refused = kz_team_ask(shard->team, 1, 0, &answer, error);
    kz_buffer_free(&answer);
    for (uint64_t extent = 0; status == KZ_OK && extent * KZ_BLOCK_POSITIONS < PLACES; extent++) {
        status = source.read(source.context, 0, extent, r->entries + extent * KZ_BLOCK_POSITIONS, error);
    }
    kz_team_dismiss(shard->team, NULL);
    kz_far_source_free(far);
    return status;
}

static void read_entries(kz_team *team, void *context) {
    reading *r = context;
    int rank = kz_team_rank(team);
    int members = kz_team_size(team);
    uint64_t own[] = {first_place(rank, members), first_place(rank + 1, members)};
    const kz_far_shard shard = {team, {.context = own, .read = read_own}, PLACES, KZ_BLOCK_POSITIONS, SEGMENT};
    kz_error *error = &r->run.error[rank];
    r->run.status[rank] = rank == 0 ? read_from_all(r, &shard, error) : kz_far_source_serve(&shard, error);
}

TEST(test_entries) {
    for (int members = 2; members <= 5; members++) {
        reading r = {.run.members = members, .entries = calloc(SEGMENTS, SEGMENT)};
        assert_non_null(r.entries);
        uint64_t questions = run_as_threads(members, read_entries, &r);
        for (int member = 0; member < members; member++) {
            assert_int_equal(r.run.status[member], KZ_OK);
        }
        assert_int_equal(r.refused, KZ_ERR_INPUT);
        assert_int_equal(questions, 1 + SEGMENTS - kz_team_part(SEGMENTS, 1, members)); /* each segment once */
        for (uint64_t place = 0; place < PLACES; place++) {
            assert_int_equal(r.entries[place], entry_of(place));
        }
        free(r.entries);
    }
}

/* ---- Mail --------------------------------------------------------------------------------------------------------*/

enum { ITEMS = 3000, LETTERS = 40, STEPS = 3 };

typedef struct mailing {
    run run;
    int stops; /* the member whose listener asks to stop; -1: none */
    _Atomic uint32_t *seen;
    atomic_int reports;
} mailing;

typedef struct postman {
    mailing *m;
    kz_mail *mail;
    int members;
    int rank;
} postman;

/* Where a letter of an item goes. */
static uint64_t place_of(uint64_t item, unsigned letter) { return kz_scramble(item * LETTERS + letter) % PLACES; }

static int owner_of(uint64_t place, int members) {
    int member = 0;
    while (place >= first_place(member + 1, members)) {
        member++;
    }
    return member;
}

static void send_letters(void *context, int worker, uint64_t begin, uint64_t end) {
    const postman *p = context;
    (void)worker;
    for (uint64_t item = begin; item < end; item++) {
        for (unsigned letter = 0; letter < LETTERS; letter++) {
            uint64_t place = place_of(item, letter);
            uint16_t offset = (uint16_t)(place % 65536);
            kz_mail_put(p->mail, owner_of(place, p->members), &(kz_updates){(uint16_t)(place / 65536), 1, &offset});
        }
    }
}

/* What comes to the wrong member is counted nowhere. */
static void read_letters(void *context, int worker, const kz_updates *updates) {
    const postman *p = context;
    (void)worker;
    for (unsigned i = 0; i < updates->count; i++) {
        uint64_t place = updates->segment * UINT64_C(65536) + updates->offsets[i];
        p->m->seen[place] += owner_of(place, p->members) == p->rank;
    }
}

static bool hear(void *user, const char *stage, uint64_t done, uint64_t total) {
    const postman *p = user;
    (void)stage;
    p->m->reports++;
    return p->m->stops != p->rank || done > total;
}

static void exchange_letters(kz_team *team, void *context) {
    mailing *m = context;
    int rank = kz_team_rank(team);
    int members = kz_team_size(team);
    kz_pool *pool = kz_pool_new(2, NULL);
    postman p = {m, kz_mail_new(team), members, rank};
    const kz_progress progress = {.report = hear, .user = &p};
    const kz_mail_step step = {team,
                               p.mail,
                               pool,
                               kz_team_part(ITEMS, rank, members),
                               kz_team_part(ITEMS, rank + 1, members),
                               send_letters,
                               read_letters,
                               &p,
                               &progress,
                               "posting"};
    m->run.status[rank] = KZ_OK;
    for (int i = 0; i < STEPS && m->run.status[rank] == KZ_OK; i++) {
        m->run.status[rank] = kz_mail_do(&step, &m->run.error[rank]);
    }
    kz_mail_free(p.mail);
    kz_pool_free(pool);
}

/* All letters come to the one who keeps the place, once in each step. */
TEST(test_mail) {
    uint32_t *expected = calloc(PLACES, sizeof *expected);
    assert_non_null(expected);
    for (uint64_t item = 0; item < ITEMS; item++) {
        for (unsigned letter = 0; letter < LETTERS; letter++) {
            expected[place_of(item, letter)] += STEPS;
        }
    }
    for (int members = 2; members <= 5; members++) {
        mailing m = {.run.members = members, .stops = -1, .seen = calloc(PLACES, sizeof *m.seen)};
        assert_non_null(m.seen);
        run_as_threads(members, exchange_letters, &m);
        assert_all(&m.run, KZ_OK);
        for (uint64_t place = 0; place < PLACES; place++) {
            assert_int_equal(m.seen[place], expected[place]);
        }
        assert_true(m.reports > 0);
        free((void *)m.seen);
    }
    free(expected);
}

/* One is asked to stop: all do. */
TEST(test_interrupted) {
    for (int stops = 0; stops < 3; stops++) {
        mailing m = {.run.members = 3, .stops = stops, .seen = calloc(PLACES, sizeof *m.seen)};
        assert_non_null(m.seen);
        run_as_threads(3, exchange_letters, &m);
        assert_all(&m.run, KZ_ERR_CANCELLED);
        free((void *)m.seen);
    }
}

TESTS(NULL, NULL)
