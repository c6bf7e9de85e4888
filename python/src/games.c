/* SPDX-License-Identifier: MIT
 *
 * Games, positions, moves, ranks. */
#include "common.h"

#include <kanzen/load.h>
#include <stdlib.h>
#include <string.h>

static const char GAME[] = "kanzen.game";

/* The capsule's context is a second game for ranks (below), the same game, or NULL. */
static void close_game(PyObject *capsule) {
    const kz_game *game = PyCapsule_GetPointer(capsule, GAME);
    const kz_game *other = PyCapsule_GetContext(capsule);
    if (other != game) {
        kz_game_close(other);
    }
    kz_game_close(game);
}

const kz_game *kzp_game(PyObject *capsule) { return PyCapsule_GetPointer(capsule, GAME); }

bool kzp_position_bytes(PyObject *bytes, void *position, size_t size) {
    char *data;
    Py_ssize_t found;
    if (PyBytes_AsStringAndSize(bytes, &data, &found) != 0) {
        return false;
    }
    if (found != (Py_ssize_t)size) {
        PyErr_Format(PyExc_ValueError, "a position has %zu bytes, not %zd", size, found);
        return false;
    }
    memcpy(position, data, size);
    return true;
}

bool kzp_position(PyObject *bytes, kz_position *position) {
    return kzp_position_bytes(bytes, position, sizeof *position);
}

static PyObject *position_bytes(const kz_position *position) {
    return PyBytes_FromStringAndSize((const char *)position, sizeof *position);
}

PyObject *kzp_value(kz_value value) { return Py_BuildValue("(ii)", (int)value.outcome, value.distance); }

/* A valid position of a game by a rule set: the first arguments of most calls. */
static bool parse_start(PyObject *args, const char *format, const kz_game **game, int *rules, kz_position *position,
                        void *more) {
    PyObject *capsule;
    PyObject *bytes;
    if (!PyArg_ParseTuple(args, format, &capsule, rules, &bytes, more) || !(*game = kzp_game(capsule)) ||
        !kzp_position(bytes, position)) {
        return false;
    }
    return true;
}

/* ---- Games ------------------------------------------------------------------------------------------------------- */

static PyObject *game_names(PyObject *module, PyObject *none) {
    (void)module;
    (void)none;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && kz_game_at(i); i++) {
        kzp_add(&list, PyUnicode_FromString(kz_game_name(kz_game_at(i))));
    }
    return list;
}

static PyObject *game_open(PyObject *module, PyObject *args) {
    (void)module;
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name)) {
        return NULL;
    }
    kz_error error;
    const kz_game *game;
    kz_status status = kz_game_named(name, &game, &error);
    if (status != KZ_OK) {
        return kzp_fail(status, error.message);
    }
    PyObject *capsule = PyCapsule_New((void *)(uintptr_t)game, GAME, close_game);
    if (!capsule) {
        kz_game_close(game);
    }
    return capsule;
}

typedef const char *name_fn(const kz_game *game, int number);

