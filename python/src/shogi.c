/* SPDX-License-Identifier: MIT
 *
 * Positions and records of shogi in arrays. A position is the 96 bytes of a kz_shogi_position. */
#include "common.h"

#include <kanzen/shogi.h>
#include <kanzen/shogi_records.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(kz_shogi_position) == 96, "a position is 81 + 14 + 1 bytes, as the dtype has it");

enum { CHUNK = 256 }; /* positions that are between two arrays at a time */

static bool shogi_position(PyObject *bytes, kz_shogi_position *position) {
    if (!kzp_position_bytes(bytes, position, sizeof *position)) {
        return false;
    }
    kz_shogi_defect defect = kz_shogi_check(position);
    return defect == KZ_SHOGI_FINE || kzp_fail(KZ_ERR_INPUT, kz_shogi_defect_text(defect));
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

/* text -> (position, ply) */
static PyObject *shogi_parse(PyObject *module, PyObject *args) {
    (void)module;
    const char *text;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(args, "s#", &text, &length)) {
        return NULL;
    }
    kz_shogi_position position;
    int ply;
    kz_error error;
    kz_status status = kz_shogi_parse_sfen(text, (size_t)length, &position, &ply, &error);
    return status == KZ_OK ? Py_BuildValue("(y#i)", (const char *)&position, (Py_ssize_t)sizeof position, ply)
                           : kzp_fail(status, error.message);
}

static PyObject *shogi_format(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *bytes;
    int ply;
    kz_shogi_position position;
    if (!PyArg_ParseTuple(args, "Oi", &bytes, &ply) || !shogi_position(bytes, &position)) {
        return NULL;
    }
    char text[KZ_SHOGI_SFEN_BYTES];
    size_t length = kz_shogi_format_sfen(&position, ply, text);
    return PyUnicode_FromStringAndSize(text, (Py_ssize_t)length);
}

/* The defect's text if a position is not well-formed, or, on demand, not legal; None otherwise. */
static PyObject *shogi_check(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *bytes;
    int legal;
    kz_shogi_position position;
    if (!PyArg_ParseTuple(args, "Op", &bytes, &legal) || !shogi_position(bytes, &position)) {
        return NULL;
    }
    kz_shogi_defect defect = legal ? kz_shogi_check_legal(&position) : KZ_SHOGI_FINE;
    return defect == KZ_SHOGI_FINE ? Py_BuildValue("") : PyUnicode_FromString(kz_shogi_defect_text(defect));
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

/* position -> [usi, ...] */
static PyObject *shogi_moves(PyObject *module, PyObject *bytes) {
    (void)module;
    kz_shogi_position position;
    if (!shogi_position(bytes, &position)) {
        return NULL;
    }
    kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
    size_t count = kz_shogi_moves(&position, moves);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        char text[8];
        size_t length = kz_shogi_format_move(moves[i], text);
        kzp_add(&list, PyUnicode_FromStringAndSize(text, (Py_ssize_t)length));
    }
    return list;
}

/* Positions, dialect, counts (u16 each) -> the moves of all, as bytes of u16 */
static PyObject *shogi_moves_many(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *in;
    int dialect;
    PyObject *out;
    items positions;
    items counts;
    if (!PyArg_ParseTuple(args, "OiO", &in, &dialect, &out) ||
        !kzp_items(in, sizeof(kz_shogi_position), false, &positions)) {
        return NULL;
    }
    if (!kzp_items(out, sizeof(uint16_t), true, &counts)) {
        kzp_items_close(&positions);
        return NULL;
    }
    uint16_t *all = NULL;
    size_t filled = 0;
    size_t room = 0;
    kz_shogi_defect defect = KZ_SHOGI_FINE;
    bool memory = true;
    size_t i = 0;
    bool fits = kzp_same_count(&positions, &counts);
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        for (; i < positions.count; i++) {
            kz_shogi_position position;
            kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
            memcpy(&position, positions.data + i * sizeof position, sizeof position);
            defect = kz_shogi_check(&position);
            if (defect != KZ_SHOGI_FINE) {
                break;
            }
            uint16_t count = (uint16_t)kz_shogi_moves(&position, moves);
            if (filled + count > room) {
                size_t larger = room * 2 + KZ_SHOGI_MOST_MOVES;
                uint16_t *grown = realloc(all, larger * sizeof *all);
                memory = grown != NULL;
                if (!memory) {
                    break;
                }
                all = grown;
                room = larger;
            }
            for (uint16_t m = 0; m < count; m++) {
                all[filled + m] = kz_shogi_write_move((kz_shogi_dialect)dialect, moves[m]);
            }
            filled += count;
            memcpy(counts.data + i * sizeof count, &count, sizeof count);
        }
        PyEval_RestoreThread(thread);
    }
    kzp_items_close(&counts);
    kzp_items_close(&positions);
    PyObject *result = NULL;
    if (fits && !memory) {
        PyErr_NoMemory();
    } else if (fits && defect != KZ_SHOGI_FINE) {
        kzp_fail_at(i, KZ_ERR_INPUT, kz_shogi_defect_text(defect));
    } else if (fits) {
        result = PyBytes_FromStringAndSize((const char *)all, (Py_ssize_t)(filled * sizeof *all));
    }
    free(all);
    return result;
}

