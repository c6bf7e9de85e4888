/* SPDX-License-Identifier: MIT
 *
 * A variant as a game: its definition (kanzen/define.h), and the names by which people ask for one. */
#include "games/texts/game.h"
#include "games/texts/variant.h"

#include "base/error.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE_MOST = 4096, ENDING_MOST = 8 /* men that somebody might solve an ending with */ };

/* ---- The definition ---------------------------------------------------------------------------------------------- */

static void start(const void *context, kz_position *position) {
    const kz_variant_game *o = context;
    kz_board_pack(&o->start, position);
}

static int moves(const void *context, const kz_position *position, kz_move *list) {
    const kz_variant_game *o = context;
    kz_board b;
    kz_board_unpack(position, &b);
    return kz_variant_moves(&o->variant, &b, list);
}

static void play(const void *context, kz_position *position, kz_move move) {
    const kz_variant_game *o = context;
    kz_board b;
    kz_board_unpack(position, &b);
    kz_variant_play(&o->variant, &b, move);
    kz_board_pack(&b, position);
}

static kz_outcome result(const void *context, const kz_position *position) {
    const kz_variant_game *o = context;
    kz_board b;
    kz_board_unpack(position, &b);
    return kz_variant_ended(&o->variant, &b);
}

static kz_outcome stuck(const void *context, const kz_position *position) {
    const kz_variant_game *o = context;
    kz_board b;
    kz_board_unpack(position, &b);
    return kz_variant_in_check(&o->variant, &b, b.side) ? o->variant.checkmate : o->variant.stalemate;
}

/* A game that is too large has no index, and nobody asks for its numbers: kz_game_check_whole. */
static uint64_t index_size(const void *context) {
    const kz_variant_game *o = context;
    return o->index ? kz_variant_index_size(o->index) : UINT64_C(1) << 62;
}

static uint64_t rank(const void *context, const kz_position *position) {
    const kz_variant_game *o = context;
    kz_board b;
    kz_board_unpack(position, &b);
    return o->index ? kz_variant_rank(o->index, &b) : 0;
}

static bool unrank(const void *context, uint64_t number, kz_position *position) {
    const kz_variant_game *o = context;
    kz_board b;
    if (!o->index || !kz_variant_unrank(o->index, number, &b)) {
        return false;
    }
    kz_board_pack(&b, position);
    return true;
}

static void format(const void *context, const kz_position *position, char *text) {
    const kz_variant_game *o = context;
    kz_board b;
    kz_board_unpack(position, &b);
    kz_variant_write_fen(&o->variant, &b, text);
}

/* Says what to solve to get a table with these pieces. */
static kz_status no_table(const kz_game *game, const kz_position *position, kz_error *error) {
    const kz_variant_game *o = kz_game_context(game, game->parts->whole);
    kz_board b;
    char ending[KZ_VARIANT_ENDING_BYTES];
    kz_board_unpack(position, &b);
    int men = __builtin_popcountll(b.occupied);
    if (men > ENDING_MOST) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "no table of %s has these %d pieces", o->variant.name, men);
    }
    kz_variant_write_ending(&o->variant, &b, ending);
    return kz_fail(error, KZ_ERR_UNSUPPORTED,
                   "no table of %s has these pieces; make one with: kanzen solve %s --ending %s", o->variant.name,
                   o->source, ending);
}

static kz_status refuse_pieces(const kz_variant_game *o, const kz_board *b, kz_error *error) {
    char ending[KZ_VARIANT_ENDING_BYTES];
    kz_variant_write_ending(&o->variant, b, ending);
    return kz_fail(error, KZ_ERR_INPUT, "these pieces, %s, are not those of %s %s", ending, o->variant.name,
                   o->rules_name);
}

static kz_status parse(const void *context, const char *text, size_t length, kz_position *position, kz_error *error) {
    const kz_variant_game *o = context;
    kz_board b;
    kz_status status = kz_variant_read_fen(&o->variant, text, length, &b, error);
    if (status == KZ_OK && o->index && kz_variant_ended(&o->variant, &b) == KZ_UNKNOWN &&
        kz_variant_rank(o->index, &b) >= kz_variant_index_size(o->index)) {
        status = refuse_pieces(o, &b, error);
    }
    if (status == KZ_OK) {
        kz_board_pack(&b, position);
    }
    return status;
}

static void move_format(const void *context, const kz_position *position, kz_move move, char *text) {
    const kz_variant_game *o = context;
    kz_board b;
    kz_board_unpack(position, &b);
    kz_variant_write_move(&o->variant, &b, move, text);
}

