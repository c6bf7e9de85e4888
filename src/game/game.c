/* SPDX-License-Identifier: MIT
 *
 * The public calls of kanzen/game.h, in terms of a game's definition and its doors. */
#include "base/error.h"
#include "base/list.h"
#include "base/text.h"
#include "game/defined.h"

#include <string.h>

/* ---- Games and their lists of names ---------------------------------------------------------------------------- */

static const char *name_at(const char *const *names, int number) {
    for (int i = 0; names[i] && number >= 0; i++) {
        if (i == number) {
            return names[i];
        }
    }
    return NULL;
}

static int name_find(const char *const *names, const char *name) {
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

const kz_game *kz_game_at(size_t number) {
    size_t i = 0;
    while (i < number && kz_games[i]) {
        i++;
    }
    return kz_games[i];
}

const kz_game *kz_game_find(const char *name) {
    size_t i = 0;
    while (kz_games[i] && strcmp(kz_games[i]->definition->name, name) != 0) {
        i++;
    }
    return kz_games[i];
}

const char *kz_game_name(const kz_game *game) { return game->definition->name; }

const char *kz_game_title(const kz_game *game) { return game->definition->title; }

bool kz_game_has_parts(const kz_game *game) { return game->parts != NULL; }

kz_status kz_game_check_whole(const kz_game *game, int rules, kz_error *error) {
    return game->parts && rules == game->parts->whole ? kz_fail(error, KZ_ERR_UNSUPPORTED, "%s", game->parts->too_large)
                                                      : KZ_OK;
}

const char *kz_rules_name(const kz_game *game, int rules) { return name_at(game->definition->rules, rules); }

int kz_rules_find(const kz_game *game, const char *name) { return name ? name_find(game->definition->rules, name) : 0; }

static const char *const *notations_of(const kz_game *game) {
    static const char *const one[] = {"text", NULL};
    return game->definition->notations ? game->definition->notations : one;
}

const char *kz_notation_name(const kz_game *game, int notation) { return name_at(notations_of(game), notation); }

int kz_notation_find(const kz_game *game, const char *name) { return name_find(notations_of(game), name); }

/* ---- Positions ------------------------------------------------------------------------------------------------- */

/* The last bytes of a position are ours. The calls that get no rule set find its number there. */
enum { RULES_BYTE = 3, PLIES_BYTE = 2, OWN_BYTES = KZ_POSITION_BYTES - KZ_GAME_BYTES };

static uint8_t own_byte(const kz_position *position, int number) {
    return ((const uint8_t *)position)[KZ_GAME_BYTES + number];
}

/* Sets our bytes: the rule set and, for a definition that does not say who moves, how many plies were played, modulo 2.
 * Positions of games that come with Kanzen need neither. */
static void mark(const kz_game *game, kz_position *position, int rules, int plies) {
    const uint8_t bytes[OWN_BYTES] = {
        [RULES_BYTE] = (uint8_t)rules, [PLIES_BYTE] = game->definition->side_to_move ? 0 : plies & 1};
    if (game->opened) {
        memcpy((uint8_t *)position + KZ_GAME_BYTES, bytes, sizeof bytes);
    }
}

int kz_defined_rules(const kz_position *position) { return own_byte(position, RULES_BYTE); }

/* Games that come with Kanzen have no mark in their positions: whatever is there is not looked at. */
const void *kz_defined_context(const kz_game *game, const kz_position *position) {
    return game->contexts[game->opened ? kz_defined_rules(position) : 0];
}

void kz_start(const kz_game *game, int rules, kz_position *position) {
    *position = (kz_position){{0}};
    game->definition->start(game->contexts[rules], position);
    mark(game, position, rules, 0);
}

const char *kz_side_to_move(const kz_game *game, const kz_position *position) {
    static const char *const names[2] = {"first", "second"};
    const kz_definition *definition = game->definition;
    const void *context = kz_defined_context(game, position);
    int side =
        definition->side_to_move ? definition->side_to_move(context, position) != 0 : own_byte(position, PLIES_BYTE);
    const kz_board_look *look = definition->look ? definition->look(context) : NULL;
    return definition->side_names[side]     ? definition->side_names[side]
           : look && look->side_names[side] ? look->side_names[side]
                                            : names[side];
}

bool kz_same(const kz_game *game, const kz_position *a, const kz_position *b) {
    return game->definition->same ? game->definition->same(a, b)
                                  : memcmp(a, b, KZ_GAME_BYTES) == 0 && kz_defined_rules(a) == kz_defined_rules(b);
}

kz_status kz_validate(const kz_game *game, int rules, const kz_position *position, kz_error *error) {
    return game->definition->validate ? game->definition->validate(game->contexts[rules], position, error) : KZ_OK;
}

/* ---- Text ------------------------------------------------------------------------------------------------------ */

/* A game in parts is read by each part in turn; what is said is what the first one says. */
static kz_status parse(const kz_game *game, int rules, const char *text, size_t length, kz_position *position,
                       kz_error *error) {
    kz_position there = {{0}};
    kz_error reason = {KZ_OK, ""};
    kz_status status = game->definition->parse(game->contexts[rules], text, length, &there, &reason);
#ifndef KANZEN_READ_ONLY /* there, no game has parts */
    bool any = game->parts && rules == 0;
    for (int part = 1; any && status != KZ_OK && game->definition->rules[part]; part++) {
        kz_error ignored;
        status = game->definition->parse(game->contexts[part], text, length, &there, &ignored);
        rules = part;
    }
#endif
    if (status != KZ_OK) {
        bool says = memchr(reason.message, '\0', sizeof reason.message) && reason.message[0] != '\0';
        return kz_fail(error, KZ_ERR_INPUT, "%s", says ? reason.message : "this is no position of the game");
    }
    mark(game, &there, rules, 0);
    *position = there;
    return KZ_OK;
}

kz_status kz_parse(const kz_game *game, int rules, const char *text, size_t length, kz_position *position,
                   kz_error *error) {
    if (!kz_span_is(kz_span_trimmed((kz_span){text, length}), "startpos")) {
        return parse(game, rules, text, length, position, error);
    }
    if (game->parts && rules == 0) { /* from where the game as a whole begins */
        return parse(game, rules, game->parts->start, strlen(game->parts->start), position, error);
    }
    kz_start(game, rules, position);
    return KZ_OK;
}

int kz_position_lines(const kz_game *game, int rules, const char *first_line, size_t length) {
    return game->definition->lines ? game->definition->lines(game->contexts[rules], first_line, length) : 1;
}

/* Copies text of the game to the caller. */
static kz_status hand_over(const char *from, char *text, size_t size, kz_error *error) {
    size_t length = strnlen(from, KZ_TEXT_BYTES);
    if (length >= KZ_TEXT_BYTES) {
        return kz_fail(error, KZ_ERR_INPUT, "the game wrote a text that is longer than %d characters",
                       KZ_TEXT_BYTES - 1);
    }
    if (length >= size) {
        return kz_fail(error, KZ_ERR_INPUT, "the text needs %zu bytes, and there is room for %zu", length + 1, size);
    }
    memcpy(text, from, length + 1);
    return KZ_OK;
}

kz_status kz_format(const kz_game *game, const kz_position *position, int notation, char *text, size_t size,
                    kz_error *error) {
    const void *context = kz_defined_context(game, position);
    char written[KZ_TEXT_BYTES];
    written[0] = '\0';
    if (game->definition->format_as) {
        KZ_TRY(game->definition->format_as(context, position, notation, written, error));
    } else {
        game->definition->format(context, position, written);
    }
    return hand_over(written, text, size, error);
}

kz_status kz_draw(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error) {
    if (!game->definition->draw) {
        return game->doors->draw(game, position, text, size, error);
    }
    char written[KZ_TEXT_BYTES];
    game->definition->draw(kz_defined_context(game, position), position, written);
    return hand_over(written, text, size, error);
}

kz_status kz_draw_svg(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error) {
    return game->doors->draw_svg(game, position, text, size, error);
}

/* ---- Moves and values ------------------------------------------------------------------------------------------ */

int kz_max_moves(const kz_game *game, int rules) {
    (void)rules;
    return game->doors->max_moves ? game->doors->max_moves : game->definition->max_moves;
}

int kz_moves(const kz_game *game, int rules, const kz_position *position, kz_move *moves) {
    int count;
    kz_defined_moves(game->definition, game->contexts[rules], position, moves, &count);
    return count;
}

void kz_play(const kz_game *game, int rules, kz_position *position, kz_move move) {
    int plies = own_byte(position, PLIES_BYTE);
#ifdef KANZEN_READ_ONLY
    game->definition->play(game->contexts[rules], position, move);
#else
    if (game->parts) {
        rules = kz_defined_rules(position);
    }
    game->definition->play(game->contexts[rules], position, move);
    for (int part = 0; game->parts && rules == game->parts->whole && part < game->parts->whole; part++) {
        const void *context = game->contexts[part];
        if (game->definition->rank(context, position) < game->definition->index_size(context)) {
            rules = part;
        }
    }
#endif
    mark(game, position, rules, plies + 1);
}

/* Moves that were copied from a program that speaks UCI may name other squares. Says so where that is the reason. */
static kz_status explain_uci(const kz_game *game, int rules, const kz_position *position, const char *text,
                             size_t length, kz_error *error) {
    enum { MOST = 12 };
    char own[KZ_TEXT_BYTES];
    kz_move meant;
    while (length > 0 && text[0] == ' ') { /* a line of a record, up to the move */
        text++;
        length--;
    }
    if (length <= MOST && game->doors->uci->parse(rules, position, text, length, &meant, NULL) == KZ_OK &&
        kz_move_format(game, position, meant, own, sizeof own, NULL) == KZ_OK) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "%.*s is a move in UCI, which names squares in another way; here it is %.*s", (int)length, text,
                       MOST, own);
    }
    return KZ_ERR_INPUT;
}