static PyObject *shogi_play(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *bytes;
    const char *text;
    Py_ssize_t length;
    kz_shogi_position position;
    kz_shogi_move move;
    kz_error error;
    if (!PyArg_ParseTuple(args, "Os#", &bytes, &text, &length) || !shogi_position(bytes, &position)) {
        return NULL;
    }
    kz_status status = kz_shogi_parse_move(text, (size_t)length, &move, &error);
    if (status != KZ_OK) {
        return kzp_fail(status, error.message);
    }
    kz_shogi_defect defect = move.special == KZ_SHOGI_MOVE ? kz_shogi_check_move(&position, move) : KZ_SHOGI_BAD_MOVE;
    if (defect == KZ_SHOGI_FINE) {
        defect = kz_shogi_make_move(&position, move);
    }
    return defect == KZ_SHOGI_FINE ? PyBytes_FromStringAndSize((const char *)&position, sizeof position)
                                   : kzp_fail(KZ_ERR_INPUT, kz_shogi_defect_text(defect));
}

/* Moves of 16 bits between text and dialects: bits, dialect -> usi; usi, dialect -> bits */
static PyObject *shogi_move_text(PyObject *module, PyObject *args) {
    (void)module;
    unsigned bits;
    int dialect;
    if (!PyArg_ParseTuple(args, "Ii", &bits, &dialect)) {
        return NULL;
    }
    kz_shogi_move move;
    char text[8];
    kz_shogi_defect defect =
        bits > UINT16_MAX ? KZ_SHOGI_BAD_MOVE : kz_shogi_read_move((kz_shogi_dialect)dialect, (uint16_t)bits, &move);
    if (defect != KZ_SHOGI_FINE) {
        return kzp_fail(KZ_ERR_INPUT, kz_shogi_defect_text(defect));
    }
    kz_shogi_format_move(move, text);
    return PyUnicode_FromString(text);
}

static PyObject *shogi_move_bits(PyObject *module, PyObject *args) {
    (void)module;
    const char *text;
    Py_ssize_t length;
    int dialect;
    if (!PyArg_ParseTuple(args, "s#i", &text, &length, &dialect)) {
        return NULL;
    }
    kz_shogi_move move;
    kz_error error;
    kz_status status = kz_shogi_parse_move(text, (size_t)length, &move, &error);
    return status == KZ_OK ? PyLong_FromLong(kz_shogi_write_move((kz_shogi_dialect)dialect, move))
                           : kzp_fail(status, error.message);
}

/* ---- Packing ----------------------------------------------------------------------------------------------------- */

/* format, positions, records, first number -> None */
static PyObject *shogi_pack(PyObject *module, PyObject *args) {
    (void)module;
    int format;
    PyObject *in;
    PyObject *out;
    Py_ssize_t first;
    items positions;
    items records;
    if (!PyArg_ParseTuple(args, "iOOn", &format, &in, &out, &first) ||
        !kzp_items(in, sizeof(kz_shogi_position), false, &positions)) {
        return NULL;
    }
    if (!kzp_items_apart(out, KZ_SHOGI_RECORD_BYTES, true, &records)) {
        kzp_items_close(&positions);
        return NULL;
    }
    const kz_shogi_codec *codec = kz_shogi_codec_for((kz_shogi_format)format, NULL);
    kz_shogi_defect defect = KZ_SHOGI_FINE;
    size_t done = 0;
    bool fits = kzp_same_count(&positions, &records);
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        /* The codec takes only what is well-formed. */
        const kz_shogi_position *from = (const kz_shogi_position *)positions.data;
        size_t fine = 0;
        while (fine < positions.count && (defect = kz_shogi_check(from + fine)) == KZ_SHOGI_FINE) {
            fine++;
        }
        kz_shogi_defect own = KZ_SHOGI_FINE;
        done = codec->pack_many(from, fine, records.data, records.stride, &own);
        defect = done < fine ? own : defect;
        PyEval_RestoreThread(thread);
    }
    kzp_items_close(&records);
    kzp_items_close(&positions);
    if (!fits) {
        return NULL;
    }
    return done == positions.count ? Py_BuildValue("")
                                   : kzp_fail_at((size_t)first + done, KZ_ERR_INPUT, kz_shogi_defect_text(defect));
}