static int side_to_move(const void *context, const kz_position *position) {
    kz_board b;
    (void)context;
    kz_board_unpack(position, &b);
    return b.side;
}

static int predecessors(const void *context, const kz_position *position, kz_position *before) {
    const kz_variant_game *o = context;
    kz_board b;
    kz_board_unpack(position, &b);
    return kz_variant_before(&o->variant, &b, before, BEFORE_MOST);
}

static int numbers_after(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    const kz_variant_game *o = context;
    return o->index ? kz_variant_numbers_after(o->numbers, index, numbers, sight) : -1;
}

static int numbers_before(const void *context, uint64_t index, uint64_t *numbers) {
    const kz_variant_game *o = context;
    return o->index ? kz_variant_numbers_before(o->numbers, index, numbers, BEFORE_MOST) : 0;
}

static kz_outcome twin(const void *context, const kz_position *position,
                       void (*visit)(void *user, const kz_position *next), void *user) {
    return kz_variant_twin(&((const kz_variant_game *)context)->variant, position, visit, user);
}

static int tiers(const void *context) {
    const kz_variant_game *o = context;
    return o->index ? kz_variant_tiers(o->index) : 1;
}

static uint64_t tier_begin(const void *context, int tier) {
    const kz_variant_game *o = context;
    return o->index ? kz_variant_tier_begin(o->index, tier) : tier ? index_size(context) : 0;
}

static void tier_name(const void *context, int tier, char *text) {
    const kz_variant_game *o = context;
    text[0] = '\0';
    if (o->index) {
        kz_variant_tier_name(o->index, tier, text);
    }
}

/* ---- The look ---------------------------------------------------------------------------------------------------- */

static const kz_board_look *look(const void *context) { return &((const kz_variant_game *)context)->look; }

static void pieces(const void *context, const kz_position *position, uint8_t *piece, uint8_t *count) {
    const kz_variant_game *o = context;
    const kz_variant *v = &o->variant;
    kz_board b;
    kz_board_unpack(position, &b);
    for (int square = 0; square < v->squares; square++) {
        piece[square] = o->look_of[b.at[square]];
        count[square] = 0;
    }
    for (int color = 0; color < 2; color++) {
        for (int i = 0; i < v->hand_types; i++) {
            int slot = v->squares + color * v->hand_types + i;
            count[slot] = b.hand[color][i];
            piece[slot] = b.hand[color][i] ? o->look_of[kz_piece(v->hand_type[i], color)] : 0;
        }
    }
}

static void touches(const void *context, const kz_position *position, kz_move move, kz_touched *touched) {
    const kz_variant_game *o = context;
    const kz_variant *v = &o->variant;
    int side = side_to_move(context, position);
    int type = kz_move_type(move);
    *touched = (kz_touched){.count = 2};
    touched->square[0] =
        (uint16_t)(move & KZ_DROP ? v->squares + side * v->hand_types + v->type[type].hand : kz_move_from(move));
    touched->square[1] = (uint16_t)kz_move_to(move);
    touched->choice = move & KZ_PROMOTES ? o->choice[type] : NULL;
}

static void make_squares(kz_variant_game *o) {
    const kz_variant *v = &o->variant;
    for (int square = 0; square < v->squares; square++) {
        int file = square % v->files;
        int rank = square / v->files;
        snprintf(o->label[square], KZ_LABEL_BYTES, "%c%d", 'a' + file, rank + 1);
        o->square[square] =
            (kz_square){(float)file, (float)(v->ranks - 1 - rank), o->label[square], KZ_SHAPE_SQUARE, -1};
    }
    for (int color = 0; color < 2; color++) {
        for (int i = 0; i < v->hand_types; i++) {
            int slot = v->squares + color * v->hand_types + i;
            char letter = v->type[v->hand_type[i]].letter;
            snprintf(o->label[slot], KZ_LABEL_BYTES, "%c@", color ? letter : toupper((unsigned char)letter));
            o->square[slot] =
                (kz_square){(float)i, color ? -1.5F : (float)v->ranks + 0.5F, o->label[slot], KZ_SHAPE_HAND, color};
        }
    }
}

