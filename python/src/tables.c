/* SPDX-License-Identifier: MIT
 *
 * Tables: opening, probing, checking; and solving, which makes them. */
#include "common.h"

#include <kanzen/paths.h>
#include <kanzen/solve.h>
#include <stdlib.h>
#include <string.h>

static const char TABLE[] = "kanzen.table";

/* A table belongs to its capsule. A call that is under way has a reference to the capsule, so a table that Python
 * closes meanwhile, by letting go of the capsule, is there until the call ends. The capsule's context is the game's
 * capsule, if the game does not come with the library. */
static void close_table(PyObject *capsule) {
    PyObject *game = PyCapsule_GetContext(capsule);
    kz_table_close(PyCapsule_GetPointer(capsule, TABLE));
    Py_XDECREF(game);
}

kz_table *kzp_table(PyObject *capsule) { return PyCapsule_GetPointer(capsule, TABLE); }

typedef kz_status path_fn(const char *game, const char *rules, char *path, size_t size, kz_error *error);

static PyObject *path_by(PyObject *args, path_fn *find) {
    const char *game;
    const char *rules;
    if (!PyArg_ParseTuple(args, "ss", &game, &rules)) {
        return NULL;
    }
    char path[KZ_PATH_BYTES];
    kz_error error;
    kz_status status = find(game, rules, path, sizeof path, &error);
    return status == KZ_OK ? PyUnicode_DecodeFSDefault(path) : kzp_fail(status, error.message);
}

static PyObject *table_find(PyObject *module, PyObject *args) {
    (void)module;
    return path_by(args, kz_table_find);
}

static PyObject *table_path(PyObject *module, PyObject *args) {
    (void)module;
    return path_by(args, kz_table_path);
}

/* path, the capsule of its game or None */
static PyObject *table_open(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *path;
    PyObject *game_capsule;
    if (!PyArg_ParseTuple(args, "O&O", PyUnicode_FSConverter, &path, &game_capsule)) {
        return NULL;
    }
    const kz_game *game = game_capsule == Py_None ? NULL : kzp_game(game_capsule);
    if (game_capsule != Py_None && !game) {
        Py_DECREF(path);
        return NULL;
    }
    kz_table *table = NULL;
    kz_error error;
    kz_status status;
    const char *name = PyBytes_AsString(path);
    PyThreadState *thread = PyEval_SaveThread();
    status = kz_table_open_as(name, game, &table, &error);
    PyEval_RestoreThread(thread);
    Py_DECREF(path);
    if (status != KZ_OK) {
        return kzp_fail(status, error.message);
    }
    PyObject *capsule = PyCapsule_New(table, TABLE, close_table);
    if (!capsule) {
        kz_table_close(table);
    } else if (game) {
        Py_INCREF(game_capsule);
        PyCapsule_SetContext(capsule, game_capsule);
    }
    return capsule;
}

/* (game, rules, positions, bytes, digest) */
static PyObject *table_info(PyObject *module, PyObject *capsule) {
    (void)module;
    const kz_table *table = kzp_table(capsule);
    return table ? Py_BuildValue("(siKKs)", kz_game_name(kz_table_game(table)), kz_table_rules(table),
                                 (unsigned long long)kz_table_positions(table),
                                 (unsigned long long)kz_table_bytes(table), kz_table_digest(table))
                 : NULL;
}

/* [(outcome, distance, count), ...] */
static PyObject *table_counts(PyObject *module, PyObject *capsule) {
    (void)module;
    const kz_table *table = kzp_table(capsule);
    PyObject *list = table ? PyList_New(0) : NULL;
    kz_value value;
    uint64_t count;
    for (size_t i = 0; list && kz_table_count(table, i, &value, &count); i++) {
        kzp_add(&list, Py_BuildValue("(iiK)", (int)value.outcome, value.distance, (unsigned long long)count));
    }
    return list;
}

