/* SPDX-License-Identifier: MIT
 *
 * The module kanzen._kanzen: its exceptions, and what all parts need. */
#include "common.h"

#include <limits.h>

/* ---- Buffers ----------------------------------------------------------------------------------------------------- */

bool kzp_items(PyObject *object, size_t size, bool writable, items *it) {
    if (PyObject_GetBuffer(object, &it->view, writable ? PyBUF_WRITABLE : PyBUF_SIMPLE) != 0) {
        return false;
    }
    if ((size_t)it->view.len % size != 0) {
        PyErr_Format(PyExc_ValueError, "%zd bytes are no whole number of things of %zu bytes", it->view.len, size);
        PyBuffer_Release(&it->view);
        return false;
    }
    it->data = it->view.buf;
    it->count = (size_t)it->view.len / size;
    it->stride = size;
    return true;
}

bool kzp_items_apart(PyObject *object, size_t size, bool writable, items *it) {
    if (PyObject_GetBuffer(object, &it->view, PyBUF_STRIDES | (writable ? PyBUF_WRITABLE : 0)) != 0) {
        return false;
    }
    const Py_buffer *view = &it->view;
    /* One number or record after the other, or rows of bytes. */
    bool one = view->ndim == 1 && (size_t)view->itemsize >= size;
    bool rows = view->ndim == 2 && view->itemsize == 1 && view->strides[1] == 1 && (size_t)view->shape[1] >= size;
    if ((!one && !rows) || (view->shape[0] > 1 && view->strides[0] < (Py_ssize_t)size)) {
        PyErr_Format(PyExc_ValueError, "expected an array of records of %zu bytes or more", size);
        PyBuffer_Release(&it->view);
        return false;
    }
    it->data = view->buf;
    it->count = (size_t)view->shape[0];
    it->stride = view->strides[0] < (Py_ssize_t)size ? size : (size_t)view->strides[0];
    return true;
}

void kzp_items_close(items *it) { PyBuffer_Release(&it->view); }

