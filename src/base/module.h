/* SPDX-License-Identifier: MIT
 *
 * Parts of the library that are loaded when they are asked for: what needs MPI or CUDA. So one program works on
 * machines with and without them, and loads neither unless it has to.
 *
 * A module is a shared object "kanzen-NAME.so" of the same version. It is looked for
 *   1. in the folder that the environment variable KANZEN_MODULES names;
 *   2. beside the file that this code is in: the program or libkanzen.so (a build folder);
 *   3. in the folder "kanzen" beside that file (libkanzen.so is installed), and in ../LIBDIR/kanzen from it (the
 * command is);
 *   4. in LIBDIR/kanzen of the prefix that the build was configured for. */
#ifndef KZ_BASE_MODULE_H
#define KZ_BASE_MODULE_H

#include <kanzen/error.h>

/* The function `symbol` of the module, which stays loaded; to be converted to its type. NULL with KZ_ERR_UNSUPPORTED
 * and the reason in `error` if there is no such module or it can't be used. `purpose` says what it is for: "graphics
 * cards". */
typedef void kz_module_function(void);
kz_module_function *kz_module_find(const char *name, const char *symbol, const char *purpose, kz_error *error);

#endif