/* Not while others probe: the caller sees to that, because the table is new. */
static PyObject *table_cache(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    unsigned long long bytes;
    kz_table *table;
    if (!PyArg_ParseTuple(args, "OK", &capsule, &bytes) || !(table = kzp_table(capsule))) {
        return NULL;
    }
    kz_error error;
    return kzp_none_or(kz_table_cache(table, bytes, &error), &error);
}

/* ---- Probing ----------------------------------------------------------------------------------------------------- */

static PyObject *probe(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    PyObject *bytes;
    const kz_table *table;
    kz_position position;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &bytes) || !(table = kzp_table(capsule)) ||
        !kzp_position(bytes, &position)) {
        return NULL;
    }
    kz_value value = {KZ_UNKNOWN, 0};
    kz_error error;
    kz_status status;
    PyThreadState *thread = PyEval_SaveThread();
    status = kz_probe(table, &position, &value, &error);
    PyEval_RestoreThread(thread);
    return status == KZ_OK ? kzp_value(value) : kzp_fail(status, error.message);
}

_Static_assert(sizeof(kz_value) == 8, "a value is two numbers of 32 bits, as the array of values has them");

/* table, positions, values, threads (0: one for each processor), the number of the first position in messages */
static PyObject *probe_positions(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    PyObject *in;
    PyObject *out;
    int threads;
    Py_ssize_t first;
    const kz_table *table;
    items from;
    items to;
    if (!PyArg_ParseTuple(args, "OOOin", &capsule, &in, &out, &threads, &first) || !(table = kzp_table(capsule)) ||
        !kzp_items(in, sizeof(kz_position), false, &from)) {
        return NULL;
    }
    if (!kzp_items(out, sizeof(kz_value), true, &to)) {
        kzp_items_close(&from);
        return NULL;
    }
    bool fits = kzp_same_count(&from, &to);
    if (fits && ((uintptr_t)from.data % _Alignof(kz_position) || (uintptr_t)to.data % _Alignof(kz_value))) {
        PyErr_SetString(PyExc_ValueError, "the arrays are not aligned");
        fits = false;
    }
    kz_status status = KZ_OK;
    kz_error error;
    size_t bad = 0;
    if (fits) {
        const kz_position *positions = (const kz_position *)from.data;
        PyThreadState *thread = PyEval_SaveThread();
        status = kz_probe_many(table, positions, from.count, threads, (kz_value *)to.data, &error);
        /* The first that is none, with its number in the whole array. */
        while (status == KZ_ERR_INPUT && bad < from.count &&
               kz_validate(kz_table_game(table), kz_table_rules(table), positions + bad, &error) == KZ_OK) {
            bad++;
        }
        PyEval_RestoreThread(thread);
    }
    kzp_items_close(&to);
    kzp_items_close(&from);
    if (!fits) {
        return NULL;
    }
    return status == KZ_ERR_INPUT ? kzp_fail_at((size_t)first + bad, status, error.message)
                                  : kzp_none_or(status, &error);
}

/* [(text, (outcome, distance), position after it), ...], best first */
static PyObject *probe_moves(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    PyObject *bytes;
    const kz_table *table;
    kz_position position;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &bytes) || !(table = kzp_table(capsule)) ||
        !kzp_position(bytes, &position)) {
        return NULL;
    }
    const kz_game *game = kz_table_game(table);
    int rules = kz_table_rules(table);
    kz_scored_move *moves = malloc((size_t)kz_max_moves(game, rules) * sizeof *moves);
    if (!moves) {
        return PyErr_NoMemory();
    }
    int count = 0;
    kz_error error;
    kz_status status;
    PyThreadState *thread = PyEval_SaveThread();
    status = kz_probe_moves(table, &position, moves, &count, &error);
    PyEval_RestoreThread(thread);
    PyObject *list = status == KZ_OK ? PyList_New(0) : kzp_fail(status, error.message);
    for (int i = 0; list && i < count; i++) {
        char text[KZ_TEXT_BYTES];
        kz_position after = position;
        kz_play(game, rules, &after, moves[i].move);
        status = kz_move_format(game, &position, moves[i].move, text, sizeof text, &error);
        kzp_add(&list, status == KZ_OK ? Py_BuildValue("(sNy#)", text, kzp_value(moves[i].value), (const char *)&after,
                                                       (Py_ssize_t)sizeof after)
                                       : kzp_fail(status, error.message));
    }
    free(moves);
    return list;
}

