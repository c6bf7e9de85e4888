/* SPDX-License-Identifier: MIT
 * labels: slow
 * wraps: malloc calloc realloc aligned_alloc free strdup strndup asprintf __asprintf_chk mmap pthread_create fsync
 * fdatasync
 *
 * What happens when there is no memory: every allocation of a call fails once, one after the other. Then the call says
 * KZ_ERR_MEMORY with a sentence for a person, or does all the same what it does otherwise; and it leaves nothing
 * behind, neither memory nor open files nor files.
 *
 * The linker sends the wrapped calls of the C library to the functions `__wrap_...` below. */
#include "tests/support/testing.h"

#include "base/hash.h"
#include "games/dobutsu/check/plain.h"
#include "games/dobutsu/index/space.h"
#include "games/dobutsu/solve/reach.h"
#include "games/dobutsu/table/lookup.h"
#include "shogi/tests/support/shogi_random.h"
#include "table/verify.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <kanzen/api.h>
#include <kanzen/collect.h>
#include <kanzen/dobutsu_files.h>
#include <kanzen/pushfight.h>
#include <kanzen/record.h>
#include <kanzen/shogi_files.h>
#include <kanzen/solve.h>
#include <kanzen/usi.h>
#include <kanzen/values.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Calls that fail --------------------------------------------------------------------------------------------- */

static atomic_long calls;      /* so far */
static atomic_long failing_at; /* this one fails; 0: none does */
static atomic_bool lasting;    /* and all after it */
static atomic_long runs;       /* that are allocated and not freed */

static bool fails(void) {
    long call = atomic_fetch_add(&calls, 1) + 1;
    long at = atomic_load(&failing_at);
    bool failing = at > 0 && (call == at || (call > at && atomic_load(&lasting)));
    errno = failing ? ENOMEM : errno;
    return failing;
}

static void *counted(void *memory) {
    atomic_fetch_add(&runs, memory ? 1 : 0);
    return memory;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t most);
void *__real_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t most);
int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap___asprintf_chk(char **text, int flag, const char *format, ...) __attribute__((format(printf, 3, 4)));
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument);
int __wrap_fsync(int file);
int __wrap_fdatasync(int file);

void *__wrap_malloc(size_t size) { return fails() ? NULL : counted(__real_malloc(size)); }

void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : counted(__real_calloc(count, size)); }

