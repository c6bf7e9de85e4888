/* SPDX-License-Identifier: MIT
 *
 * Records of games: who played, from which position, which moves, who won. There are two forms of text:
 *
 *     list    lines "key: value", then a move a line, for every game
 *     kif     what programs of shogi write, in UTF-8, for Dobutsu Shogi
 *
 * docs/terminal.md describes both. */
#ifndef KANZEN_RECORD_H
#define KANZEN_RECORD_H

#include <kanzen/game.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    KZ_RECORD_NAME_BYTES = 128, /* room for the name of a player */
    KZ_RECORD_MOST_MOVES = 100000
};

/* The first player is the one that moves first at the start of the game (sente, red), wherever a record begins. */
typedef enum kz_result { KZ_RESULT_NONE = 0, KZ_RESULT_FIRST, KZ_RESULT_SECOND, KZ_RESULT_DRAW } kz_result;

typedef struct kz_record {
    const kz_game *game;
    int rules;
    kz_position start;
    char names[2][KZ_RECORD_NAME_BYTES]; /* UTF-8; empty: not known */
    kz_result result;                    /* KZ_RESULT_NONE: the game goes on, or nobody says */
    kz_move *moves;
    size_t count;
    size_t room; /* for so many moves; belongs to the calls below */
} kz_record;

typedef enum kz_record_form { KZ_RECORD_LIST = 0, KZ_RECORD_KIF, KZ_RECORD_FORMS } kz_record_form;

/* An empty record. `start` NULL: the position that the game begins with. Free it in the end. */
void kz_record_begin(kz_record *record, const kz_game *game, int rules, const kz_position *start);
/* Also for one that is all zero. */
void kz_record_free(kz_record *record);
/* Adds a move, which must be legal in the position that the record ends with. */
kz_status kz_record_add(kz_record *record, kz_move move, kz_error *error);
/* The position after so many moves, at most `count`. */
void kz_record_position(const kz_record *record, size_t moves, kz_position *position);

/* 0 if the first player is to move, 1 if the second one is. */
int kz_record_side(const kz_game *game, int rules, const kz_position *position);
/* What the rules say when the game has come to this position: who has won, or that it is a draw. KZ_RESULT_NONE: it
 * goes on. */
kz_result kz_record_result(const kz_game *game, int rules, const kz_position *position);

/* Which form a text is in, by its beginning. */
kz_record_form kz_record_form_of(const char *text, size_t length);
/* The form for a file called `path`: kif if it ends in .kif or .kifu, else list. */
kz_record_form kz_record_form_for(const char *path);

/* Whether the records of a game can be in that form. All can be lists. */
bool kz_record_form_fits(const kz_game *game, kz_record_form form);

/* Reads a record in either form; every move is checked. Bad text: KZ_ERR_INPUT, the message names the line, counted
 * from 1, and for moves and positions of a list the character in it. After a failure there is nothing to free. */
kz_status kz_record_parse(const char *text, size_t length, kz_record *record, kz_error *error);
/* The same where the record may also be one of `game`, which need not come with Kanzen: the list has its name. Whether
 * it is one, the record says. NULL: as above. */
kz_status kz_record_parse_as(const char *text, size_t length, const kz_game *game, kz_record *record, kz_error *error);
/* The name that a list gives its game, with a 0 at the end, so that the game can be opened before the list is read.
 * False: there is none, as in KIF, or it has no room. */
bool kz_record_game_name(const char *text, size_t length, char name[KZ_RECORD_NAME_BYTES]);

/* Writes a record into new memory, which the caller frees; there is a 0 byte behind its end that `length` does not
 * count. KZ_ERR_UNSUPPORTED if the form is not for this game. */
kz_status kz_record_format(const kz_record *record, kz_record_form form, char **text, size_t *length, kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
