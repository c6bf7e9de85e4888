/* SPDX-License-Identifier: MIT
 *
 * A game from a definition: each call of struct kz_game in terms of the definition's functions. */
#include "game/define.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last bytes of a position are ours. The calls that get no rule set find its number there. */
enum { RULES_BYTE = KZ_POSITION_BYTES - 1, PLIES_BYTE = KZ_POSITION_BYTES - 2 };

_Static_assert((int)PLIES_BYTE >= (int)KZ_GAME_BYTES, "these bytes are not the game's");

static unsigned byte_of(const kz_position *position, int number) {
    uint8_t bytes[KZ_POSITION_BYTES];
    memcpy(bytes, position, sizeof bytes);
    return bytes[number];
}

/* Sets our bytes: the rule set, and how many plies were played, modulo 2. */
static void mark(kz_position *position, int rules, unsigned plies) {
    uint8_t bytes[KZ_POSITION_BYTES];
    memcpy(bytes, position, sizeof bytes);
    memset(bytes + KZ_GAME_BYTES, 0, sizeof bytes - KZ_GAME_BYTES);
    bytes[RULES_BYTE] = (uint8_t)rules;
    bytes[PLIES_BYTE] = (uint8_t)(plies & 1);
    memcpy(position, bytes, sizeof bytes);
}

int kz_defined_rules(const kz_position *position) { return (int)byte_of(position, RULES_BYTE); }

static const void *context_of(const kz_game *game, const kz_position *position) {
    return kz_game_context(game, (int)byte_of(position, RULES_BYTE));
}

/* ---- Text ------------------------------------------------------------------------------------------------------ */

static void start(const kz_game *game, int rules, kz_position *position) {
    *position = (kz_position){{0}};
    game->definition->start(kz_game_context(game, rules), position);
    mark(position, rules, 0);
}

static kz_status parse(const kz_game *game, int rules, const char *text, size_t length, kz_position *position,
                       kz_error *error) {
    kz_position there = {{0}};
    kz_error reason = {KZ_OK, ""};
    kz_status status = game->definition->parse(kz_game_context(game, rules), text, length, &there, &reason);
    bool any = game->parts && rules == 0;
    for (int part = 1; any && status != KZ_OK && game->rules[part]; part++) {
        kz_error ignored;
        status = game->definition->parse(kz_game_context(game, part), text, length, &there, &ignored);
        rules = part;
    }
    if (status != KZ_OK) {
        bool says = memchr(reason.message, '\0', sizeof reason.message) && reason.message[0] != '\0';
        return kz_fail(error, KZ_ERR_INPUT, "%s", says ? reason.message : "this is no position of the game");
    }
    mark(&there, rules, 0);
    *position = there;
    return KZ_OK;
}

/* Copies text of the game to the caller. */
static kz_status hand_over(const char *from, char *text, size_t size, kz_error *error) {
    size_t length = strnlen(from, KZ_TEXT_BYTES);
    if (length >= KZ_TEXT_BYTES) {
        return kz_fail(error, KZ_ERR_INPUT, "the game wrote a text that is longer than %d characters",
                       KZ_TEXT_BYTES - 1);
    }
    if (length >= size) {
        return kz_fail(error, KZ_ERR_INPUT, "no room for a text of %zu characters", length);
    }
    memcpy(text, from, length + 1);
    return KZ_OK;
}

static kz_status format(const kz_game *game, const kz_position *position, int notation, char *text, size_t size,
                        kz_error *error) {
    (void)notation;
    char written[KZ_TEXT_BYTES] = "";
    game->definition->format(context_of(game, position), position, written);
    return hand_over(written, text, size, error);
}

static kz_status draw(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error) {
    const kz_definition *definition = game->definition;
    if (definition->draw) {
        char drawn[KZ_TEXT_BYTES] = "";
        definition->draw(context_of(game, position), position, drawn);
        return hand_over(drawn, text, size, error);
    }
    if (definition->look) {
        return kz_look_draw(definition, context_of(game, position), position, text, size, error);
    }
    char written[KZ_TEXT_BYTES] = "";
    definition->format(context_of(game, position), position, written);
    size_t length = strnlen(written, sizeof written - 2);
    memcpy(written + length, "\n", 2);
    return hand_over(written, text, size, error);
}

