/* SPDX-License-Identifier: MIT
 *
 * The text of a variant: sections, inheritance, keys. Every key that is not understood is refused with its line: a
 * variant is solved as it is written, or not at all. */
#include "base/text.h"
#include "base/error.h"
#include "games/variants/variant.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the reader is; `file` stands for the text in messages. */
typedef struct place {
    const char *file;
    int line;
    int column;
} place;

typedef struct span {
    const char *text;
    size_t length;
    int column; /* of the first character, from 1 */
} span;

static kz_status refuse(const place *p, int column, kz_error *error, const char *what, span about) {
    return kz_fail(error, KZ_ERR_INPUT, "%s: line %d, column %d: %s%s%.*s%s", p->file, p->line, column, what,
                   about.length ? " '" : "", (int)(about.length < 60 ? about.length : 60), about.text ? about.text : "",
                   about.length ? "'" : "");
}

static const span nothing = {NULL, 0, 0};

static span trim(span s) {
    while (s.length && kz_is_blank(*s.text)) {
        s.text++;
        s.length--;
        s.column++;
    }
    while (s.length && kz_is_blank(s.text[s.length - 1])) {
        s.length--;
    }
    return s;
}

static bool same(span s, const char *text) { return s.length == strlen(text) && memcmp(s.text, text, s.length) == 0; }

static bool begins(span s, const char *text) {
    return s.length >= strlen(text) && memcmp(s.text, text, strlen(text)) == 0;
}

/* The next word of a value. */
static bool next_word(span *rest, span *word) {
    *rest = trim(*rest);
    if (!rest->length) {
        return false;
    }
    size_t length = 0;
    while (length < rest->length && !kz_is_blank(rest->text[length])) {
        length++;
    }
    *word = (span){rest->text, length, rest->column};
    rest->text += length;
    rest->length -= length;
    rest->column += (int)length;
    return true;
}

/* ---- Pieces ------------------------------------------------------------------------------------------------------ */

typedef struct known_piece {
    const char *key;
    const char *betza;
} known_piece;

static const known_piece known_pieces[] = {
    {"pawn", "fmWfceF"},   {"knight", "N"},      {"bishop", "B"},       {"rook", "R"},       {"queen", "Q"},
    {"fers", "F"},         {"alfil", "A"},       {"fersAlfil", "FA"},   {"silver", "FfW"},   {"aiwok", "RNF"},
    {"bers", "RF"},        {"archbishop", "BN"}, {"chancellor", "RN"},  {"amazon", "QN"},    {"knibis", "mNcB"},
    {"biskni", "mBcN"},    {"kniroo", "mNcR"},   {"rookni", "mRcN"},    {"shogiPawn", "fW"}, {"lance", "fR"},
    {"shogiKnight", "fN"}, {"gold", "WfF"},      {"dragonHorse", "BW"}, {"clobber", "cW"},   {"breakthrough", "fmWfF"},
    {"immobile", ""},      {"soldier", "fsW"},   {"wazir", "W"},        {"commoner", "K"},   {"centaur", "KN"},
    {"king", "K"},
};

static int find_letter(const kz_variant *v, char letter) {
    for (int i = 0; i < v->types; i++) {
        if (v->type[i].letter == letter && !v->type[i].promoted) {
            return i;
        }
    }
    return -1;
}

