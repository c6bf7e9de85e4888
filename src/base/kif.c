/* SPDX-License-Identifier: MIT */
#include "base/kif.h"

const char *const kz_kif_digits[10] = {"", "１", "２", "３", "４", "５", "６", "７", "８", "９"};
const char *const kz_kif_numerals[10] = {"", "一", "二", "三", "四", "五", "六", "七", "八", "九"};

void kz_kif_skip_blanks(kz_span *text) {
    while (kz_span_accept(text, " ") || kz_span_accept(text, "　") || kz_span_accept(text, "\t")) {
    }
}

int kz_kif_accept_numeral(kz_span *text, int most) {
    for (int number = 1; number <= most; number++) {
        const char plain[] = {(char)('0' + number), '\0'};
        if (kz_span_accept(text, kz_kif_digits[number]) || kz_span_accept(text, kz_kif_numerals[number]) ||
            kz_span_accept(text, plain)) {
            return number;
        }
    }
    return 0;
}

bool kz_kif_accept_square(kz_span *text, kz_kif_square board, kz_kif_square *square) {
    square->file = kz_kif_accept_numeral(text, board.file);
    square->rank = square->file > 0 ? kz_kif_accept_numeral(text, board.rank) : 0;
    return square->rank > 0;
}

kz_kif_fault kz_kif_read_move(kz_span *text, kz_kif_square board, kz_kif_accept_piece_fn *accept_piece,
                              const void *user, kz_kif_move *move) {
    *move = (kz_kif_move){.same = kz_span_accept(text, KZ_KIF_SAME)};
    if (move->same) {
        kz_kif_skip_blanks(text);
    } else if (!kz_kif_accept_square(text, board, &move->to)) {
        return KZ_KIF_NO_SQUARE;
    }
    move->piece = accept_piece(user, text);
    if (move->piece < 0) {
        return KZ_KIF_NO_PIECE;
    }
    move->drops = kz_span_accept(text, "打");
    if (move->drops) {
        return KZ_KIF_FINE;
    }
    move->promotes = kz_span_accept(text, "成");
    (void)(!move->promotes && kz_span_accept(text, "不成"));
    bool comes =
        kz_span_accept(text, "(") && kz_kif_accept_square(text, board, &move->from) && kz_span_accept(text, ")");
    return comes ? KZ_KIF_FINE : KZ_KIF_NO_ORIGIN;
}
