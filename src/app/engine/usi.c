/* SPDX-License-Identifier: MIT
 *
 * The commands of USI and UCI. */
#include "app/engine/usi.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_PLIES = 20 };

kz_usi *kz_usi_new(const kz_game *game, kz_protocol protocol, const kz_usi_host *host) {
    kz_usi *usi = calloc(1, sizeof *usi);
    if (usi) {
        usi->game = game;
        usi->host = *host;
        usi->protocol = protocol;
        usi->lines = 1;
        usi->plies = DEFAULT_PLIES;
        usi->level = kz_level_find("perfect");
        usi->table_is_stale = true;
        kz_start(game, usi->rules, &usi->position);
        kz_usi_new_game(usi);
    }
    return usi;
}

void kz_usi_free(kz_usi *usi) { free(usi); }

/* ---- The commands ----------------------------------------------------------------------------------------------- */

/* Tells the move that is waiting, if there is one. */
static void tell_held(kz_usi *usi) {
    if (usi->waits) {
        usi->waits = false;
        kz_usi_say(usi, &usi->held);
    }
}

static void introduce(kz_usi *usi, kz_protocol protocol) {
    usi->protocol = protocol;
    kz_usi_sayf(usi, "id name Kanzen %s", kz_version());
    kz_usi_sayf(usi, "id author Kanzen contributors");
    kz_usi_list_options(usi);
    kz_usi_sayf(usi, "%s", protocol == KZ_PROTOCOL_USI ? "usiok" : "uciok");
}

/* All that takes time is done now: the table is opened, and looked at once. */
static void get_ready(kz_usi *usi) {
    usi->table_is_stale = usi->table_is_stale || !usi->table;
    kz_usi_prepare(usi);
    if (usi->table) {
        kz_position start;
        kz_value value;
        kz_error error;
        kz_start(usi->game, usi->rules, &start);
        if (kz_probe(usi->table, &start, &value, &error) != KZ_OK) {
            kz_usi_sayf(usi, "info string %s", error.message);
        }
    }
    kz_usi_sayf(usi, "readyok");
}

/* Plays the moves that follow the word "moves". */
static bool play_moves(const kz_usi *usi, kz_span rest, kz_position *position) {
    for (kz_span word = kz_span_word(&rest); word.length > 0; word = kz_span_word(&rest)) {
        kz_move move;
        kz_error error;
        if (kz_usi_move_parse(usi, position, word, &move, &error) != KZ_OK) {
            kz_usi_complain(usi, "this move can't be played:", word);
            kz_usi_sayf(usi, "info string %s", error.message);
            return false;
        }
        kz_play(usi->game, usi->rules, position, move);
    }
    return true;
}

/* "startpos", "sfen TEXT" or "fen TEXT", then perhaps "moves" and some. If anything is wrong, nothing changes. */
static void set_position(kz_usi *usi, kz_span rest) {
    kz_position position;
    kz_span kind = kz_span_word(&rest);
    kz_span text = {rest.text, 0};
    kz_span moves = {rest.text, 0};
    bool has_moves = false;
    while (rest.length > 0 && !has_moves) {
        kz_span word = kz_span_word(&rest);
        has_moves = kz_span_is(word, "moves");
        text.length = (size_t)(word.text - text.text) + (has_moves ? 0 : word.length);
        moves = rest;
    }
    text = kz_span_trimmed(text);
    if (kz_span_is(kind, "startpos") && text.length == 0) {
        kz_start(usi->game, usi->rules, &position);
    } else if (kz_span_is(kind, "sfen") || kz_span_is(kind, "fen")) {
        kz_error error;
        if (kz_parse(usi->game, usi->rules, text.text, text.length, &position, &error) != KZ_OK) {
            kz_usi_complain(usi, "this is no position:", text);
            kz_usi_sayf(usi, "info string %s", error.message);
            return;
        }
    } else {
        kz_usi_complain(usi, "position wants startpos, sfen or fen, and then moves, not",
                        kind.length > 0 ? kind : text);
        return;
    }
    if (!has_moves || play_moves(usi, moves, &position)) {
        usi->position = position;
    }
}

