/* SPDX-License-Identifier: MIT
 *
 * A game in the terminal: what is on the board, what was played, and who plays. */
#ifndef CLI_PLAY_SESSION_H
#define CLI_PLAY_SESSION_H

#include "play_parts.h"
#include "terminal.h"

#include <kanzen/values.h>

typedef struct cli_session {
    const cli_command *command;
    cli_terminal terminal;
    const kz_values *values;
    kz_record record;     /* also moves that were taken back */
    size_t at;            /* how many of its moves are on the board */
    kz_position position; /* after these */
    bool human[2];        /* the first player, the second player */
    kz_player player;     /* the others */
    bool turned;          /* the board is seen from the second player's side */
    bool waits;           /* the computer does not go on before it is told to */
    kz_result resigned;
    bool ended; /* the user wants to go */

    /* Where the game is saved after each move; NULL: nowhere. */
    const char *save_path;
    bool save_replaces; /* a file that is there already */
    size_t saved_moves; /* what the file has, after it was saved for the first time */
    kz_result saved_result;
    uint64_t saved_sum;

    /* The values of all moves of a position; kept, because a search takes seconds. */
    kz_scored_move *list;
    int listed;
    kz_value value;
    bool list_valid;
} cli_session;

/* How a game has ended. */
typedef struct cli_ending {
    kz_result result; /* KZ_RESULT_NONE: it goes on */
    const char *why;
} cli_ending;

kz_status session_open(cli_session *session, const cli_command *command, const kz_values *values, kz_error *error);
void session_close(cli_session *session);

/* Begins a game at a position (NULL: the start); players stay who they are. */
void session_start(cli_session *session, const kz_position *start);
/* Takes a record over, with all of its moves on the board. It must be of the session's game and rules. */
void session_take(cli_session *session, kz_record *record);
/* Writes the game to `save_path` if it is not what was saved last. */
kz_status session_save(cli_session *session, kz_error *error);
/* The game so far as a record; it shares the session's memory. */
kz_record session_record(const cli_session *session);

cli_ending session_ending(const cli_session *session);
/* 0 or 1: whose turn it is. */
int session_side(const cli_session *session);
const char *session_side_name(const cli_session *session, int side);

/* Moves that were taken back are forgotten. */
kz_status session_play(cli_session *session, kz_move move, kz_error *error);
/* Puts as many moves of the record on the board. */
void session_go_to(cli_session *session, size_t at);
/* Lets the computer play the side to move. */
kz_status session_computer(cli_session *session, kz_error *error);
/* Sees to `list`, `listed` and `value`. */
kz_status session_list(cli_session *session, kz_error *error);

kz_status session_show(const cli_session *session, kz_error *error);

/* Carries out what the user typed, a move or a command. Failures are for the user to read, and the game goes on. */
void session_obey(cli_session *session, char *line);
/* The words that it knows, for the Tab key. */
const cli_word *session_words(void);

#endif
