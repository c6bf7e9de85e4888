/* SPDX-License-Identifier: MIT
 *
 * A variant as a game: its definition (kanzen/define.h), and the names by which people ask for one. */
#include "base/error.h"
#include "base/file.h"
#include "core/define.h"
#include "games/variants/variant.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE_MOST = 4096, LOOK_PIECES = 2 * KZ_VARIANT_TYPES, LABEL_BYTES = 8, RULES_BYTES = 16 };

/* All that the functions of the definition get as their context. */
typedef struct opened {
    kz_variant variant;
    kz_variant_index *index;
    kz_board start;
    char rules_name[RULES_BYTES];
    const char *rules[2];
    char title[96];
    /* The look of the board. */
    kz_board_look look;
    kz_square square[KZ_VARIANT_SQUARES + 2 * KZ_VARIANT_HAND];
    char label[KZ_VARIANT_SQUARES + 2 * KZ_VARIANT_HAND][LABEL_BYTES];
    kz_piece_look piece[LOOK_PIECES];
    char piece_letter[LOOK_PIECES][4];
    char piece_name[LOOK_PIECES][40];
    char choice[KZ_VARIANT_TYPES][4];
    uint8_t look_of[1 + 2 * KZ_VARIANT_TYPES]; /* a piece's number in the look, plus one */
} opened;

/* ---- The definition ---------------------------------------------------------------------------------------------- */

static void start(const void *context, kz_position *position) {
    const opened *o = context;
    kz_board_pack(&o->start, position);
}

static int moves(const void *context, const kz_position *position, kz_move *list) {
    const opened *o = context;
    kz_board b;
    kz_board_unpack(position, &b);
    return kz_variant_moves(&o->variant, &b, list);
}

static void play(const void *context, kz_position *position, kz_move move) {
    const opened *o = context;
    kz_board b;
    kz_board_unpack(position, &b);
    kz_variant_play(&o->variant, &b, move);
    kz_board_pack(&b, position);
}

static kz_outcome result(const void *context, const kz_position *position) {
    const opened *o = context;
    kz_board b;
    kz_board_unpack(position, &b);
    return kz_variant_result(&o->variant, &b);
}

static kz_outcome stuck(const void *context, const kz_position *position) {
    const opened *o = context;
    kz_board b;
    kz_board_unpack(position, &b);
    return kz_variant_in_check(&o->variant, &b, b.side) ? o->variant.checkmate : o->variant.stalemate;
}

static uint64_t index_size(const void *context) { return kz_variant_index_size(((const opened *)context)->index); }

static uint64_t rank(const void *context, const kz_position *position) {
    kz_board b;
    kz_board_unpack(position, &b);
    return kz_variant_rank(((const opened *)context)->index, &b);
}

static bool unrank(const void *context, uint64_t number, kz_position *position) {
    const opened *o = context;
    kz_board b;
    if (!kz_variant_unrank(o->index, number, &b)) {
        return false;
    }
    kz_board_pack(&b, position);
    return true;
}

static void format(const void *context, const kz_position *position, char *text) {
    const opened *o = context;
    kz_board b;
    kz_board_unpack(position, &b);
    kz_variant_write_fen(&o->variant, &b, text);
}

static kz_status parse(const void *context, const char *text, size_t length, kz_position *position, kz_error *error) {
    const opened *o = context;
    kz_board b;
    kz_status status = kz_variant_read_fen(&o->variant, text, length, &b, error);
    if (status == KZ_OK && kz_variant_result(&o->variant, &b) == KZ_UNKNOWN &&
        kz_variant_rank(o->index, &b) >= kz_variant_index_size(o->index)) {
        status = kz_fail(error, KZ_ERR_INPUT, "these pieces are not those of %s %s", o->variant.name, o->rules_name);
    }
    if (status == KZ_OK) {
        kz_board_pack(&b, position);
    }
    return status;
}

static void move_format(const void *context, const kz_position *position, kz_move move, char *text) {
    const opened *o = context;
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
    const opened *o = context;
    kz_board b;
    kz_board_unpack(position, &b);
    return kz_variant_before(&o->variant, &b, before, BEFORE_MOST);
}

