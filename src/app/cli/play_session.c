/* SPDX-License-Identifier: MIT */
#include "play_session.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { REPETITIONS = 3 };

kz_status session_open(cli_session *session, const cli_command *command, const kz_values *values, kz_error *error) {
    *session = (cli_session){.command = command, .values = values, .saved_moves = SIZE_MAX};
    session->list = malloc((size_t)kz_max_moves(values->game, values->rules) * sizeof *session->list);
    if (!session->list) {
        return out_of_memory(error);
    }
    kz_record_begin(&session->record, values->game, values->rules, NULL);
    session_go_to(session, 0);
    return KZ_OK;
}

void session_close(cli_session *session) {
    kz_record_free(&session->record);
    free(session->list);
}

void session_start(cli_session *session, const kz_position *start) {
    kz_record fresh;
    kz_record_begin(&fresh, session->values->game, session->values->rules, start);
    session_take(session, &fresh);
}

void session_take(cli_session *session, kz_record *record) {
    kz_record_free(&session->record);
    session->record = *record;
    session_go_to(session, session->record.count);
    /* What the rules tell need not be kept. */
    kz_result played = kz_record_result(record->game, record->rules, &session->position);
    session->resigned = played == KZ_RESULT_NONE ? record->result : KZ_RESULT_NONE;
    session->waits = false;
}

kz_record session_record(const cli_session *session) {
    kz_record record = session->record;
    record.count = session->at;
    record.result = session_ending(session).result;
    for (int side = 0; side < 2; side++) {
        if (!session->human[side] && record.names[side][0] == '\0') {
            snprintf(record.names[side], sizeof record.names[side], "kanzen, %s%s",
                     kz_level_name(session->player.level), session->player.aggressive ? ", aggressive" : "");
        }
    }
    return record;
}

/* Tells one list of moves from another, so that a game is saved when a move was changed. */
static uint64_t sum_of_moves(const kz_record *record) {
    uint64_t sum = 0;
    for (size_t i = 0; i < record->count; i++) {
        sum = (sum + (uint64_t)record->moves[i] + 1) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return sum;
}

kz_status session_save(cli_session *session, kz_error *error) {
    if (!session->save_path) {
        return KZ_OK;
    }
    kz_record record = session_record(session);
    uint64_t sum = sum_of_moves(&record);
    if (session->saved_moves == record.count && session->saved_result == record.result && session->saved_sum == sum) {
        return KZ_OK;
    }
    KZ_TRY(save_record(session->save_path, &record, session->save_replaces, error));
    session->save_replaces = true; /* from now on it is our own file */
    session->saved_moves = record.count;
    session->saved_result = record.result;
    session->saved_sum = sum;
    return KZ_OK;
}

/* How often the position on the board has come up. */
static int repetitions(const cli_session *session) {
    const kz_game *game = session->values->game;
    kz_position position = session->record.start;
    int count = kz_same(game, &position, &session->position);
    for (size_t i = 0; i < session->at; i++) {
        kz_play(game, session->values->rules, &position, session->record.moves[i]);
        count += kz_same(game, &position, &session->position);
    }
    return count;
}

cli_ending session_ending(const cli_session *session) {
    const kz_values *values = session->values;
    kz_result played = kz_record_result(values->game, values->rules, &session->position);
    if (played != KZ_RESULT_NONE) {
        return (cli_ending){played, played == KZ_RESULT_DRAW ? "by the rules" : NULL};
    }
    if (session->resigned == KZ_RESULT_DRAW) {
        return (cli_ending){session->resigned, "by agreement"};
    }
    if (session->resigned != KZ_RESULT_NONE) {
        return (cli_ending){session->resigned, "because the other side has resigned"};
    }
    if (repetitions(session) >= REPETITIONS) {
        return (cli_ending){KZ_RESULT_DRAW, "because the position has come up three times"};
    }
    return (cli_ending){KZ_RESULT_NONE, NULL};
}

int session_side(const cli_session *session) {
    return kz_record_side(session->values->game, session->values->rules, &session->position);
}

const char *session_side_name(const cli_session *session, int side) {
    const kz_values *values = session->values;
    return session_side(session) == side ? kz_side_to_move(values->game, &session->position)
                                         : other_side(values->game, values->rules, &session->position);
}

void session_go_to(cli_session *session, size_t at) {
    session->at = at;
    session->resigned = KZ_RESULT_NONE;
    session->list_valid = false;
    kz_record_position(&session->record, at, &session->position);
}

kz_status session_play(cli_session *session, kz_move move, kz_error *error) {
    session->record.count = session->at;
    KZ_TRY(kz_record_add(&session->record, move, error));
    session->at++;
    session->resigned = KZ_RESULT_NONE;
    session->waits = false;
    session->list_valid = false;
    kz_play(session->values->game, session->values->rules, &session->position, move);
    return KZ_OK;
}

kz_status session_list(cli_session *session, kz_error *error) {
    if (session->list_valid) {
        return KZ_OK;
    }
    kz_status status =
        kz_values_moves(session->values, &session->position, &session->value, session->list, &session->listed, error);
    session->list_valid = status == KZ_OK;
    return status;
}

kz_status session_computer(cli_session *session, kz_error *error) {
    const kz_game *game = session->values->game;
    if (!session->values->table && session->terminal.asks) {
        printf("%s thinks ...\n", session_side_name(session, session_side(session)));
        fflush(stdout);
    }
    kz_move move;
    char text[KZ_TEXT_BYTES];
    int side = session_side(session);
    KZ_TRY(kz_choose_move(session->values, &session->position, session->player, &move, error));
    if (move == 0) { /* 0 is never a move */
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "the computer finds no move for %s here",
                       session_side_name(session, side));
    }
    KZ_TRY(kz_move_format(game, &session->position, move, text, sizeof text, error));
    printf("%zu %s%s%s plays %s%s%s\n", session->at + 1,
           colour_code(&session->terminal, side == 0 ? COLOUR_FIRST : COLOUR_SECOND), session_side_name(session, side),
           colour_code(&session->terminal, COLOUR_NONE), colour_code(&session->terminal, COLOUR_STRONG), text,
           colour_code(&session->terminal, COLOUR_NONE));
    return session_play(session, move, error);
}

kz_status session_show(const cli_session *session, kz_error *error) {
    return print_board(&session->terminal, session->values->game, &session->position, session->turned, error);
}
