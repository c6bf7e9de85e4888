/* SPDX-License-Identifier: MIT
 *
 * What Linux has and macOS has not, or calls by another name. The build includes this before every source on macOS, and
 * nowhere else (cmake/compiler.cmake), so that the sources need not tell the two apart. */
#ifndef KZ_BASE_MACOS_H
#define KZ_BASE_MACOS_H
#ifdef __APPLE__

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define st_mtim st_mtimespec

/* A disk may keep bytes to itself after fsync; this asks it not to. */
static inline int fdatasync(int descriptor) { return fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor); }

static inline char *secure_getenv(const char *name) { return issetugid() ? NULL : getenv(name); }

static inline void *memrchr(const void *bytes, int c, size_t size) {
    const unsigned char *at = (const unsigned char *)bytes + size;
    while (at > (const unsigned char *)bytes) {
        if (*--at == (unsigned char)c) {
            return (void *)at;
        }
    }
    return NULL;
}

/* Only advice. */
#define POSIX_FADV_SEQUENTIAL 0
static inline int posix_fadvise(int descriptor, off_t offset, off_t length, int advice) {
    (void)descriptor;
    (void)offset;
    (void)length;
    (void)advice;
    return 0;
}

#define MADV_HUGEPAGE MADV_NORMAL

/* A stream into a function: funopen hands over an int, so the function is called through another one. */
typedef struct cookie_io_functions_t {
    ssize_t (*write)(void *cookie, const char *data, size_t size);
} cookie_io_functions_t;

struct kz_macos_cookie {
    void *cookie;
    cookie_io_functions_t functions;
};

static inline int kz_macos_cookie_write(void *stream, const char *data, int size) {
    struct kz_macos_cookie *to = (struct kz_macos_cookie *)stream;
    return (int)to->functions.write(to->cookie, data, (size_t)size);
}

static inline int kz_macos_cookie_close(void *stream) {
    free(stream);
    return 0;
}

static inline FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions) {
    struct kz_macos_cookie *to = (struct kz_macos_cookie *)malloc(sizeof *to);
    FILE *stream = NULL;
    (void)mode; /* for writing */
    if (to) {
        to->cookie = cookie;
        to->functions = functions;
        stream = funopen(to, NULL, kz_macos_cookie_write, NULL, kz_macos_cookie_close);
    }
    if (!stream) {
        free(to);
    }
    return stream;
}

/* There are no files without a name: the open fails, and a temporary name is used. */
#define O_TMPFILE O_DIRECTORY

/* Waits with a limit go by the one clock that there is for them. */
#undef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC CLOCK_REALTIME
static inline int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) {
    (void)attributes;
    (void)clock;
    return 0;
}

#endif
#endif
