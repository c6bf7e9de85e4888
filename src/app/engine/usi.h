/* SPDX-License-Identifier: MIT
 *
 * What the parts of the USI engine share: its state, the words of a line, and the lines of an answer. */
#ifndef KZ_ENGINE_USI_H
#define KZ_ENGINE_USI_H

#include "base/text.h"

#include <kanzen/usi.h>
#include <kanzen/values.h>

enum {
    USI_PATH_BYTES = 4096,   /* room for the path of a table */
    USI_ANSWER_BYTES = 8192, /* room for a line of an answer; a principal variation ends where it is full */
    USI_MOST_LINES = 100,    /* of MultiPV */
    USI_MOST_PLIES = 200     /* of a principal variation */
};

/* A line of an answer while it is put together. */
typedef struct usi_answer {
    char text[USI_ANSWER_BYTES];
    size_t length;
} usi_answer;

/* What a move was asked for with. Clocks are read and forgotten: a table needs no time. */
typedef struct usi_question {
    bool infinite;
    bool ponder;
    bool mate;
    int wanted_count; /* of searchmoves; 0: all moves */
    kz_move wanted[USI_MOST_LINES];
} usi_question;

struct kz_usi {
    const kz_game *game;
    kz_usi_host host;
    kz_protocol protocol;

    /* Options */
    uint64_t lines; /* MultiPV */
    uint64_t plies; /* PVLength */
    uint64_t seed;  /* 0: another one for each game */
    int level;
    bool aggressive;
    int rules;
    char path[USI_PATH_BYTES]; /* of the table; "": the one that is kept for the rules */

    const kz_table *table; /* NULL: none, or it is not opened yet */
    bool table_is_stale;   /* it has to be opened before the next move is looked for */
    uint64_t game_seed;    /* of the game that is played, where `seed` is 0 */

    kz_position position;

    /* The move that is told after "stop", or after "ponderhit". */
    bool waits;
    bool waits_for_hit;
    bool hit_is_enough;
    usi_answer held;

    kz_scored_move moves[KZ_MAX_MOVES]; /* of the position */
};

/* ---- Words and lines: usi_text.c -------------------------------------------------------------------------------- */

/* Letters may be large or small. */
bool kz_usi_is_name(kz_span word, const char *text);

void kz_usi_begin(usi_answer *answer, const char *text);
/* Adds to a line; returns false and leaves it alone if there is no room. */
__attribute__((format(printf, 2, 3))) bool kz_usi_add(usi_answer *answer, const char *format, ...);
void kz_usi_say(const kz_usi *usi, const usi_answer *answer);
__attribute__((format(printf, 2, 3))) void kz_usi_sayf(const kz_usi *usi, const char *format, ...);
/* "info string FORMAT 'WORD'", with what can be shown of the word. */
void kz_usi_complain(const kz_usi *usi, const char *message, kz_span word);

/* Moves as the protocol has them: in UCI some games write them in another way (kz_uci_moves). */
kz_status kz_usi_move_parse(const kz_usi *usi, const kz_position *position, kz_span word, kz_move *move,
                            kz_error *error);
kz_status kz_usi_move_format(const kz_usi *usi, const kz_position *position, kz_move move, char *text, size_t size,
                             kz_error *error);

/* ---- Options: usi_options.c ------------------------------------------------------------------------------------- */

void kz_usi_list_options(const kz_usi *usi);
/* "name NAME value VALUE" */
void kz_usi_setoption(kz_usi *usi, kz_span rest);

/* ---- Moves: kz_usi_think.c --------------------------------------------------------------------------------------- */

/* Opens the table if that has not been done since an option changed. */
void kz_usi_prepare(kz_usi *usi);
void kz_usi_new_game(kz_usi *usi);
/* Tells all that is known, and then the move; or keeps the move until it is asked for. */
void kz_usi_think(kz_usi *usi, const usi_question *question);

#endif
