/* SPDX-License-Identifier: MIT
 *
 * What the parts of the extension share. It is the narrow, private side of the package: the Python code around it
 * checks what users hand in, makes arrays, and calls this. Everything is compiled against the stable ABI of Python 3.9.
 */
#ifndef KZ_PYTHON_COMMON_H
#define KZ_PYTHON_COMMON_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

#include <kanzen/game.h>
#include <kanzen/table.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Buffers ----------------------------------------------------------------------------------------------------- */

/* The buffer protocol came to the stable ABI with 3.11, as it had been for years. 3.9 and 3.10 export the same calls
 * with the same struct, and will not change any more, but their headers (and newer ones asked for 3.9) hide them. */
#if Py_LIMITED_API < 0x030b0000
typedef struct {
    void *buf;
    PyObject *obj;
    Py_ssize_t len;
    Py_ssize_t itemsize;
    int readonly;
    int ndim;
    char *format;
    Py_ssize_t *shape;
    Py_ssize_t *strides;
    Py_ssize_t *suboffsets;
    void *internal;
} Py_buffer;
enum { PyBUF_SIMPLE = 0, PyBUF_WRITABLE = 1, PyBUF_STRIDES = 0x18 };
PyAPI_FUNC(int) PyObject_GetBuffer(PyObject *object, Py_buffer *view, int flags);
PyAPI_FUNC(void) PyBuffer_Release(Py_buffer *view);
#endif

/* Many things of the same size, one after the other or at a constant distance. */
typedef struct items {
    Py_buffer view;
    uint8_t *data;
    size_t count;
    size_t stride; /* bytes from one to the next */
} items;

/* The bytes of an object as things of `size` bytes, close together. False: an exception is set. Close it after true.
 */
bool kzp_items(PyObject *object, size_t size, bool writable, items *it);
/* The same for things that begin at a distance of at least `size`, such as one member of each record of an array. */
bool kzp_items_apart(PyObject *object, size_t size, bool writable, items *it);
void kzp_items_close(items *it);
/* Sets ValueError and returns false unless both have as many things. */
bool kzp_same_count(const items *a, const items *b);

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/* Sets the exception for a status, and returns NULL. KZ_ERR_CANCELLED: the callback has set it already. */
PyObject *kzp_fail(kz_status status, const char *message);
/* None, or the exception for a status. */
PyObject *kzp_none_or(kz_status status, const kz_error *error);
/* Sets the exception for one thing of many: "number 3: ...", and returns NULL. */
PyObject *kzp_fail_at(size_t number, kz_status status, const char *message);

/* ---- Progress ---------------------------------------------------------------------------------------------------- */

/* Passes reports on to a Python callable, and Ctrl-C back. */
typedef struct reporter {
    PyObject *callback;    /* None: only Ctrl-C is looked for */
    PyThreadState *thread; /* while the library runs without the GIL */
} reporter;

bool kzp_report(void *user, const char *stage, uint64_t done, uint64_t total);

/* The library runs between these two; `status` is what it returned. A cancelled call has its exception set. */
#define KZP_WITHOUT_GIL(reporting, call)                                                                               \
    do {                                                                                                               \
        (reporting)->thread = PyEval_SaveThread();                                                                     \
        call;                                                                                                          \
        PyEval_RestoreThread((reporting)->thread);                                                                     \
    } while (0)

/* ---- Games and tables -------------------------------------------------------------------------------------------- */

/* From capsules. NULL: an exception is set. */
const kz_game *kzp_game(PyObject *capsule);
kz_table *kzp_table(PyObject *capsule);
/* A position from `bytes` of its size: of any kind, or of a game. False: an exception is set. */
bool kzp_position_bytes(PyObject *bytes, void *position, size_t size);
bool kzp_position(PyObject *bytes, kz_position *position);
/* (outcome, distance) */
PyObject *kzp_value(kz_value value);

/* Puts an item, which may be NULL, at the end of a list and lets go of it. If that fails, *list is NULL and an
 * exception is set. */
void kzp_add(PyObject **list, PyObject *item);

/* What each part adds to the module, with an empty entry at the end. */
extern PyMethodDef kzp_game_methods[];
extern PyMethodDef kzp_table_methods[];
extern PyMethodDef kzp_shogi_methods[];
extern PyMethodDef kzp_shogi_file_methods[];

#endif