static PyObject *names(const kz_game *game, name_fn *name) {
    int count = 0;
    while (name(game, count)) {
        count++;
    }
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        PyObject *text = PyUnicode_FromString(name(game, i));
        if (!text || PyTuple_SetItem(tuple, i, text) != 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

static PyObject *game_info(PyObject *module, PyObject *capsule) {
    (void)module;
    const kz_game *game = kzp_game(capsule);
    return game ? Py_BuildValue("(sssNNO)", kz_game_name(game), kz_game_title(game), kz_distance_unit(game),
                                names(game, kz_rules_name), names(game, kz_notation_name),
                                kz_can_prove(game) ? Py_True : Py_False)
                : NULL;
}

static PyObject *index_size(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    int rules;
    const kz_game *game;
    if (!PyArg_ParseTuple(args, "Oi", &capsule, &rules) || !(game = kzp_game(capsule))) {
        return NULL;
    }
    return PyLong_FromUnsignedLongLong(kz_index_size(game, rules));
}

/* ---- Positions --------------------------------------------------------------------------------------------------- */

static PyObject *start(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    int rules;
    const kz_game *game;
    if (!PyArg_ParseTuple(args, "Oi", &capsule, &rules) || !(game = kzp_game(capsule))) {
        return NULL;
    }
    kz_position position = {{0}};
    kz_start(game, rules, &position);
    return position_bytes(&position);
}

static PyObject *parse(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    int rules;
    const char *text;
    Py_ssize_t length;
    const kz_game *game;
    if (!PyArg_ParseTuple(args, "Ois#", &capsule, &rules, &text, &length) || !(game = kzp_game(capsule))) {
        return NULL;
    }
    kz_position position = {{0}};
    kz_error error;
    kz_status status = kz_parse(game, rules, text, (size_t)length, &position, &error);
    return status == KZ_OK ? position_bytes(&position) : kzp_fail(status, error.message);
}

/* Texts in a sequence -> an array of positions. */
static PyObject *parse_many(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    int rules;
    PyObject *texts;
    PyObject *out;
    const kz_game *game;
    items positions;
    if (!PyArg_ParseTuple(args, "OiOO", &capsule, &rules, &texts, &out) || !(game = kzp_game(capsule)) ||
        !kzp_items(out, sizeof(kz_position), true, &positions)) {
        return NULL;
    }
    kz_error error;
    bool fine = true;
    for (size_t i = 0; fine && i < positions.count; i++) {
        PyObject *item = PySequence_GetItem(texts, (Py_ssize_t)i);
        PyObject *utf8 = item && PyUnicode_Check(item) ? PyUnicode_AsUTF8String(item) : NULL;
        if (item && !utf8 && !PyErr_Occurred()) {
            PyErr_Format(PyExc_TypeError, "number %zu is no text", i);
        }
        fine = utf8 != NULL;
        if (fine) {
            kz_position position = {{0}};
            char *text;
            Py_ssize_t length;
            PyBytes_AsStringAndSize(utf8, &text, &length);
            kz_status status = kz_parse(game, rules, text, (size_t)length, &position, &error);
            fine = status == KZ_OK || kzp_fail_at(i, status, error.message);
            memcpy(positions.data + i * sizeof position, &position, sizeof position);
        }
        Py_XDECREF(utf8);
        Py_XDECREF(item);
    }
    kzp_items_close(&positions);
    if (!fine) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *validate(PyObject *module, PyObject *args) {
    (void)module;
    const kz_game *game;
    int rules;
    kz_position position;
    if (!parse_start(args, "OiO", &game, &rules, &position, NULL)) {
        return NULL;
    }
    kz_error error;
    kz_status status = kz_validate(game, rules, &position, &error);
    return kzp_none_or(status, &error);
}

static PyObject *format(PyObject *module, PyObject *args) {
    (void)module;
    const kz_game *game;
    int notation;
    kz_position position;
    if (!parse_start(args, "OiO", &game, &notation, &position, NULL)) {
        return NULL;
    }
    char text[KZ_TEXT_BYTES];
    kz_error error;
    kz_status status = kz_format(game, &position, notation, text, sizeof text, &error);
    return status == KZ_OK ? PyUnicode_FromString(text) : kzp_fail(status, error.message);
}

/* The board in characters (0) or as SVG (1). */
static PyObject *draw(PyObject *module, PyObject *args) {
    (void)module;
    enum { ROOM = 1 << 16 };
    const kz_game *game;
    int svg;
    kz_position position;
    if (!parse_start(args, "OiO", &game, &svg, &position, NULL)) {
        return NULL;
    }
    char *text = malloc(ROOM);
    if (!text) {
        return PyErr_NoMemory();
    }
    kz_error error;
    kz_status status = (svg ? kz_draw_svg : kz_draw)(game, &position, text, ROOM, &error);
    PyObject *drawn = status == KZ_OK ? PyUnicode_FromString(text) : kzp_fail(status, error.message);
    free(text);
    return drawn;
}

static PyObject *side(PyObject *module, PyObject *args) {
    (void)module;
    const kz_game *game;
    int rules;
    kz_position position;
    return parse_start(args, "OiO", &game, &rules, &position, NULL)
               ? PyUnicode_FromString(kz_side_to_move(game, &position))
               : NULL;
}

static PyObject *same(PyObject *module, PyObject *args) {
    (void)module;
    const kz_game *game;
    int rules;
    kz_position a;
    kz_position b;
    PyObject *other;
    if (!parse_start(args, "OiOO", &game, &rules, &a, &other) || !kzp_position(other, &b)) {
        return NULL;
    }
    return PyBool_FromLong(kz_same(game, &a, &b));
}

static PyObject *immediate(PyObject *module, PyObject *args) {
    (void)module;
    const kz_game *game;
    int rules;
    kz_position position;
    return parse_start(args, "OiO", &game, &rules, &position, NULL) ? kzp_value(kz_immediate(game, rules, &position))
                                                                    : NULL;
}

static PyObject *distance_shown(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    int outcome;
    int distance;
    const kz_game *game;
    if (!PyArg_ParseTuple(args, "Oii", &capsule, &outcome, &distance) || !(game = kzp_game(capsule))) {
        return NULL;
    }
    return PyLong_FromLong(kz_distance_shown(game, (kz_value){(kz_outcome)outcome, distance}));
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

/* The texts of the legal moves. */
static PyObject *moves(PyObject *module, PyObject *args) {
    (void)module;
    const kz_game *game;
    int rules;
    kz_position position;
    if (!parse_start(args, "OiO", &game, &rules, &position, NULL)) {
        return NULL;
    }
    kz_move *list = malloc((size_t)kz_max_moves(game, rules) * sizeof *list);
    if (!list) {
        return PyErr_NoMemory();
    }
    int count = kz_moves(game, rules, &position, list);
    PyObject *texts = PyList_New(0);
    for (int i = 0; texts && i < count; i++) {
        char text[KZ_TEXT_BYTES];
        kz_error error;
        kz_status status = kz_move_format(game, &position, list[i], text, sizeof text, &error);
        kzp_add(&texts, status == KZ_OK ? PyUnicode_FromString(text) : kzp_fail(status, error.message));
    }
    free(list);
    return texts;
}

static PyObject *play(PyObject *module, PyObject *args) {
    (void)module;
    const kz_game *game;
    int rules;
    kz_position position;
    PyObject *text;
    if (!parse_start(args, "OiOU", &game, &rules, &position, &text)) {
        return NULL;
    }
    PyObject *utf8 = PyUnicode_AsUTF8String(text);
    char *data;
    Py_ssize_t length;
    if (!utf8 || PyBytes_AsStringAndSize(utf8, &data, &length) != 0) {
        Py_XDECREF(utf8);
        return NULL;
    }
    kz_move move;
    kz_error error;
    kz_status status = kz_move_parse(game, rules, &position, data, (size_t)length, &move, &error);
    Py_DECREF(utf8);
    if (status != KZ_OK) {
        return kzp_fail(status, error.message);
    }
    kz_play(game, rules, &position, move);
    return position_bytes(&position);
}

static PyObject *perft(PyObject *module, PyObject *args) {
    (void)module;
    const kz_game *game;
    int rules;
    kz_position position;
    int depth;
    if (!parse_start(args, "OiOi", &game, &rules, &position, &depth)) {
        return NULL;
    }
    uint64_t count;
    PyThreadState *thread = PyEval_SaveThread();
    count = kz_perft(game, rules, &position, depth);
    PyEval_RestoreThread(thread);
    return count == UINT64_MAX ? PyErr_NoMemory() : PyLong_FromUnsignedLongLong(count);
}

/* A search without a table. Depth 0: what never takes long. */
static PyObject *prove(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    int rules;
    PyObject *bytes;
    int depth;
    int threads;
    PyObject *callback;
    const kz_game *game;
    kz_position position;
    if (!PyArg_ParseTuple(args, "OiOiiO", &capsule, &rules, &bytes, &depth, &threads, &callback) ||
        !(game = kzp_game(capsule)) || !kzp_position(bytes, &position)) {
        return NULL;
    }
    if (kz_can_prove(game) && depth > kz_prove_most_depth(game)) {
        return PyErr_Format(PyExc_ValueError, "the depth is %d at most", kz_prove_most_depth(game));
    }
    reporter r = {.callback = callback};
    kz_progress progress = {kzp_report, &r};
    kz_value value = {KZ_UNKNOWN, 0};
    kz_move best = 0;
    kz_error error;
    kz_status status;
    KZP_WITHOUT_GIL(
        &r, status = depth ? kz_prove_to(game, rules, &position, depth, threads, &progress, &value, &best, &error)
                           : kz_prove(game, rules, &position, &progress, &value, &error));
    return status == KZ_OK ? kzp_value(value) : kzp_fail(status, error.message);
}

/* ---- Ranks ------------------------------------------------------------------------------------------------------- */

/* A game that comes with the library ranks one position in some hundred microseconds if its calls have no memory to
 * work with. Where it has a definition, opening that makes tables, with which it is a hundred times as fast. */
typedef struct ranker {
    const kz_game *game;
    int rules;
    uint64_t size;
    const kz_definition *definition; /* NULL: through the game */
    const void *context;
} ranker;

/* Whether the numbers of a definition are those of the index. */
static bool same_numbers(const kz_game *game, const kz_definition *definition, const void *context, int rules) {
    enum { SAMPLES = 32 };
    uint64_t size = kz_index_size(game, rules);
    for (uint64_t i = 0; i < SAMPLES; i++) {
        uint64_t index = size / SAMPLES * i + i % (size / SAMPLES + 1);
        kz_position by_game = {{0}};
        kz_position by_definition = {{0}};
        bool has = kz_unrank(game, rules, index, &by_game);
        if (definition->unrank(context, index, &by_definition) != has ||
            (has && (definition->rank(context, &by_game) != index || !kz_same(game, &by_game, &by_definition)))) {
            return false;
        }
    }
    return true;
}

/* The game that a definition makes, opened once and kept with the capsule; the game itself where there is none that
 * would help. */
static const kz_game *opened_for(PyObject *capsule, const kz_game *game) {
    const kz_game *opened = PyCapsule_GetContext(capsule);
    const kz_definition *definition = kz_game_definition(game);
    if (!opened) {
        if (!definition || definition->symmetries > 1 || kz_game_find(kz_game_name(game)) != game ||
            kz_game_open(definition, &opened, NULL) != KZ_OK) {
            opened = game;
        }
        for (int rules = 0; opened != game && kz_rules_name(game, rules); rules++) {
            if (!same_numbers(game, definition, kz_game_context(opened, rules), rules)) {
                kz_game_close(opened);
                opened = game;
            }
        }
        PyCapsule_SetContext(capsule, (void *)(uintptr_t)opened);
    }
    return opened;
}

static bool ranker_for(PyObject *capsule, int rules, ranker *r) {
    r->game = kzp_game(capsule);
    if (!r->game) {
        return false;
    }
    const kz_game *opened = opened_for(capsule, r->game);
    r->rules = rules;
    r->size = kz_index_size(r->game, rules);
    r->definition = opened != r->game ? kz_game_definition(r->game) : NULL;
    r->context = r->definition ? kz_game_context(opened, rules) : NULL;
    return true;
}

static uint64_t rank_one(const ranker *r, const kz_position *position) {
    uint64_t index;
    if (r->definition) {
        /* A definition has more numbers than the index, for finished games. */
        index = r->definition->rank(r->context, position);
        return index < r->size ? index : UINT64_MAX;
    }
    return kz_rank(r->game, position, &index) ? index : UINT64_MAX;
}

static bool unrank_one(const ranker *r, uint64_t index, kz_position *position) {
    return r->definition ? r->definition->unrank(r->context, index, position)
                         : kz_unrank(r->game, r->rules, index, position);
}

/* Positions -> indices; UINT64_MAX for one that has none. */
static PyObject *rank(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    int rules;
    PyObject *in;
    PyObject *out;
    ranker r;
    items positions;
    items indices;
    if (!PyArg_ParseTuple(args, "OiOO", &capsule, &rules, &in, &out) || !ranker_for(capsule, rules, &r) ||
        !kzp_items(in, sizeof(kz_position), false, &positions)) {
        return NULL;
    }
    if (!kzp_items(out, sizeof(uint64_t), true, &indices)) {
        kzp_items_close(&positions);
        return NULL;
    }
    kz_status status = KZ_OK;
    kz_error error;
    size_t i = 0;
    bool fits = kzp_same_count(&positions, &indices);
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        for (; i < positions.count; i++) {
            kz_position position;
            memcpy(&position, positions.data + i * sizeof position, sizeof position);
            status = kz_validate(r.game, rules, &position, &error);
            if (status != KZ_OK) {
                break;
            }
            uint64_t index = rank_one(&r, &position);
            memcpy(indices.data + i * sizeof index, &index, sizeof index);
        }
        PyEval_RestoreThread(thread);
    }
    kzp_items_close(&indices);
    kzp_items_close(&positions);
    if (!fits) {
        return NULL;
    }
    return status == KZ_OK ? Py_BuildValue("") : kzp_fail_at(i, status, error.message);
}

/* Indices -> positions, and for each whether no position has it: then the position is all 0. Indices are below the size
 * of the index. */
static PyObject *unrank(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    int rules;
    PyObject *in;
    PyObject *out;
    PyObject *marks;
    ranker r;
    items indices;
    items positions;
    items holes;
    if (!PyArg_ParseTuple(args, "OiOOO", &capsule, &rules, &in, &out, &marks) || !ranker_for(capsule, rules, &r) ||
        !kzp_items(in, sizeof(uint64_t), false, &indices)) {
        return NULL;
    }
    if (!kzp_items(out, sizeof(kz_position), true, &positions)) {
        kzp_items_close(&indices);
        return NULL;
    }
    if (!kzp_items(marks, 1, true, &holes)) {
        kzp_items_close(&positions);
        kzp_items_close(&indices);
        return NULL;
    }
    bool fits = kzp_same_count(&indices, &positions) && kzp_same_count(&indices, &holes);
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        for (size_t i = 0; i < indices.count; i++) {
            uint64_t index;
            kz_position position = {{0}};
            memcpy(&index, indices.data + i * sizeof index, sizeof index);
            holes.data[i] = index >= r.size || !unrank_one(&r, index, &position);
            memcpy(positions.data + i * sizeof position, &position, sizeof position);
        }
        PyEval_RestoreThread(thread);
    }
    kzp_items_close(&holes);
    kzp_items_close(&positions);
    kzp_items_close(&indices);
    return fits ? Py_BuildValue("") : NULL;
}

PyMethodDef kzp_game_methods[] = {
    {"game_names", game_names, METH_NOARGS, NULL},
    {"game_open", game_open, METH_VARARGS, NULL},
    {"game_info", game_info, METH_O, NULL},
    {"index_size", index_size, METH_VARARGS, NULL},
    {"start", start, METH_VARARGS, NULL},
    {"parse", parse, METH_VARARGS, NULL},
    {"parse_many", parse_many, METH_VARARGS, NULL},
    {"validate", validate, METH_VARARGS, NULL},
    {"format", format, METH_VARARGS, NULL},
    {"draw", draw, METH_VARARGS, NULL},
    {"side", side, METH_VARARGS, NULL},
    {"same", same, METH_VARARGS, NULL},
    {"immediate", immediate, METH_VARARGS, NULL},
    {"distance_shown", distance_shown, METH_VARARGS, NULL},
    {"moves", moves, METH_VARARGS, NULL},
    {"play", play, METH_VARARGS, NULL},
    {"perft", perft, METH_VARARGS, NULL},
    {"prove", prove, METH_VARARGS, NULL},
    {"rank", rank, METH_VARARGS, NULL},
    {"unrank", unrank, METH_VARARGS, NULL},
    {0},
};
