/* SPDX-License-Identifier: MIT
 *
 * Packets against an independent computation: keys found by trying every 40-bit number, children by the plain rules,
 * values looked up one by one. The counts are those that were published, or found by another program. A source takes a
 * minute to open, so the program that has one runs these tests. */
#ifndef TESTS_PACKETS_WHOLE_H
#define TESTS_PACKETS_WHOLE_H

#include "games/dobutsu/compat/packet_write.h"

/* The tests take their packets from this source. */
void packets_whole_begin(kz_packet_source *opened);

void test_packets_counts(void **state);
void test_packets_entries(void **state);
void test_packets_worked_example(void **state);
void test_packets_undecided(void **state);
void test_packets_folder(void **state);
void test_packets_archive(void **state);
void test_packets_fix(void **state);
void test_packets_reading(void **state);

#endif
