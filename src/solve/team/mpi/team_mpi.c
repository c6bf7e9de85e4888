/* SPDX-License-Identifier: MIT
 *
 * A team over MPI. Every wait is a loop that tests and sleeps, and so every transfer is one that does not block: MPI's
 * own waits keep a processor busy, which members on the same machine could use. */
#include "base/error.h"
#include "solve/team/team_link.h"

#include <float.h>
#include <kanzen/system.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    CHUNK = 1 << 26 /* MPI counts in int, so larger messages go in pieces */
};

enum tag { TAG_SHARE = 1, TAG_MESSAGE, TAG_QUESTION, TAG_ANSWER };

/* Transfers that are under way. */
typedef struct transfers {
    MPI_Request *requests;
    int count;
    int room;
} transfers;

enum exchange_state { IDLE, SIZES, MESSAGES, FAILED };

typedef struct mpi_team {
    kz_team team; /* first: the two are converted into each other */
    MPI_Comm world;
    transfers small; /* of all calls but exchanges */
    enum exchange_state state;
    const kz_buffer *out;
    kz_buffer *in;
    uint64_t *sizes_out;
    uint64_t *sizes_in;
    transfers messages;
    kz_error failure; /* of the exchange */
    char host[MPI_MAX_PROCESSOR_NAME];
} mpi_team;

static mpi_team *of(kz_team *team) { return (mpi_team *)team; }

/* ---- Failures and waits ------------------------------------------------------------------------------------------*/

static kz_status check(mpi_team *m, int code, const char *what, kz_error *error) {
    if (code == MPI_SUCCESS) {
        return KZ_OK;
    }
    char reason[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, reason, &length);
    m->team.broken = true;
    return kz_fail(error, KZ_ERR_IO, "%s failed on rank %d (%s): %s", what, m->team.rank, m->host, reason);
}

static kz_status no_memory(mpi_team *m, kz_error *error) {
    m->team.broken = true;
    return kz_fail(error, KZ_ERR_MEMORY, "no memory to talk to the other processes on rank %d (%s)", m->team.rank,
                   m->host);
}

static MPI_Request *new_request(transfers *t) {
    if (t->count == t->room) {
        int room = 2 * t->room + 8;
        MPI_Request *longer = realloc(t->requests, (size_t)room * sizeof(MPI_Request));
        if (!longer) {
            return NULL;
        }
        t->requests = longer;
        t->room = room;
    }
    t->requests[t->count] = MPI_REQUEST_NULL;
    return &t->requests[t->count++];
}

/* Whether all are through. */
static int test_all(transfers *t, bool *done) {
    int all = 0;
    int code = MPI_Testall(t->count, t->requests, &all, MPI_STATUSES_IGNORE);
    *done = code == MPI_SUCCESS && all;
    if (*done) {
        t->count = 0;
    }
    return code;
}

/* Between two tests. Soon it is better to let others work, and the longer it takes the less a moment matters. On a busy
 * machine one sched_yield may take as long as many naps, so time is measured and not turns. */
static void rest(double begin) {
    static const struct {
        double before; /* seconds since the wait began */
        long nanoseconds;
    } naps[] = {{1e-4, 0}, {3e-3, 50000}, {0.1, 200000}, {DBL_MAX, 1000000}};
    double waited = kz_seconds() - begin;
    int i = 0;
    while (waited > naps[i].before) {
        i++;
    }
    if (naps[i].nanoseconds == 0) {
        sched_yield();
    } else {
        nanosleep(&(struct timespec){.tv_nsec = naps[i].nanoseconds}, NULL);
    }
}

static kz_status wait_all(mpi_team *m, transfers *t, const char *what, kz_error *error) {
    double begin = kz_seconds();
    bool done = false;
    int code = test_all(t, &done);
    while (code == MPI_SUCCESS && !done) {
        rest(begin);
        code = test_all(t, &done);
    }
    m->team.spent.seconds += kz_seconds() - begin;
    return check(m, code, what, error);
}

