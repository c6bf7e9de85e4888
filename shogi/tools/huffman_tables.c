/* SPDX-License-Identifier: MIT
 *
 * Prints the tables that read several codes at once (kz_shogi_huffman's `squares` and `pieces`). They hold nothing that
 * is not in the codes, but the preprocessor can't work them out. */
#define KZ_MAKING_TABLES
#include CODES

#include <inttypes.h>
#include <stdio.h>

static const kz_shogi_huffman codes = HUFFMAN(NULL, NULL);

/* What the code stands for that the bits begin with: no code begins with another, and there is one for all. */
static unsigned first_square(unsigned bits) {
    unsigned square = 0;
    while (codes.length[square] == 0 || codes.bits[square] != (bits & codes.ones[square])) {
        square++;
    }
    return square;
}

static uint64_t squares_in(unsigned bits) {
    uint64_t entry = 0;
    unsigned taken = 0;
    unsigned count = 0;
    while (count < KZ_SHOGI_SQUARES_EACH) {
        unsigned square = first_square(bits >> taken);
        if (taken + codes.length[square] > KZ_SHOGI_SQUARES_PEEK) {
            break;
        }
        entry |= (uint64_t)square << 8 * count;
        taken += codes.length[square];
        count++;
    }
    return entry | (uint64_t)taken << 48 | (uint64_t)count << 56;
}

static uint64_t pieces_in(unsigned bits) {
    static const unsigned field[KZ_SHOGI_HAND_KINDS] = {
        KZ_SHOGI_PAWN_FIELD, KZ_SHOGI_LANCE_FIELD,  KZ_SHOGI_KNIGHT_FIELD, KZ_SHOGI_SILVER_FIELD,
        KZ_SHOGI_GOLD_FIELD, KZ_SHOGI_BISHOP_FIELD, KZ_SHOGI_ROOK_FIELD,
    };
    uint64_t entry = 0;
    unsigned taken = 0;
    for (;;) {
        unsigned piece = codes.first_piece[bits >> taken & 127];
        unsigned kind = piece & 7;
        unsigned owner = piece >> 3 & 3;
        if (piece == 0 || owner == KZ_SHOGI_BOX || taken + kz_shogi_piece_bits[kind] > KZ_SHOGI_PIECES_PEEK) {
            return entry | taken;
        }
        entry +=
            UINT64_C(1) << (field[kind] + (owner == KZ_SHOGI_WHITE ? KZ_SHOGI_WHITE_FIELDS : KZ_SHOGI_BLACK_FIELDS));
        taken += kz_shogi_piece_bits[kind];
    }
}

static void print(const char *name, unsigned peek, uint64_t (*entry_of)(unsigned)) {
    printf("static const uint64_t %s[%u] = {", name, 1U << peek);
    for (unsigned bits = 0; bits < 1U << peek; bits++) {
        printf("%s0x%" PRIx64 ",", bits % 6 == 0 ? "\n    " : " ", entry_of(bits));
    }
    printf("\n};\n");
}

int main(void) {
    printf("/* Written by shogi/tools/make-huffman-tables. */\n");
    print("squares", KZ_SHOGI_SQUARES_PEEK, squares_in);
    print("pieces", KZ_SHOGI_PIECES_PEEK, pieces_in);
    return 0;
}
