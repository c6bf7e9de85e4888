/* SPDX-License-Identifier: MIT
 *
 * Laws are functions that return NULL, or the line that was broken: tests and fuzzers complain in different ways. */
#ifndef TESTS_LAWS_H
#define TESTS_LAWS_H

#define LAW_TEXT_2(number) #number
#define LAW_TEXT(number) LAW_TEXT_2(number)
#define LAW(condition)                                                                                                 \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            return __FILE__ ":" LAW_TEXT(__LINE__) ": " #condition;                                                    \
        }                                                                                                              \
    } while (0)

#endif
