/* SPDX-License-Identifier: MIT
 *
 * What a command's struct and its option table say: for people (help), the man page (tools/make-man) and
 * docs/commands.md. */
#ifndef CLI_HELP_TEXT_H
#define CLI_HELP_TEXT_H

#include "command.h"

void print_help_text(const cli_command *command);
/* A subsection in the language of man pages (mdoc). */
void print_help_man(const cli_command *command);
/* The usage and a table of options, between the marks that tools/update-docs looks for. */
void print_help_markdown(const cli_command *command);

#endif
