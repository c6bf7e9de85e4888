/* SPDX-License-Identifier: MIT
 *
 * Text from outside (arguments, files, what another program sent) may hold bytes that a terminal obeys. What is shown
 * to the user has them escaped. */
#ifndef CLI_ESCAPE_H
#define CLI_ESCAPE_H

#include <stddef.h>

/* Room for the escaped form of a text of so many bytes. */
#define ESCAPED_BYTES(bytes_) (4 * (bytes_) + 1)

/* Copies `text` into `safe` with control characters, and bytes that are no UTF-8, written as \x1b; line ends and tabs
 * as \n and \t. Cuts what does not fit. Returns `safe`. */
const char *escape_controls(const char *text, char *safe, size_t size);

#endif