/* Words of "go" that a number follows. */
static bool takes_number(kz_span word) {
    static const char *const names[] = {"btime", "wtime",    "binc",  "winc",  "byoyomi",
                                        "rtime", "movetime", "depth", "nodes", "movestogo"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (kz_span_is(word, names[i])) {
            return true;
        }
    }
    return false;
}

/* Clocks may be overdrawn. */
static bool is_number(kz_span word) {
    uint64_t number;
    if (word.length > 0 && word.text[0] == '-') {
        word.text++;
        word.length--;
    }
    return kz_span_number(word, 0, UINT64_MAX, &number);
}

static void add_wanted(const kz_usi *usi, usi_question *question, kz_span word) {
    kz_move move;
    if (kz_usi_move_parse(usi, &usi->position, word, &move, NULL) != KZ_OK) {
        kz_usi_complain(usi, "this is no legal move and no word of go:", word);
    } else if (question->wanted_count < USI_MOST_LINES) {
        question->wanted[question->wanted_count++] = move;
    }
}

/* What is wrong in it is passed over: somebody waits for a move. */
static void go(kz_usi *usi, kz_span rest) {
    usi_question question = {.wanted_count = 0};
    bool lists_moves = false;
    if (usi->waits) {
        kz_usi_sayf(usi, "info string go before the last one was stopped: it is stopped now");
        tell_held(usi);
    }
    for (kz_span word = kz_span_word(&rest); word.length > 0; word = kz_span_word(&rest)) {
        kz_span after = rest;
        kz_span next = kz_span_word(&after);
        bool was_listing = lists_moves;
        lists_moves = false;
        if (kz_span_is(word, "infinite")) {
            question.infinite = true;
        } else if (kz_span_is(word, "ponder")) {
            question.ponder = true;
        } else if (kz_span_is(word, "mate")) {
            question.mate = true;
            rest = kz_span_is(next, "infinite") || is_number(next) ? after : rest;
        } else if (kz_span_is(word, "searchmoves")) {
            lists_moves = true;
        } else if (takes_number(word)) {
            if (is_number(next)) {
                rest = after;
            } else {
                kz_usi_complain(usi, "a number has to follow", word);
            }
        } else if (was_listing) {
            lists_moves = true;
            add_wanted(usi, &question, word);
        } else {
            kz_usi_complain(usi, "go does not know", word);
        }
    }
    kz_usi_think(usi, &question);
}

static void ponderhit(kz_usi *usi) {
    if (!usi->waits || !usi->waits_for_hit) {
        kz_usi_sayf(usi, "info string ponderhit without go ponder");
        return;
    }
    usi->waits_for_hit = false;
    if (usi->hit_is_enough) {
        tell_held(usi);
    }
}

bool kz_usi_line(kz_usi *usi, const char *line, size_t length) {
    if (length > KZ_USI_LINE_BYTES) {
        kz_usi_sayf(usi, "info string a line of more than %d bytes is not read", KZ_USI_LINE_BYTES);
        return true;
    }
    kz_span rest = {line, length};
    kz_span word = kz_span_word(&rest);
    if (kz_span_is(word, "usi")) {
        introduce(usi, KZ_PROTOCOL_USI);
    } else if (kz_span_is(word, "uci")) {
        introduce(usi, KZ_PROTOCOL_UCI);
    } else if (kz_span_is(word, "isready")) {
        get_ready(usi);
    } else if (kz_span_is(word, "usinewgame") || kz_span_is(word, "ucinewgame")) {
        kz_usi_new_game(usi);
    } else if (kz_span_is(word, "setoption")) {
        kz_usi_setoption(usi, rest);
    } else if (kz_span_is(word, "position")) {
        set_position(usi, rest);
    } else if (kz_span_is(word, "go")) {
        go(usi, rest);
    } else if (kz_span_is(word, "ponderhit")) {
        ponderhit(usi);
    } else if (kz_span_is(word, "stop") || kz_span_is(word, "gameover")) {
        tell_held(usi); /* if nothing waits, the move and "stop" have crossed */
    } else if (kz_span_is(word, "quit")) {
        return false;
    } else if (word.length > 0 && !kz_span_is(word, "debug") && !kz_span_is(word, "register")) {
        kz_usi_complain(usi, "there is no command", word);
    }
    return true;
}