/* ---- Long work --------------------------------------------------------------------------------------------------- */

static PyObject *table_check(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    PyObject *callback;
    const kz_table *table;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &callback) || !(table = kzp_table(capsule))) {
        return NULL;
    }
    reporter r = {.callback = callback};
    kz_progress progress = {kzp_report, &r};
    kz_error error;
    kz_status status;
    KZP_WITHOUT_GIL(&r, status = kz_table_check(table, &progress, &error));
    return kzp_none_or(status, &error);
}

static PyObject *table_verify(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    int threads;
    PyObject *callback;
    const kz_table *table;
    if (!PyArg_ParseTuple(args, "OiO", &capsule, &threads, &callback) || !(table = kzp_table(capsule))) {
        return NULL;
    }
    reporter r = {.callback = callback};
    kz_progress progress = {kzp_report, &r};
    kz_verify_report report = {0};
    kz_error error;
    kz_status status;
    KZP_WITHOUT_GIL(&r, status = kz_table_verify(table, threads, &progress, &report, &error));
    return status == KZ_OK ? Py_BuildValue("{s:K,s:K,s:K,s:K}", "positions", (unsigned long long)report.positions,
                                           "wins", (unsigned long long)report.wins, "losses",
                                           (unsigned long long)report.losses, "draws", (unsigned long long)report.draws)
                           : kzp_fail(status, error.message);
}

/* game, rules, path, threads, replace, device or None, callback */
static PyObject *solve(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    int rules;
    PyObject *path;
    int threads;
    int replace;
    const char *device;
    PyObject *callback;
    const kz_game *game;
    if (!PyArg_ParseTuple(args, "OiO&ipzO", &capsule, &rules, PyUnicode_FSConverter, &path, &threads, &replace, &device,
                          &callback)) {
        return NULL;
    }
    if (!(game = kzp_game(capsule))) {
        Py_DECREF(path);
        return NULL;
    }
    reporter r = {.callback = callback};
    kz_progress progress = {kzp_report, &r};
    kz_solve_options options = {.threads = threads, .replace = replace != 0, .progress = &progress, .device = device};
    kz_summary s = {0};
    kz_error error;
    kz_status status;
    const char *name = PyBytes_AsString(path);
    KZP_WITHOUT_GIL(&r, status = kz_solve(game, rules, name, &options, &s, &error));
    Py_DECREF(path);
    return status == KZ_OK
               ? Py_BuildValue("{s:K,s:K,s:K,s:K,s:i,s:K,s:K,s:d,s:d}", "positions", (unsigned long long)s.positions,
                               "wins", (unsigned long long)s.wins, "losses", (unsigned long long)s.losses, "draws",
                               (unsigned long long)s.draws, "longest_win", s.longest_win, "longest_wins",
                               (unsigned long long)s.longest_wins, "table_bytes", (unsigned long long)s.table_bytes,
                               "solve_seconds", s.solve_seconds, "write_seconds", s.write_seconds)
               : kzp_fail(status, error.message);
}

PyMethodDef kzp_table_methods[] = {
    {"table_find", table_find, METH_VARARGS, NULL},
    {"table_path", table_path, METH_VARARGS, NULL},
    {"table_open", table_open, METH_VARARGS, NULL},
    {"table_info", table_info, METH_O, NULL},
    {"table_counts", table_counts, METH_O, NULL},
    {"table_cache", table_cache, METH_VARARGS, NULL},
    {"probe", probe, METH_VARARGS, NULL},
    {"probe_positions", probe_positions, METH_VARARGS, NULL},
    {"probe_moves", probe_moves, METH_VARARGS, NULL},
    {"table_check", table_check, METH_VARARGS, NULL},
    {"table_verify", table_verify, METH_VARARGS, NULL},
    {"solve", solve, METH_VARARGS, NULL},
    {0},
};
