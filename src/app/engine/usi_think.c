/* SPDX-License-Identifier: MIT
 *
 * Finding a move, and telling what is known about the position. Everything is looked up, so it is done at once, however
 * much time there is; what takes time is only waiting until the move may be told. */
#include "app/engine/players.h"
#include "app/engine/usi.h"

#include <kanzen/record.h>
#include <stdlib.h>
#include <string.h>

/* For games that have a search and where there is no table. */
static const double SEARCH_SECONDS = 0.5;

static kz_values values_of(const kz_usi *usi) {
    return (kz_values){.game = usi->game,
                       .rules = usi->rules,
                       .table = usi->table,
                       .seconds = SEARCH_SECONDS,
                       .value_seconds = SEARCH_SECONDS};
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

static bool fits(const kz_usi *usi, const kz_table *table) {
    return kz_table_game(table) == usi->game && kz_table_rules(table) == usi->rules;
}

void kz_usi_prepare(kz_usi *usi) {
    if (!usi->table_is_stale) {
        return;
    }
    usi->table_is_stale = false;
    usi->table = NULL;
    if (!usi->host.open_table) {
        return;
    }
    const kz_table *table = NULL;
    kz_error error;
    if (usi->host.open_table(usi->host.user, usi->path, usi->rules, &table, &error) != KZ_OK) {
        kz_usi_sayf(usi, "info string %s", error.message);
    } else if (!fits(usi, table)) {
        kz_usi_sayf(usi, "info string the table is for %s by %s rules, not for %s by %s rules",
                    kz_game_name(kz_table_game(table)), kz_rules_name(kz_table_game(table), kz_table_rules(table)),
                    kz_game_name(usi->game), kz_rules_name(usi->game, usi->rules));
    } else {
        usi->table = table;
        return;
    }
    kz_usi_sayf(usi, "info string without a table the engine plays, but knows little");
}

void kz_usi_new_game(kz_usi *usi) {
    if (usi->host.new_seed) {
        usi->game_seed = usi->host.new_seed(usi->host.user);
    }
}

/* ---- What is known ---------------------------------------------------------------------------------------------- */

/* "score mate 77", "score mate -78", "score cp 0"; nothing for what is unknown. USI counts plies, UCI the moves of the
 * side that wins or loses. */
static void add_score(const kz_usi *usi, usi_answer *answer, kz_value value) {
    int distance = usi->protocol == KZ_PROTOCOL_USI ? value.distance : (value.distance + 1) / 2;
    if (value.outcome == KZ_WIN) {
        (void)kz_usi_add(answer, " score mate %d", distance);
    } else if (value.outcome == KZ_LOSS) {
        (void)kz_usi_add(answer, " score mate %d", -distance);
    } else if (value.outcome == KZ_DRAW) {
        (void)kz_usi_add(answer, " score cp 0");
    }
}

/* Adds the move and perfect play after it: to the end of the game, or where a drawn game comes to a position again, or
 * as far as is wanted or known. Returns how many plies that are. `reply`, which may be NULL, gets the text of the
 * second one. */
static uint64_t add_variation(const kz_usi *usi, usi_answer *answer, kz_scored_move scored, uint64_t most,
                              char *reply) {
    kz_values values = values_of(usi);
    kz_position seen[USI_MOST_PLIES];
    kz_position position = usi->position;
    kz_move move = scored.move;
    bool drawn = scored.value.outcome == KZ_DRAW;
    uint64_t plies = 0;
    while (plies < most && move != 0 && !(drawn && kz_was_there(usi->game, (kz_past){seen, (int)plies}, &position))) {
        char text[KZ_TEXT_BYTES];
        if (kz_usi_move_format(usi, &position, move, text, sizeof text, NULL) != KZ_OK ||
            !kz_usi_add(answer, " %s", text)) {
            break;
        }
        if (plies == 1 && reply) {
            memcpy(reply, text, strlen(text) + 1);
        }
        seen[plies++] = position;
        kz_play(usi->game, usi->rules, &position, move);
        kz_value value;
        if (!usi->table || kz_values_best(&values, &position, &value, &move, NULL) != KZ_OK) {
            break;
        }
    }
    return plies;
}

/* "info depth 78 multipv 1 score mate -78 pv ...". The depth is how far the result is away, or else the length of the
 * variation. `reply` is as above. */
static void tell_line(const kz_usi *usi, const kz_scored_move *scored, uint64_t number, char *reply) {
    usi_answer variation;
    kz_usi_begin(&variation, " pv");
    uint64_t plies = add_variation(usi, &variation, *scored, usi->plies, reply);
    bool decided = scored->value.outcome == KZ_WIN || scored->value.outcome == KZ_LOSS;
    usi_answer line;
    kz_usi_begin(&line, "info depth ");
    (void)kz_usi_add(&line, "%d", decided ? scored->value.distance : (int)plies);
    if (usi->lines > 1) {
        (void)kz_usi_add(&line, " multipv %d", (int)number);
    }
    add_score(usi, &line, scored->value);
    if (!kz_usi_add(&line, "%s", variation.text)) {
        /* Only a game with very long moves comes here; there is room for the first move. */
        kz_usi_begin(&variation, " pv");
        (void)add_variation(usi, &variation, *scored, 1, NULL);
        (void)kz_usi_add(&line, "%s", variation.text);
    }
    kz_usi_say(usi, &line);
}

/* ---- The choice ------------------------------------------------------------------------------------------------- */

static bool is_wanted(const usi_question *question, kz_move move) {
    for (int i = 0; i < question->wanted_count; i++) {
        if (question->wanted[i] == move) {
            return true;
        }
    }
    return question->wanted_count == 0;
}

/* Leaves the moves that are asked for. */
static int keep_wanted(kz_usi *usi, const usi_question *question, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (is_wanted(question, usi->moves[i].move)) {
            usi->moves[kept++] = usi->moves[i];
        }
    }
    return kept;
}

