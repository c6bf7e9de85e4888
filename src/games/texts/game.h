/* SPDX-License-Identifier: MIT
 *
 * What a game from a text is made of: game.c has its definition, endings.c names endings, open.c finds it by name. */
#ifndef KZ_VARIANT_GAME_H
#define KZ_VARIANT_GAME_H

#include "game/define.h"
#include "games/texts/light.h"

enum {
    KZ_LOOK_PIECES = 2 * KZ_VARIANT_TYPES,
    KZ_LABEL_BYTES = 8,
    KZ_RULES_BYTES = 16,
    KZ_TITLE_BYTES = 96,
    KZ_VARIANT_ENDING_BYTES = 80
};

/* All that the functions of the definition get as their context. */
typedef struct kz_variant_game {
    kz_variant variant;
    kz_variant_index *index; /* NULL: a game that is too large, of which only the rules are used */
    kz_variant_numbers *numbers;
    kz_board start;
    char rules_name[KZ_RULES_BYTES];
    char source[128]; /* the name that people give it: "chess", "games.ini:twelve" */
    bool ours;        /* the text comes with Kanzen */
    /* The look of the board. */
    kz_board_look look;
    kz_square square[KZ_VARIANT_SQUARES + 2 * KZ_VARIANT_HAND];
    char label[KZ_VARIANT_SQUARES + 2 * KZ_VARIANT_HAND][KZ_LABEL_BYTES];
    kz_piece_look piece[KZ_LOOK_PIECES];
    char piece_letter[KZ_LOOK_PIECES][4];
    char piece_name[KZ_LOOK_PIECES][40];
    char choice[KZ_VARIANT_TYPES][4];
    uint8_t look_of[1 + 2 * KZ_VARIANT_TYPES]; /* a piece's number in the look, plus one */
} kz_variant_game;

/* Makes a game of a variant as a whole or of one ending (`too_large` is NULL), or of several endings and then the rules
 * of the whole game, which is too large for that reason (kz_game_has_parts). The game owns the parts from then on, if
 * that succeeds. */
kz_status kz_variant_game_open(kz_variant_game *const *parts, int count, const char *too_large, const kz_game **game,
                               kz_error *error);
void kz_variant_game_free(kz_variant_game *game);

/* A number for the rules of a variant: texts that mean the same have the same. */
uint32_t kz_variant_edition(const kz_variant *variant);

/* A board with the pieces of "KBNvK", wherever there is room: only the material counts. */
kz_status kz_variant_read_ending(const kz_variant *variant, const char *text, kz_board *board, kz_error *error);
/* "KBNvK", for a board. `text` has room for KZ_VARIANT_ENDING_BYTES. */
void kz_variant_write_ending(const kz_variant *variant, const kz_board *board, char *text);
/* All material with so many men, as boards; free them. */
kz_status kz_variant_list_endings(const kz_variant *variant, int men, kz_board **boards, size_t *count,
                                  kz_error *error);

#endif
