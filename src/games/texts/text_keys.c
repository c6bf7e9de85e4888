/* SPDX-License-Identifier: MIT
 *
 * The keys of a variant's text: pieces, values, rules. What is not understood is refused with its line and column. */
#include "games/texts/text_parts.h"

#include "base/error.h"
#include "base/text.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static bool same(kz_text_span s, const char *text) {
    return s.length == strlen(text) && memcmp(s.text, text, s.length) == 0;
}

static bool begins(kz_text_span s, const char *text) {
    return s.length >= strlen(text) && memcmp(s.text, text, strlen(text)) == 0;
}

/* The next word of a value. */
static bool next_word(kz_text_span *rest, kz_text_span *word) {
    *rest = kz_text_trim(*rest);
    if (!rest->length) {
        return false;
    }
    size_t length = 0;
    while (length < rest->length && !kz_is_blank(rest->text[length])) {
        length++;
    }
    *word = (kz_text_span){rest->text, length, rest->column};
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
    {"pawn", "fmWfcF"},    {"knight", "N"},      {"bishop", "B"},       {"rook", "R"},       {"queen", "Q"},
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

int kz_variant_find_type(const kz_variant *v, const char *name) {
    for (int i = 0; i < v->types; i++) {
        if (strcmp(v->type[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* A type that is not there: its letter is 0. Numbers of types stay as they are. */
static void drop_type(kz_variant *v, int type) { v->type[type].letter = '\0'; }

static kz_status set_piece(kz_variant *v, const kz_text_place *p, kz_text_span key, const char *betza,
                           kz_text_span value, kz_error *error) {
    char name[24];
    snprintf(name, sizeof name, "%.*s", (int)key.length, key.text);
    int type = kz_variant_find_type(v, name);
    if (same(value, "-")) {
        if (type >= 0) {
            drop_type(v, type);
        }
        return KZ_OK;
    }
    if (value.length < 1 || !isalpha((unsigned char)value.text[0]) || (value.length > 1 && value.text[1] != ':')) {
        return kz_text_refuse(p, value.column, error, "a letter, or a letter, ':' and Betza notation is expected, not",
                              value);
    }
    char letter = (char)tolower((unsigned char)value.text[0]);
    int other = find_letter(v, letter);
    if (other >= 0 && other != type) {
        drop_type(v, other); /* the letter has a new owner, as in the original */
    }
    if (type < 0) {
        if (v->types == KZ_VARIANT_TYPES / 2) {
            return kz_text_refuse(p, key.column, error, "too many kinds of pieces at", key);
        }
        type = v->types++;
    }
    kz_piece_type *made = &v->type[type];
    if (!made->name[0]) {
        made->promotes_to = -1;
    }
    snprintf(made->name, sizeof made->name, "%s", name);
    made->letter = letter;
    kz_text_span moves = value.length > 2 ? (kz_text_span){value.text + 2, value.length - 2, value.column + 2}
                                          : (kz_text_span){betza, betza ? strlen(betza) : 0, value.column};
    if (!moves.text) {
        return kz_text_refuse(p, value.column, error, "Betza notation is expected after the letter of", key);
    }
    size_t at = 0;
    const char *problem = kz_betza_parse(moves.text, moves.length, made, &at);
    return problem ? kz_text_refuse(p, moves.column + (int)at, error, problem, moves) : KZ_OK;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static kz_status read_bool(const kz_text_place *p, kz_text_span value, bool *result, kz_error *error) {
    *result = same(value, "true");
    return *result || same(value, "false")
               ? KZ_OK
               : kz_text_refuse(p, value.column, error, "true or false is expected, not", value);
}

static kz_status read_number(const kz_text_place *p, kz_text_span value, int least, int most, int *result,
                             kz_error *error) {
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

static kz_status read_outcome(const kz_text_place *p, kz_text_span value, kz_outcome *result, kz_error *error) {
    *result = same(value, "win") ? KZ_WIN : same(value, "loss") ? KZ_LOSS : same(value, "draw") ? KZ_DRAW : KZ_UNKNOWN;
    return *result != KZ_UNKNOWN ? KZ_OK
                                 : kz_text_refuse(p, value.column, error, "win, loss or draw is expected, not", value);
}

/* Squares: "a1", "*1" for a rank, "a*" for a file, "-" for none. */
static kz_status read_region(const kz_variant *v, const kz_text_place *p, kz_text_span value, uint64_t *region,
                             kz_error *error) {
    kz_text_span rest = value;
    kz_text_span word;
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
            return kz_text_refuse(p, word.column, error, "a square, or * for all files or ranks, is expected, not",
                                  word);
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
static kz_status read_types(const kz_variant *v, const kz_text_place *p, kz_text_span value, uint32_t *types, bool *all,
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
            return kz_text_refuse(p, value.column + (int)i, error,
                                  "no piece has this letter:", (kz_text_span){value.text + i, 1, 0});
        }
        *types |= 1U << type;
    }
    return KZ_OK;
}

static kz_status read_type(const kz_variant *v, const kz_text_place *p, kz_text_span value, int *type,
                           kz_error *error) {
    if (same(value, "-")) {
        *type = -1;
        return KZ_OK;
    }
    *type = value.length == 1 ? find_letter(v, (char)tolower((unsigned char)value.text[0])) : -1;
    return *type >= 0 ? KZ_OK : kz_text_refuse(p, value.column, error, "no piece has this letter:", value);
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

static bool is_listed(kz_text_span key, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (same(key, list[i])) {
            return true;
        }
    }
    return false;
}

/* "p:g s:g": what becomes what. */
static kz_status read_promotions(kz_variant *v, const kz_text_place *p, kz_text_span value, kz_error *error) {
    kz_text_span rest = value;
    kz_text_span word;
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
            return kz_text_refuse(p, word.column, error,
                                  "two letters of pieces with ':' between them are expected, not", word);
        }
        v->type[from].promotes_to = to;
    }
    return KZ_OK;
}

static kz_status set_start(kz_variant *v, const kz_text_place *p, kz_text_span value, kz_error *error) {
    if (value.length >= sizeof v->start) {
        return kz_text_refuse(p, value.column, error, "the start position is too long", kz_text_nothing);
    }
    snprintf(v->start, sizeof v->start, "%.*s", (int)value.length, value.text);
    v->start_line = p->line;
    v->start_column = value.column;
    return KZ_OK;
}

void kz_variant_set_size(kz_variant *v) {
    v->squares = v->files * v->ranks;
    uint64_t row = (UINT64_C(1) << v->files) - 1;
    v->promotion_region[KZ_WHITE] = row << (v->ranks - 1) * v->files;
    v->promotion_region[KZ_BLACK] = row;
    v->double_step_region[KZ_WHITE] = row << v->files;
    v->double_step_region[KZ_BLACK] = row << (v->ranks - 2) * v->files;
    uint64_t all = v->squares == KZ_VARIANT_SQUARES ? UINT64_MAX : (UINT64_C(1) << v->squares) - 1;
    v->drop_region[KZ_WHITE] = v->drop_region[KZ_BLACK] = all;
}

static kz_status set_dimension(kz_variant *v, const kz_text_place *p, kz_text_span key, kz_text_span value,
                               kz_error *error) {
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
    return KZ_OK;
}

static bool is_dimension(kz_text_span key) { return same(key, "maxRank") || same(key, "maxFile"); }

kz_status kz_variant_set_size_key(kz_variant *v, const kz_text_place *p, kz_text_span key, kz_text_span value,
                                  kz_error *error) {
    return is_dimension(key) ? set_dimension(v, p, key, value, error) : KZ_OK;
}

static kz_status set_rule(kz_variant *v, const kz_text_place *p, kz_text_span key, kz_text_span value, bool *known,
                          kz_error *error) {
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

kz_status kz_variant_set_key(kz_variant *v, const kz_text_place *p, kz_text_span key, kz_text_span value,
                             kz_error *error) {
    if (is_dimension(key)) {
        return KZ_OK; /* kz_variant_set_size_key has done it */
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
                   : kz_text_refuse(p, key.column, error, "this rule is not supported:", key);
    }
    bool known;
    kz_status status = set_rule(v, p, key, value, &known, error);
    return known ? status : kz_text_refuse(p, key.column, error, "this key is not supported:", key);
}
