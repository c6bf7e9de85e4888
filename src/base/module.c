/* SPDX-License-Identifier: MIT */
#include "base/module.h"

#include "base/error.h"

#include <dlfcn.h>
#ifdef __linux__
#include <link.h>
#endif
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

#ifdef __linux__
/* Whether the program, which comes first, names a loader. */
static int looks_for_loader(struct dl_phdr_info *info, size_t size, void *user) {
    bool *found = user;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        *found = *found || info->dlpi_phdr[i].p_type == PT_INTERP;
    }
    return 1;
}

/* A program without a dynamic loader (linked with -static) can't load anything. */
static bool is_static(void) {
    bool has_loader = false;
    dl_iterate_phdr(looks_for_loader, &has_loader);
    return !has_loader;
}
#else
static bool is_static(void) { return false; }
#endif

/* The folder of the file that this code is in. */
static bool own_folder(char folder[PATH_BYTES]) {
    Dl_info info;
    char path[PATH_BYTES];
    static const char here;
    ssize_t length = -1;
    if (dladdr(&here, &info) == 0 || !info.dli_fname) {
        return false;
    }
    /* The loader calls the program what the user called it, so the system is asked for its file. */
    if (!strstr(info.dli_fname, ".so")) {
        length = readlink("/proc/self/exe", path, sizeof path - 1);
    }
    if (length < 0) {
        length = snprintf(path, sizeof path, "%s", info.dli_fname);
    }
    if (length < 0 || (size_t)length >= sizeof path) {
        return false;
    }
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash) {
        return false;
    }
    *slash = '\0';
    memcpy(folder, path, strlen(path) + 1);
    return true;
}

/* Candidate number `i`, in the order of module.h. False after the last one; an empty path for one that does not apply.
 */
static bool candidate(int i, const char *name, char path[PATH_BYTES]) {
    static const char *const below[] = {"", "/kanzen", "/../" KANZEN_LIBDIR "/kanzen"};
    enum { BELOW = sizeof below / sizeof below[0] };
    char folder[PATH_BYTES];
    int length = 0;
    path[0] = '\0';
    if (i == 0) {
        const char *modules = secure_getenv("KANZEN_MODULES");
        if (modules && modules[0] != '\0') {
            length = snprintf(path, PATH_BYTES, "%s/kanzen-%s.so", modules, name);
        }
    } else if (i <= BELOW) {
        if (own_folder(folder)) {
            length = snprintf(path, PATH_BYTES, "%s%s/kanzen-%s.so", folder, below[i - 1], name);
        }
    } else if (i == BELOW + 1) {
        length = snprintf(path, PATH_BYTES, "%s/kanzen/kanzen-%s.so", KANZEN_FULL_LIBDIR, name);
    } else {
        return false;
    }
    if (length < 0 || length >= PATH_BYTES) {
        path[0] = '\0';
    }
    return true;
}

static kz_module_function *function_of(void *module, const char *symbol) {
    void *address = dlsym(module, symbol);
    kz_module_function *function = NULL;
    memcpy(&function, &address, sizeof function); /* ISO C has no cast from data to functions */
    return function;
}

kz_module_function *kz_module_find(const char *name, const char *symbol, const char *purpose, kz_error *error) {
    char path[PATH_BYTES];
    if (is_static()) {
        kz_fail(error, KZ_ERR_UNSUPPORTED, "no %s: a statically linked program can't load the module kanzen-%s.so",
                purpose, name);
        return NULL;
    }
    for (int i = 0; candidate(i, name, path); i++) {
        if (path[0] == '\0' || access(path, F_OK) != 0) {
            continue;
        }
        /* The libraries that MPI loads itself look for its symbols among all that are there. */
        void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        if (!module) {
            const char *reason = dlerror();
            kz_fail(error, KZ_ERR_UNSUPPORTED, "no %s: can't load %s: %s", purpose, path, reason ? reason : "");
            return NULL;
        }
        kz_module_function *version = function_of(module, "kz_module_version");
        const char *theirs = version ? ((const char *(*)(void))version)() : "unknown";
        kz_module_function *found = strcmp(theirs, kz_version()) == 0 ? function_of(module, symbol) : NULL;
        if (!found) {
            dlclose(module);
            kz_fail(error, KZ_ERR_UNSUPPORTED, "no %s: %s is of version %s, and this is version %s", purpose, path,
                    theirs, kz_version());
        }
        return found;
    }
    kz_fail(error, KZ_ERR_UNSUPPORTED, "no %s: the module kanzen-%s.so is not installed", purpose, name);
    return NULL;
}
