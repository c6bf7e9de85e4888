/* SPDX-License-Identifier: MIT
 *
 * What KIF calls Dobutsu Shogi and its pieces. */
#include "game/gamedef.h"
#include "games/dobutsu/rules/notation.h"
#include "games/dobutsu/rules/rules.h"

static const char *const titles[] = {"どうぶつしょうぎ", "どうぶつ将棋", "動物将棋", "どうぶつ", NULL};

static const char *const kind_names[KZ_DOBUTSU_KINDS][KZ_KIF_NAMES] = {
    [KZ_DOBUTSU_CHICK] = {"ひよこ", "ヒヨコ", "ひ", "ヒ", "雛"},
    [KZ_DOBUTSU_ELEPHANT] = {"ぞう", "ゾウ", "ぞ", "ゾ", "象"},
    [KZ_DOBUTSU_GIRAFFE] = {"きりん", "キリン", "き", "キ", "麒"},
    [KZ_DOBUTSU_LION] = {"ライオン", "らいおん", "ラ", "ら", "獅"},
    [KZ_DOBUTSU_HEN] = {"にわとり", "ニワトリ", "に", "ニ", "鶏"},
};

enum { FILES = 3, RANKS = 4 };

static int kind_on(const kz_position *position, int file, int rank) {
    kz_dobutsu dobutsu;
    kz_dobutsu_from_position(position, &dobutsu);
    int seen_by_sente = 3 * (RANKS - rank) + (FILES - file);
    int square = dobutsu.turn ? KZ_DOBUTSU_SQUARES - 1 - seen_by_sente : seen_by_sente;
    int piece = dobutsu.board[square];
    return piece == KZ_DOBUTSU_EMPTY || piece & KZ_DOBUTSU_ENEMY ? -1 : piece - 1;
}

const kz_kif kz_dobutsu_kif = {
    .titles = titles,
    .files = FILES,
    .ranks = RANKS,
    .kinds = KZ_DOBUTSU_KINDS,
    .kind_names = kind_names,
    .drops = "CEG",
    .kind_on = kind_on,
};