static int find_named(const kz_variant *v, const char *name) {
    for (int i = 0; i < v->types; i++) {
        if (strcmp(v->type[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* A type that is not there: its letter is 0. Numbers of types stay as they are. */
static void drop_type(kz_variant *v, int type) { v->type[type].letter = '\0'; }

static kz_status set_piece(kz_variant *v, const place *p, span key, const char *betza, span value, kz_error *error) {
    char name[24];
    snprintf(name, sizeof name, "%.*s", (int)key.length, key.text);
    int type = find_named(v, name);
    if (same(value, "-")) {
        if (type >= 0) {
            drop_type(v, type);
        }
        return KZ_OK;
    }
    if (value.length < 1 || !isalpha((unsigned char)value.text[0]) || (value.length > 1 && value.text[1] != ':')) {
        return refuse(p, value.column, error, "a letter, or a letter, ':' and Betza notation is expected, not", value);
    }
    char letter = (char)tolower((unsigned char)value.text[0]);
    int other = find_letter(v, letter);
    if (other >= 0 && other != type) {
        drop_type(v, other); /* the letter has a new owner, as in the original */
    }
    if (type < 0) {
        if (v->types == KZ_VARIANT_TYPES / 2) {
            return refuse(p, key.column, error, "too many kinds of pieces at", key);
        }
        type = v->types++;
    }
    kz_piece_type *made = &v->type[type];
    if (!made->name[0]) {
        made->promotes_to = -1;
    }
    snprintf(made->name, sizeof made->name, "%s", name);
    made->letter = letter;
    span moves = value.length > 2 ? (span){value.text + 2, value.length - 2, value.column + 2}
                                  : (span){betza, betza ? strlen(betza) : 0, value.column};
    if (!moves.text) {
        return refuse(p, value.column, error, "Betza notation is expected after the letter of", key);
    }
    size_t at = 0;
    const char *problem = kz_betza_parse(moves.text, moves.length, made, &at);
    return problem ? refuse(p, moves.column + (int)at, error, problem, moves) : KZ_OK;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static kz_status read_bool(const place *p, span value, bool *result, kz_error *error) {
    *result = same(value, "true");
    return *result || same(value, "false") ? KZ_OK
                                           : refuse(p, value.column, error, "true or false is expected, not", value);
}

static kz_status read_number(const place *p, span value, int least, int most, int *result, kz_error *error) {
    int number = 0;
    bool fits = value.length > 0 && value.length < 5;
    for (size_t i = 0; fits && i < value.length; i++) {
        fits = isdigit((unsigned char)value.text[i]);
        number = number * 10 + (value.text[i] - '0');
    }
    if (!fits || number < least || number > most) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: line %d, column %d: a number from %d to %d is expected, not '%.*s'",
                       p->file, p->line, value.column, least, most, (int)(value.length < 60 ? value.length : 60),
                       value.text);
    }
    *result = number;
    return KZ_OK;
}

static kz_status read_outcome(const place *p, span value, kz_outcome *result, kz_error *error) {
    *result = same(value, "win") ? KZ_WIN : same(value, "loss") ? KZ_LOSS : same(value, "draw") ? KZ_DRAW : KZ_UNKNOWN;
    return *result != KZ_UNKNOWN ? KZ_OK : refuse(p, value.column, error, "win, loss or draw is expected, not", value);
}

/* Squares: "a1", "*1" for a rank, "a*" for a file, "-" for none. */
static kz_status read_region(const kz_variant *v, const place *p, span value, uint64_t *region, kz_error *error) {
    span rest = value;
    span word;
    *region = 0;
    while (next_word(&rest, &word)) {
        if (same(word, "-")) {
            continue;
        }
        int file = word.text[0] == '*' ? -1 : word.text[0] - 'a';
        int rank = -1;
        bool fits = word.length >= 2 && word.length <= 3 && (file == -1 || (file >= 0 && file < v->files));
        if (fits && word.text[1] != '*') {
            rank = 0;
            for (size_t i = 1; fits && i < word.length; i++) {
                fits = isdigit((unsigned char)word.text[i]);
                rank = rank * 10 + (word.text[i] - '0');
            }
            rank--;
            fits = fits && rank >= 0;
        }
        if (!fits) {
            return refuse(p, word.column, error, "a square, or * for all files or ranks, is expected, not", word);
        }
        for (int square = 0; square < v->squares; square++) {
            if ((file < 0 || square % v->files == file) && (rank < 0 || square / v->files == rank)) {
                *region |= UINT64_C(1) << square;
            }
        }
    }
    return KZ_OK;
}

/* Piece letters, with or without blanks; "*" for all. */
static kz_status read_types(const kz_variant *v, const place *p, span value, uint32_t *types, bool *all,
                            kz_error *error) {
    *types = 0;
    *all = same(value, "*");
    for (size_t i = 0; !*all && i < value.length; i++) {
        char letter = value.text[i];
        if (kz_is_blank(letter) || letter == '-') {
            continue;
        }
        int type = find_letter(v, (char)tolower((unsigned char)letter));
        if (type < 0) {
            return refuse(p, value.column + (int)i, error, "no piece has this letter:", (span){value.text + i, 1, 0});
        }
        *types |= 1U << type;
    }
    return KZ_OK;
}

static kz_status read_type(const kz_variant *v, const place *p, span value, int *type, kz_error *error) {
    if (same(value, "-")) {
        *type = -1;
        return KZ_OK;
    }
    *type = value.length == 1 ? find_letter(v, (char)tolower((unsigned char)value.text[0])) : -1;
    return *type >= 0 ? KZ_OK : refuse(p, value.column, error, "no piece has this letter:", value);
}

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

/* Keys that say nothing about the rules of a single game, or what repetition and move counters do, which tables don't
 * know: a repetition is a draw. */
static const char *const ignored_keys[] = {
    "variantTemplate", "pieceToCharTable", "pocketSize",      "pieceValueMg",       "pieceValueEg",
    "nMoveRule",       "nFoldRule",        "nFoldValue",      "nFoldValueAbsolute", "perpetualCheckIllegal",
    "nMoveRuleTypes",  "countingRule",     "materialCounting"};

/* Keys of rules that are not supported, with the value that asks for nothing. */
static const char *const off_keys[] = {"chess960",
                                       "twoBoards",
                                       "sittuyinPromotion",
                                       "pieceDemotion",
                                       "blastOnCapture",
                                       "petrifyOnCapture",
                                       "castling",
                                       "castlingDroppedPiece",
                                       "mustDrop",
                                       "dropLoop",
                                       "dropOnTop",
                                       "sittuyinRookDrop",
                                       "dropOppositeColoredBishop",
                                       "dropPromoted",
                                       "gating",
                                       "arrowGating",
                                       "duckGating",
                                       "staticGating",
                                       "pastGating",
                                       "seirawanGating",
                                       "cambodianMoves",
                                       "pass",
                                       "passOnStalemate",
                                       "makpongRule",
                                       "flyingGeneral",
                                       "moveRepetitionIllegal",
                                       "stalematePieceCount",
                                       "shatarMateRule",
                                       "bikjangRule",
                                       "extinctionPseudoRoyal",
                                       "dupleCheck",

                                       "flagPieceBlockedWin",
                                       "checkCounting",
                                       "moveRule",

                                       "wallOrMove"};

typedef struct bool_key {
    const char *key;
    size_t at;
} bool_key;

#define BOOL(key, member)                                                                                              \
    { key, offsetof(kz_variant, member) }
static const bool_key bool_keys[] = {
    BOOL("mandatoryPawnPromotion", mandatory_pawn_promotion),
    BOOL("mandatoryPiecePromotion", mandatory_piece_promotion),
    BOOL("piecePromotionOnCapture", promotion_on_capture),
    BOOL("doubleStep", double_step),
    BOOL("pieceDrops", drops),
    BOOL("capturesToHand", captures_to_hand),
    BOOL("immobilityIllegal", immobile_illegal),
    BOOL("shogiPawnDropMateIllegal", pawn_drop_mate_illegal),
    BOOL("firstRankPawnDrops", first_rank_pawn_drops),
    BOOL("promotionZonePawnDrops", promotion_zone_pawn_drops),
    BOOL("checking", checking),
    BOOL("mustCapture", must_capture),
    BOOL("flagMove", flag_move),
    BOOL("flagPieceSafe", flag_safe),
    BOOL("extinctionClaim", extinction.claim),
};

typedef struct region_key {
    const char *key;
    size_t at;
    int color; /* 2: both */
} region_key;

#define REGION(key, member, color)                                                                                     \
    { key, offsetof(kz_variant, member), color }
static const region_key region_keys[] = {
    REGION("promotionRegionWhite", promotion_region, KZ_WHITE),
    REGION("promotionRegionBlack", promotion_region, KZ_BLACK),
    REGION("doubleStepRegionWhite", double_step_region, KZ_WHITE),
    REGION("doubleStepRegionBlack", double_step_region, KZ_BLACK),
    REGION("whiteDropRegion", drop_region, KZ_WHITE),
    REGION("blackDropRegion", drop_region, KZ_BLACK),
    REGION("flagRegionWhite", flag_region, KZ_WHITE),
    REGION("flagRegionBlack", flag_region, KZ_BLACK),
    REGION("flagRegion", flag_region, 2),
};

static bool is_listed(span key, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (same(key, list[i])) {
            return true;
        }
    }
    return false;
}

/* "p:g s:g": what becomes what. */
static kz_status read_promotions(kz_variant *v, const place *p, span value, kz_error *error) {
    span rest = value;
    span word;
    for (int i = 0; i < v->types; i++) {
        v->type[i].promotes_to = -1;
    }
    while (next_word(&rest, &word)) {
        int from =
            word.length == 3 && word.text[1] == ':' ? find_letter(v, (char)tolower((unsigned char)word.text[0])) : -1;
        int to = from >= 0 ? find_letter(v, (char)tolower((unsigned char)word.text[2])) : -1;
        if (same(word, "-")) {
            continue;
        }
        if (from < 0 || to < 0) {
            return refuse(p, word.column, error, "two letters of pieces with ':' between them are expected, not", word);
        }
        v->type[from].promotes_to = to;
    }
    return KZ_OK;
}

static kz_status set_start(kz_variant *v, const place *p, span value, kz_error *error) {
    if (value.length >= sizeof v->start) {
        return refuse(p, value.column, error, "the start position is too long", nothing);
    }
    snprintf(v->start, sizeof v->start, "%.*s", (int)value.length, value.text);
    return KZ_OK;
}

/* Changes the board: regions that follow from its size are set anew. */
static void set_size(kz_variant *v) {
    v->squares = v->files * v->ranks;
    uint64_t row = (UINT64_C(1) << v->files) - 1;
    v->promotion_region[KZ_WHITE] = row << (v->ranks - 1) * v->files;
    v->promotion_region[KZ_BLACK] = row;
    v->double_step_region[KZ_WHITE] = row << v->files;
    v->double_step_region[KZ_BLACK] = row << (v->ranks - 2) * v->files;
    uint64_t all = v->squares == KZ_VARIANT_SQUARES ? UINT64_MAX : (UINT64_C(1) << v->squares) - 1;
    v->drop_region[KZ_WHITE] = v->drop_region[KZ_BLACK] = all;
}

static kz_status set_dimension(kz_variant *v, const place *p, span key, span value, kz_error *error) {
    bool rank = same(key, "maxRank");
    int number = 0;
    kz_status status;
    if (!rank && value.length == 1 && value.text[0] >= 'a' && value.text[0] <= 'l') {
        number = value.text[0] - 'a' + 1;
        status = KZ_OK;
    } else {
        status = read_number(p, value, 2, rank ? KZ_VARIANT_RANKS : KZ_VARIANT_FILES, &number, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    *(rank ? &v->ranks : &v->files) = number;
    if (v->files * v->ranks > KZ_VARIANT_SQUARES) {
        /* The other dimension may come on the next line: only what is left at the end counts. */
        v->squares = 0;
        return KZ_OK;
    }
    set_size(v);
    return KZ_OK;
}

static kz_status set_rule(kz_variant *v, const place *p, span key, span value, bool *known, kz_error *error) {
    bool all = false;
    *known = true;
    if (same(key, "promotionPawnTypes") || same(key, "pawnTypes")) {
        return read_types(v, p, value, &v->promotion_pawns, &all, error);
    }
    if (same(key, "promotionPieceTypes")) {
        return read_types(v, p, value, &v->promotion_pieces, &all, error);
    }
    if (same(key, "enPassantTypes")) {
        return read_types(v, p, value, &v->en_passant_types, &all, error);
    }
    if (same(key, "promotedPieceType")) {
        return read_promotions(v, p, value, error);
    }
    if (same(key, "dropNoDoubled")) {
        return read_type(v, p, value, &v->no_doubled, error);
    }
    if (same(key, "dropNoDoubledCount")) {
        return read_number(p, value, 1, 9, &v->no_doubled_count, error);
    }
    if (same(key, "stalemateValue")) {
        return read_outcome(p, value, &v->stalemate, error);
    }
    if (same(key, "checkmateValue")) {
        return read_outcome(p, value, &v->checkmate, error);
    }
    if (same(key, "extinctionValue")) {
        v->extinction.on = !same(value, "none");
        return v->extinction.on ? read_outcome(p, value, &v->extinction.value, error) : KZ_OK;
    }
    if (same(key, "extinctionPieceTypes")) {
        return read_types(v, p, value, &v->extinction.types, &v->extinction.all, error);
    }
    if (same(key, "extinctionPieceCount")) {
        return read_number(p, value, 0, KZ_VARIANT_PIECES, &v->extinction.count, error);
    }
    if (same(key, "extinctionOpponentPieceCount")) {
        return read_number(p, value, 0, KZ_VARIANT_PIECES, &v->extinction.opponent_count, error);
    }
    if (same(key, "flagPiece")) {
        if (same(value, "*")) {
            v->flag_piece = KZ_VARIANT_TYPES;
            return KZ_OK;
        }
        return read_type(v, p, value, &v->flag_piece, error);
    }
    *known = false;
    return KZ_OK;
}

static kz_status set_key(kz_variant *v, const place *p, span key, span value, kz_error *error) {
    if (same(key, "maxRank") || same(key, "maxFile")) {
        return set_dimension(v, p, key, value, error);
    }
    if (same(key, "startFen")) {
        return set_start(v, p, value, error);
    }
    for (size_t i = 0; i < sizeof known_pieces / sizeof known_pieces[0]; i++) {
        if (same(key, known_pieces[i].key)) {
            return set_piece(v, p, key, known_pieces[i].betza, value, error);
        }
    }
    if (begins(key, "customPiece")) {
        return set_piece(v, p, key, NULL, value, error);
    }
    for (size_t i = 0; i < sizeof bool_keys / sizeof bool_keys[0]; i++) {
        if (same(key, bool_keys[i].key)) {
            return read_bool(p, value, (bool *)((char *)v + bool_keys[i].at), error);
        }
    }
    for (size_t i = 0; i < sizeof region_keys / sizeof region_keys[0]; i++) {
        if (same(key, region_keys[i].key)) {
            uint64_t region;
            kz_status status = read_region(v, p, value, &region, error);
            uint64_t *both = (uint64_t *)(void *)((char *)v + region_keys[i].at);
            for (int color = 0; status == KZ_OK && color < 2; color++) {
                both[color] = region_keys[i].color == 2 || region_keys[i].color == color ? region : both[color];
            }
            return status;
        }
    }
    if (is_listed(key, ignored_keys, sizeof ignored_keys / sizeof ignored_keys[0])) {
        return KZ_OK;
    }
    if (is_listed(key, off_keys, sizeof off_keys / sizeof off_keys[0])) {
        return same(value, "false") || same(value, "none") || same(value, "-")
                   ? KZ_OK
                   : refuse(p, key.column, error, "this rule is not supported:", key);
    }
    bool known;
    kz_status status = set_rule(v, p, key, value, &known, error);
    return known ? status : refuse(p, key.column, error, "this key is not supported:", key);
}

/* ---- Sections ---------------------------------------------------------------------------------------------------- */

static void set_defaults(kz_variant *v) {
    *v = (kz_variant){.files = 8,
                      .ranks = 8,
                      .royal = -1,
                      .pawn = -1,
                      .mandatory_pawn_promotion = true,
                      .double_step = true,
                      .no_doubled = -1,
                      .no_doubled_count = 1,
                      .checking = true,
                      .stalemate = KZ_DRAW,
                      .checkmate = KZ_LOSS,
                      .flag_piece = -1};
    set_size(v);
    v->extinction.value = KZ_LOSS;
}

/* One line of a text. */
typedef struct line {
    const char *text;
    size_t length;
    int number;
} line;

static bool next_line(const char **at, const char *end, line *l) {
    if (*at >= end) {
        return false;
    }
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    l->text = *at;
    l->length = (size_t)((newline ? newline : end) - *at);
    l->number++;
    *at = newline ? newline + 1 : end;
    return true;
}

/* "[name]" or "[name:parent]". */
static bool read_section(line l, span *name, span *parent) {
    span s = trim((span){l.text, l.length, 1});
    if (s.length < 3 || s.text[0] != '[' || s.text[s.length - 1] != ']') {
        return false;
    }
    s = (span){s.text + 1, s.length - 2, s.column + 1};
    const char *colon = memchr(s.text, ':', s.length);
    size_t before = colon ? (size_t)(colon - s.text) : s.length;
    *name = trim((span){s.text, before, s.column});
    *parent = colon ? trim((span){colon + 1, s.length - before - 1, s.column + (int)before + 1}) : nothing;
    return true;
}

static kz_status apply(const char *text, size_t length, const char *file, span name, int depth, kz_variant *v,
                       kz_error *error);

static kz_status apply_parent(const char *text, size_t length, const place *p, span parent, int depth, kz_variant *v,
                              kz_error *error) {
    enum { DEEPEST = 16 };
    if (depth == DEEPEST) {
        return refuse(p, parent.column, error, "variants inherit from each other too deeply:", parent);
    }
    kz_error inner;
    kz_status status = apply(text, length, p->file, parent, depth + 1, v, &inner);
    if (status == KZ_OK) {
        return status;
    }
    if (status == KZ_ERR_UNSUPPORTED) {
        const char *known = kz_variant_texts();
        status = apply(known, strlen(known), "the variants that come with Kanzen", parent, depth + 1, v, &inner);
    }
    if (status == KZ_ERR_UNSUPPORTED) {
        return refuse(p, parent.column, error, "there is no variant to inherit from called", parent);
    }
    return status == KZ_OK ? KZ_OK : kz_fail(error, status, "%s", inner.message);
}

static kz_status apply_line(kz_variant *v, const place *p, line l, kz_error *error) {
    span s = trim((span){l.text, l.length, 1});
    if (!s.length || s.text[0] == '#' || s.text[0] == ';') {
        return KZ_OK;
    }
    const char *equals = memchr(s.text, '=', s.length);
    if (!equals) {
        return refuse(p, s.column, error, "a key, '=' and a value are expected, not", s);
    }
    size_t before = (size_t)(equals - s.text);
    span key = trim((span){s.text, before, s.column});
    span value = trim((span){equals + 1, s.length - before - 1, s.column + (int)before + 1});
    if (!key.length) {
        return refuse(p, s.column, error, "there is no key before '='", nothing);
    }
    return set_key(v, p, key, value, error);
}

/* Finds the last section with that name and does what its lines say. KZ_ERR_UNSUPPORTED: there is none. */
static kz_status apply(const char *text, size_t length, const char *file, span name, int depth, kz_variant *v,
                       kz_error *error) {
    const char *end = text + length;
    const char *at = text;
    const char *begin = NULL;
    line l = {.number = 0};
    int begin_line = 0;
    span parent = nothing;
    span found;
    span inherits;
    while (next_line(&at, end, &l)) {
        if (read_section(l, &found, &inherits) && found.length == name.length &&
            memcmp(found.text, name.text, name.length) == 0) {
            /* A section that inherits from its own name means the one before it. */
            begin = at;
            begin_line = l.number;
            parent = inherits;
        }
    }
    if (!begin) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s: there is no variant called '%.*s'", file, (int)name.length,
                       name.text);
    }
    place p = {file, begin_line, 1};
    kz_status status = KZ_OK;
    if (parent.length) {
        status = apply_parent(text, length, &p, parent, depth, v, error);
    } else {
        set_defaults(v);
    }
    at = begin;
    l.number = begin_line;
    while (status == KZ_OK && next_line(&at, end, &l) && !read_section(l, &found, &inherits)) {
        p.line = l.number;
        status = apply_line(v, &p, l, error);
    }
    return status;
}

/* ---- What follows from the keys ---------------------------------------------------------------------------------- */

/* Promoted types are types of their own, behind the others. */
static kz_status add_promoted(kz_variant *v, const char *file, kz_error *error) {
    int plain = v->types;
    for (int i = 0; i < plain; i++) {
        v->type[i].base = i;
        v->type[i].promoted = false;
        int to = v->type[i].promotes_to;
        if (!v->type[i].letter || to < 0) {
            v->type[i].promotes_to = -1;
            continue;
        }
        if (v->types == KZ_VARIANT_TYPES) {
            return kz_fail(error, KZ_ERR_INPUT, "%s: too many kinds of pieces", file);
        }
        kz_piece_type *promoted = &v->type[v->types];
        *promoted = v->type[to];
        promoted->letter = v->type[i].letter;
        promoted->promoted = true;
        promoted->base = i;
        promoted->promotes_to = -1;
        v->type[i].promotes_to = v->types++;
    }
    return KZ_OK;
}

static uint64_t flip(const kz_variant *v, uint64_t region) {
    uint64_t flipped = 0;
    for (int square = 0; square < v->squares; square++) {
        if (region >> square & 1) {
            flipped |= UINT64_C(1) << ((v->ranks - 1 - square / v->files) * v->files + square % v->files);
        }
    }
    return flipped;
}

static void find_reach(kz_variant *v, int type, int color, int square) {
    for (int i = 0; i < v->type[type].rays; i++) {
        const kz_ray *ray = &v->type[type].ray[i];
        int file = square % v->files + ray->file;
        int rank = square / v->files + (color ? -ray->rank : ray->rank);
        for (int n = 1; ray->captures && file >= 0 && file < v->files && rank >= 0 && rank < v->ranks; n++) {
            v->reach[type][color][square] |= UINT64_C(1) << (rank * v->files + file);
            if (n == ray->limit) {
                break;
            }
            file += ray->file;
            rank += color ? -ray->rank : ray->rank;
        }
    }
}

static void find_mobility(kz_variant *v) {
    for (int type = 0; type < v->types; type++) {
        v->type[type].is_shogi_pawn = strcmp(v->type[type].name, "shogiPawn") == 0;
        for (int color = 0; color < 2; color++) {
            for (int square = 0; square < v->squares; square++) {
                find_reach(v, type, color, square);
                for (int i = 0; i < v->type[type].rays; i++) {
                    const kz_ray *ray = &v->type[type].ray[i];
                    int file = square % v->files + ray->file;
                    int rank = square / v->files + (color ? -ray->rank : ray->rank);
                    if (file >= 0 && file < v->files && rank >= 0 && rank < v->ranks) {
                        v->mobile[type][color] |= UINT64_C(1) << square;
                    }
                }
            }
        }
    }
}

static kz_status check_whole(kz_variant *v, const char *file, kz_error *error) {
    if (v->squares == 0) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: a board of %d x %d squares; at most %d are supported", file, v->files,
                       v->ranks, KZ_VARIANT_SQUARES);
    }
    int letters = 0;
    for (int i = 0; i < v->types; i++) {
        letters += v->type[i].letter != '\0';
    }
    if (!letters) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: the variant '%s' has no pieces", file, v->name);
    }
    if (v->captures_to_hand && v->drops && v->promotion_pawns && v->promotion_pieces) {
        for (int i = 0; i < v->types; i++) {
            if (v->promotion_pawns >> i & 1 && v->type[i].letter) {
                return kz_fail(
                    error, KZ_ERR_INPUT,
                    "%s: pawns that promote to pieces of choice, with captured pieces in hand, are not supported",
                    file);
            }
        }
    }
    return KZ_OK;
}

