/* SPDX-License-Identifier: MIT */
#include "positions.h"

#include "json.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int report_position(const cli_command *command, const kz_game *game, const kz_error *error) {
    int code = report_error(command, error);
    return error->status == KZ_ERR_UNSUPPORTED && kz_game_has_parts(game) ? STATUS_IO : code;
}

int position_operand(const cli_arguments *arguments, int number, const kz_game *game, int rules,
                     kz_position *position) {
    kz_error error;
    const char *text = number < arguments->count ? arguments->items[number] : "startpos";
    if (kz_parse(game, rules, text, strlen(text), position, &error) != KZ_OK) {
        return report_position(arguments->command, game, &error);
    }
    return STATUS_FINE;
}

/* One position on its way from the user to `work`. */
typedef struct position_feed {
    const cli_command *command;
    const kz_game *game;
    int rules;
    position_work *work;
    position_failure *failed; /* NULL: nothing but the message */
    void *context;
    const char *place; /* "position" or "line": what a number in a message counts */
    bool numbered;     /* a single argument needs no number */
    int code;          /* so far */
    uint64_t line;     /* of standard input: the last one that was read */
} position_feed;

/* `lines` is the number of lines that the position takes, from line `number` on. */
static void complain(position_feed *feed, uint64_t number, int lines, const char *text, size_t length,
                     const kz_error *error) {
    enum { PLACE_BYTES = 64 };
    kz_error placed = *error;
    char place[PLACE_BYTES] = "";
    if (feed->numbered && lines > 1) {
        snprintf(place, sizeof place, "%ss %" PRIu64 " to %" PRIu64 ": ", feed->place, number,
                 number + (uint64_t)lines - 1);
    } else if (feed->numbered) {
        snprintf(place, sizeof place, "%s %" PRIu64 ": ", feed->place, number);
    }
    snprintf(placed.message, sizeof placed.message, "%s%.*s", place, KZ_ERROR_MESSAGE_BYTES - PLACE_BYTES,
             error->message);
    feed->code = report_position(feed->command, feed->game, &placed);
    if (feed->failed) {
        feed->failed(feed->context, text, length, error);
    }
}

/* False if there is no sense in going on. */
static bool handle(position_feed *feed, uint64_t number, int lines, const char *text, size_t length) {
    kz_position position;
    kz_error error;
    kz_status status = kz_parse(feed->game, feed->rules, text, length, &position, &error);
    if (status == KZ_OK) {
        status = feed->work(feed->context, &position, text, length, &error);
    }
    if (status == KZ_OK) {
        return true;
    }
    complain(feed, number, lines, text, length, &error);
    return status == KZ_ERR_INPUT || status == KZ_ERR_UNSUPPORTED;
}

/* Adds a line to `text`; `length` may come to exceed the room: then the rest was skipped. False at the end of the
 * input. */
static bool add_line(char text[KZ_TEXT_BYTES], size_t *length) {
    size_t before = *length;
    size_t added = 0;
    bool room = before < KZ_TEXT_BYTES;
    bool read = read_input_line(room ? text + before : NULL, room ? KZ_TEXT_BYTES - before : 0, &added);
    *length = before + added;
    return read;
}

/* Where the line from `start` to `end` ends without the space behind it; `start` if it is empty. What is too long to be
 * in `text` as a whole stays so. Space at the beginning stays, too, so that messages count characters as an editor
 * does. */
static size_t trimmed_end(const char text[KZ_TEXT_BYTES], size_t start, size_t end) {
    if (end <= KZ_TEXT_BYTES) {
        while (end > start && kz_is_blank(text[end - 1])) {
            end--;
        }
    }
    return end;
}

/* Some editors begin a text with a byte order mark. */
static void drop_mark(char text[KZ_TEXT_BYTES], size_t *length) {
    size_t mark = kz_mark_size(text, *length);
    if (mark > 0) {
        *length -= mark;
        memmove(text, text + mark, *length < KZ_TEXT_BYTES - mark ? *length : KZ_TEXT_BYTES - mark);
    }
}

/* Reads the next position: a line that is neither empty nor a comment (#), and those that belong to it, joined by line
 * ends; an empty line ends it in any case. `first` is the number of its first line. False at the end of the input. */
