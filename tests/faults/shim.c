/* SPDX-License-Identifier: MIT
 *
 * Makes calls of the C library fail, to see what a program does then: LD_PRELOAD this, and
 *
 *     FAULT=write:17:ENOSPC     the 17th call of this kind fails with this error
 *     FAULT=write:17+:ENOSPC    and so do all after it
 *     FAULT=write:0             none does
 *     FAULT_LOG=FILE            gets the number of calls of the kind up to the fault, or up to the end if there was
 *                               none
 *
 * The kinds are the rows of `kinds`. Calls count from main() on. What the C library does on its own account, as when
 * it writes the buffer of a FILE, is not seen here; /dev/full and folders that are read as files do for that. */
#include "tests/faults/shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { WRITE, SHORT, FSYNC, RENAME, CLOSE, READ, OPEN, MALLOC, MMAP, THREAD, TRUNCATE, LOCK, KINDS };

static const char *const kinds[KINDS] = {
    [WRITE] = "write",       /* to files, not to the standard streams */
    [SHORT] = "short",       /* writes that write, but only the first half */
    [FSYNC] = "fsync",       /* fdatasync and syncfs as well */
    [RENAME] = "rename",     /* link as well */
    [CLOSE] = "close",       /* closes, and then reports failure */
    [READ] = "read",         /* of files and of the standard input */
    [OPEN] = "open",         /* opendir and mkdir as well */
    [MALLOC] = "malloc",     /* and its relatives */
    [MMAP] = "mmap",         /* of files and of memory */
    [THREAD] = "thread",     /* pthread_create */
    [TRUNCATE] = "truncate", /* ftruncate */
    [LOCK] = "lock"          /* flock */
};

static struct {
    _Atomic bool active;
    enum kind kind;
    unsigned long first;
    bool lasting;
    int code;
    atomic_ulong calls;
    atomic_bool hit;
    char log[4096];
    atomic_long pieces; /* of memory in use */
} fault;

/* Error numbers by name, as far as they are of use. */
static int code_named(const char *name) {
    static const struct {
        const char *name;
        int code;
    } codes[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"ENOMEM", ENOMEM}, {"EMFILE", EMFILE},
                 {"EACCES", EACCES}, {"EINTR", EINTR},   {"EAGAIN", EAGAIN}, {"EDQUOT", EDQUOT},
                 {"EROFS", EROFS},   {"EPERM", EPERM},   {"EINVAL", EINVAL}, {"ENOENT", ENOENT}};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (strcmp(codes[i].name, name) == 0) {
            return codes[i].code;
        }
    }
    return EIO;
}

/* With plain system calls: this must not count. */
static void write_log(unsigned long calls) {
    char text[32];
    int length = snprintf(text, sizeof text, "%lu\n", calls);
    long file = syscall(SYS_openat, AT_FDCWD, fault.log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0) {
        (void)!syscall(SYS_write, file, text, length);
        (void)!syscall(SYS_close, file);
    }
}

/* Counts a call; true if it is to fail, and then errno is set. */
static bool fails(enum kind kind) {
    if (!atomic_load(&fault.active) || fault.kind != kind) {
        return false;
    }
    unsigned long call = atomic_fetch_add(&fault.calls, 1) + 1;
    if (fault.first == 0 || call < fault.first || (call > fault.first && !fault.lasting)) {
        return false;
    }
    if (!atomic_exchange(&fault.hit, true)) {
        if (fault.log[0]) {
            write_log(call);
        }
    }
    errno = fault.code;
    return true;
}

__attribute__((destructor)) static void finish(void) {
    if (atomic_load(&fault.active) && !atomic_load(&fault.hit) && fault.log[0]) {
        atomic_store(&fault.active, false);
        write_log(atomic_load(&fault.calls));
    }
}

