/* SPDX-License-Identifier: MIT
 *
 * What a team of several promises (solve/team/team.h). tests/cli/test_mpi_team.sh runs it under mpirun with three
 * members or more; what fails is said on standard error, and the exit code is 1.
 *
 *     team_mpi          all checks
 *     team_mpi large N  a parcel of N bytes from member 0 to member 1 (more than 2^31 work, too)
 *     team_mpi leave    member 1 leaves as one that failed; the others wait */
#include "base/error.h"
#include "solve/team/team.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kz_team *team;
static int rank;
static int size;
static kz_error error;

#define EXPECT(condition) expect((condition), #condition, __LINE__)

static void expect(bool holds, const char *what, int line) {
    if (!holds) {
        fprintf(stderr, "rank %d, line %d: %s does not hold (%s)\n", rank, line, what, error.message);
        kz_team_leave(team, true);
        exit(1);
    }
}

/* ---- Small things ------------------------------------------------------------------------------------------------*/

static void check_sums(void) {
    uint64_t values[2] = {(uint64_t)rank, UINT64_C(1) << 40};
    EXPECT(kz_team_sum(team, values, 2, &error) == KZ_OK);
    EXPECT(values[0] == (uint64_t)(size * (size - 1) / 2));
    EXPECT(values[1] == (uint64_t)size << 40);
    EXPECT(kz_team_sum(team, values, 0, &error) == KZ_OK);
}

static void check_agreement(void) {
    EXPECT(kz_team_agree(team, KZ_OK, &error) == KZ_OK);
    /* The last two fail: all get the message of the first of them. */
    kz_status mine = KZ_OK;
    if (rank >= size - 2) {
        mine = kz_fail(&error, rank == size - 2 ? KZ_ERR_CORRUPT : KZ_ERR_IO, "this is %d", rank);
    }
    char wanted[80];
    snprintf(wanted, sizeof wanted, "this is %d (on rank %d,", size - 2, size - 2);
    EXPECT(kz_team_agree(team, mine, &error) == KZ_ERR_CORRUPT);
    EXPECT(error.status == KZ_ERR_CORRUPT);
    EXPECT(strncmp(error.message, wanted, strlen(wanted)) == 0);
    EXPECT(!kz_team_broken(team));
    /* Who fails without a message, and who does not want to know. */
    EXPECT(kz_team_agree(team, rank == 1 ? KZ_ERR_MEMORY : KZ_OK, NULL) == KZ_ERR_MEMORY);
    EXPECT(kz_team_agree(team, KZ_OK, &error) == KZ_OK);
}

static void check_common_bytes(void) {
    enum { PART = 1000 };
    uint64_t text = rank == 2 ? 12345 : 0;
    EXPECT(kz_team_broadcast(team, 2, &text, sizeof text, &error) == KZ_OK);
    EXPECT(text == 12345);
    /* Parts of 0, 1000, 2000, ... bytes. */
    uint64_t *begins = calloc((size_t)size + 1, sizeof *begins);
    EXPECT(begins != NULL);
    for (int i = 0; i < size; i++) {
        begins[i + 1] = begins[i] + (uint64_t)(PART * i);
    }
    uint8_t *bytes = calloc(begins[size] + 1, 1);
    EXPECT(bytes != NULL);
    memset(bytes + begins[rank], rank + 1, begins[rank + 1] - begins[rank]);
    EXPECT(kz_team_gather(team, bytes, begins, &error) == KZ_OK);
    for (int i = 0; i < size; i++) {
        for (uint64_t at = begins[i]; at < begins[i + 1]; at++) {
            EXPECT(bytes[at] == i + 1);
        }
    }
    free(bytes);
    free(begins);
}

/* ---- Parcels -----------------------------------------------------------------------------------------------------*/

/* What member `from` sends to `to` in a round: often nothing, sometimes much. */
static size_t parcel_size(int from, int to, int round) {
    unsigned mix = (unsigned)(from * 7919 + to * 104729 + round * 31);
    return mix % 3 == 0 ? 0 : round == 2 ? 4000000 + mix % 1000 : mix % 10000;
}

static uint8_t parcel_byte(int from, int to, int round, size_t at) {
    return (uint8_t)((size_t)from * 3 + (size_t)to * 5 + (size_t)round * 7 + at * 11 + at / 256);
}