static int tiers(const void *context) { return kz_variant_tiers(((const opened *)context)->index); }

static uint64_t tier_begin(const void *context, int tier) {
    return kz_variant_tier_begin(((const opened *)context)->index, tier);
}

static void tier_name(const void *context, int tier, char *text) {
    kz_variant_tier_name(((const opened *)context)->index, tier, text);
}

/* ---- The look ---------------------------------------------------------------------------------------------------- */

static const kz_board_look *look(const void *context) { return &((const opened *)context)->look; }

static void pieces(const void *context, const kz_position *position, uint8_t *piece, uint8_t *count) {
    const opened *o = context;
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
    const opened *o = context;
    const kz_variant *v = &o->variant;
    int side = side_to_move(context, position);
    int type = kz_move_type(move);
    *touched = (kz_touched){.count = 2};
    touched->square[0] =
        (uint16_t)(move & KZ_DROP ? v->squares + side * v->hand_types + v->type[type].hand : kz_move_from(move));
    touched->square[1] = (uint16_t)kz_move_to(move);
    touched->choice = move & KZ_PROMOTES ? o->choice[type] : NULL;
}

static void make_squares(opened *o) {
    const kz_variant *v = &o->variant;
    for (int square = 0; square < v->squares; square++) {
        int file = square % v->files;
        int rank = square / v->files;
        snprintf(o->label[square], LABEL_BYTES, "%c%d", 'a' + file, rank + 1);
        o->square[square] =
            (kz_square){(float)file, (float)(v->ranks - 1 - rank), o->label[square], KZ_SHAPE_SQUARE, -1};
    }
    for (int color = 0; color < 2; color++) {
        for (int i = 0; i < v->hand_types; i++) {
            int slot = v->squares + color * v->hand_types + i;
            char letter = v->type[v->hand_type[i]].letter;
            snprintf(o->label[slot], LABEL_BYTES, "%c@", color ? letter : toupper((unsigned char)letter));
            o->square[slot] =
                (kz_square){(float)i, color ? -1.5F : (float)v->ranks + 0.5F, o->label[slot], KZ_SHAPE_HAND, color};
        }
    }
}

static void make_look(opened *o) {
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

static void free_opened(void *user) {
    opened *o = user;
    kz_variant_index_free(o->index);
    free(o);
}

static kz_status finish(opened *o, const kz_game **game, kz_error *error) {
    const kz_variant *v = &o->variant;
    o->rules[0] = o->rules_name;
    snprintf(o->title, sizeof o->title, "%s%s%s, from its text", v->name, o->rules_name[0] ? " " : "", o->rules_name);
    make_look(o);
    kz_definition definition = {.version = KZ_DEFINE_VERSION,
                                .size = sizeof definition,
                                .name = v->name,
                                .title = o->title,
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
                                .rules = o->rules,
                                .user = o,
                                .move_format = move_format,
                                .side_to_move = side_to_move,
                                .max_predecessors = BEFORE_MOST,
                                .predecessors = predecessors,
                                .tiers = tiers,
                                .tier_begin = tier_begin,
                                .tier_name = tier_name,
                                .look = look,
                                .pieces = pieces,
                                .touches = touches};
    kz_status status = kz_game_open(&definition, game, error);
    if (status == KZ_OK) {
        kz_opened_game *made = (kz_opened_game *)(uintptr_t)*game;
        made->library = o;
        made->unload = free_opened;
    }
    return status;
}

/* ---- Endings ----------------------------------------------------------------------------------------------------- */

/* A board with pieces of a kind, wherever there is room: only the material counts. */
typedef struct filler {
    const kz_variant *variant;
    kz_board board;
    int square;
} filler;

static bool put(filler *f, int type, int color) {
    if (f->square >= f->variant->squares) {
        return false;
    }
    kz_board_put(&f->board, f->square++, kz_piece(type, color));
    return true;
}

static int find_letter(const kz_variant *v, char letter) {
    for (int i = 0; i < v->types; i++) {
        if (v->type[i].letter && v->type[i].letter == tolower((unsigned char)letter) && !v->type[i].promoted) {
            return i;
        }
    }
    return -1;
}

/* "KBNvK". */
static kz_status read_ending(const kz_variant *v, const char *text, kz_board *board, kz_error *error) {
    filler f = {.variant = v, .board = {.en_passant = KZ_NO_SQUARE}};
    int color = KZ_WHITE;
    int kings[2] = {0, 0};
    for (const char *at = text; *at; at++) {
        if (*at == 'v' && color == KZ_WHITE) {
            color = KZ_BLACK;
            continue;
        }
        int type = find_letter(v, *at);
        if (type < 0 || !put(&f, type, color)) {
            return kz_fail(error, KZ_ERR_INPUT, "%s has no ending '%s': character %d is no piece of it", v->name, text,
                           (int)(at - text) + 1);
        }
        kings[color] += type == v->royal;
    }
    if (color == KZ_WHITE || (v->royal >= 0 && (kings[0] != 1 || kings[1] != 1))) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "an ending names the pieces of both sides with a 'v' between them, such as KQvK%s",
                       v->royal >= 0 ? ", with one king each" : "");
    }
    *board = f.board;
    return KZ_OK;
}