static kz_status finish(kz_variant *v, const char *file, kz_error *error) {
    kz_status status = check_whole(v, file, error);
    if (status != KZ_OK) {
        return status;
    }
    v->royal = find_named(v, "king");
    v->royal = v->royal >= 0 && v->type[v->royal].letter ? v->royal : -1;
    v->pawn = find_named(v, "pawn");
    v->pawn = v->pawn >= 0 && v->type[v->pawn].letter ? v->pawn : -1;
    status = add_promoted(v, file, error);
    for (int i = 0; i < v->types; i++) {
        v->type[i].hand = -1;
    }
    for (int i = 0; status == KZ_OK && v->drops && i < v->types; i++) {
        if (!v->type[i].letter || v->type[i].promoted || i == v->royal) {
            continue;
        }
        if (v->hand_types == KZ_VARIANT_HAND) {
            return kz_fail(error, KZ_ERR_INPUT, "%s: more than %d kinds of pieces can be in a hand", file,
                           KZ_VARIANT_HAND);
        }
        v->type[i].hand = v->hand_types;
        v->hand_type[v->hand_types++] = i;
    }
    for (int i = 0; i < v->types; i++) {
        if (v->type[i].promoted && v->type[i].base >= 0) {
            v->type[i].hand = v->type[v->type[i].base].hand;
        }
    }
    if (status != KZ_OK) {
        return status;
    }
    find_mobility(v);
    v->color_blind =
        flip(v, v->promotion_region[0]) == v->promotion_region[1] && flip(v, v->drop_region[0]) == v->drop_region[1] &&
        flip(v, v->flag_region[0]) == v->flag_region[1] &&
        (!v->double_step || v->pawn < 0 || flip(v, v->double_step_region[0]) == v->double_step_region[1]) &&
        !v->flag_move;
    return KZ_OK;
}