/* ---- Messages of any size ----------------------------------------------------------------------------------------*/

static int piece_of(size_t left) { return left < CHUNK ? (int)left : CHUNK; }

static kz_status begin_send(mpi_team *m, transfers *t, const uint8_t *bytes, size_t size, int to, enum tag tag,
                            kz_error *error) {
    m->team.spent.bytes += size;
    for (size_t at = 0; at < size; at += CHUNK) {
        MPI_Request *request = new_request(t);
        if (!request) {
            return no_memory(m, error);
        }
        int code = MPI_Isend(bytes + at, piece_of(size - at), MPI_BYTE, to, (int)tag, m->world, request);
        if (code != MPI_SUCCESS) {
            return check(m, code, "sending", error);
        }
    }
    return KZ_OK;
}

static kz_status begin_receive(mpi_team *m, transfers *t, uint8_t *bytes, size_t size, int from, enum tag tag,
                               kz_error *error) {
    for (size_t at = 0; at < size; at += CHUNK) {
        MPI_Request *request = new_request(t);
        if (!request) {
            return no_memory(m, error);
        }
        int code = MPI_Irecv(bytes + at, piece_of(size - at), MPI_BYTE, from, (int)tag, m->world, request);
        if (code != MPI_SUCCESS) {
            return check(m, code, "receiving", error);
        }
    }
    return KZ_OK;
}

static kz_status send_now(mpi_team *m, const void *bytes, size_t size, int to, enum tag tag, kz_error *error) {
    KZ_TRY(begin_send(m, &m->small, bytes, size, to, tag, error));
    return wait_all(m, &m->small, "sending", error);
}

static kz_status receive_now(mpi_team *m, void *bytes, size_t size, int from, enum tag tag, kz_error *error) {
    KZ_TRY(begin_receive(m, &m->small, bytes, size, from, tag, error));
    return wait_all(m, &m->small, "receiving", error);
}

/* ---- Small things ------------------------------------------------------------------------------------------------*/

static kz_status reduce(mpi_team *m, void *values, size_t count, MPI_Datatype type, MPI_Op op, kz_error *error) {
    MPI_Request *request = new_request(&m->small);
    if (!request) {
        return no_memory(m, error);
    }
    int code = MPI_Iallreduce(MPI_IN_PLACE, values, (int)count, type, op, m->world, request);
    return code == MPI_SUCCESS ? wait_all(m, &m->small, "adding up", error) : check(m, code, "adding up", error);
}

static kz_status mpi_sum(kz_team *team, uint64_t *values, size_t count, kz_error *error) {
    enum { AT_A_TIME = 1 << 24 };
    mpi_team *m = of(team);
    kz_status status = KZ_OK;
    for (size_t at = 0; status == KZ_OK && at < count; at += AT_A_TIME) {
        size_t left = count - at;
        status = reduce(m, values + at, left < AT_A_TIME ? left : AT_A_TIME, MPI_UINT64_T, MPI_SUM, error);
    }
    team->spent.bytes += count * sizeof *values;
    return status;
}

static kz_status mpi_broadcast(kz_team *team, int from, void *bytes, size_t size, kz_error *error) {
    mpi_team *m = of(team);
    kz_status status = KZ_OK;
    for (size_t at = 0; status == KZ_OK && at < size; at += CHUNK) {
        MPI_Request *request = new_request(&m->small);
        if (!request) {
            return no_memory(m, error);
        }
        int code = MPI_Ibcast((uint8_t *)bytes + at, piece_of(size - at), MPI_BYTE, from, m->world, request);
        status =
            code == MPI_SUCCESS ? wait_all(m, &m->small, "telling all", error) : check(m, code, "telling all", error);
    }
    team->spent.bytes += from == team->rank ? size * (size_t)(team->size - 1) : 0;
    return status;
}

/* A failure as it goes from one member to another. */
typedef struct news {
    int32_t status;
    char message[KZ_ERROR_MESSAGE_BYTES];
} news;