/* All material with so many men, as boards. */
typedef struct endings {
    const kz_variant *variant;
    int men;
    kz_board *boards;
    size_t count;
    size_t room;
    bool failed;
} endings;

static void add_board(endings *e, const filler *f) {
    if (e->count == e->room) {
        size_t room = e->room * 2 + 64;
        kz_board *boards = realloc(e->boards, room * sizeof *boards);
        if (!boards) {
            e->failed = true;
            return;
        }
        e->boards = boards;
        e->room = room;
    }
    e->boards[e->count++] = f->board;
}

/* Adds every choice of `left` more pieces, each a number of type and colour not below `from`. */
static void choose_pieces(endings *e, const filler *f, int left, int from) {
    const kz_variant *v = e->variant;
    if (left == 0) {
        bool both[2] = {false, false};
        for (int square = 0; square < v->squares; square++) {
            if (f->board.at[square]) {
                both[kz_piece_color(f->board.at[square])] = true;
            }
        }
        if (both[0] && both[1]) {
            add_board(e, f);
        }
        return;
    }
    for (int code = from; code < 2 * v->types; code++) {
        int type = code / 2;
        filler next = *f;
        if (v->type[type].letter && !v->type[type].promoted && type != v->royal && put(&next, type, code % 2)) {
            choose_pieces(e, &next, left - 1, code);
        }
    }
}

static kz_status list_endings(const kz_variant *v, int men, endings *e, kz_error *error) {
    filler f = {.variant = v, .board = {.en_passant = KZ_NO_SQUARE}};
    *e = (endings){.variant = v, .men = men};
    int kings = 0;
    for (int color = 0; v->royal >= 0 && color < 2; color++) {
        kings += put(&f, v->royal, color);
    }
    for (int count = kings ? kings : 2; count <= men; count++) {
        choose_pieces(e, &f, count - kings, 0);
    }
    return e->failed ? kz_fail(error, KZ_ERR_MEMORY, "no memory for all endings") : KZ_OK;
}

/* The first position of the material with the most men that play can begin from. */
static kz_status find_start(opened *o, kz_error *error) {
    uint64_t size = kz_variant_index_size(o->index);
    for (uint64_t back = 1; back <= size; back++) {
        if (kz_variant_unrank(o->index, size - back, &o->start) &&
            kz_variant_result(&o->variant, &o->start) == KZ_UNKNOWN) {
            return KZ_OK;
        }
    }
    return kz_fail(error, KZ_ERR_INPUT, "%s has no position with these pieces", o->variant.name);
}

