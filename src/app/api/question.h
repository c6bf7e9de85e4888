/* SPDX-License-Identifier: MIT
 *
 * A parsed request, and the functions that answer it. */
#ifndef KZ_API_QUESTION_H
#define KZ_API_QUESTION_H

#include "app/api/body.h"
#include "app/api/query.h"

#include "app/engine/players.h"
#include "base/json.h"

enum { KZ_API_MOST_TABLES = 64, KZ_API_MOST_GAMES = 64 }; /* a table for each rule set of each game */

struct kz_api {
    const kz_table *tables[KZ_API_MOST_TABLES];
    size_t table_count;
    double seconds;                     /* the time limit of a request that searches */
    bool many_moves[KZ_API_MOST_GAMES]; /* by the number of the game; those past the end count as true */
    struct kz_longest *longest;         /* NULL in the browser */
    const kz_game *added;               /* a game that need not have a table; NULL: none */
};

/* The games that can be asked about: those that come with Kanzen, then those of the tables. NULL past the last. */
const kz_game *kz_api_game(const kz_api *api, size_t number);
/* The table of a game and its rules, or NULL. */
const kz_table *kz_api_table(const kz_api *api, const kz_game *game, int rules);

typedef struct kz_question {
    const kz_api *api;
    kz_query query;
    kz_body body;     /* of a POST */
    kz_values values; /* of the game and the rules that the request names */
    kz_position position;
    kz_json *json; /* the answer is written here */
    /* What an answer is made from; given back with the question. */
    kz_choice *moves;
    void *memory;
} kz_question;

/* Writes the answer. On failure the caller drops what was written and answers with the problem. */
typedef kz_status kz_answer_fn(kz_question *question, kz_problem *problem);

kz_answer_fn kz_answer_position;
kz_answer_fn kz_answer_moves;
kz_answer_fn kz_answer_legal;
kz_answer_fn kz_answer_board;
kz_answer_fn kz_answer_svg;
kz_answer_fn kz_answer_positions;
kz_answer_fn kz_answer_line;
kz_answer_fn kz_answer_play;
kz_answer_fn kz_answer_table;
kz_answer_fn kz_answer_annotate;
kz_answer_fn kz_answer_puzzles;
/* These need threads or much code and are not there in the browser. */
kz_answer_fn kz_answer_png;
kz_answer_fn kz_answer_longest;

void kz_answer_games(const kz_api *api, kz_json *json);

/* What kz_answer_longest has found: to find the longest wins of a table takes seconds, because every position is looked
 * at; they are found once, when somebody asks, and kept. */
typedef struct kz_longest kz_longest;
kz_longest *kz_longest_new(void); /* NULL: no memory */
void kz_longest_free(kz_longest *longest);
/* Forgets what was found in a table that is not used any more. */
void kz_longest_forget(kz_longest *longest, const kz_table *table);

/* ---- Parts of answers ------------------------------------------------------------------------------------------ */

/* The positions before each of the moves that the query says were played, in the question's memory. */
kz_status kz_question_past(kz_question *question, kz_past *past, kz_problem *problem);

/* A position in any notation, or "startpos". */
kz_status kz_read_position(const kz_values *values, const char *text, size_t length, kz_position *position,
                           kz_problem *problem);
/* Refuses what needs a table. */
kz_status kz_no_table(const kz_values *values, kz_problem *problem);
/* The members "game" and "rules" of the object that is open. */
void kz_add_game(kz_json *json, const kz_values *values);
/* The same; of a game in parts, the part that a position is of. */
void kz_add_game_at(kz_json *json, const kz_values *values, const kz_position *position);
/* The member "position". */
kz_status kz_add_position(kz_json *json, const kz_game *game, const kz_position *position, kz_error *error);
/* The members "value", "distance" and "plies". */
void kz_add_value(kz_json *json, const kz_game *game, kz_value value);
/* The members "move" and "position", which is `after`: the move leads to it. */
kz_status kz_add_move(kz_json *json, const kz_game *game, const kz_position *before, kz_move move,
                      const kz_position *after, kz_error *error);

/* The members of a position that was found, with its value and a best move. */
kz_status kz_add_found(kz_json *json, const kz_values *values, const kz_position *position, kz_value value,
                       kz_move move, kz_error *error);

/* The board as an SVG document, in the question's memory. */
kz_status kz_question_draw(kz_question *question, const char **svg, kz_error *error);

/* Limits searches so that they end before the time `end` (kz_seconds). */
void kz_limit_search(kz_values *values, double end);

#endif