static void write_news(const mpi_team *m, news *n, kz_status status, const kz_error *reason) {
    kz_error error = {.status = status};
    const char *message = reason ? reason->message : kz_status_name(status);
    if (m->team.rank > 0 && status != KZ_ERR_CANCELLED) {
        kz_fail(&error, status, "%s (on rank %d, %s)", message, m->team.rank, m->host);
    } else {
        kz_fail(&error, status, "%s", message);
    }
    n->status = (int32_t)status;
    memcpy(n->message, error.message, sizeof n->message);
}

static kz_status mpi_agree(kz_team *team, kz_status mine, kz_error *error) {
    mpi_team *m = of(team);
    if (team->broken) {
        return mine != KZ_OK ? mine : kz_fail(error, KZ_ERR_IO, "the other processes are lost");
    }
    int32_t first = mine == KZ_OK ? team->size : team->rank;
    kz_status status = reduce(m, &first, 1, MPI_INT32_T, MPI_MIN, error);
    if (status != KZ_OK || first == team->size) {
        return status;
    }
    news n = {.status = KZ_OK};
    if (first == team->rank) {
        write_news(m, &n, mine, error);
    }
    KZ_TRY(mpi_broadcast(team, first, &n, sizeof n, error));
    return kz_fail(error, (kz_status)n.status, "%s", n.message);
}

static kz_status mpi_gather(kz_team *team, void *bytes, const uint64_t *begins, kz_error *error) {
    mpi_team *m = of(team);
    uint8_t *all = bytes;
    size_t own = begins[team->rank + 1] - begins[team->rank];
    kz_status status = KZ_OK;
    /* Each begins with its neighbour, so that they don't all talk to the same one at first. */
    for (int i = 1; status == KZ_OK && i < team->size; i++) {
        int to = (team->rank + i) % team->size;
        int from = (team->rank + team->size - i) % team->size;
        status =
            begin_receive(m, &m->small, all + begins[from], begins[from + 1] - begins[from], from, TAG_SHARE, error);
        if (status == KZ_OK) {
            status = begin_send(m, &m->small, all + begins[team->rank], own, to, TAG_SHARE, error);
        }
    }
    return status == KZ_OK ? wait_all(m, &m->small, "sharing", error) : status;
}

/* ---- Exchanges ---------------------------------------------------------------------------------------------------*/

/* When the sizes are known. */
static kz_status begin_messages(mpi_team *m, kz_error *error) {
    int size = m->team.size;
    int rank = m->team.rank;
    for (int i = 0; i < size; i++) {
        m->in[i].size = 0;
        if (m->sizes_in[i] > 0 && !kz_buffer_add(&m->in[i], m->sizes_in[i])) {
            return no_memory(m, error);
        }
    }
    if (m->sizes_in[rank] > 0) {
        memcpy(m->in[rank].bytes, m->out[rank].bytes, m->sizes_in[rank]);
    }
    kz_status status = KZ_OK;
    for (int i = 1; status == KZ_OK && i < size; i++) {
        int from = (rank + size - i) % size;
        status = begin_receive(m, &m->messages, m->in[from].bytes, m->in[from].size, from, TAG_MESSAGE, error);
    }
    for (int i = 1; status == KZ_OK && i < size; i++) {
        int to = (rank + i) % size;
        status = begin_send(m, &m->messages, m->out[to].bytes, m->out[to].size, to, TAG_MESSAGE, error);
    }
    return status;
}

static kz_status mpi_exchange_begin(kz_team *team, const kz_buffer *out, kz_buffer *in, kz_error *error) {
    mpi_team *m = of(team);
    m->out = out;
    m->in = in;
    for (int i = 0; i < team->size; i++) {
        m->sizes_out[i] = out[i].size;
    }
    MPI_Request *request = new_request(&m->messages);
    if (!request) {
        return no_memory(m, error);
    }
    int code = MPI_Ialltoall(m->sizes_out, 1, MPI_UINT64_T, m->sizes_in, 1, MPI_UINT64_T, m->world, request);
    m->state = SIZES;
    return check(m, code, "an exchange", error);
}