static void check_exchanges(void) {
    kz_buffer *out = calloc((size_t)size, sizeof *out);
    kz_buffer *in = calloc((size_t)size, sizeof *in);
    EXPECT(out && in);
    uint64_t sent = kz_team_spent(team).bytes;
    for (int round = 0; round < 5; round++) {
        for (int to = 0; to < size; to++) {
            size_t bytes = parcel_size(rank, to, round);
            out[to].size = 0;
            uint8_t *at = kz_buffer_add(&out[to], bytes);
            sent += to == rank ? 0 : bytes;
            for (size_t i = 0; i < bytes; i++) {
                at[i] = parcel_byte(rank, to, round, i);
            }
        }
        EXPECT(kz_team_exchange_begin(team, out, in, &error) == KZ_OK);
        for (int i = 0; i < 10 * rank; i++) {
            kz_team_exchange_poll(team);
        }
        EXPECT(kz_team_exchange_end(team, &error) == KZ_OK);
        kz_team_exchange_poll(team);
        for (int from = 0; from < size; from++) {
            EXPECT(in[from].size == parcel_size(from, rank, round));
            for (size_t i = 0; i < in[from].size; i++) {
                EXPECT(in[from].bytes[i] == parcel_byte(from, rank, round, i));
            }
        }
    }
    EXPECT(kz_team_spent(team).bytes == sent);
    for (int i = 0; i < size; i++) {
        kz_buffer_free(&out[i]);
        kz_buffer_free(&in[i]);
    }
    free(out);
    free(in);
}

static void check_large_parcel(size_t large) {
    kz_buffer *out = calloc((size_t)size, sizeof *out);
    kz_buffer *in = calloc((size_t)size, sizeof *in);
    EXPECT(out && in);
    if (rank == 0) {
        uint8_t *bytes = kz_buffer_add(&out[1], large);
        EXPECT(bytes != NULL);
        for (size_t at = 0; at < large; at += 4096) {
            bytes[at] = (uint8_t)(at / 4096 * 13 + 1);
        }
        bytes[large - 1] = 99;
    }
    EXPECT(kz_team_exchange_begin(team, out, in, &error) == KZ_OK);
    EXPECT(kz_team_exchange_end(team, &error) == KZ_OK);
    EXPECT(in[0].size == (rank == 1 ? large : 0));
    for (size_t at = 0; at + 1 < in[0].size; at += 4096) {
        EXPECT(in[0].bytes[at] == (uint8_t)(at / 4096 * 13 + 1));
    }
    EXPECT(rank != 1 || in[0].bytes[large - 1] == 99);
    kz_buffer_free(&out[1]);
    kz_buffer_free(&in[0]);
    free(out);
    free(in);
}

/* ---- Questions ---------------------------------------------------------------------------------------------------*/

enum { FAILING = 13 };

/* As many bytes as were asked for, each with the rank of who answers. */
static kz_status answer_question(void *context, uint64_t question, kz_buffer *answer, kz_error *reason) {
    ++*(int *)context;
    if (question == FAILING) {
        return kz_fail(reason, KZ_ERR_UNSUPPORTED, "no answer to that");
    }
    uint8_t *bytes = kz_buffer_add(answer, question);
    if (question > 0) {
        memset(bytes, rank, question);
    }
    return KZ_OK;
}

/* Questions may come from any thread. */
static void *ask_all(void *unused) {
    (void)unused;
    static const uint64_t questions[] = {1, 0, 70000, FAILING, 5};
    kz_buffer answer = {.bytes = NULL};
    for (int member = 1; member < size; member++) {
        for (unsigned i = 0; i < sizeof questions / sizeof *questions; i++) {
            kz_error reason = {.message = ""};
            kz_status status = kz_team_ask(team, member, questions[i], &answer, &reason);
            if (questions[i] == FAILING) {
                EXPECT(status == KZ_ERR_UNSUPPORTED && strncmp(reason.message, "no answer to that (on rank", 26) == 0);
                continue;
            }
            EXPECT(status == KZ_OK && answer.size == questions[i]);
            for (uint64_t at = 0; at < questions[i]; at++) {
                EXPECT(answer.bytes[at] == member);
            }
        }
    }
    kz_buffer_free(&answer);
    return NULL;
}

static void check_questions(void) {
    int asked = 0;
    if (rank == 0) {
        pthread_t thread;
        EXPECT(pthread_create(&thread, NULL, ask_all, NULL) == 0);
        pthread_join(thread, NULL);
        EXPECT(kz_team_dismiss(team, &error) == KZ_OK);
    } else {
        EXPECT(kz_team_serve(team, answer_question, &asked, &error) == KZ_OK);
        EXPECT(asked == 5);
    }
    EXPECT(!kz_team_broken(team));
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!kz_team_possible()) {
        return 77;
    }
    EXPECT(kz_team_join(&team, &error) == KZ_OK);
    rank = kz_team_rank(team);
    size = kz_team_size(team);
    EXPECT(size >= (*what ? 2 : 3) && rank < size && kz_team_processors(team) >= 1);
    if (strcmp(what, "large") == 0) {
        check_large_parcel(argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    } else if (strcmp(what, "leave") == 0) {
        if (rank == 1) {
            kz_team_leave(team, true);
        }
        EXPECT(kz_team_agree(team, KZ_OK, &error) == KZ_OK);
    } else {
        check_sums();
        check_agreement();
        check_common_bytes();
        check_exchanges();
        check_questions();
        check_exchanges();
        uint64_t threads = (uint64_t)kz_team_processors(team);
        EXPECT(kz_team_sum(team, &threads, 1, &error) == KZ_OK);
        if (rank == 0) {
            printf("%d members are fine, %d threads in all\n", size, (int)threads);
        }
    }
    kz_team_leave(team, false);
    return 0;
}