/* KIND:NUMBER[+][:ERROR] */
void faults_set(const char *text) {
    char name[16];
    char number[24];
    char code[16] = "EIO";
    atomic_store(&fault.active, false);
    if (!text || sscanf(text, "%15[^:]:%23[^:]:%15s", name, number, code) < 2) {
        return;
    }
    atomic_store(&fault.calls, 0);
    atomic_store(&fault.hit, false);
    char *rest;
    fault.first = strtoul(number, &rest, 10);
    fault.lasting = *rest == '+';
    fault.code = code_named(code);
    for (int i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i], name) == 0) {
            fault.kind = (enum kind)i;
            atomic_store(&fault.active, true);
        }
    }
}

unsigned long faults_calls(void) { return atomic_load(&fault.calls); }

bool faults_hit(void) { return atomic_load(&fault.hit); }

long faults_memory(void) { return atomic_load(&fault.pieces); }

/* ---- From main() on -------------------------------------------------------------------------------------------- */

/* The next function of that name, found once. */
#define NEXT(type, name, ...)                                                                                          \
    static type (*next)(__VA_ARGS__);                                                                                  \
    if (!next) {                                                                                                       \
        *(void **)&next = dlsym(RTLD_NEXT, name);                                                                      \
    }

typedef int main_function(int, char **, char **);
static main_function *program;

static int start(int count, char **items, char **environment) {
    const char *log = getenv("FAULT_LOG");
    if (log && strlen(log) < sizeof fault.log) {
        memcpy(fault.log, log, strlen(log) + 1);
    }
    faults_set(getenv("FAULT"));
    return program(count, items, environment);
}