/* A step further, if it has come so far. */
static void mpi_exchange_poll(kz_team *team) {
    mpi_team *m = of(team);
    if (m->state != SIZES && m->state != MESSAGES) {
        return;
    }
    bool done = false;
    int code = test_all(&m->messages, &done);
    kz_status status = check(m, code, "an exchange", &m->failure);
    if (status == KZ_OK && done && m->state == SIZES) {
        m->state = MESSAGES;
        status = begin_messages(m, &m->failure);
    } else if (status == KZ_OK && done) {
        m->state = IDLE;
    }
    if (status != KZ_OK) {
        m->state = FAILED;
    }
}

static kz_status mpi_exchange_end(kz_team *team, kz_error *error) {
    mpi_team *m = of(team);
    double begin = kz_seconds();
    mpi_exchange_poll(team);
    while (m->state == SIZES || m->state == MESSAGES) {
        rest(begin);
        mpi_exchange_poll(team);
    }
    team->spent.seconds += kz_seconds() - begin;
    return m->state == FAILED ? kz_fail(error, m->failure.status, "%s", m->failure.message) : KZ_OK;
}

/* ---- Questions ---------------------------------------------------------------------------------------------------*/

typedef struct question {
    uint64_t number;
    uint64_t dismissed;
} question;

/* Goes before an answer. */
typedef struct answer_head {
    uint64_t size;
    news news;
} answer_head;

static kz_status mpi_serve(kz_team *team, kz_team_answer *answer, void *context, kz_error *error) {
    mpi_team *m = of(team);
    kz_buffer answer_bytes = {.bytes = NULL};
    kz_status status = KZ_OK;
    while (status == KZ_OK) {
        question q = {.dismissed = 1};
        status = receive_now(m, &q, sizeof q, 0, TAG_QUESTION, error);
        if (status != KZ_OK || q.dismissed) {
            break;
        }
        kz_error reason = {.status = KZ_OK};
        answer_bytes.size = 0;
        kz_status answered = answer(context, q.number, &answer_bytes, &reason);
        answer_head head = {.size = answered == KZ_OK ? answer_bytes.size : 0};
        if (answered != KZ_OK) {
            write_news(m, &head.news, answered, &reason);
        }
        status = send_now(m, &head, sizeof head, 0, TAG_ANSWER, error);
        if (status == KZ_OK && head.size > 0) {
            status = send_now(m, answer_bytes.bytes, answer_bytes.size, 0, TAG_ANSWER, error);
        }
    }
    kz_buffer_free(&answer_bytes);
    return status;
}

static kz_status mpi_ask(kz_team *team, int member, uint64_t number, kz_buffer *answer, kz_error *error) {
    mpi_team *m = of(team);
    question q = {.number = number};
    answer_head head = {.size = 0};
    answer->size = 0;
    kz_status status = send_now(m, &q, sizeof q, member, TAG_QUESTION, error);
    if (status == KZ_OK) {
        status = receive_now(m, &head, sizeof head, member, TAG_ANSWER, error);
    }
    if (status == KZ_OK && head.news.status != KZ_OK) {
        return kz_fail(error, (kz_status)head.news.status, "%s", head.news.message);
    }
    if (status == KZ_OK && head.size > 0) {
        if (!kz_buffer_add(answer, head.size)) {
            return no_memory(m, error);
        }
        status = receive_now(m, answer->bytes, head.size, member, TAG_ANSWER, error);
    }
    return status;
}

static kz_status mpi_dismiss(kz_team *team, kz_error *error) {
    question q = {.dismissed = 1};
    kz_status status = team->broken ? kz_fail(error, KZ_ERR_IO, "the other processes are lost") : KZ_OK;
    for (int member = 1; status == KZ_OK && member < team->size; member++) {
        status = send_now(of(team), &q, sizeof q, member, TAG_QUESTION, error);
    }
    return status;
}

