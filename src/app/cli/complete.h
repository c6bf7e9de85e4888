/* SPDX-License-Identifier: MIT
 *
 * What can be typed next. The completions of bash, zsh and fish (packaging/completions) ask `kanzen help --complete --
 * WORD...` with the words after the program's name; the last one is being typed, and may be empty. */
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H

/* Prints a line for each candidate: the word, a tab, and what it is. A line ":files" or ":folders" stands for the names
 * of files or folders. The shell leaves out what does not begin as the last word does. */
void print_completions(int count, char *const *words);

#endif
