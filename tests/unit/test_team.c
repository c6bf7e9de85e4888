/* SPDX-License-Identifier: MIT
 *
 * A team of one, parcels, and mail. tests/mpi/team_mpi.c tests larger teams. */
#include "tests/support/testing.h"

#include "solve/team/mail.h"
#include "solve/team/team.h"

#include <kanzen/system.h>
#include <stdlib.h>
#include <string.h>

TEST(a_parcel_grows_and_keeps_what_it_has) {
    kz_buffer parcel = {.bytes = NULL};
    assert_int_equal(parcel.size, 0);
    for (unsigned i = 0; i < 1000; i++) {
        uint8_t *bytes = kz_buffer_add(&parcel, i);
        assert_non_null(bytes); /* for nothing, too: NULL means that there is no memory */
        memset(bytes, (int)(i % 256), i);
    }
    assert_int_equal(parcel.size, 999 * 1000 / 2);
    assert_true(parcel.room >= parcel.size);
    const uint8_t *at = parcel.bytes;
    for (unsigned i = 0; i < 1000; i++) {
        for (unsigned k = 0; k < i; k++) {
            assert_int_equal(*at++, i % 256);
        }
    }
    size_t before = parcel.size;
    assert_null(kz_buffer_add(&parcel, SIZE_MAX));
    assert_null(kz_buffer_add(&parcel, SIZE_MAX / 2));
    assert_int_equal(parcel.size, before);
    kz_buffer_free(&parcel);
    assert_null(parcel.bytes);
    assert_int_equal(parcel.room, 0);
    kz_buffer_free(&parcel);
}

static kz_status no_answer(void *context, uint64_t question, kz_buffer *answer, kz_error *error) {
    (void)context;
    (void)question;
    (void)answer;
    (void)error;
    fail();
    return KZ_OK;
}

static void check_calls(kz_team *team) {
    kz_error error = {.status = KZ_OK};
    assert_int_equal(kz_team_rank(team), 0);
    assert_int_equal(kz_team_size(team), 1);
    assert_false(kz_team_broken(team));
    assert_int_equal(kz_team_processors(team), kz_processor_count());

    uint64_t values[3] = {1, 2, UINT64_MAX};
    assert_int_equal(kz_team_sum(team, values, 3, &error), KZ_OK);
    assert_true(values[0] == 1 && values[1] == 2 && values[2] == UINT64_MAX);
    assert_int_equal(kz_team_agree(team, KZ_OK, &error), KZ_OK);
    strcpy(error.message, "mine");
    assert_int_equal(kz_team_agree(team, KZ_ERR_CORRUPT, &error), KZ_ERR_CORRUPT);
    assert_string_equal(error.message, "mine");
    char text[] = "text";
    assert_int_equal(kz_team_broadcast(team, 0, text, sizeof text, &error), KZ_OK);
    assert_int_equal(kz_team_gather(team, text, (const uint64_t[]){0, sizeof text}, &error), KZ_OK);
    assert_string_equal(text, "text");

    kz_buffer out = {.bytes = NULL};
    kz_buffer in = {.bytes = NULL};
    for (size_t size = 0; size <= 1000; size += 500) {
        out.size = 0;
        uint8_t *bytes = kz_buffer_add(&out, size);
        if (size > 0) {
            memset(bytes, 7, size);
        }
        kz_team_exchange_poll(team);
        assert_int_equal(kz_team_exchange_begin(team, &out, &in, &error), KZ_OK);
        kz_team_exchange_poll(team);
        assert_int_equal(kz_team_exchange_end(team, &error), KZ_OK);
        assert_int_equal(in.size, size);
        assert_true(size == 0 || memcmp(in.bytes, out.bytes, size) == 0);
    }
    kz_buffer_free(&out);

    assert_int_equal(kz_team_serve(team, no_answer, NULL, &error), KZ_OK);
    assert_int_equal(kz_team_dismiss(team, &error), KZ_OK);
    assert_int_equal(kz_team_ask(team, 0, 1, &in, &error), KZ_ERR_INPUT);
    kz_buffer_free(&in);
    assert_int_equal(kz_team_spent(team).bytes, 0);
    assert_true(kz_team_spent(team).seconds == 0);
}

TEST(one_needs_no_mpi) {
    check_calls(NULL);
    kz_team_leave(NULL, true);
    kz_team *team = NULL;
    kz_error error;
    assert_int_equal(kz_team_join(&team, &error), KZ_OK);
    assert_non_null(team);
    check_calls(team);
    kz_team_leave(team, true); /* there are no others, so this returns */
}

/* ---- Mail --------------------------------------------------------------------------------------------------------*/

enum { PLACES = 3 << 16 };

static void read_places(void *context, int worker, const kz_updates *places) {
    (void)worker;
    _Atomic int *seen = context;
    for (unsigned i = 0; i < places->count; i++) {
        seen[places->segment * 65536 + places->offsets[i]]++;
    }
}

/* Fills the box with `letters` letters; which places are told about depends on the round. */
static void write_letters(kz_mail *mail, unsigned letters, unsigned round, int *expected) {
    size_t before = kz_mail_waiting(mail);
    for (unsigned i = 0; i < letters; i++) {
        uint16_t offsets[300];
        kz_updates places = {(uint16_t)((i + round) % 3), (uint16_t)(i % 300), offsets};
        for (unsigned k = 0; k < places.count; k++) {
            offsets[k] = (uint16_t)(k * 7919 + i * 31 + round);
            expected[places.segment * 65536 + offsets[k]]++;
        }
        kz_mail_put(mail, 0, &places);
    }
    assert_true(letters == 0 || kz_mail_waiting(mail) > before);
}

TEST(all_letters_arrive_once) {
    kz_error error;
    kz_pool *pool = kz_pool_new(3, &error);
    kz_mail *mail = kz_mail_new(NULL);
    _Atomic int *seen = calloc(PLACES, sizeof *seen);
    int *expected = calloc(PLACES, sizeof *expected);
    assert_true(pool && mail && seen && expected);
    static const unsigned letters[] = {0, 1, 5000, 0, 700};
    enum { ROUNDS = sizeof letters / sizeof *letters };
    for (unsigned round = 0; round < ROUNDS; round++) {
        bool more = round + 1 < ROUNDS;
        bool told = !more;
        write_letters(mail, letters[round], round, expected);
        assert_int_equal(kz_mail_send(mail, more, &error), KZ_OK);
        assert_int_equal(kz_mail_waiting(mail), 0);
        assert_int_equal(kz_mail_fetch(mail, pool, read_places, seen, &told, &error), KZ_OK);
        assert_int_equal(told, more);
        for (int place = 0; place < PLACES; place++) {
            assert_int_equal(seen[place], expected[place]);
        }
    }
    free(expected);
    free(seen);
    kz_mail_free(mail);
    kz_pool_free(pool);
}

TEST(mpirun_for_a_program_without_mpi_is_refused) {
    if (kz_team_possible()) {
        skip();
    }
    kz_team *team = NULL;
    kz_error error;
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    assert_int_equal(kz_team_join(&team, &error), KZ_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "kanzen-mpi.so is not installed"));
    setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
    assert_int_equal(kz_team_join(&team, &error), KZ_OK);
    kz_team_leave(team, false);
    unsetenv("OMPI_COMM_WORLD_SIZE");
}

int main(void) {
    /* Whoever starts the tests may himself have been started by mpirun. */
    unsetenv("OMPI_COMM_WORLD_SIZE");
    unsetenv("PMI_SIZE");
    unsetenv("PMIX_RANK");
    return run_all_tests(__FILE__, NULL, NULL);
}