/* format, records, positions, first number -> None */
static PyObject *shogi_unpack(PyObject *module, PyObject *args) {
    (void)module;
    int format;
    PyObject *in;
    PyObject *out;
    Py_ssize_t first;
    items records;
    items positions;
    if (!PyArg_ParseTuple(args, "iOOn", &format, &in, &out, &first) ||
        !kzp_items_apart(in, KZ_SHOGI_RECORD_BYTES, false, &records)) {
        return NULL;
    }
    if (!kzp_items(out, sizeof(kz_shogi_position), true, &positions)) {
        kzp_items_close(&records);
        return NULL;
    }
    const kz_shogi_codec *codec = kz_shogi_codec_for((kz_shogi_format)format, NULL);
    kz_shogi_defect defect = KZ_SHOGI_FINE;
    size_t done = 0;
    bool fits = kzp_same_count(&records, &positions);
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        done = codec->unpack_many(records.data, records.stride, records.count, (kz_shogi_position *)positions.data,
                                  &defect);
        PyEval_RestoreThread(thread);
    }
    kzp_items_close(&positions);
    kzp_items_close(&records);
    if (!fits) {
        return NULL;
    }
    return done == records.count || !records.count
               ? Py_BuildValue("")
               : kzp_fail_at((size_t)first + done, KZ_ERR_INPUT, kz_shogi_defect_text(defect));
}

/* ---- Whole records ----------------------------------------------------------------------------------------------- */

static PyObject *shogi_record_info(PyObject *module, PyObject *args) {
    (void)module;
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name)) {
        return NULL;
    }
    kz_shogi_record record = kz_shogi_record_named(name);
    if (record == KZ_SHOGI_RECORDS) {
        return PyErr_Format(PyExc_ValueError, "there is no record called '%s'", name);
    }
    const kz_shogi_record_info *info = kz_shogi_record_at(record);
    return Py_BuildValue("(iniI)", (int)record, (Py_ssize_t)info->bytes, (int)info->format, info->holds);
}

/* Converts a part of an array. Returns how many were done. */
static size_t convert_part(const items *from, kz_shogi_record source, kz_shogi_dialect source_dialect, const items *to,
                           kz_shogi_record target, kz_shogi_dialect target_dialect, kz_shogi_defect *defect) {
    const kz_shogi_codec *reads = kz_shogi_codec_for(kz_shogi_record_at(source)->format, NULL);
    const kz_shogi_codec *writes = kz_shogi_codec_for(kz_shogi_record_at(target)->format, NULL);
    kz_shogi_position positions[CHUNK];
    for (size_t done = 0; done < from->count;) {
        size_t count = from->count - done < CHUNK ? from->count - done : CHUNK;
        const uint8_t *in = from->data + done * from->stride;
        uint8_t *out = to->data + done * to->stride;
        size_t read = reads->unpack_many(in, from->stride, count, positions, defect);
        kz_shogi_defect other = KZ_SHOGI_FINE;
        size_t written = writes->pack_many(positions, read, out, to->stride, &other);
        for (size_t i = 0; i < written; i++) {
            kz_shogi_note note = {0};
            kz_shogi_side side = (kz_shogi_side)positions[i].side;
            kz_shogi_defect bad = kz_shogi_read_note(source, source_dialect, in + i * from->stride, side, &note);
            if (bad != KZ_SHOGI_FINE) {
                *defect = bad;
                return done + i;
            }
            kz_shogi_write_note(target, target_dialect, &note, side, out + i * to->stride);
        }
        if (written < read) {
            *defect = other;
        }
        if (written < count) {
            return done + written;
        }
        done += count;
    }
    return from->count;
}

/* source, its dialect, records, target, its dialect, records, first number -> None */
static PyObject *shogi_convert(PyObject *module, PyObject *args) {
    (void)module;
    int source;
    int source_dialect;
    PyObject *in;
    int target;
    int target_dialect;
    PyObject *out;
    Py_ssize_t first;
    items from;
    items to;
    if (!PyArg_ParseTuple(args, "iiOiiOn", &source, &source_dialect, &in, &target, &target_dialect, &out, &first) ||
        !kzp_items_apart(in, kz_shogi_record_at((kz_shogi_record)source)->bytes, false, &from)) {
        return NULL;
    }
    if (!kzp_items_apart(out, kz_shogi_record_at((kz_shogi_record)target)->bytes, true, &to)) {
        kzp_items_close(&from);
        return NULL;
    }
    kz_shogi_defect defect = KZ_SHOGI_FINE;
    size_t done = 0;
    bool fits = kzp_same_count(&from, &to);
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        done = convert_part(&from, (kz_shogi_record)source, (kz_shogi_dialect)source_dialect, &to,
                            (kz_shogi_record)target, (kz_shogi_dialect)target_dialect, &defect);
        PyEval_RestoreThread(thread);
    }
    size_t count = from.count;
    kzp_items_close(&to);
    kzp_items_close(&from);
    if (!fits) {
        return NULL;
    }
    return done == count ? Py_BuildValue("")
                         : kzp_fail_at((size_t)first + done, KZ_ERR_INPUT, kz_shogi_defect_text(defect));
}