kz_status kz_move_format(const kz_game *game, const kz_position *position, kz_move move, char *text, size_t size,
                         kz_error *error) {
    char written[KZ_TEXT_BYTES];
    written[0] = '\0';
    if (game->definition->move_format) {
        game->definition->move_format(kz_defined_context(game, position), position, move, written);
    } else {
        game->doors->move_format(game, position, move, written);
    }
    return written[0] ? hand_over(written, text, size, error)
                      : kz_fail(error, KZ_ERR_INPUT, "%u is not the number of a move", (unsigned)move);
}

kz_status kz_move_parse(const kz_game *game, int rules, const kz_position *position, const char *text, size_t length,
                        kz_move *move, kz_error *error) {
    if (!game->definition->move_parse) {
        return game->doors->move_parse(game, rules, position, text, length, move, error);
    }
    kz_status status = game->definition->move_parse(game->contexts[rules], position, text, length, move, error);
    return status == KZ_ERR_INPUT && game->doors->uci ? explain_uci(game, rules, position, text, length, error)
                                                      : status;
}

kz_value kz_immediate(const kz_game *game, int rules, const kz_position *position) {
    const void *context = game->contexts[rules];
    return game->definition->immediate ? game->definition->immediate(context, position)
                                       : (kz_value){kz_defined_result(game->definition, context, position), 0};
}

