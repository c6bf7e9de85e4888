/* SPDX-License-Identifier: MIT
 *
 * A game from a definition: what its doors do, and how it is opened and closed. */
#include "game/define.h"
#include "base/error.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The doors of a definition ---------------------------------------------------------------------------------- */

uint64_t kz_defined_index_size(const kz_game *game, int rules) {
    return game->definition->index_size(game->contexts[rules]);
}

bool kz_defined_index(const kz_game *game, const kz_position *position, uint64_t *index) {
    const void *context = kz_defined_context(game, position);
    *index = kz_defined_rank(game->definition, context, position, NULL);
    return *index < game->definition->index_size(context);
}

bool kz_defined_position(const kz_game *game, int rules, uint64_t index, kz_position *position) {
    return kz_defined_unrank(game->definition, game->contexts[rules], index, position);
}

void kz_defined_move_format(const kz_game *game, const kz_position *position, kz_move move, char *text) {
    kz_move list[KZ_DEFINE_MAX_MOVES];
    int count = kz_moves(game, kz_defined_rules(position), position, list);
    int number = 0;
    while (number < count && list[number] != move) {
        number++;
    }
    snprintf(text, KZ_TEXT_BYTES, "%d", number + 1);
}

static void write_move(const kz_game *game, const kz_position *position, const kz_move *list, int number,
                       char text[KZ_TEXT_BYTES]) {
    text[0] = '\0';
    if (game->definition->move_format) {
        game->definition->move_format(kz_defined_context(game, position), position, list[number], text);
        text[KZ_TEXT_BYTES - 1] = '\0';
    } else {
        snprintf(text, KZ_TEXT_BYTES, "%d", number + 1);
    }
}

kz_status kz_defined_move_parse(const kz_game *game, int rules, const kz_position *position, const char *text,
                                size_t length, kz_move *move, kz_error *error) {
    kz_move list[KZ_DEFINE_MAX_MOVES];
    int count = kz_moves(game, rules, position, list);
    char written[KZ_TEXT_BYTES];
    kz_span wanted = kz_span_trimmed((kz_span){text, length});
    for (int i = 0; i < count; i++) {
        write_move(game, position, list, i, written);
        if (kz_span_is(wanted, written)) {
            *move = list[i];
            return KZ_OK;
        }
    }
    int shown = wanted.length < 40 ? (int)wanted.length : 40;
    if (count == 0) {
        return kz_fail(error, KZ_ERR_INPUT, "the game is over: '%.*s' can't be played", shown, wanted.text);
    }
    write_move(game, position, list, 0, written);
    return kz_fail(error, KZ_ERR_INPUT, "'%.*s' is no legal move here; one of the %d legal moves is %.40s", shown,
                   wanted.text, count, written);
}

/* ---- Opening and closing ---------------------------------------------------------------------------------------- */

/* What an opened game consists of. */
typedef struct opened_game {
    kz_game game; /* first: a kz_game that was opened is an opened_game */
    kz_definition definition;
    void *contexts[KZ_MAX_RULES];
    int made; /* how many of these `open` made */
} opened_game;

static void close_contexts(opened_game *opened) {
    while (opened->made > 0) {
        opened->made--;
        if (opened->definition.close) {
            opened->definition.close(opened->contexts[opened->made]);
        }
    }
}

static kz_status open_contexts(opened_game *opened, void *const *given, kz_error *error) {
    const kz_definition *definition = &opened->definition;
    const char *const *names = definition->rules;
    for (int i = 0; names[i]; i++) {
        opened->contexts[i] = given ? given[i] : definition->user;
        if (definition->open && !given) {
            kz_error reason = {KZ_OK, ""};
            kz_status status = definition->open(i, &opened->contexts[i], &reason);
            if (status != KZ_OK) {
                return kz_fail(error, status, "%s can't be opened by %s rules: %.200s", definition->name, names[i],
                               reason.message[0] ? reason.message : kz_status_name(status));
            }
            opened->made = i + 1;
        }
        KZ_TRY(kz_definition_check_context(definition, opened->contexts[i], names[i], error));
    }
    return KZ_OK;
}

kz_status kz_game_open_with(const kz_definition *definition, const kz_opening *opening, const kz_game **game,
                            kz_error *error) {
    static const char *const one_rule_set[] = {"standard", NULL};
    static const kz_doors plain = {KZ_DEFINED_DOORS};
    *game = NULL;
    KZ_TRY(kz_definition_check(definition, error));
    opened_game *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open the game %s", definition->name);
    }
    /* A definition from an older version is shorter: the rest stays zero. */
    size_t size = definition->size < sizeof *definition ? definition->size : sizeof *definition;
    memcpy(&opened->definition, definition, size);
    opened->definition.size = sizeof opened->definition;
    opened->definition.rules = definition->rules ? definition->rules : one_rule_set;
    opened->game = (kz_game){
        .definition = &opened->definition,
        .doors = opening->doors ? opening->doors : &plain,
        .contexts = opened->contexts,
        .parts = opening->parts,
        .library = opening->library,
        .unload = opening->unload,
        .opened = true,
    };
    kz_status status = open_contexts(opened, opening->contexts, error);
    if (status != KZ_OK) {
        close_contexts(opened);
        free(opened);
        return status;
    }
    *game = &opened->game;
    return KZ_OK;
}

kz_status kz_game_open(const kz_definition *definition, const kz_game **game, kz_error *error) {
    return kz_game_open_with(definition, &(const kz_opening){.doors = NULL}, game, error);
}

void kz_game_close(const kz_game *game) {
    if (!game || !game->opened) {
        return;
    }
    opened_game *opened = (opened_game *)(uintptr_t)game;
    void *library = game->library;
    void (*unload)(void *) = game->unload;
    close_contexts(opened);
    free(opened);
    if (unload) {
        unload(library);
    }
}
