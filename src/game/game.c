/* SPDX-License-Identifier: MIT
 *
 * The public calls of kanzen/game.h: they go through a game's const struct. */
#include "base/error.h"
#include "base/list.h"
#include "base/text.h"
#include "game/gamedef.h"

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
    while (kz_games[i] && strcmp(kz_games[i]->name, name) != 0) {
        i++;
    }
    return kz_games[i];
}

const char *kz_game_name(const kz_game *game) { return game->name; }

const char *kz_game_title(const kz_game *game) { return game->title; }

bool kz_game_has_parts(const kz_game *game) { return game->parts; }

kz_status kz_game_check_whole(const kz_game *game, int rules, kz_error *error) {
    return game->parts && rules == game->whole ? kz_fail(error, KZ_ERR_UNSUPPORTED, "%s", game->too_large) : KZ_OK;
}

const char *kz_rules_name(const kz_game *game, int rules) { return name_at(game->rules, rules); }

int kz_rules_find(const kz_game *game, const char *name) { return name ? name_find(game->rules, name) : 0; }

const char *kz_notation_name(const kz_game *game, int notation) { return name_at(game->notations, notation); }

int kz_notation_find(const kz_game *game, const char *name) { return name_find(game->notations, name); }

/* ---- Positions and text ---------------------------------------------------------------------------------------- */

void kz_start(const kz_game *game, int rules, kz_position *position) { game->start(game, rules, position); }

kz_status kz_parse(const kz_game *game, int rules, const char *text, size_t length, kz_position *position,
                   kz_error *error) {
    if (kz_span_is(kz_span_trimmed((kz_span){text, length}), "startpos")) {
        if (game->parts && rules == 0) {
            return game->parse(game, rules, game->whole_start, strlen(game->whole_start), position, error);
        }
        kz_start(game, rules, position);
        return KZ_OK;
    }
    return game->parse(game, rules, text, length, position, error);
}

int kz_position_lines(const kz_game *game, int rules, const char *first_line, size_t length) {
    return game->lines ? game->lines(game, rules, first_line, length) : 1;
}

kz_status kz_format(const kz_game *game, const kz_position *position, int notation, char *text, size_t size,
                    kz_error *error) {
    return game->format(game, position, notation, text, size, error);
}

kz_status kz_draw(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error) {
    return game->draw(game, position, text, size, error);
}

kz_status kz_draw_svg(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error) {
    return game->draw_svg(game, position, text, size, error);
}

const char *kz_side_to_move(const kz_game *game, const kz_position *position) {
    return game->side_to_move(game, position);
}

bool kz_same(const kz_game *game, const kz_position *a, const kz_position *b) { return game->same(game, a, b); }

kz_status kz_validate(const kz_game *game, int rules, const kz_position *position, kz_error *error) {
    return game->validate ? game->validate(game, rules, position, error) : KZ_OK;
}

/* ---- Moves and values ------------------------------------------------------------------------------------------ */

int kz_max_moves(const kz_game *game, int rules) {
    (void)rules;
    return game->max_moves ? game->max_moves : KZ_MAX_MOVES;
}

int kz_moves(const kz_game *game, int rules, const kz_position *position, kz_move *moves) {
    return game->moves(game, rules, position, moves);
}

void kz_play(const kz_game *game, int rules, kz_position *position, kz_move move) {
    game->play(game, rules, position, move);
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
    if (length <= MOST && game->uci->parse(rules, position, text, length, &meant, NULL) == KZ_OK &&
        game->move_format(game, position, meant, own, sizeof own, NULL) == KZ_OK) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "%.*s is a move in UCI, which names squares in another way; here it is %.*s", (int)length, text,
                       MOST, own);
    }
    return KZ_ERR_INPUT;
}

kz_status kz_move_parse(const kz_game *game, int rules, const kz_position *position, const char *text, size_t length,
                        kz_move *move, kz_error *error) {
    kz_status status = game->move_parse(game, rules, position, text, length, move, error);
    return status == KZ_ERR_INPUT && game->uci ? explain_uci(game, rules, position, text, length, error) : status;
}

kz_status kz_move_format(const kz_game *game, const kz_position *position, kz_move move, char *text, size_t size,
                         kz_error *error) {
    return game->move_format(game, position, move, text, size, error);
}

kz_value kz_immediate(const kz_game *game, int rules, const kz_position *position) {
    return game->immediate(game, rules, position);
}

const char *kz_outcome_name(kz_outcome outcome) {
    static const char *const names[] = {
        [KZ_UNKNOWN] = "unknown", [KZ_LOSS] = "loss", [KZ_DRAW] = "draw", [KZ_WIN] = "win"};
    return names[outcome];
}

int kz_distance_shown(const kz_game *game, kz_value value) {
    return game->counts_own_turns ? (value.distance + 1) / 2 : value.distance;
}

const char *kz_distance_unit(const kz_game *game) { return game->counts_own_turns ? "turns" : "plies"; }

bool kz_can_prove(const kz_game *game) { return game->prove != NULL; }

int kz_prove_depth(const kz_game *game) { return game->prove ? game->prove_depth : 0; }

int kz_prove_most_depth(const kz_game *game) { return game->prove ? game->prove_most_depth : 0; }

kz_status kz_prove_to(const kz_game *game, int rules, const kz_position *position, int depth, int threads,
                      const kz_progress *progress, kz_value *value, kz_move *best, kz_error *error) {
    kz_move ignored;
    if (best) {
        *best = 0;
    }
    *value = (kz_value){KZ_UNKNOWN, 0};
    if (!game->prove) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "the values of %s come from a table only", game->name);
    }
    kz_status status = kz_validate(game, rules, position, error);
    return status == KZ_OK
               ? game->prove(game, rules, position, depth, threads, progress, value, best ? best : &ignored, error)
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
    frame->count = p->game->moves(p->game, p->rules, &frame->position, p->moves);
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
            p->game->play(p->game, p->rules, &child, frame->kept[kept]);
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

uint64_t kz_index_size(const kz_game *game, int rules) { return game->index_size(game, rules); }

bool kz_rank(const kz_game *game, const kz_position *position, uint64_t *index) {
    return game->rank(game, position, index);
}

bool kz_unrank(const kz_game *game, int rules, uint64_t index, kz_position *position) {
    return game->unrank(game, rules, index, position);
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