static bool read_lines(position_feed *feed, char text[KZ_TEXT_BYTES], size_t *length, uint64_t *first, int *lines) {
    do {
        *length = 0;
        if (!add_line(text, length)) {
            return false;
        }
        feed->line++;
        if (feed->line == 1) {
            drop_mark(text, length);
        }
        *length = trimmed_end(text, 0, *length);
    } while (*length == 0 || text[0] == '#');
    *first = feed->line;
    int wanted = *length <= KZ_TEXT_BYTES ? kz_position_lines(feed->game, feed->rules, text, *length) : 1;
    for (*lines = 1; *lines < wanted && *length < KZ_TEXT_BYTES; ++*lines) {
        size_t start = *length + 1;
        size_t end = start;
        text[*length] = '\n';
        if (!add_line(text, &end)) {
            break;
        }
        feed->line++;
        end = trimmed_end(text, start, end);
        if (end == start) {
            break;
        }
        *length = end;
    }
    return true;
}

static bool handle_lines(position_feed *feed, uint64_t number, int lines, const char *text, size_t length) {
    if (length > KZ_TEXT_BYTES) {
        kz_error error = {.status = KZ_ERR_INPUT};
        snprintf(error.message, sizeof error.message, "%zu bytes are too many for a position", length);
        complain(feed, number, lines, text, KZ_TEXT_BYTES, &error);
        return true;
    }
    return handle(feed, number, lines, text, length);
}

static int feed_lines(position_feed *feed) {
    if (isatty(STDIN_FILENO)) {
        return report_usage(feed->command,
                            "which position? Give it as an argument (startpos, or a position in quotes), "
                            "or one a line on standard input");
    }
    char text[KZ_TEXT_BYTES];
    size_t length;
    int lines;
    errno = 0;
    uint64_t first;
    while (read_lines(feed, text, &length, &first, &lines)) {
        if (!handle_lines(feed, first, lines, text, length)) {
            return feed->code;
        }
        errno = 0;
    }
    if (ferror(stdin)) {
        (void)report_message(feed->command, STATUS_IO, "can't read standard input: %s", strerror(errno));
        return STATUS_IO;
    }
    return feed->code;
}

/* Whether the operands from number `first` on are one position, whose spaces the shell has taken for its own. */
static bool is_one_position(const cli_arguments *arguments, int first, const kz_game *game, int rules) {
    char text[KZ_TEXT_BYTES];
    size_t length = 0;
    for (int i = first; i < arguments->count; i++) {
        int written = snprintf(text + length, sizeof text - length, "%s%s", i > first ? " " : "", arguments->items[i]);
        length += (size_t)written;
        if (length >= sizeof text) {
            return false;
        }
    }
    kz_position position;
    return arguments->count - first > 1 && kz_parse(game, rules, text, length, &position, NULL) == KZ_OK;
}

int for_each_position(const cli_arguments *arguments, int first, const kz_game *game, int rules, position_work *work,
                      position_failure *failed, void *context) {
    position_feed feed = {.command = arguments->command,
                          .game = game,
                          .rules = rules,
                          .work = work,
                          .failed = failed,
                          .context = context};
    bool dash = arguments->count - first == 1 && strcmp(arguments->items[first], "-") == 0;
    if (first >= arguments->count || dash) {
        feed.place = "line";
        feed.numbered = true;
        return feed_lines(&feed);
    }
    if (is_one_position(arguments, first, game, rules)) {
        return report_usage(feed.command,
                            "'%s' and what follows it are one position: it has spaces, so it needs quotes",
                            arguments->items[first]);
    }
    feed.place = "position";
    feed.numbered = arguments->count - first > 1;
    for (int i = first; i < arguments->count; i++) {
        const char *text = arguments->items[i];
        if (!handle(&feed, (uint64_t)(i - first) + 1, 1, text, strlen(text))) {
            break;
        }
    }
    return feed.code;
}

void print_failure_json(void *context, const char *input, size_t length, const kz_error *error) {
    (void)context;
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_text_of_length(&json, "input", input, length);
    json_text(&json, "error", error->message);
    json_end_object(&json);
    json_finish(&json);
}
