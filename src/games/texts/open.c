/* SPDX-License-Identifier: MIT
 *
 * The names by which people ask for a game from a text: FILE.ini[:NAME][:PART], or NAME[:PART] for a text that comes
 * with Kanzen. */
#include "games/texts/game.h"

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"

#include <kanzen/paths.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool can_begin(kz_variant_game *o, uint64_t number) {
    return kz_variant_unrank(o->index, number, &o->start) && kz_variant_result(&o->variant, &o->start) == KZ_UNKNOWN;
}

/* A position of the material with the most men that play can begin from: the last one. Where the last 65,536 numbers
 * are holes (many pieces side by side, a pawn that has just passed), one out of as many others that are spread over
 * the last tier. */
static kz_status find_start(kz_variant_game *o, kz_error *error) {
    enum { TRIES = 1 << 16 };
    uint64_t size = kz_variant_index_size(o->index);
    uint64_t begin = kz_variant_tier_begin(o->index, kz_variant_tiers(o->index) - 1);
    for (uint64_t back = 1; back <= size && back <= TRIES; back++) {
        if (can_begin(o, size - back)) {
            return KZ_OK;
        }
    }
    uint64_t state = 1;
    for (int i = 0; i < TRIES && size > TRIES; i++) {
        if (can_begin(o, begin + kz_splitmix64(&state) % (size - begin))) {
            return KZ_OK;
        }
    }
    return kz_fail(error, KZ_ERR_INPUT, "%s has no position with these pieces%s", o->variant.name,
                   size > TRIES ? ", or so few that none was found" : "");
}

/* Reads the start of a text; what is wrong with it is said with its line and column. */
static kz_status read_start(kz_variant_game *o, const char *file, kz_error *error) {
    const kz_variant *v = &o->variant;
    kz_error reason;
    kz_status status = kz_variant_read_fen(v, v->start, strlen(v->start), &o->start, &reason);
    if (status == KZ_OK && !kz_variant_can_occur(v, &o->start)) {
        status = kz_fail(&reason, KZ_ERR_INPUT, "a king is in check, and no move may give check in this variant");
    }
    if (status == KZ_OK) {
        return KZ_OK;
    }
    if (v->start_line) {
        return kz_fail(error, status, "%s: line %d, column %d: startFen: %s", file, v->start_line, v->start_column,
                       reason.message);
    }
    if (!v->start[0]) {
        return kz_fail(error, status, "%s: line %d, column 1: [%s] has no startFen", file, v->line, v->name);
    }
    return kz_fail(error, status,
                   "%s: line %d, column 1: [%s] has no startFen, and that of its parent does not fit its board of %d "
                   "x %d squares: %s",
                   file, v->line, v->name, v->files, v->ranks, reason.message);
}

/* What is solved of a variant: "" all of it, "KBNvK" or "men4" an ending. */
static kz_status make_index(kz_variant_game *o, const char *file, const char *part, kz_error *error) {
    const kz_variant *v = &o->variant;
    snprintf(o->rules_name, sizeof o->rules_name, "%s", part[0] ? part : "standard");
    for (char *at = o->rules_name; *at; at++) {
        *at = (char)tolower((unsigned char)*at);
    }
    if (strlen(part) >= sizeof o->rules_name) {
        return kz_fail(error, KZ_ERR_INPUT, "'%s' is too long for the name of an ending", part);
    }
    if (!part[0]) {
        KZ_TRY(read_start(o, file, error));
        return kz_variant_index_new(v, &o->start, 1, &o->index, error);
    }
    if (strncmp(part, "men", 3) == 0 && part[3] >= '2' && part[3] <= '6' && !part[4]) {
        kz_board *boards = NULL;
        size_t count = 0;
        kz_status status = kz_variant_list_endings(v, part[3] - '0', &boards, &count, error);
        if (status == KZ_OK) {
            status = kz_variant_index_new(v, boards, count, &o->index, error);
        }
        free(boards);
        KZ_TRY(status);
    } else {
        kz_board board;
        KZ_TRY(kz_variant_read_ending(v, part, &board, error));
        KZ_TRY(kz_variant_index_new(v, &board, 1, &o->index, error));
    }
    return find_start(o, error);
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

/* A text that somebody asks for. */
typedef struct wish {
    const char *text;
    size_t length;
    const char *file;   /* for messages */
    const char *name;   /* of the variant in the text; "": the only one */
    const char *source; /* what a person calls it, without the part */
    bool ours;          /* it comes with Kanzen */
} wish;

/* An ending that the variant has, as an example: a piece of the start and the kings, if there are any. */
static void name_ending(const kz_variant_game *o, char text[KZ_VARIANT_ENDING_BYTES]) {
    const kz_variant *v = &o->variant;
    kz_board b = {.en_passant = KZ_NO_SQUARE};
    int type = -1;
    for (int square = 0; square < v->squares && type < 0; square++) {
        int found = o->start.at[square] ? kz_piece_type_of(o->start.at[square]) : v->royal;
        type = found == v->royal ? -1 : v->type[found].base;
    }
    int square = 0;
    for (int color = 0; color < 2; color++) {
        if (v->royal >= 0) {
            kz_board_put(&b, square++, kz_piece(v->royal, color));
        }
        if (type >= 0 && (v->royal < 0 || color == KZ_WHITE)) {
            kz_board_put(&b, square++, kz_piece(type, color));
        }
    }
    kz_variant_write_ending(v, &b, text);
}

/* Adds to the message that a game is too large what can be solved of it. */
static void advise(const kz_variant_game *o, kz_error *error) {
    char ending[KZ_VARIANT_ENDING_BYTES];
    char reason[sizeof error->message];
    name_ending(o, ending);
    snprintf(reason, sizeof reason, "%s", error->message);
    bool file = strstr(o->source, ".ini") != NULL;
    const char *colon = file && !strstr(o->source, ".ini:") ? "::" : ":";
    kz_fail(error, error->status,
            "%.100s; name an ending (%s%s%s, or solve %s --ending %s) or all endings with few men (%s%smen3, --men 3)",
            reason, o->source, colon, ending, o->source, ending, o->source, colon);
}

/* A text of the user must not be called like one that comes with Kanzen, or like a game: the names of its tables would
 * be those of the other. If it means the same, it may. */
static kz_status check_name(const kz_variant *v, const char *file, kz_error *error) {
    bool known = is_known(v->name, strlen(v->name));
    if (!known && !kz_game_find(v->name)) {
        return KZ_OK;
    }
    kz_variant *other = malloc(sizeof *other);
    if (!other) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a variant");
    }
    const char *texts = kz_variant_texts();
    bool same = known && kz_variant_parse(texts, strlen(texts), v->name, v->name, other, error) == KZ_OK &&
                kz_variant_edition(other) == kz_variant_edition(v);
    free(other);
    return same ? KZ_OK
                : kz_fail(error, KZ_ERR_INPUT,
                          "%s: line %d, column 2: a game that comes with Kanzen is called '%s', and its rules are "
                          "others: give this variant another name",
                          file, v->line, v->name);
}