/* The name of the only variant of a text. */
static kz_status only_name(const char *text, size_t length, const char *file, span *name, kz_error *error) {
    const char *at = text;
    line l = {.number = 0};
    int count = 0;
    span found;
    span parent;
    while (next_line(&at, text + length, &l)) {
        if (read_section(l, &found, &parent)) {
            *name = found;
            count++;
        }
    }
    if (count == 0) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: there is no [variant] in it", file);
    }
    return count == 1 ? KZ_OK
                      : kz_fail(error, KZ_ERR_INPUT, "%s: there are %d variants in it; name one: %s:%.*s", file, count,
                                file, (int)name->length, name->text);
}

kz_status kz_variant_parse(const char *text, size_t length, const char *file, const char *name, kz_variant *variant,
                           kz_error *error) {
    span section = {name, strlen(name), 1};
    kz_status status = section.length ? KZ_OK : only_name(text, length, file, &section, error);
    set_defaults(variant);
    if (memchr(text, '\0', length)) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: not a text", file);
    }
    if (status == KZ_OK && (section.length == 0 || section.length >= KZ_VARIANT_NAME)) {
        status =
            kz_fail(error, KZ_ERR_INPUT, "%s: the name of a variant has 1 to %d letters", file, KZ_VARIANT_NAME - 1);
    }
    if (status == KZ_OK) {
        status = apply(text, length, file, section, 0, variant, error);
    }
    if (status == KZ_ERR_UNSUPPORTED) {
        status = KZ_ERR_INPUT;
        if (error) {
            error->status = status;
        }
    }
    if (status == KZ_OK) {
        for (size_t i = 0; i < section.length; i++) {
            variant->name[i] = (char)tolower((unsigned char)section.text[i]);
        }
        variant->name[section.length] = '\0';
        status = finish(variant, file, error);
    }
    return status;
}