static kz_status draw_svg(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error) {
    if (!game->definition->look) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "the definition of %s does not say how its board looks", game->name);
    }
    return kz_look_draw_svg(game->definition, context_of(game, position), position, text, size, error);
}

static const char *side_to_move(const kz_game *game, const kz_position *position) {
    static const char *const names[2] = {"first", "second"};
    const kz_definition *definition = game->definition;
    const void *context = context_of(game, position);
    int side = definition->side_to_move ? definition->side_to_move(context, position) != 0
                                        : (int)byte_of(position, PLIES_BYTE);
    const kz_board_look *look = definition->look ? definition->look(context) : NULL;
    return look && look->side_names[side] ? look->side_names[side] : names[side];
}

static bool same(const kz_game *game, const kz_position *a, const kz_position *b) {
    (void)game;
    return memcmp(a, b, KZ_GAME_BYTES) == 0 && byte_of(a, RULES_BYTE) == byte_of(b, RULES_BYTE);
}

/* ---- Moves ----------------------------------------------------------------------------------------------------- */

static int moves(const kz_game *game, int rules, const kz_position *position, kz_move *list) {
    int count;
    kz_defined_moves(game->definition, kz_game_context(game, rules), position, list, &count);
    return count;
}

static void play(const kz_game *game, int rules, kz_position *position, kz_move move) {
    unsigned plies = byte_of(position, PLIES_BYTE);
    if (game->parts) {
        rules = kz_defined_rules(position);
    }
    game->definition->play(kz_game_context(game, rules), position, move);
    for (int part = 0; game->parts && rules == game->whole && part < game->whole; part++) {
        const void *context = kz_game_context(game, part);
        if (game->definition->rank(context, position) < game->definition->index_size(context)) {
            rules = part;
        }
    }
    mark(position, rules, plies + 1);
}

/* `number` is the move's in the list. */
static void write_move(const kz_game *game, const kz_position *position, kz_move move, int number,
                       char text[KZ_TEXT_BYTES]) {
    text[0] = '\0';
    if (game->definition->move_format) {
        game->definition->move_format(context_of(game, position), position, move, text);
        text[KZ_TEXT_BYTES - 1] = '\0';
    } else {
        snprintf(text, KZ_TEXT_BYTES, "%d", number + 1);
    }
}

static kz_status move_format(const kz_game *game, const kz_position *position, kz_move move, char *text, size_t size,
                             kz_error *error) {
    int number = 0;
    if (!game->definition->move_format) {
        kz_move list[KZ_DEFINE_MAX_MOVES];
        int count = moves(game, (int)byte_of(position, RULES_BYTE), position, list);
        while (number < count && list[number] != move) {
            number++;
        }
    }
    char written[KZ_TEXT_BYTES];
    write_move(game, position, move, number, written);
    return hand_over(written, text, size, error);
}

static kz_status move_parse(const kz_game *game, int rules, const kz_position *position, const char *text,
                            size_t length, kz_move *move, kz_error *error) {
    kz_move list[KZ_DEFINE_MAX_MOVES];
    int count = moves(game, rules, position, list);
    char written[KZ_TEXT_BYTES];
    while (length > 0 && (*text == ' ' || *text == '\t')) {
        text++;
        length--;
    }
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) {
        length--;
    }
    for (int i = 0; i < count; i++) {
        write_move(game, position, list[i], i, written);
        if (strlen(written) == length && memcmp(written, text, length) == 0) {
            *move = list[i];
            return KZ_OK;
        }
    }
    int shown = length < 40 ? (int)length : 40;
    if (count == 0) {
        return kz_fail(error, KZ_ERR_INPUT, "the game is over: '%.*s' can't be played", shown, text);
    }
    write_move(game, position, list[0], 0, written);
    return kz_fail(error, KZ_ERR_INPUT, "'%.*s' is no legal move here; one of the %d legal moves is %.40s", shown, text,
                   count, written);
}