static void make_look(kz_variant_game *o) {
    const kz_variant *v = &o->variant;
    int count = 0;
    make_squares(o);
    for (int type = 0; type < v->types; type++) {
        const kz_piece_type *t = &v->type[type];
        char name[sizeof t->name]; /* a copy, because the text is written into the struct that the type is in */
        memcpy(name, t->name, sizeof name);
        snprintf(o->choice[type], sizeof o->choice[type], "%s%c", t->promoted ? "+" : "", t->letter ? t->letter : '?');
        for (int color = 0; color < 2 && t->letter; color++) {
            char letter = (char)(color ? t->letter : toupper((unsigned char)t->letter));
            snprintf(o->piece_letter[count], sizeof o->piece_letter[count], "%s%c", t->promoted ? "+" : "", letter);
            snprintf(o->piece_name[count], sizeof o->piece_name[count], "%s %s%s", color ? "black" : "white",
                     t->promoted ? "promoted " : "", name);
            o->piece[count] =
                (kz_piece_look){.letter = o->piece_letter[count], .side = color, .name = o->piece_name[count]};
            o->look_of[kz_piece(type, color)] = (uint8_t)++count;
        }
    }
    o->look = (kz_board_look){.squares = v->squares + 2 * v->hand_types,
                              .square = o->square,
                              .pieces = count,
                              .piece = o->piece,
                              .side_names = {"white", "black"}};
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

void kz_variant_game_free(kz_variant_game *game) {
    if (game) {
        kz_variant_numbers_free(game->numbers);
        kz_variant_index_free(game->index);
        free(game);
    }
}

/* The parts of a game, and the list of their names that its definition points to. */
typedef struct group {
    void *part[KZ_MAX_RULES];
    const char *rules[KZ_MAX_RULES + 1];
    char title[KZ_TITLE_BYTES];
    kz_parts parts;
    char too_large[KZ_ERROR_MESSAGE_BYTES];
} group;

static void free_group(void *user) {
    group *g = user;
    for (int i = 0; i < KZ_MAX_RULES; i++) {
        kz_variant_game_free(g->part[i]);
    }
    free(g);
}

static kz_status open_sibling(const kz_game *game, const char *rules, const kz_game **sibling, kz_error *error) {
    char name[KZ_VARIANT_NAME + KZ_RULES_BYTES + 2];
    snprintf(name, sizeof name, "%s:%s", kz_game_name(game), rules);
    return kz_variant_open_named(name, sibling, error);
}

static const kz_doors doors = {KZ_DEFINED_DOORS, .no_table = no_table};
static const kz_doors doors_of_ours = {KZ_DEFINED_DOORS, .no_table = no_table, .sibling = open_sibling};

kz_status kz_variant_game_open(kz_variant_game *const *parts, int count, const char *too_large, const kz_game **game,
                               kz_error *error) {
    bool in_parts = too_large != NULL;
    const kz_variant *v = &parts[0]->variant;
    group *g = calloc(1, sizeof *g);
    if (!g) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a variant");
    }
    for (int i = 0; i < count; i++) {
        g->rules[i] = parts[i]->rules_name;
        make_look(parts[i]);
    }
    const char *part = in_parts ? "" : parts[0]->rules_name;
    snprintf(g->title, sizeof g->title, "%s%s%s, from its text", v->name, part[0] ? " " : "", part);
    kz_definition definition = {.version = KZ_DEFINE_VERSION,
                                .size = sizeof definition,
                                .name = v->name,
                                .title = g->title,
                                .max_moves = KZ_VARIANT_MOVES,
                                .start = start,
                                .moves = moves,
                                .play = play,
                                .result = result,
                                .without_moves = KZ_LOSS,
                                .stuck = stuck,
                                .index_size = index_size,
                                .rank = rank,
                                .unrank = unrank,
                                .format = format,
                                .parse = parse,
                                .rules = g->rules,
                                .move_format = move_format,
                                .side_to_move = side_to_move,
                                .max_predecessors = BEFORE_MOST,
                                .predecessors = predecessors,
                                .numbers_after = numbers_after,
                                .numbers_before = numbers_before,
                                .tiers = tiers,
                                .tier_begin = tier_begin,
                                .tier_name = tier_name,
                                .look = look,
                                .pieces = pieces,
                                .touches = touches,
                                .twin = twin,
                                .edition = kz_variant_edition(v)};
    if (in_parts) {
        snprintf(g->too_large, sizeof g->too_large, "%s", too_large);
        g->parts = (kz_parts){count - 1, parts[count - 1]->variant.start, g->too_large};
    }
    /* Another text of the user's may have had that name once. */
    void *contexts[KZ_MAX_RULES];
    for (int i = 0; i < count; i++) {
        contexts[i] = parts[i];
    }
    const kz_opening opening = {.contexts = contexts,
                                .doors = parts[0]->ours ? &doors_of_ours : &doors,
                                .parts = in_parts ? &g->parts : NULL,
                                .library = g,
                                .unload = free_group};
    kz_status status = kz_game_open_with(&definition, &opening, game, error);
    if (status != KZ_OK) {
        free(g);
        return status;
    }
    memcpy(g->part, contexts, (size_t)count * sizeof *contexts);
    return KZ_OK;
}