bool kzp_same_count(const items *a, const items *b) {
    if (a->count != b->count) {
        PyErr_Format(PyExc_ValueError, "%zu things go in, and there is room for %zu", a->count, b->count);
    }
    return a->count == b->count;
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/* The exception of a status, from the module, which may have several interpreters. A new reference. */
static PyObject *exception_of(kz_status status) {
    static const char *const names[] = {
        [KZ_ERR_INPUT] = "InputError",     [KZ_ERR_UNSUPPORTED] = "UnsupportedError", [KZ_ERR_IO] = "FileError",
        [KZ_ERR_CORRUPT] = "CorruptError", [KZ_ERR_MISMATCH] = "MismatchError",       [KZ_ERR_CANCELLED] = "Error"};
    const char *name = (size_t)status < sizeof names / sizeof *names ? names[status] : NULL;
    PyObject *module = PyImport_ImportModule("kanzen._kanzen");
    PyObject *exception = module ? PyObject_GetAttrString(module, name ? name : "Error") : NULL;
    Py_XDECREF(module);
    return exception;
}

PyObject *kzp_fail(kz_status status, const char *message) {
    if (PyErr_Occurred()) {
        return NULL; /* set by a callback */
    }
    if (status == KZ_ERR_MEMORY) {
        PyErr_SetString(PyExc_MemoryError, message);
        return NULL;
    }
    PyObject *exception = exception_of(status);
    if (exception) {
        PyErr_SetString(exception, message);
        Py_DECREF(exception);
    }
    return NULL;
}

void kzp_add(PyObject **list, PyObject *item) {
    if (!item || PyList_Append(*list, item) != 0) {
        Py_CLEAR(*list);
    }
    Py_XDECREF(item);
}

PyObject *kzp_none_or(kz_status status, const kz_error *error) {
    if (status != KZ_OK) {
        return kzp_fail(status, error->message);
    }
    Py_RETURN_NONE;
}

PyObject *kzp_fail_at(size_t number, kz_status status, const char *message) {
    PyObject *text = PyUnicode_FromFormat("number %zu: %s", number, message);
    PyObject *bytes = text ? PyUnicode_AsUTF8String(text) : NULL;
    if (bytes) {
        kzp_fail(status, PyBytes_AsString(bytes));
    }
    Py_XDECREF(bytes);
    Py_XDECREF(text);
    return NULL;
}

/* ---- Progress ---------------------------------------------------------------------------------------------------- */

bool kzp_report(void *user, const char *stage, uint64_t done, uint64_t total) {
    reporter *r = user;
    PyEval_RestoreThread(r->thread);
    bool goes_on = PyErr_CheckSignals() == 0;
    if (goes_on && r->callback != Py_None) {
        PyObject *said =
            PyObject_CallFunction(r->callback, "sKK", stage, (unsigned long long)done, (unsigned long long)total);
        goes_on = said != NULL;
        Py_XDECREF(said);
    }
    r->thread = PyEval_SaveThread();
    return goes_on;
}

/* ---- The module -------------------------------------------------------------------------------------------------- */

/* An exception with one base or two. */
static PyObject *add_exception(PyObject *module, const char *name, PyObject *first, PyObject *second, const char *doc) {
    char full[64];
    PyOS_snprintf(full, sizeof full, "kanzen.%s", name);
    PyObject *bases = second ? PyTuple_Pack(2, first, second) : PyTuple_Pack(1, first);
    PyObject *exception = bases ? PyErr_NewExceptionWithDoc(full, doc, bases, NULL) : NULL;
    Py_XDECREF(bases);
    if (exception) {
        Py_INCREF(exception); /* the module takes one reference, the caller another */
        if (PyModule_AddObject(module, name, exception) != 0) {
            Py_DECREF(exception);
            Py_DECREF(exception);
            return NULL;
        }
    }
    return exception;
}

static bool add_exceptions(PyObject *module) {
    PyObject *base = add_exception(module, "Error", PyExc_Exception, NULL, "What all errors of Kanzen are.");
    const struct {
        const char *name;
        PyObject *also;
        const char *doc;
    } others[] = {
        {"InputError", PyExc_ValueError, "Text or a position that makes no sense; the message says where."},
        {"UnsupportedError", NULL, "A sensible request that this game, rule set or build can't answer."},
        {"FileError", PyExc_OSError, "The operating system refused; the message has its reason."},
        {"CorruptError", NULL, "A file that is not what it claims to be."},
        {"MismatchError", NULL, "A check was carried out and failed."},
    };
    bool fine = base != NULL;
    for (size_t i = 0; fine && i < sizeof others / sizeof *others; i++) {
        PyObject *exception = add_exception(module, others[i].name, base, others[i].also, others[i].doc);
        fine = exception != NULL;
        Py_XDECREF(exception);
    }
    Py_XDECREF(base);
    return fine;
}

static PyObject *version(PyObject *module, PyObject *none) {
    (void)module;
    (void)none;
    return PyUnicode_FromString(kz_version());
}

static PyMethodDef own_methods[] = {{"version", version, METH_NOARGS, "The version of the library."}, {0}};

static int fill(PyObject *module) {
    PyMethodDef *const all[] = {own_methods,       kzp_game_methods,       kzp_table_methods,
                                kzp_shogi_methods, kzp_shogi_file_methods, NULL};
    for (int i = 0; all[i]; i++) {
        if (PyModule_AddFunctions(module, all[i]) != 0) {
            return -1;
        }
    }
    return add_exceptions(module) ? 0 : -1;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)(uintptr_t)fill}, {0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "kanzen._kanzen",
    .m_doc = "libkanzen for the package around it; not for others.",
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__kanzen(void);
PyMODINIT_FUNC PyInit__kanzen(void) { return PyModuleDef_Init(&definition); }