/* ---- Duplicates -------------------------------------------------------------------------------------------------- */

typedef struct key {
    uint64_t words[4]; /* a record of 32 bytes */
} key;

static uint64_t mix(const key *k) {
    uint64_t h = 0x9E3779B97F4A7C15U;
    for (int i = 0; i < 4; i++) {
        h = (h ^ k->words[i]) * 0xFF51AFD7ED558CCDU;
        h ^= h >> 32;
    }
    return h;
}

/* Marks the first record of each position. False: no memory. */
static bool mark_first(const items *records, kz_shogi_format format, uint8_t *keep, size_t *done,
                       kz_shogi_defect *defect) {
    size_t places = 64;
    while (places < records->count * 2) {
        places *= 2;
    }
    key *keys = malloc((records->count ? records->count : 1) * sizeof *keys);
    size_t *table = calloc(places, sizeof *table); /* 1 + the number of a record; 0: free */
    bool memory = keys && table;
    for (*done = 0; memory && *done < records->count; ++*done) {
        uint8_t bytes[KZ_SHOGI_RECORD_BYTES];
        memcpy(bytes, records->data + *done * records->stride, sizeof bytes);
        /* So that equal positions have equal bytes. */
        *defect = kz_shogi_canonicalise(format, bytes);
        if (*defect != KZ_SHOGI_FINE) {
            break;
        }
        if (format == KZ_SHOGI_SSPFC) {
            kz_shogi_sspfc_set_spare(bytes, 0);
        }
        memcpy(keys + *done, bytes, sizeof bytes);
        size_t place = (size_t)mix(keys + *done) & (places - 1);
        while (table[place] && memcmp(keys + table[place] - 1, keys + *done, sizeof *keys) != 0) {
            place = (place + 1) & (places - 1);
        }
        keep[*done] = !table[place];
        if (!table[place]) {
            table[place] = *done + 1;
        }
    }
    free(keys);
    free(table);
    return memory;
}

/* format, records, one byte each: 1 for the first of each position -> None */
static PyObject *shogi_first(PyObject *module, PyObject *args) {
    (void)module;
    int format;
    PyObject *in;
    PyObject *out;
    items records;
    items keep;
    if (!PyArg_ParseTuple(args, "iOO", &format, &in, &out) ||
        !kzp_items_apart(in, KZ_SHOGI_RECORD_BYTES, false, &records)) {
        return NULL;
    }
    if (!kzp_items(out, 1, true, &keep)) {
        kzp_items_close(&records);
        return NULL;
    }
    kz_shogi_defect defect = KZ_SHOGI_FINE;
    size_t done = 0;
    bool memory = true;
    bool fits = kzp_same_count(&records, &keep);
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        memory = mark_first(&records, (kz_shogi_format)format, keep.data, &done, &defect);
        PyEval_RestoreThread(thread);
    }
    kzp_items_close(&keep);
    kzp_items_close(&records);
    if (!fits) {
        return NULL;
    }
    if (!memory) {
        return PyErr_NoMemory();
    }
    return defect == KZ_SHOGI_FINE ? Py_BuildValue("") : kzp_fail_at(done, KZ_ERR_INPUT, kz_shogi_defect_text(defect));
}

PyMethodDef kzp_shogi_methods[] = {
    {"shogi_parse", shogi_parse, METH_VARARGS, NULL},
    {"shogi_format", shogi_format, METH_VARARGS, NULL},
    {"shogi_check", shogi_check, METH_VARARGS, NULL},
    {"shogi_moves", shogi_moves, METH_O, NULL},
    {"shogi_moves_many", shogi_moves_many, METH_VARARGS, NULL},
    {"shogi_play", shogi_play, METH_VARARGS, NULL},
    {"shogi_move_text", shogi_move_text, METH_VARARGS, NULL},
    {"shogi_move_bits", shogi_move_bits, METH_VARARGS, NULL},
    {"shogi_pack", shogi_pack, METH_VARARGS, NULL},
    {"shogi_unpack", shogi_unpack, METH_VARARGS, NULL},
    {"shogi_record_info", shogi_record_info, METH_VARARGS, NULL},
    {"shogi_convert", shogi_convert, METH_VARARGS, NULL},
    {"shogi_first", shogi_first, METH_VARARGS, NULL},
    {0},
};