/* ---- Joining and leaving -----------------------------------------------------------------------------------------*/

static void free_team(mpi_team *m) {
    if (m) {
        free(m->small.requests);
        free(m->messages.requests);
        free(m->sizes_out);
        free(m->sizes_in);
        free(m);
    }
}

static void mpi_leave(kz_team *team, bool failed) {
    mpi_team *m = of(team);
    if (failed) {
        MPI_Abort(m->world, 1);
    }
    free_team(m);
    MPI_Finalize();
}

/* A processor that several members on a machine may use belongs to one of them, in turn. */
static int count_processors(int local_rank, int local_size, const cpu_set_t *sets) {
    int own = 0;
    int seen = 0;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        int users = 0;
        int before = 0; /* users with a lower rank */
        for (int i = 0; i < local_size; i++) {
            users += CPU_ISSET(cpu, &sets[i]) != 0;
            before += i < local_rank && CPU_ISSET(cpu, &sets[i]);
        }
        if (users > 0 && CPU_ISSET(cpu, &sets[local_rank])) {
            own += seen % users == before;
        }
        seen += users > 0;
    }
    return own > 0 ? own : 1;
}

/* 0 if they can't be found out. */
static int own_processors(MPI_Comm world) {
    MPI_Comm machine = MPI_COMM_NULL;
    int rank = 0;
    int size = 0;
    int processors = 0;
    cpu_set_t own;
    CPU_ZERO(&own);
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &rank);
    MPI_Comm_size(machine, &size);
    cpu_set_t *sets = calloc((size_t)size, sizeof *sets);
    if (sets && sched_getaffinity(0, sizeof own, &own) == 0) {
        MPI_Allgather(&own, (int)sizeof own, MPI_BYTE, sets, (int)sizeof own, MPI_BYTE, machine);
        processors = count_processors(rank, size, sets);
    }
    free(sets);
    MPI_Comm_free(&machine);
    return processors;
}

static const kz_team_ops mpi_ops = {
    .sum = mpi_sum,
    .agree = mpi_agree,
    .broadcast = mpi_broadcast,
    .gather = mpi_gather,
    .exchange_begin = mpi_exchange_begin,
    .exchange_poll = mpi_exchange_poll,
    .exchange_end = mpi_exchange_end,
    .serve = mpi_serve,
    .ask = mpi_ask,
    .dismiss = mpi_dismiss,
    .leave = mpi_leave,
};

kz_mpi_join_function kz_module_mpi_join;

/* A process that fails here and ends makes mpirun end the others, which wait for it. */
kz_status kz_module_mpi_join(kz_team **team, kz_error *error) {
    int level = 0;
    int already = 0;
    int size = 0;
    int length = 0;
    MPI_Initialized(&already);
    if (already) {
        return kz_fail(error, KZ_ERR_INPUT, "a process can join a team only once");
    }
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
    if (level < MPI_THREAD_SERIALIZED) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "this MPI can't be called from several threads");
    }
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mpi_team *m = calloc(1, sizeof *m);
    if (m) {
        *m = (mpi_team){.team = {.ops = &mpi_ops, .size = size}, .world = MPI_COMM_WORLD};
        m->sizes_out = calloc((size_t)size, sizeof *m->sizes_out);
        m->sizes_in = calloc((size_t)size, sizeof *m->sizes_in);
        m->team.processors = own_processors(m->world);
    }
    if (!m || !m->sizes_out || !m->sizes_in || m->team.processors == 0) {
        free_team(m);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to join the other processes");
    }
    MPI_Get_processor_name(m->host, &length);
    MPI_Comm_rank(m->world, &m->team.rank);
    MPI_Comm_set_errhandler(m->world, MPI_ERRORS_RETURN);
    *team = &m->team;
    return KZ_OK;
}
