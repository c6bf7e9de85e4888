/* SPDX-License-Identifier: MIT
 *
 * Files of shogi records: converting, checking, shuffling, dropping duplicates. */
#include "common.h"

#include <kanzen/shogi_files.h>
#include <string.h>

/* What was seen, as a dict. */
static PyObject *describe(const kz_shogi_file_report *report) {
    PyObject *defects = PyDict_New();
    for (int i = 1; defects && i < KZ_SHOGI_DEFECTS; i++) {
        if (report->defects[i]) {
            PyObject *count = PyLong_FromUnsignedLongLong(report->defects[i]);
            if (!count || PyDict_SetItemString(defects, kz_shogi_defect_name((kz_shogi_defect)i), count) != 0) {
                Py_CLEAR(defects);
            }
            Py_XDECREF(count);
        }
    }
    if (!defects) {
        return NULL;
    }
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:N}", "read", (unsigned long long)report->read, "written",
                         (unsigned long long)report->written, "bad", (unsigned long long)report->bad, "repeated",
                         (unsigned long long)report->repeated, "not_legal", (unsigned long long)report->not_legal,
                         "not_canonical", (unsigned long long)report->not_canonical, "impossible_moves",
                         (unsigned long long)report->impossible_moves, "defects", defects);
}

enum { CONVERT, DEDUPE, SHUFFLE, CHECK };

/* what, source path, its record, its dialect, target path, its record, its dialect, replace, skip_bad, threads, memory,
 * seed, callback -> dict */
static PyObject *shogi_file(PyObject *module, PyObject *args) {
    (void)module;
    int what;
    PyObject *source_path;
    int source_record;
    int source_dialect;
    PyObject *target_path;
    int target_record;
    int target_dialect;
    int replace;
    int skip_bad;
    int threads;
    unsigned long long memory;
    unsigned long long seed;
    PyObject *callback;
    if (!PyArg_ParseTuple(args, "iSiiSiippiKKO", &what, &source_path, &source_record, &source_dialect, &target_path,
                          &target_record, &target_dialect, &replace, &skip_bad, &threads, &memory, &seed, &callback)) {
        return NULL;
    }
    kz_shogi_source source = {.path = PyBytes_AsString(source_path),
                              .record = (kz_shogi_record)source_record,
                              .dialect = (kz_shogi_dialect)source_dialect};
    kz_shogi_target target = {.path = PyBytes_AsString(target_path),
                              .record = (kz_shogi_record)target_record,
                              .dialect = (kz_shogi_dialect)target_dialect,
                              .replace = replace != 0};
    kz_shogi_file_options options = {.threads = threads, .skip_bad = skip_bad != 0, .memory = memory, .seed = seed};
    kz_shogi_file_report report;
    memset(&report, 0, sizeof report);
    reporter r = {.callback = callback};
    kz_progress progress = {kzp_report, &r};
    kz_error error;
    kz_status status = KZ_OK;
    switch (what) {
    case CONVERT:
        KZP_WITHOUT_GIL(&r, status = kz_shogi_convert(&source, &target, &options, &progress, &report, &error));
        break;
    case DEDUPE:
        KZP_WITHOUT_GIL(&r, status = kz_shogi_dedupe(&source, &target, &options, &progress, &report, &error));
        break;
    case SHUFFLE:
        KZP_WITHOUT_GIL(&r, status = kz_shogi_shuffle(&source, &target, &options, &progress, &report, &error));
        break;
    default:
        KZP_WITHOUT_GIL(&r, status = kz_shogi_check_file(&source, &options, &progress, &report, &error));
        break;
    }
    return status == KZ_OK ? describe(&report) : kzp_fail(status, error.message);
}

PyMethodDef kzp_shogi_file_methods[] = {
    {"shogi_file", shogi_file, METH_VARARGS, NULL},
    {0},
};