/* Puts the move that is made before all others. They stay as they are: the best first. */
static void put_first(kz_usi *usi, int count, kz_move move) {
    int at = 0;
    while (at < count && usi->moves[at].move != move) {
        at++;
    }
    if (at < count) {
        kz_scored_move chosen = usi->moves[at];
        memmove(&usi->moves[1], &usi->moves[0], (size_t)at * sizeof *usi->moves);
        usi->moves[0] = chosen;
    }
}

/* The moves of the position, the one to make first. A table that turns out to be damaged is not asked again. */
static int list_moves(kz_usi *usi, const usi_question *question, kz_value *value) {
    kz_player player = {usi->level, usi->aggressive, usi->seed ? usi->seed : usi->game_seed};
    kz_values values = values_of(usi);
    kz_error error;
    kz_move move;
    int count;
    if (kz_values_moves(&values, &usi->position, value, usi->moves, &count, &error) != KZ_OK ||
        kz_choose_move(&values, &usi->position, player, &move, &error) != KZ_OK) {
        kz_usi_sayf(usi, "info string %s", error.message);
        if (usi->table) {
            usi->table = NULL;
            return list_moves(usi, question, value);
        }
        return 0;
    }
    count = keep_wanted(usi, question, count);
    put_first(usi, count, move);
    return count;
}

/* ---- The answer ------------------------------------------------------------------------------------------------- */

/* A game that is over, or one of which nothing can be found out at all. USI has words for who does not move any more;
 * UCI has not. */
static void tell_end(const kz_usi *usi, kz_value value, usi_answer *best) {
    if (value.outcome == KZ_LOSS) {
        kz_usi_sayf(usi, "info depth 0 score mate 0");
    }
    if (value.outcome == KZ_LOSS || value.outcome == KZ_WIN) {
        kz_usi_sayf(usi, "info string the game is over: %s has %s", kz_side_to_move(usi->game, &usi->position),
                    value.outcome == KZ_WIN ? "won" : "lost");
    } else if (kz_record_result(usi->game, usi->rules, &usi->position) == KZ_RESULT_DRAW) {
        kz_usi_sayf(usi, "info depth 0 score cp 0");
        kz_usi_sayf(usi, "info string the game is over: it is a draw");
    }
    const char *word = value.outcome == KZ_WIN ? "win" : "resign";
    kz_usi_begin(best, "bestmove ");
    (void)kz_usi_add(best, "%s", usi->protocol == KZ_PROTOCOL_USI ? word : "(none)");
}

/* USI's question for a mate has an answer of its own. */
static void tell_mate(const kz_usi *usi, kz_value value, int count) {
    usi_answer answer;
    kz_usi_begin(&answer, "checkmate");
    if (count == 0 || value.outcome == KZ_DRAW || value.outcome == KZ_LOSS) {
        (void)kz_usi_add(&answer, " nomate");
    } else if (value.outcome == KZ_UNKNOWN) {
        (void)kz_usi_add(&answer, " timeout");
    } else {
        (void)add_variation(usi, &answer, usi->moves[0], USI_MOST_PLIES, NULL);
    }
    kz_usi_say(usi, &answer);
}

static void tell_lines(const kz_usi *usi, int count, usi_answer *best) {
    char text[KZ_TEXT_BYTES];
    char reply[KZ_TEXT_BYTES] = "";
    for (uint64_t i = 0; i < usi->lines && i < (uint64_t)count; i++) {
        tell_line(usi, &usi->moves[i], i + 1, i == 0 ? reply : NULL);
    }
    if (kz_usi_move_format(usi, &usi->position, usi->moves[0].move, text, sizeof text, NULL) != KZ_OK) {
        text[0] = '\0'; /* a legal move has a text that fits */
    }
    kz_usi_begin(best, "bestmove ");
    (void)kz_usi_add(best, "%s%s%s", text, reply[0] ? " ponder " : "", reply);
}

void kz_usi_think(kz_usi *usi, const usi_question *question) {
    kz_usi_prepare(usi);
    kz_value value = {KZ_UNKNOWN, 0};
    if (question->mate && usi->protocol == KZ_PROTOCOL_USI) {
        /* The quickest win is what is asked for, whoever plays. */
        int level = usi->level;
        usi->level = kz_level_find("perfect");
        int count = list_moves(usi, question, &value);
        usi->level = level;
        tell_mate(usi, count > 0 ? usi->moves[0].value : value, count);
        return;
    }
    int count = list_moves(usi, question, &value);
    if (count == 0) {
        tell_end(usi, value, &usi->held);
    } else {
        tell_lines(usi, count, &usi->held);
    }
    usi->waits = question->infinite || question->ponder;
    usi->waits_for_hit = question->ponder;
    usi->hit_is_enough = !question->infinite;
    if (!usi->waits) {
        kz_usi_say(usi, &usi->held);
    }
}
