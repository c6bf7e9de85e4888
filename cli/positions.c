/* SPDX-License-Identifier: MIT */
#include "positions.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_space(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

static void trim(const char **text, size_t *length) {
    while (*length > 0 && is_space((*text)[0])) {
        ++*text;
        --*length;
    }
    while (*length > 0 && is_space((*text)[*length - 1])) {
        --*length;
    }
}

kz_status read_position(const kz_game *game, const char *text, size_t length, kz_position *position, kz_error *error) {
    static const char start[] = "startpos";
    const char *word = text;
    size_t word_length = length;
    trim(&word, &word_length);
    if (word_length == sizeof start - 1 && memcmp(word, start, word_length) == 0) {
        kz_start(game, position);
        return KZ_OK;
    }
    return kz_parse(game, text, length, position, error);
}

int position_operand(const struct arguments *arguments, int number, const kz_game *game, kz_position *position) {
    if (number >= arguments->count) {
        kz_start(game, position);
        return STATUS_FINE;
    }
    kz_error error;
    const char *text = arguments->items[number];
    if (read_position(game, text, strlen(text), position, &error) != KZ_OK) {
        return report_error(arguments->command, &error);
    }
    return STATUS_FINE;
}

/* One position on its way from the user to `work`. */
struct feed {
    const struct command *command;
    const kz_game *game;
    position_work *work;
    void *context;
    const char *place; /* "position" or "line": what a number in a message counts */
    bool numbered;     /* a single argument needs no number */
    int exit_code;     /* so far */
};

static void complain(struct feed *feed, uint64_t number, const kz_error *error) {
    kz_error placed = *error;
    if (feed->numbered) {
        snprintf(placed.message, sizeof placed.message, "%s %llu: %.*s", feed->place, (unsigned long long)number,
                 KZ_ERROR_MESSAGE_BYTES - 40, error->message);
    }
    feed->exit_code = report_error(feed->command, &placed);
}

/* False if there is no sense in going on. */
static bool handle(struct feed *feed, uint64_t number, const char *text, size_t length) {
    kz_position position;
    kz_error error;
    kz_status status = read_position(feed->game, text, length, &position, &error);
    if (status == KZ_OK) {
        status = feed->work(feed->context, &position, text, length, &error);
    }
    if (status == KZ_OK) {
        return true;
    }
    complain(feed, number, &error);
    return status == KZ_ERR_INPUT || status == KZ_ERR_UNSUPPORTED;
}

/* Reads a line without its end into `text` and its length, which may exceed the room: then the rest was skipped. False
 * at the end of the input. */
static bool read_line(char text[KZ_TEXT_BYTES], size_t *length) {
    int letter = getc_unlocked(stdin);
    if (letter == EOF) {
        return false;
    }
    *length = 0;
    while (letter != EOF && letter != '\n') {
        if (*length < KZ_TEXT_BYTES) {
            text[*length] = (char)letter;
        }
        ++*length;
        letter = getc_unlocked(stdin);
    }
    return true;
}

static bool handle_line(struct feed *feed, uint64_t number, const char *text, size_t length) {
    if (length > KZ_TEXT_BYTES) {
        kz_error error = {.status = KZ_ERR_INPUT};
        snprintf(error.message, sizeof error.message, "%zu bytes are too many for a position", length);
        complain(feed, number, &error);
        return true;
    }
    const char *word = text;
    size_t word_length = length;
    trim(&word, &word_length);
    if (word_length == 0) {
        return true;
    }
    /* What comes before it stays, so that messages count characters as an editor does. */
    return handle(feed, number, text, (size_t)(word + word_length - text));
}

static int feed_lines(struct feed *feed) {
    if (isatty(STDIN_FILENO)) {
        return report_usage(feed->command,
                            "which position? Give it as an argument (startpos, or a position in quotes),\n"
                            "or one a line on standard input");
    }
    char text[KZ_TEXT_BYTES];
    size_t length;
    uint64_t number = 0;
    errno = 0;
    while (read_line(text, &length)) {
        if (!handle_line(feed, ++number, text, length)) {
            return feed->exit_code;
        }
        errno = 0;
    }
    if (ferror(stdin)) {
        fprintf(stderr, "kanzen %s: can't read standard input: %s\n", feed->command->name, strerror(errno));
        return STATUS_IO;
    }
    return feed->exit_code;
}

int for_each_position(const struct arguments *arguments, int first, const kz_game *game, position_work *work,
                      void *context) {
    struct feed feed = {.command = arguments->command, .game = game, .work = work, .context = context};
    if (first >= arguments->count) {
        feed.place = "line";
        feed.numbered = true;
        return feed_lines(&feed);
    }
    feed.place = "position";
    feed.numbered = arguments->count - first > 1;
    for (int i = first; i < arguments->count; i++) {
        const char *text = arguments->items[i];
        if (!handle(&feed, (uint64_t)(i - first) + 1, text, strlen(text))) {
            break;
        }
    }
    return feed.exit_code;
}
