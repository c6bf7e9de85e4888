/* SPDX-License-Identifier: MIT
 *
 * A second writer and reader of sspfc, which follow the words of shogi/docs/packing.md bit by bit and share nothing
 * with shogi/sspfc.c: everything is a list of single bits. */
#ifndef TESTS_SSPFC_BY_THE_BOOK_H
#define TESTS_SSPFC_BY_THE_BOOK_H

#include "tests/support/testing.h"
#include <kanzen/shogi.h>
#include <string.h>

enum { RECORD = KZ_SHOGI_RECORD_BYTES };

typedef struct bit_list {
    unsigned count;
    uint8_t bits[256];
} bit_list;

static const unsigned field_bits[] = {75, 13, 12, 12, 34, 34, 16, 16, 38, 6};

enum { OCCUPIED, KINGS, BISHOPS, ROOKS, PROMOTED, PT0, PT1, PT2, COLOUR, SPARE, FIELDS };

typedef struct field_list {
    bit_list field[FIELDS];
} field_list;

void append_number(bit_list *list, unsigned number, unsigned bits);

void join_fields(const field_list *list, uint8_t record[RECORD]);

void part_fields(const uint8_t record[RECORD], field_list *list);

bool is_king(uint8_t code);

bool is_small(uint8_t code);

void slow_pack(const kz_shogi_position *position, uint8_t record[RECORD]);

bool slow_unpack(const uint8_t record[RECORD], kz_shogi_position *position);

#endif