static kz_value immediate(const kz_game *game, int rules, const kz_position *position) {
    return (kz_value){kz_defined_result(game->definition, kz_game_context(game, rules), position), 0};
}

/* ---- Index ----------------------------------------------------------------------------------------------------- */

static uint64_t index_size(const kz_game *game, int rules) {
    return game->definition->index_size(kz_game_context(game, rules));
}

static bool rank(const kz_game *game, const kz_position *position, uint64_t *index) {
    const void *context = context_of(game, position);
    *index = kz_defined_rank(game->definition, context, position, NULL);
    return *index < game->definition->index_size(context);
}

static bool unrank(const kz_game *game, int rules, uint64_t index, kz_position *position) {
    if (!kz_defined_unrank(game->definition, kz_game_context(game, rules), index, position)) {
        return false;
    }
    mark(position, rules, 0);
    return true;
}

/* ---- Opening and closing --------------------------------------------------------------------------------------- */

static const char *const one_rule_set[] = {"standard", NULL};
static const char *const one_notation[] = {"text", NULL};

static void close_opened(const kz_game *game) {
    kz_opened_game *opened = (kz_opened_game *)(uintptr_t)game;
    for (int i = 0; i < opened->rule_count; i++) {
        if (opened->definition.close && opened->definition.open) {
            opened->definition.close(opened->contexts[i]);
        }
    }
    void *library = opened->library;
    void (*unload)(void *) = opened->unload;
    free(opened);
    if (unload) {
        unload(library);
    }
}

static kz_status open_contexts(kz_opened_game *opened, kz_error *error) {
    const kz_definition *definition = &opened->definition;
    const char *const *names = opened->game.rules;
    for (int i = 0; names[i]; i++) {
        kz_error reason = {KZ_OK, ""};
        opened->contexts[i] = definition->user;
        kz_status status = definition->open ? definition->open(i, &opened->contexts[i], &reason) : KZ_OK;
        if (status != KZ_OK) {
            return kz_fail(error, status, "%s can't be opened by %s rules: %.200s", definition->name, names[i],
                           reason.message[0] ? reason.message : kz_status_name(status));
        }
        opened->rule_count = i + 1;
        status = kz_definition_check_context(definition, opened->contexts[i], names[i], error);
        if (status != KZ_OK) {
            return status;
        }
    }
    return KZ_OK;
}

kz_status kz_game_open(const kz_definition *definition, const kz_game **game, kz_error *error) {
    *game = NULL;
    kz_status status = kz_definition_check(definition, error);
    if (status != KZ_OK) {
        return status;
    }
    kz_opened_game *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open the game %s", definition->name);
    }
    /* A definition from an older version is shorter: the rest stays zero. */
    size_t size = definition->size < sizeof *definition ? definition->size : sizeof *definition;
    memcpy(&opened->definition, definition, size);
    opened->definition.size = sizeof opened->definition;
    opened->game = (kz_game){
        .definition = &opened->definition,
        .contexts = opened->contexts,
        .close = close_opened,
        .name = opened->definition.name,
        .title = opened->definition.title,
        .rules = opened->definition.rules ? opened->definition.rules : one_rule_set,
        .notations = one_notation,
        .counts_own_turns = opened->definition.counts_own_turns,
        .start = start,
        .parse = parse,
        .format = format,
        .draw = draw,
        .draw_svg = draw_svg,
        .max_moves = definition->max_moves,
        .moves = moves,
        .play = play,
        .move_parse = move_parse,
        .move_format = move_format,
        .immediate = immediate,
        .side_to_move = side_to_move,
        .same = same,
        .index_size = index_size,
        .rank = rank,
        .unrank = unrank,
    };
    status = open_contexts(opened, error);
    if (status != KZ_OK) {
        close_opened(&opened->game);
        return status;
    }
    *game = &opened->game;
    return KZ_OK;
}

void kz_game_close(const kz_game *game) {
    if (game && game->close) {
        game->close(game);
    }
}