void *__wrap_realloc(void *memory, size_t size) {
    if (fails()) {
        return NULL;
    }
    return memory ? __real_realloc(memory, size) : counted(__real_malloc(size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return fails() ? NULL : counted(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *memory) {
    atomic_fetch_sub(&runs, memory ? 1 : 0);
    __real_free(memory);
}

char *__wrap_strdup(const char *text) { return fails() ? NULL : counted(__real_strdup(text)); }

char *__wrap_strndup(const char *text, size_t most) { return fails() ? NULL : counted(__real_strndup(text, most)); }

static int print_counted(char **text, const char *format, va_list arguments) {
    if (fails()) {
        return -1;
    }
    int length = vasprintf(text, format, arguments);
    counted(length < 0 ? NULL : *text);
    return length;
}

int __wrap_asprintf(char **text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = print_counted(text, format, arguments);
    va_end(arguments);
    return length;
}

/* What asprintf becomes with _FORTIFY_SOURCE. */
int __wrap___asprintf_chk(char **text, int flag, const char *format, ...) {
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int length = print_counted(text, format, arguments);
    va_end(arguments);
    return length;
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    return fails() ? MAP_FAILED : __real_mmap(address, size, protection, flags, file, offset);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument) {
    return fails() ? EAGAIN : __real_pthread_create(thread, attributes, work, argument);
}

/* Nothing here has to survive a crash. */
int __wrap_fsync(int file) {
    (void)file;
    return 0;
}

int __wrap_fdatasync(int file) {
    (void)file;
    return 0;
}

/* ---- One call, again and again ----------------------------------------------------------------------------------- */

enum { MOST_RUNS = FEWER > 1 ? 24 : 140 };

/* What a call found, so that runs can be compared. It is freed, closed and removed before it returns. */
typedef kz_status scene(kz_error *error, uint64_t *result);

static int count_entries(const char *folder) {
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    while (readdir(directory)) {
        count++;
    }
    closedir(directory);
    return count;
}

/* Where a file can't be opened for want of memory, that is KZ_ERR_IO, and the reason is named. */
static bool says_so(kz_status status, const kz_error *error) {
    return error->status == status && ((status == KZ_ERR_MEMORY && error->message[0]) ||
                                       (status == KZ_ERR_IO && strstr(error->message, strerror(ENOMEM))));
}

static const char table_path[] = "corridor.kzt";
static kz_table *table; /* what scenes look at */

/* A table keeps the memory that its readers took for the next ones. So each run has a table of its own: what is not
 * freed when that is closed is lost. */
static void open_own_table(void) { assert_int_equal(kz_table_open(table_path, &table, NULL), KZ_OK); }

static void close_own_table(void) {
    kz_table_close(table);
    table = NULL;
}

static void run_failing(const char *name, scene *play, long at, bool all_after, uint64_t expected) {
    kz_error error = {.status = KZ_OK};
    uint64_t result = 0;
    int files = count_entries(".");
    int descriptors = count_entries("/proc/self/fd");
    long before = atomic_load(&runs);
    open_own_table();
    atomic_store(&calls, 0);
    atomic_store(&lasting, all_after);
    atomic_store(&failing_at, at);
    kz_status status = play(&error, &result);
    atomic_store(&failing_at, 0);
    close_own_table();
    if (status == KZ_OK && result != expected) {
        fail_msg("%s: without allocation %ld it found something else", name, at);
    }
    if (status != KZ_OK && !says_so(status, &error)) {
        fail_msg("%s: without allocation %ld: %s: %s", name, at, kz_status_name(status), error.message);
    }
    if (atomic_load(&runs) != before) {
        fail_msg("%s: without allocation %ld, %ld runs are not freed", name, at, atomic_load(&runs) - before);
    }
    if (count_entries("/proc/self/fd") != descriptors || count_entries(".") != files) {
        fail_msg("%s: without allocation %ld it leaves files behind", name, at);
    }
}

static void check_scene(const char *name, scene *play) {
    kz_error error = {.status = KZ_OK};
    uint64_t expected = 0;
    open_own_table();
    atomic_store(&calls, 0);
    if (play(&error, &expected) != KZ_OK) {
        fail_msg("%s: %s", name, error.message);
    }
    long all = atomic_load(&calls);
    close_own_table();
    assert_true(all > 0);
    /* Each of the first ones, where things are opened, and then some of many that are alike. */
    long step = 1;
    for (long at = 1; at <= all; at += step) {
        step = at > MOST_RUNS / 2 ? all / (MOST_RUNS / 2) + 1 : 1;
        run_failing(name, play, at, false, expected);
    }
    run_failing(name, play, 1, true, expected);
    run_failing(name, play, all / 2 + 1, true, expected);
    if (getenv("VERBOSE")) {
        printf("%s: %ld\n", name, all);
    }
}

/* ---- What is looked at ------------------------------------------------------------------------------------------- */

enum { RECORDS = 500, RECORD_BYTES = 40 };

static const char records_path[] = "records.psv";
static const kz_game *pushfight;
static int corridor;

static uint64_t hash_of_file(const char *path) {
    static uint8_t bytes[1 << 22];
    FILE *file = fopen(path, "rb");
    if (!file) {
        return 0;
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    remove(path);
    return kz_hash64(bytes, size);
}

/* The hash of the file that a call wrote, if it did. */
static kz_status wrote(kz_status status, const char *path, uint64_t *result) {
    *result = hash_of_file(path);
    return status;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

static kz_status solve(kz_error *error, uint64_t *result) {
    kz_solve_options options = {.threads = 2};
    kz_summary summary;
    kz_status status = kz_solve(pushfight, corridor, "new.kzt", &options, &summary, error);
    if (status != KZ_OK) {
        (void)!system("rm -rf new.kzt.work"); /* for a later run to go on with */
    }
    return wrote(status, "new.kzt", result);
}

static kz_status open_table(kz_error *error, uint64_t *result) {
    kz_table *opened = NULL;
    kz_status status = kz_table_open(table_path, &opened, error);
    if (status == KZ_OK) {
        status = kz_table_cache(opened, 1 << 16, error);
    }
    if (status == KZ_OK) {
        *result = kz_table_positions(opened);
    }
    kz_table_close(opened);
    return status;
}

static kz_status verify(kz_error *error, uint64_t *result) {
    kz_verify_report report = {0};
    kz_status status = kz_table_verify(table, 2, NULL, &report, error);
    *result = report.wins * 1000003 + report.losses;
    return status;
}

static kz_status longest(kz_error *error, uint64_t *result) {
    kz_found found[20];
    size_t count = 0;
    kz_status status = kz_collect_longest(table, 20, 2, NULL, found, &count, error);
    *result = count * 1000 + (status == KZ_OK ? (uint64_t)found[0].value.distance : 0);
    return status;
}

static kz_status puzzles(kz_error *error, uint64_t *result) {
    kz_puzzle_wish wish = {.per_length = 2, .seed = 1, .threads = 2};
    kz_puzzle *list = NULL;
    size_t count = 0;
    kz_status status = kz_collect_puzzles(table, &wish, NULL, &list, &count, error);
    *result = count;
    if (status == KZ_OK) {
        free(list);
    }
    return status;
}

static kz_status moves_from(const kz_table *with, kz_error *error, uint64_t *result) {
    kz_values values = {.game = pushfight, .rules = corridor, .table = with};
    kz_position start;
    kz_value value = {KZ_UNKNOWN, 0};
    kz_move best = 0;
    static kz_scored_move moves[KZ_MAX_MOVES];
    int count = 0;
    kz_player player = {.level = kz_level_find("medium"), .aggressive = true, .seed = 3};
    kz_start(pushfight, corridor, &start);
    kz_status status = kz_values_moves(&values, &start, &value, moves, &count, error);
    *result = (uint64_t)count * 1000 + (uint64_t)value.distance;
    if (status == KZ_OK) {
        status = kz_values_best(&values, &start, &value, &best, error);
    }
    if (status == KZ_OK) {
        status = kz_choose_move(&values, &start, player, &best, error);
    }
    return status;
}

static kz_status list_moves(kz_error *error, uint64_t *result) { return moves_from(table, error, result); }

static kz_status search_moves(kz_error *error, uint64_t *result) { return moves_from(NULL, error, result); }

TEST(test_tables) {
    check_scene("solve", solve);
    check_scene("open", open_table);
    check_scene("verify", verify);
    check_scene("longest", longest);
    check_scene("puzzles", puzzles);
    check_scene("moves", list_moves);
    check_scene("search", search_moves);
}

/* ---- Push Fight -------------------------------------------------------------------------------------------------- */

static kz_status phase0(kz_error *error, uint64_t *result) {
    kz_pushfight_phase0_report report = {0};
    kz_status status = kz_pushfight_phase0(corridor, 2, NULL, &report, error);
    *result = report.wins;
    return status;
}

static kz_status reachable(kz_error *error, uint64_t *result) {
    static kz_pushfight_reach_report report;
    report.reached = 0;
    kz_status status = kz_pushfight_reachable(corridor, 2, false, NULL, &report, error);
    *result = report.reached;
    return status;
}

static kz_status all_values(kz_error *error, uint64_t *result) {
    kz_pushfight_values_report report;
    return wrote(kz_pushfight_values(table, 2, false, "values", false, NULL, &report, error), "values", result);
}

static kz_status minimized_values(kz_error *error, uint64_t *result) {
    kz_pushfight_values_report report;
    return wrote(kz_pushfight_values(table, 2, true, "values", false, NULL, &report, error), "values", result);
}

static kz_status openings(kz_error *error, uint64_t *result) {
    kz_pushfight_openings_report report = {0};
    kz_status status = kz_pushfight_openings(table, 2, NULL, &report, error);
    if (status == KZ_OK) {
        *result = kz_hash64(report.values, (size_t)report.firsts * report.seconds);
        kz_pushfight_openings_free(&report);
    }
    return status;
}

TEST(test_pushfight) {
    check_scene("phase 0", phase0);
    check_scene("reachable", reachable);
    check_scene("values", all_values);
    check_scene("minimized values", minimized_values);
    check_scene("openings", openings);
}

/* ---- Dobutsu Shogi: what is opened before the work begins -------------------------------------------------------- */

static kz_status opened(const void *thing, kz_error *error) {
    /* Some have no message of their own: their callers have one. */
    return thing ? KZ_OK : error->status != KZ_OK ? error->status : (*error = (kz_error){KZ_ERR_MEMORY, "."}).status;
}

static kz_status open_reader(kz_error *error, uint64_t *result) {
    kz_dobutsu_lookup *self = kz_dobutsu_lookup_open(KZ_DOBUTSU_OFFICIAL, error);
    *result = 1;
    kz_dobutsu_lookup_close(self);
    return opened(self, error);
}

static kz_status open_checker(kz_error *error, uint64_t *result) {
    const kz_checker_ops *checker = &kz_dobutsu_checker;
    void *self = checker->open(KZ_DOBUTSU_OFFICIAL, 2, error);
    *result = 1;
    if (self) {
        checker->close(self);
    }
    return opened(self, error);
}

static kz_status open_reach(kz_error *error, uint64_t *result) {
    kz_dobutsu_reach *reach = kz_dobutsu_reach_new();
    *result = 1;
    kz_dobutsu_reach_free(reach);
    return opened(reach, error);
}

/* Solving takes seconds, so it is stopped as soon as it has begun: all is allocated by then. */
static bool stop(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    (void)stage;
    (void)done;
    (void)total;
    return false;
}

static const kz_progress stopping = {.report = stop};

static kz_status stopped(kz_status status, uint64_t *result) {
    *result = status == KZ_ERR_CANCELLED;
    return status == KZ_ERR_CANCELLED ? KZ_OK : status;
}

static kz_status begin_solving(kz_error *error, uint64_t *result) {
    kz_solve_options solving = {.threads = 2, .progress = &stopping};
    kz_summary summary;
    return stopped(kz_solve(kz_game_find("dobutsu"), 0, "new.kzt", &solving, &summary, error), result);
}

static kz_status begin_counting(kz_error *error, uint64_t *result) {
    kz_count counts[32];
    size_t found;
    return stopped(kz_count_positions(kz_game_find("dobutsu"), 2, &stopping, counts, 32, &found, error), result);
}

static kz_status begin_comparing(kz_error *error, uint64_t *result) {
    kz_dobutsu_try_rule_report report;
    return stopped(kz_dobutsu_check_try_rule(2, &stopping, &report, error), result);
}

static kz_status begin_packets(kz_error *error, uint64_t *result) {
    kz_dobutsu_packets_options writing = {.threads = 2, .tar = true, .progress = &stopping};
    kz_status status = kz_dobutsu_packets_write("new.tar", &writing, NULL, error);
    remove("new.tar.part");
    return stopped(status, result);
}

TEST(test_dobutsu) {
    check_scene("solve", begin_solving);
    check_scene("count", begin_counting);
    check_scene("compare rules", begin_comparing);
    check_scene("write packets", begin_packets);
    check_scene("reader", open_reader);
    check_scene("checker", open_checker);
    check_scene("reachable positions", open_reach);
}

/* ---- Files of other programs ------------------------------------------------------------------------------------- */

static kz_status csv(uint64_t sample, kz_error *error, uint64_t *result) {
    kz_export_options options = {.threads = 2};
    uint64_t written = 0;
    return wrote(kz_export_csv(table, "list.csv", sample, 7, &options, &written, error), "list.csv", result);
}

static kz_status whole_csv(kz_error *error, uint64_t *result) { return csv(0, error, result); }

static kz_status sampled_csv(kz_error *error, uint64_t *result) { return csv(50, error, result); }

static kz_status states(kz_error *error, uint64_t *result) {
    kz_export_options options = {.count = 200};
    uint64_t written = 0;
    return wrote(kz_dobutsu_export_states("states.txt", false, &options, &written, error), "states.txt", result);
}

static kz_status packets(kz_error *error, uint64_t *result) {
    kz_dobutsu_packets *all = NULL;
    kz_value value = {KZ_UNKNOWN, 0};
    kz_move move = 0;
    kz_position start;
    kz_start(kz_game_find("dobutsu"), 0, &start);
    kz_status status = kz_dobutsu_packets_open("packets", &all, error);
    if (status == KZ_OK) {
        status = kz_dobutsu_packets_probe(all, &start, &value, &move, error);
        kz_dobutsu_packets_close(all);
    }
    *result = (uint64_t)value.distance;
    return status;
}

/* The start, which is lost in 78, so that its child is won in 77 (docs/format-packets.md). */
static void make_packets(void) {
    static const uint8_t entry[] = {0x1a, 0x5c, 0x78, 0x20, 0x2b, 0x7c, 0x00, 0x00};
    static const uint8_t maximum[] = {0x1d, 0x5c, 0x78, 0x20, 0x2b};
    assert_int_equal(mkdir("packets", 0777) + mkdir("packets/0", 0777), 0);
    FILE *file = fopen("packets/0/0.dat", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(entry, 1, sizeof entry, file), sizeof entry);
    assert_int_equal(fclose(file), 0);
    file = fopen("packets/maximums.dat", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(maximum, 1, sizeof maximum, file), sizeof maximum);
    assert_int_equal(fclose(file), 0);
}

TEST(test_exports) {
    make_packets();
    check_scene("csv", whole_csv);
    check_scene("sample as csv", sampled_csv);
    check_scene("states", states);
    check_scene("packets", packets);
}

/* ---- Games, questions, engines ----------------------------------------------------------------------------------- */

static kz_status record(kz_error *error, uint64_t *result) {
    static const char text[] = "game: dobutsu\n2c2b\n1a2b\nC*1c\n";
    kz_record read;
    char *formats[KZ_RECORD_FORMS] = {NULL};
    kz_status status = kz_record_parse(text, sizeof text - 1, &read, error);
    if (status != KZ_OK) {
        return status;
    }
    for (int form = 0; form < KZ_RECORD_FORMS && status == KZ_OK; form++) {
        size_t length;
        status = kz_record_format(&read, (kz_record_form)form, &formats[form], &length, error);
        *result += status == KZ_OK ? kz_hash64(formats[form], length) : 0;
        free(formats[form]);
    }
    kz_record_free(&read);
    return status;
}

/* Whatever there is no memory for, there is an answer in JSON, or none at all. */
static kz_status ask(kz_error *error, uint64_t *result) {
    static const char *const paths[] = {"/api/v1/pushfight/position", "/api/v1/pushfight/line",
                                        "/api/v1/pushfight/move", "/api/v1/games", "/api/v1/nothing"};
    kz_api *api = kz_api_new();
    kz_status status = opened(api, error);
    if (api) {
        status = kz_api_use(api, table, error);
    }
    for (size_t i = 0; status == KZ_OK && i < sizeof paths / sizeof paths[0]; i++) {
        kz_api_request request = {.path = paths[i], .query = "rules=corridor&level=medium"};
        kz_api_answer answer;
        kz_api_ask(api, &request, &answer);
        if (!answer.body || answer.status == 500) {
            assert_true(!answer.body || strstr(answer.body, "memory"));
            *error = (kz_error){KZ_ERR_MEMORY, "as the answer says"};
            status = error->status;
        } else {
            assert_true(answer.length == strlen(answer.body) && answer.body[0] == '{');
            *result += kz_hash64(answer.body, answer.length);
        }
        kz_api_answer_free(&answer);
    }
    kz_api_free(api);
    return status;
}

/* An engine says what is wrong and goes on. It has to name a legal move in any case. */
static char last_line[2048];

static void hear(void *user, const char *line) {
    (void)user;
    snprintf(last_line, sizeof last_line, "%s", line);
}

static kz_status lend_table(void *user, const char *path, int rules, const kz_table **lent, kz_error *error) {
    (void)user;
    (void)path;
    (void)rules;
    (void)error;
    *lent = table;
    return KZ_OK;
}

static kz_status think(kz_error *error, uint64_t *result) {
    kz_usi_host host = {.say = hear, .open_table = lend_table};
    kz_usi *engine = kz_usi_new(pushfight, KZ_PROTOCOL_USI, &host);
    if (!engine) {
        return opened(engine, error);
    }
    kz_status status = kz_usi_set(engine, "Rules", "corridor", error);
    static const char *const lines[] = {"usi", "isready", "usinewgame", "position startpos", "go"};
    for (size_t i = 0; status == KZ_OK && i < sizeof lines / sizeof lines[0]; i++) {
        kz_usi_line(engine, lines[i], strlen(lines[i]));
    }
    if (status == KZ_OK && strncmp(last_line, "bestmove ", 9) != 0) {
        fail_msg("the engine says: %s", last_line);
    }
    *result = 1; /* which move it is depends on what it knows */
    kz_usi_free(engine);
    return status;
}

TEST(test_engines) {
    check_scene("record", record);
    check_scene("questions", ask);
    check_scene("engine", think);
}

/* ---- Files of shogi positions ------------------------------------------------------------------------------------ */

static const kz_shogi_source source = {
    .path = records_path, .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS};
static const kz_shogi_file_options options = {.threads = 2, .memory = 1 << 20};

static kz_shogi_target target_of(kz_shogi_record kind) {
    return (kz_shogi_target){.path = "out", .record = kind, .dialect = KZ_SHOGI_DIALECTS};
}

static kz_status convert(kz_shogi_record kind, kz_error *error, uint64_t *result) {
    kz_shogi_file_report report;
    kz_shogi_target target = target_of(kind);
    return wrote(kz_shogi_convert(&source, &target, &options, NULL, &report, error), "out", result);
}

static kz_status convert_fixed(kz_error *error, uint64_t *result) {
    return convert(KZ_SHOGI_RECORD_HCPE, error, result);
}

static kz_status convert_text(kz_error *error, uint64_t *result) {
    return convert(KZ_SHOGI_RECORD_PLAIN, error, result);
}

static kz_status check_file(kz_error *error, uint64_t *result) {
    kz_shogi_file_report report = {0};
    kz_status status = kz_shogi_check_file(&source, &options, NULL, &report, error);
    *result = report.read * 1000 + report.bad;
    return status;
}

static kz_status statistics(kz_error *error, uint64_t *result) {
    static kz_shogi_file_stats stats;
    stats.records = 0;
    kz_status status = kz_shogi_file_statistics(&source, &options, NULL, &stats, error);
    *result = stats.records;
    return status;
}

static kz_status shuffle(kz_error *error, uint64_t *result) {
    kz_shogi_file_report report;
    kz_shogi_target target = target_of(KZ_SHOGI_RECORD_PSV);
    return wrote(kz_shogi_shuffle(&source, &target, &options, NULL, &report, error), "out", result);
}

static kz_status dedupe(kz_error *error, uint64_t *result) {
    kz_shogi_file_report report;
    kz_shogi_target target = target_of(KZ_SHOGI_RECORD_PSV);
    return wrote(kz_shogi_dedupe(&source, &target, &options, NULL, &report, error), "out", result);
}

static kz_status sample(kz_error *error, uint64_t *result) {
    kz_shogi_file_report report;
    kz_shogi_target target = target_of(KZ_SHOGI_RECORD_PSV);
    return wrote(kz_shogi_sample(&source, &target, RECORDS / 5, &options, NULL, &report, error), "out", result);
}

static void make_records(void) {
    shogi_walker walker = {.state = 11};
    FILE *file = fopen(records_path, "wb");
    assert_non_null(file);
    for (int i = 0; i < RECORDS; i++) {
        uint8_t bytes[RECORD_BYTES] = {0};
        assert_int_equal(kz_shogi_codec_for(KZ_SHOGI_PSFEN, NULL)->pack(shogi_walk(&walker), bytes), KZ_SHOGI_FINE);
        assert_int_equal(fwrite(bytes, 1, sizeof bytes, file), sizeof bytes);
    }
    assert_int_equal(fclose(file), 0);
}

TEST(test_shogi_files) {
    make_records();
    check_scene("convert", convert_fixed);
    check_scene("convert to text", convert_text);
    check_scene("check", check_file);
    check_scene("statistics", statistics);
    check_scene("shuffle", shuffle);
    check_scene("dedupe", dedupe);
    check_scene("sample", sample);
}

/* --------------------------------------------------------------------------------------------------------------------
 */

static int set_up(void **state) {
    (void)state;
    kz_summary summary;
    pushfight = kz_game_find("pushfight");
    corridor = kz_rules_find(pushfight, "corridor");
    return kz_solve(pushfight, corridor, table_path, NULL, &summary, NULL) == KZ_OK ? 0 : -1;
}

TESTS(set_up, NULL)