/* Reads the text. What is made is to be freed, whatever comes back. */
static kz_status open_rules(const wish *w, kz_variant_game **made, kz_error *error) {
    kz_variant_game *o = *made = calloc(1, sizeof *o);
    if (!o) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a variant");
    }
    snprintf(o->source, sizeof o->source, "%s", w->source);
    o->ours = w->ours;
    KZ_TRY(kz_variant_parse(w->text, w->length, w->file, w->name, &o->variant, error));
    return w->ours ? KZ_OK : check_name(&o->variant, w->file, error);
}

static kz_status open_part(const wish *w, const char *part, kz_variant_game **made, kz_error *error) {
    kz_variant_game *o;
    *made = NULL;
    kz_status status = open_rules(w, &o, error);
    if (status == KZ_OK) {
        status = make_index(o, w->file, part, error);
    }
    if (status == KZ_ERR_UNSUPPORTED && !part[0]) {
        advise(o, error);
    }
    if (status == KZ_OK) {
        o->numbers = kz_variant_numbers_new(&o->variant, o->index);
        status = o->numbers ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory for a variant");
    }
    if (status != KZ_OK) {
        kz_variant_game_free(o);
        return status;
    }
    *made = o;
    return KZ_OK;
}

/* The rules of a variant that is too large as a whole. */
static kz_status open_whole(const wish *w, kz_variant_game **made, kz_error *error) {
    KZ_TRY(open_rules(w, made, error));
    snprintf((*made)->rules_name, sizeof(*made)->rules_name, "standard");
    return read_start(*made, w->file, error);
}

/* A variant that is too large as a whole, by those of its endings that there are tables for. `whole` is why. */
static kz_status open_endings(const wish *w, const kz_error *whole, const kz_game **game, kz_error *error) {
    kz_rules_text names[KZ_MAX_RULES - 1];
    kz_variant_game *parts[KZ_MAX_RULES];
    kz_variant_game *all;
    int count = 0;
    kz_status status = open_whole(w, &all, error);
    size_t found = status == KZ_OK ? kz_table_list(all->variant.name, names, KZ_MAX_RULES - 1) : 0;
    for (size_t i = 0; i < found && status == KZ_OK; i++) {
        kz_error ignored; /* a file with such a name that is of no ending */
        status = open_part(w, names[i].text, &parts[count], &ignored);
        if (status == KZ_OK) {
            count++;
        } else if (status == KZ_ERR_MEMORY) {
            kz_fail(error, status, "%s", ignored.message);
        } else {
            status = KZ_OK;
        }
    }
    parts[count++] = all;
    if (status == KZ_OK) {
        status = kz_variant_game_open(parts, count, whole->message, game, error);
    }
    for (int i = 0; i < count && status != KZ_OK; i++) {
        kz_variant_game_free(parts[i]);
    }
    return status;
}

static kz_status open_text(const wish *w, const char *part, const kz_game **game, kz_error *error) {
    kz_variant_game *o;
    kz_error reason;
    kz_status status = open_part(w, part, &o, &reason);
    if (status == KZ_ERR_UNSUPPORTED && !part[0]) {
        return open_endings(w, &reason, game, error);
    }
    if (status != KZ_OK) {
        return kz_fail(error, status, "%s", reason.message);
    }
    status = kz_variant_game_open(&o, 1, NULL, game, error);
    if (status != KZ_OK) {
        kz_variant_game_free(o);
    }
    return status;
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
    KZ_TRY(kz_mapping_open(&file, path, error));
    char source[sizeof path + sizeof variant];
    snprintf(source, sizeof source, "%s%s%s", path, variant[0] ? ":" : "", variant);
    wish w = {(const char *)file.data, file.size, path, variant, source, false};
    kz_status status = open_text(&w, part ? part + 1 : "", game, error);
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
    wish w = {kz_variant_texts(), strlen(kz_variant_texts()), variant, variant, variant, true};
    return open_text(&w, colon ? colon + 1 : "", game, error);
}