const char *kz_outcome_name(kz_outcome outcome) {
    static const char *const names[] = {
        [KZ_UNKNOWN] = "unknown", [KZ_LOSS] = "loss", [KZ_DRAW] = "draw", [KZ_WIN] = "win"};
    return names[outcome];
}

int kz_distance_shown(const kz_game *game, kz_value value) {
    return game->definition->counts_own_turns ? (value.distance + 1) / 2 : value.distance;
}

const char *kz_distance_unit(const kz_game *game) { return game->definition->counts_own_turns ? "turns" : "plies"; }

bool kz_can_prove(const kz_game *game) { return game->doors->prove != NULL; }

int kz_prove_depth(const kz_game *game) { return game->doors->prove ? game->doors->prove_depth : 0; }

int kz_prove_most_depth(const kz_game *game) { return game->doors->prove ? game->doors->prove_most_depth : 0; }

kz_status kz_prove_to(const kz_game *game, int rules, const kz_position *position, int depth, int threads,
                      const kz_progress *progress, kz_value *value, kz_move *best, kz_error *error) {
    kz_move ignored;
    if (best) {
        *best = 0;
    }
    *value = (kz_value){KZ_UNKNOWN, 0};
    if (!game->doors->prove) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "the values of %s come from a table only", game->definition->name);
    }
    kz_status status = kz_validate(game, rules, position, error);
    return status == KZ_OK
               ? game->doors->prove(rules, position, depth, threads, progress, value, best ? best : &ignored, error)
               : status;
}

