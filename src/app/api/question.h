/* SPDX-License-Identifier: MIT
 *
 * A question: what a request asks, and what can be asked. A request is taken apart once, by kz_question_open; the work
 * that it takes, the name of its answer and the answer itself come from the question. */
#ifndef KZ_API_QUESTION_H
#define KZ_API_QUESTION_H

#include "app/api/body.h"
#include "app/api/query.h"

#include "app/engine/players.h"
#include "base/json.h"

/* ---- Who is asked ---------------------------------------------------------------------------------------------- */

enum { KZ_API_MOST_TABLES = 64, KZ_API_MOST_GAMES = 64 }; /* a table for each rule set of each game */

/* What kz_answer_longest has found: to find the longest wins of a table takes seconds, because every position is looked
 * at; they are found once, when somebody asks, and kept. */
typedef struct kz_longest kz_longest;
kz_longest *kz_longest_new(void); /* NULL: no memory */
void kz_longest_free(kz_longest *longest);
/* Forgets what was found in a table that is not used any more. */
void kz_longest_forget(kz_longest *longest, const kz_table *table);

struct kz_api {
    const kz_table *tables[KZ_API_MOST_TABLES];
    size_t table_count;
    double seconds;                     /* the time limit of a request that searches */
    bool many_moves[KZ_API_MOST_GAMES]; /* by the number of the game; those past the end count as true */
    kz_longest *longest;                /* NULL in the browser */
    const kz_game *added;               /* a game that need not have a table; NULL: none */
};

/* The games that can be asked about: those that come with Kanzen, then those of the tables. NULL past the last. */
const kz_game *kz_api_game(const kz_api *api, size_t number);
/* The table of a game and its rules, or NULL. */
const kz_table *kz_api_table(const kz_api *api, const kz_game *game, int rules);
/* Whether positions of the game have so many moves that a list of them takes a while. */
bool kz_api_has_many_moves(const kz_api *api, const kz_game *game);

/* ---- What can be asked: routes.c ------------------------------------------------------------------------------- */

/* What an answer takes, besides reading the request. */
typedef enum kz_work {
    KZ_WORK_NONE,   /* it is known already */
    KZ_WORK_RULES,  /* a list of moves */
    KZ_WORK_PIXELS, /* an image: milliseconds */
    KZ_WORK_MOVES,  /* the value of every move */
    KZ_WORK_MANY,   /* the values of many positions */
    KZ_WORK_TABLE   /* a look through the whole table */
} kz_work;

typedef struct kz_question kz_question;

/* Writes the answer. On failure what was written is dropped, and the problem is the answer. */
typedef kz_status kz_answer_fn(kz_question *question, kz_problem *problem);

/* src/app/api/openapi.json describes the same for others, and a test compares the two. */
typedef struct kz_route {
    const char *name; /* of /api/v1/GAME/NAME; with a slash at its beginning, the whole path of what is about no game */
    kz_work work;
    unsigned parameters; /* of the query */
    unsigned members;    /* of the body; those that have a body are POST requests, all others GET */
    bool steady;         /* with the same table the answer is always the same */
    bool past;           /* the answer depends on the positions that were there before */
    const char *type;    /* of the answer; NULL: JSON */
    kz_answer_fn *answer;
} kz_route;

/* NULL: there is none, or past the last. */
const kz_route *kz_route_find(const char *name);
const kz_route *kz_route_at(size_t number);

/* ---- What is asked: question.c --------------------------------------------------------------------------------- */

struct kz_question {
    const kz_api *api;
    const kz_route *route;
    kz_status status;   /* KZ_OK as long as it makes sense */
    kz_problem problem; /* why it does not */
    kz_query query;
    kz_body body;     /* of a POST */
    kz_values values; /* of the game and the rules that the request names */
    kz_position position;
    kz_past past; /* before each of the moves that were played, if the route needs to know */
    kz_json json; /* the answer is written here */
    /* What an answer is made from; given back with the question. */
    kz_choice *moves;
    void *memory;
};

/* Takes the address and the query of a request apart. The question is to be closed in any case; the request need not be
 * there any longer. A POST says the rest in its body, which may come later; a second body is not read. */
void kz_question_open(kz_question *question, const kz_api *api, const kz_api_request *request);
void kz_question_read_body(kz_question *question, const char *body, size_t length);
void kz_question_close(kz_question *question);

/* As kz_api_cost_of and kz_api_tag. */
kz_api_cost kz_question_cost(const kz_question *question);
bool kz_question_tag(const kz_question *question, const kz_api_request *request, char tag[KZ_API_TAG_BYTES]);
/* As kz_api_ask, once. */
void kz_question_answer(kz_question *question, kz_api_answer *answer);

/* ---- Links: preview.c ------------------------------------------------------------------------------------------ */

/* What comes after '#' in an address of the page is never sent to a server, so whoever makes a preview of such a link
 * sees no position. /share/GAME?pos=&rules=&played=&at= is the same address for them: a page that names an image of the
 * position, and sends a person on to the board. This is whether a path is that of such a link. */
bool kz_is_preview(const char *path);

/* Answers a request for one with a page of HTML. `base` is what the address of the server begins with, without a slash
 * at its end: "https://example.org". Like kz_api_ask, it always gives an answer; links that make no sense get an error
 * page. */
void kz_api_preview(const kz_api *api, const kz_api_request *request, const char *base, kz_api_answer *answer);

/* The same for a route, and a game that is called so. Finds the position. */
kz_status kz_question_about(kz_question *question, const kz_api *api, const kz_api_request *request,
                            const kz_route *route, const char *game, size_t length);
kz_status kz_question_position(kz_question *question);

/* ---- Answers --------------------------------------------------------------------------------------------------- */

kz_answer_fn kz_answer_health;
kz_answer_fn kz_answer_games;
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
kz_answer_fn kz_answer_description;

/* ---- Parts of answers: parts.c --------------------------------------------------------------------------------- */

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