int __libc_start_main(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
int __libc_start_main(main_function *its_main, int count, char **items, void (*init)(void), void (*fini)(void),
                      void (*loader)(void), void *stack) {
    NEXT(int, "__libc_start_main", main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void),
         void *)
    program = its_main;
    return next(start, count, items, init, fini, loader, stack);
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the C library's are reserved */

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static size_t written_part(size_t size) { return size > 1 && fails(SHORT) ? size / 2 : size; }

ssize_t write(int file, const void *data, size_t size) {
    NEXT(ssize_t, "write", int, const void *, size_t)
    return file > 2 && fails(WRITE) ? -1 : next(file, data, file > 2 ? written_part(size) : size);
}

ssize_t pwrite(int file, const void *data, size_t size, off_t offset) {
    NEXT(ssize_t, "pwrite", int, const void *, size_t, off_t)
    return fails(WRITE) ? -1 : next(file, data, written_part(size), offset);
}

ssize_t pwrite64(int file, const void *data, size_t size, off_t offset) {
    NEXT(ssize_t, "pwrite64", int, const void *, size_t, off_t)
    return fails(WRITE) ? -1 : next(file, data, written_part(size), offset);
}

ssize_t read(int file, void *data, size_t size) {
    NEXT(ssize_t, "read", int, void *, size_t)
    return fails(READ) ? -1 : next(file, data, size);
}

ssize_t pread(int file, void *data, size_t size, off_t offset) {
    NEXT(ssize_t, "pread", int, void *, size_t, off_t)
    return fails(READ) ? -1 : next(file, data, size, offset);
}

ssize_t pread64(int file, void *data, size_t size, off_t offset) {
    NEXT(ssize_t, "pread64", int, void *, size_t, off_t)
    return fails(READ) ? -1 : next(file, data, size, offset);
}

int fsync(int file) {
    NEXT(int, "fsync", int)
    return fails(FSYNC) ? -1 : next(file);
}

int fdatasync(int file) {
    NEXT(int, "fdatasync", int)
    return fails(FSYNC) ? -1 : next(file);
}

int syncfs(int file) {
    NEXT(int, "syncfs", int)
    return fails(FSYNC) ? -1 : next(file);
}

int rename(const char *from, const char *to) {
    NEXT(int, "rename", const char *, const char *)
    return fails(RENAME) ? -1 : next(from, to);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    NEXT(int, "renameat", int, const char *, int, const char *)
    return fails(RENAME) ? -1 : next(from_folder, from, to_folder, to);
}

int link(const char *from, const char *to) {
    NEXT(int, "link", const char *, const char *)
    return fails(RENAME) ? -1 : next(from, to);
}

/* The descriptor is gone also when close fails, as on Linux. */
int close(int file) {
    NEXT(int, "close", int)
    bool failing = fails(CLOSE);
    int code = errno;
    int result = next(file);
    errno = failing ? code : errno;
    return failing ? -1 : result;
}

int ftruncate(int file, off_t size) {
    NEXT(int, "ftruncate", int, off_t)
    return fails(TRUNCATE) ? -1 : next(file, size);
}

int ftruncate64(int file, off_t size) {
    NEXT(int, "ftruncate64", int, off_t)
    return fails(TRUNCATE) ? -1 : next(file, size);
}

int flock(int file, int operation) {
    NEXT(int, "flock", int, int)
    return fails(LOCK) ? -1 : next(file, operation);
}

int mkdir(const char *path, mode_t mode) {
    NEXT(int, "mkdir", const char *, mode_t)
    return fails(OPEN) ? -1 : next(path, mode);
}

static bool has_mode(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

#define MODE_OF(flags)                                                                                                 \
    mode_t mode = 0;                                                                                                   \
    if (has_mode(flags)) {                                                                                             \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        mode = va_arg(arguments, mode_t);                                                                              \
        va_end(arguments);                                                                                             \
    }

int open(const char *path, int flags, ...) {
    NEXT(int, "open", const char *, int, ...)
    MODE_OF(flags)
    return fails(OPEN) ? -1 : next(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    NEXT(int, "open64", const char *, int, ...)
    MODE_OF(flags)
    return fails(OPEN) ? -1 : next(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    NEXT(int, "openat", int, const char *, int, ...)
    MODE_OF(flags)
    return fails(OPEN) ? -1 : next(folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
    NEXT(FILE *, "fopen", const char *, const char *)
    return fails(OPEN) ? NULL : next(path, mode);
}

/* ---- Memory and threads ------------------------------------------------------------------------------------------ */

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    NEXT(void *, "mmap", void *, size_t, int, int, int, off_t)
    return fails(MMAP) ? MAP_FAILED : next(address, size, protection, flags, file, offset);
}

void *mmap64(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    NEXT(void *, "mmap64", void *, size_t, int, int, int, off_t)
    return fails(MMAP) ? MAP_FAILED : next(address, size, protection, flags, file, offset);
}

static void *counted(void *memory) {
    if (memory) {
        atomic_fetch_add(&fault.pieces, 1);
    }
    return memory;
}

void *malloc(size_t size) {
    NEXT(void *, "malloc", size_t)
    return fails(MALLOC) ? NULL : counted(next(size));
}

void *calloc(size_t count, size_t size) {
    NEXT(void *, "calloc", size_t, size_t)
    return fails(MALLOC) ? NULL : counted(next(count, size));
}

void *realloc(void *memory, size_t size) {
    NEXT(void *, "realloc", void *, size_t)
    if (fails(MALLOC)) {
        return NULL;
    }
    void *larger = next(memory, size);
    return memory ? larger : counted(larger);
}

void *aligned_alloc(size_t alignment, size_t size) {
    NEXT(void *, "aligned_alloc", size_t, size_t)
    return fails(MALLOC) ? NULL : counted(next(alignment, size));
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    NEXT(int, "posix_memalign", void **, size_t, size_t)
    if (fails(MALLOC)) {
        return ENOMEM;
    }
    int code = next(memory, alignment, size);
    if (code == 0) {
        atomic_fetch_add(&fault.pieces, 1);
    }
    return code;
}

void free(void *memory) {
    NEXT(void, "free", void *)
    if (memory) {
        atomic_fetch_sub(&fault.pieces, 1);
    }
    next(memory);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument) {
    NEXT(int, "pthread_create", pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)
    return fails(THREAD) ? EAGAIN : next(thread, attributes, work, argument);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