kz_status kz_prove(const kz_game *game, int rules, const kz_position *position, const kz_progress *progress,
                   kz_value *value, kz_error *error) {
    return kz_prove_to(game, rules, position, kz_prove_depth(game), 1, progress, value, NULL, error);
}

/* One depth of kz_perft: a position, and a part of its moves. All depths list their moves in the same memory, so each
 * keeps a part of the list and has it made again for the next part, which is rarely needed. */
enum { MOVES_KEPT = 64 };

typedef struct perft_frame {
    kz_position position;
    int count; /* of its moves */
    int next;  /* the first one that was not played yet */
    kz_move kept[MOVES_KEPT];
} perft_frame;

typedef struct perft {
    const kz_game *game;
    int rules;
    kz_move *moves; /* room for a list */
    perft_frame *frames;
    size_t depth; /* frames in use */
    size_t room;
} perft;

static void keep_moves(perft *p, perft_frame *frame) {
    frame->count = kz_moves(p->game, p->rules, &frame->position, p->moves);
    for (int i = 0; i < MOVES_KEPT && frame->next + i < frame->count; i++) {
        frame->kept[i] = p->moves[frame->next + i];
    }
}

/* False: no memory. */
static bool enter(perft *p, const kz_position *position) {
    if (p->depth == p->room) {
        size_t room = 2 * p->room + 16;
        perft_frame *frames = realloc(p->frames, room * sizeof *frames);
        if (!frames) {
            return false;
        }
        p->frames = frames;
        p->room = room;
    }
    perft_frame *frame = &p->frames[p->depth++];
    frame->position = *position;
    frame->next = 0;
    keep_moves(p, frame);
    return true;
}

/* Counts by going through the tree with frames on the heap: how deep it may go does not depend on the stack. */
static bool count_sequences(perft *p, const kz_position *position, size_t depth, uint64_t *sequences) {
    if (!enter(p, position)) {
        return false;
    }
    while (p->depth > 0) {
        perft_frame *frame = &p->frames[p->depth - 1];
        if (p->depth == depth) {
            *sequences += (uint64_t)frame->count;
            p->depth--;
        } else if (frame->next == frame->count) {
            p->depth--;
        } else {
            int kept = frame->next % MOVES_KEPT;
            if (frame->next > 0 && kept == 0) {
                keep_moves(p, frame);
            }
            kz_position child = frame->position;
            kz_play(p->game, p->rules, &child, frame->kept[kept]);
            frame->next++;
            if (!enter(p, &child)) {
                return false;
            }
        }
    }
    return true;
}

uint64_t kz_perft(const kz_game *game, int rules, const kz_position *position, int depth) {
    if (depth <= 0) {
        return 1;
    }
    kz_list memory;
    uint64_t sequences = 0;
    perft p = {.game = game, .rules = rules};
    p.moves = kz_list_open(&memory, kz_max_moves(game, rules), sizeof *p.moves);
    bool counted = p.moves && count_sequences(&p, position, (size_t)depth, &sequences);
    free(p.frames);
    kz_list_close(&memory);
    return counted ? sequences : UINT64_MAX;
}

/* ---- Index ----------------------------------------------------------------------------------------------------- */

uint64_t kz_index_size(const kz_game *game, int rules) { return game->doors->index_size(game, rules); }

bool kz_rank(const kz_game *game, const kz_position *position, uint64_t *index) {
    return game->doors->rank(game, position, index);
}

bool kz_unrank(const kz_game *game, int rules, uint64_t index, kz_position *position) {
    bool is_one = game->doors->unrank(game, rules, index, position);
    mark(game, position, rules, 0);
    return is_one;
}

int kz_value_worth(kz_value value) {
    enum { LONGEST = 1 << 20 };
    switch (value.outcome) {
    case KZ_WIN:
        return LONGEST - value.distance;
    case KZ_LOSS:
        return value.distance - LONGEST;
    default:
        return 0;
    }
}

kz_value kz_value_before(kz_value after) {
    switch (after.outcome) {
    case KZ_WIN:
        return (kz_value){KZ_LOSS, after.distance + 1};
    case KZ_LOSS:
        return (kz_value){KZ_WIN, after.distance + 1};
    default:
        return after;
    }
}