/* What is solved of a variant: "" all of it, "KBNvK" or "men4" an ending. */
static kz_status make_index(opened *o, const char *part, kz_error *error) {
    const kz_variant *v = &o->variant;
    kz_status status;
    snprintf(o->rules_name, sizeof o->rules_name, "%s", part[0] ? part : "standard");
    for (char *at = o->rules_name; *at; at++) {
        *at = (char)tolower((unsigned char)*at);
    }
    if (strlen(part) >= sizeof o->rules_name) {
        return kz_fail(error, KZ_ERR_INPUT, "'%s' is too long for the name of an ending", part);
    }
    if (!part[0]) {
        status = kz_variant_read_fen(v, v->start, strlen(v->start), &o->start, error);
        return status == KZ_OK ? kz_variant_index_new(v, &o->start, 1, &o->index, error) : status;
    }
    if (strncmp(part, "men", 3) == 0 && part[3] >= '2' && part[3] <= '6' && !part[4]) {
        endings e;
        status = list_endings(v, part[3] - '0', &e, error);
        if (status == KZ_OK) {
            status = kz_variant_index_new(v, e.boards, e.count, &o->index, error);
        }
        free(e.boards);
    } else {
        kz_board board;
        status = read_ending(v, part, &board, error);
        if (status == KZ_OK) {
            status = kz_variant_index_new(v, &board, 1, &o->index, error);
        }
    }
    return status == KZ_OK ? find_start(o, error) : status;
}

static kz_status open_text(const char *text, size_t length, const char *file, const char *name, const char *part,
                           const kz_game **game, kz_error *error) {
    opened *o = calloc(1, sizeof *o);
    if (!o) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a variant");
    }
    kz_status status = kz_variant_parse(text, length, file, name, &o->variant, error);
    if (status == KZ_OK) {
        status = make_index(o, part, error);
    }
    if (status == KZ_OK) {
        status = finish(o, game, error);
    }
    if (status != KZ_OK) {
        free_opened(o);
    }
    return status;
}

static bool is_known(const char *name, size_t length) {
    char section[KZ_VARIANT_NAME + 4];
    char inheriting[KZ_VARIANT_NAME + 4];
    if (length >= KZ_VARIANT_NAME) {
        return false;
    }
    snprintf(section, sizeof section, "[%.*s]", (int)length, name);
    snprintf(inheriting, sizeof inheriting, "[%.*s:", (int)length, name);
    return strstr(kz_variant_texts(), section) || strstr(kz_variant_texts(), inheriting);
}

/* FILE.ini[:NAME][:PART] */
static kz_status open_file(const char *name, size_t file_length, const kz_game **game, kz_error *error) {
    char path[1024];
    char variant[KZ_VARIANT_NAME + 1] = "";
    const char *rest = name[file_length] == ':' ? name + file_length + 1 : "";
    const char *part = strchr(rest, ':');
    size_t variant_length = part ? (size_t)(part - rest) : strlen(rest);
    if (file_length >= sizeof path || variant_length > KZ_VARIANT_NAME) {
        return kz_fail(error, KZ_ERR_INPUT, "the name '%.60s...' is too long", name);
    }
    snprintf(path, sizeof path, "%.*s", (int)file_length, name);
    snprintf(variant, sizeof variant, "%.*s", (int)variant_length, rest);
    kz_mapping file;
    kz_status status = kz_mapping_open(&file, path, error);
    if (status != KZ_OK) {
        return status;
    }
    status = open_text((const char *)file.data, file.size, path, variant, part ? part + 1 : "", game, error);
    kz_mapping_close(&file);
    return status;
}

kz_status kz_variant_open_named(const char *name, const kz_game **game, kz_error *error) {
    *game = NULL;
    const char *ini = strstr(name, ".ini");
    if (ini && (ini[4] == '\0' || ini[4] == ':')) {
        return open_file(name, (size_t)(ini - name) + 4, game, error);
    }
    const char *colon = strchr(name, ':');
    size_t length = colon ? (size_t)(colon - name) : strlen(name);
    if (!is_known(name, length)) {
        return KZ_OK;
    }
    char variant[KZ_VARIANT_NAME];
    snprintf(variant, sizeof variant, "%.*s", (int)length, name);
    return open_text(kz_variant_texts(), strlen(kz_variant_texts()), variant, variant, colon ? colon + 1 : "", game,
                     error);
}
