/* SPDX-License-Identifier: MIT
 *
 * kanzen ask: the analyzer's API (kanzen/api.h) for scripts: a question a line, an answer a line. */
#include "base/json.h"
#include "base/json_reader.h"
#include "base/list.h"
#include "base/text.h"
#include "table_list.h"

#include <errno.h>
#include <kanzen/api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINE_BYTES = 2 << 20, MOST_NAME_BYTES = 64, MOST_PATH_BYTES = 256, MOST_MEMBERS = 32 };

/* A member of a question: its name and its value, as JSON and, if it is no object and no list, as text. */
typedef struct question_member {
    const char *name;
    kz_span json;
    const char *text; /* NULL: an object or a list */
    size_t length;
} question_member;

typedef struct asked_question {
    question_member members[MOST_MEMBERS];
    int count;
    char *memory; /* of names and texts */
    size_t used;
    const char *wrong; /* what is wrong with it; NULL: nothing */
    size_t at;         /* and where, if that can be told */
} asked_question;

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static bool refuse(asked_question *question, const char *wrong, size_t at) {
    question->wrong = wrong;
    question->at = at;
    return false;
}

/* `memory` has room for the whole line, which is at least as long as all that is decoded. */
static bool read_member(kz_json_reader *reader, asked_question *question) {
    size_t length;
    question_member *member = &question->members[question->count];
    char *name = question->memory + question->used;
    if (!kz_json_read_key(reader, name, &length)) {
        return refuse(question, reader->wrong, reader->at + 1);
    }
    question->used += length + 1;
    char *text = question->memory + question->used;
    char first = kz_json_peek(reader);
    size_t begin = reader->at;
    bool fine = first == '"' ? kz_json_read_text(reader, text, &length) : kz_json_skip(reader, text);
    if (!fine) {
        return refuse(question, reader->wrong, reader->at + 1);
    }
    *member = (question_member){.name = name, .json = {reader->text + begin, reader->at - begin}};
    if (first != '{' && first != '[' && strncmp(member->json.text, "null", 4) != 0) {
        if (first != '"') {
            length = member->json.length;
            memcpy(text, member->json.text, length);
            text[length] = '\0';
        }
        member->text = text;
        member->length = length;
        question->used += length + 1;
    }
    question->count++;
    return true;
}

static bool read_question(asked_question *question, const char *line, size_t length) {
    kz_json_reader reader = {.text = line, .length = length};
    if (!kz_json_enter(&reader, '{')) {
        return refuse(question, reader.wrong, reader.at + 1);
    }
    while (kz_json_another(&reader, '}', question->count == 0)) {
        if (question->count == MOST_MEMBERS) {
            return refuse(question, "a question has too many members", 0);
        }
        if (!read_member(&reader, question)) {
            return false;
        }
    }
    return (!reader.wrong && kz_json_read_end(&reader)) || refuse(question, reader.wrong, reader.at + 1);
}

static const question_member *find_member(const asked_question *question, const char *name) {
    for (int i = 0; i < question->count; i++) {
        if (strcmp(question->members[i].name, name) == 0) {
            return &question->members[i];
        }
    }
    return NULL;
}

/* ---- Asking ------------------------------------------------------------------------------------------------------ */

static bool is_part_of_path(const char *text) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-_.";
    return text[0] != '\0' && text[0] != '.' && strlen(text) < MOST_NAME_BYTES && text[strspn(text, allowed)] == '\0';
}

/* Which request is meant, if the question does not say it. */
static const char *request_of(const asked_question *question) {
    const question_member *named = find_member(question, "request");
    return named && named->text                 ? named->text
           : find_member(question, "positions") ? "positions"
           : find_member(question, "record")    ? "annotate"
                                                : "position";
}

/* These are about no game. */
static bool is_general(const char *request) {
    return strcmp(request, "games") == 0 || strcmp(request, "openapi.json") == 0;
}

static bool choose_path(asked_question *question, const char *game, char path[MOST_PATH_BYTES]) {
    const question_member *named = find_member(question, "game");
    const char *request = request_of(question);
    game = named && named->text ? named->text : game;
    if (is_general(request)) {
        snprintf(path, MOST_PATH_BYTES, "/api/v1/%s", request);
        return true;
    }
    if (!game) {
        return refuse(question, "\"game\" is missing", 0);
    }
    if (!is_part_of_path(game) || !is_part_of_path(request)) {
        return refuse(question, "\"game\" and \"request\" should be names", 0);
    }
    snprintf(path, MOST_PATH_BYTES, "/api/v1/%s/%s", game, request);
    return true;
}

static bool is_parameter(const question_member *member) {
    return strcmp(member->name, "game") != 0 && strcmp(member->name, "request") != 0 && strcmp(member->name, "id") != 0;
}

static bool add_text(kz_buffer *buffer, const char *text, size_t length) {
    uint8_t *room = kz_buffer_add(buffer, length);
    if (!room) {
        return false;
    }
    memcpy(room, text, length);
    return true;
}

static bool add_encoded(kz_buffer *query, const char *text, size_t length) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    bool fine = true;
    for (size_t i = 0; i < length && fine; i++) {
        char code[4];
        snprintf(code, sizeof code, "%%%02X", (unsigned char)text[i]);
        fine = memchr(plain, text[i], sizeof plain - 1) ? add_text(query, text + i, 1) : add_text(query, code, 3);
    }
    return fine;
}

/* The parameters as a query: pos=...&rules=... */
static bool write_query(asked_question *question, kz_buffer *query) {
    bool fine = true;
    for (int i = 0; i < question->count && fine; i++) {
        const question_member *member = &question->members[i];
        if (!is_parameter(member)) {
            continue;
        }
        if (!member->text) {
            return refuse(question, "a parameter should be a text or a number", 0);
        }
        fine = (query->size == 0 || add_text(query, "&", 1)) &&
               add_encoded(query, member->name, strlen(member->name)) && add_text(query, "=", 1) &&
               add_encoded(query, member->text, member->length);
    }
    return (fine && add_text(query, "", 1)) || refuse(question, "there is no memory for it", 0);
}

/* The parameters as the JSON body of a POST. */
static bool write_body(asked_question *question, kz_buffer *body) {
    bool fine = add_text(body, "{", 1);
    for (int i = 0; i < question->count && fine; i++) {
        const question_member *member = &question->members[i];
        if (is_parameter(member)) {
            /* Names of parameters are plain; another one is refused by the API whatever it is called. */
            bool plain = member->name[strspn(member->name, "abcdefghijklmnopqrstuvwxyz_")] == '\0';
            const char *name = plain ? member->name : "unknown";
            fine = (body->size == 1 || add_text(body, ",", 1)) && add_text(body, "\"", 1) &&
                   add_text(body, name, strlen(name)) && add_text(body, "\":", 2) &&
                   add_text(body, member->json.text, member->json.length);
        }
    }
    return (fine && add_text(body, "}", 1)) || refuse(question, "there is no memory for it", 0);
}

/* ---- Answering --------------------------------------------------------------------------------------------------- */

/* The answer is an object; the question's id comes first in it. */
static void print_answer(const question_member *id, const char *body, size_t length) {
    putchar('{');
    if (id) {
        fputs("\"id\":", stdout);
        fwrite(id->json.text, 1, id->json.length, stdout);
        if (length > 2) {
            putchar(',');
        }
    }
    fwrite(body + 1, 1, length - 1, stdout);
    putchar('\n');
}

/* Prints and frees what was written. */
static void print_written(const question_member *id, kz_json *json) {
    size_t length;
    char *text = kz_json_take(json, &length);
    if (text) {
        print_answer(id, text, length);
    } else {
        print_answer(id, "{}", 2);
    }
    free(text);
}

static void print_refusal(const asked_question *question) {
    kz_json json = {0};
    char message[256];
    if (question->at > 0) {
        snprintf(message, sizeof message, "this is no question: character %zu: %s", question->at, question->wrong);
    } else {
        snprintf(message, sizeof message, "%s", question->wrong);
    }
    kz_json_object(&json, NULL);
    kz_json_object(&json, "error");
    kz_json_integer(&json, "status", 400);
    kz_json_text(&json, "code", "bad_question");
    kz_json_object(&json, "params");
    kz_json_end_object(&json);
    kz_json_text(&json, "message", message);
    kz_json_end_object(&json);
    kz_json_end_object(&json);
    print_written(find_member(question, "id"), &json);
}

/* A drawing is the one answer that is no JSON and can be in it. */
static void print_image(const question_member *id, const char *image) {
    kz_json json = {0};
    kz_json_object(&json, NULL);
    kz_json_text(&json, "svg", image);
    kz_json_end_object(&json);
    print_written(id, &json);
}

static bool ask(const kz_api *api, const char *game, asked_question *question) {
    char path[MOST_PATH_BYTES];
    kz_buffer parameters = {0};
    kz_api_answer answer = {0};
    bool post = find_member(question, "positions") || find_member(question, "record");
    bool fine = choose_path(question, game, path) &&
                (post ? write_body(question, &parameters) : write_query(question, &parameters));
    if (fine) {
        const char *text = (const char *)parameters.bytes;
        const kz_api_request request = {.path = path,
                                        .query = post ? NULL : text,
                                        .post = post,
                                        .body = post ? text : NULL,
                                        .body_length = post ? parameters.size : 0};
        kz_api_ask(api, &request, &answer);
        fine = answer.body || refuse(question, "there is no memory for the answer", 0);
    }
    if (!fine) {
        print_refusal(question);
    } else if (strcmp(answer.type, "application/json") == 0) {
        print_answer(find_member(question, "id"), answer.body, answer.length);
        fine = answer.status == 200;
    } else if (strcmp(answer.type, "image/svg+xml") == 0) {
        print_image(find_member(question, "id"), answer.body);
    } else {
        fine = refuse(question,
                      "an image of pixels is no text; a server answers this request (kanzen serve), and "
                      "\"svg\" is a drawing",
                      0);
        print_refusal(question);
    }
    kz_api_answer_free(&answer);
    kz_buffer_free(&parameters);
    return fine;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

/* NOLINTNEXTLINE(readability-non-const-parameter): what is read goes there */
static bool answer_line(const kz_api *api, const char *game, char *memory, const char *line, size_t length) {
    asked_question question = {.memory = memory};
    if (length > MOST_LINE_BYTES) {
        refuse(&question, "the question is too long", 0);
    } else {
        read_question(&question, line, length);
    }
    if (question.wrong) {
        print_refusal(&question);
        return false;
    }
    return ask(api, game, &question);
}

/* The one who asks waits for the answer, so every line is flushed. */
static int answer_all(const cli_command *command, const kz_api *api, const char *game) {
    char *line = malloc(MOST_LINE_BYTES + 1);
    char *memory = malloc(2 * (size_t)MOST_LINE_BYTES + 2);
    if (!line || !memory) {
        free(line);
        free(memory);
        return report_message(command, STATUS_IO, "no memory for questions");
    }
    int code = STATUS_FINE;
    size_t length;
    for (bool goes_on = true; goes_on && read_input_line(line, MOST_LINE_BYTES, &length);) {
        bool fits = length <= MOST_LINE_BYTES;
        kz_span text = kz_span_trimmed((kz_span){line, fits ? length : 0});
        if (text.length > 0 || !fits) {
            bool fine = answer_line(api, game, memory, text.text, fits ? text.length : length);
            code = fine ? code : STATUS_USAGE;
        }
        goes_on = fflush(stdout) == 0;
    }
    free(line);
    free(memory);
    return ferror(stdin) ? report_message(command, STATUS_IO, "can't read the input: %s", strerror(errno)) : code;
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    uint64_t seconds = 1;
    cli_texts named = {calloc((size_t)arguments->count + 1, sizeof *named.items), 0};
    const cli_option options[] = {
        OPTION_TABLES(&named),
        OPTION_NUMBER("seconds", &seconds, 1, 86400, "without a table: search for N seconds at most (default: 1)"),
        OPTION_END,
    };
    cli_table_list tables = {.may_be_empty = true};
    kz_api *api = NULL;
    kz_error error;
    int code = named.items ? read_options(arguments, options, 0, TABLE_LIST_MOST_GAMES)
                           : report_message(command, STATUS_IO, "no memory");
    if (code == STATUS_FINE) {
        code = table_list_open(arguments, 0, &named, &tables);
    }
    if (code == STATUS_FINE) {
        api = kz_api_new();
        code = api ? STATUS_FINE : report_message(command, STATUS_IO, "no memory");
    }
    for (size_t i = 0; i < tables.count && code == STATUS_FINE; i++) {
        if (kz_api_use(api, tables.items[i].table, &error) != KZ_OK) {
            code = report_error(command, &error);
        }
    }
    const kz_game *only = NULL;
    if (code == STATUS_FINE && arguments->count == 1) {
        code = choose_game(command, arguments->items[0], &only);
    }
    if (code == STATUS_FINE) {
        kz_api_limit(api, (double)seconds);
        code = answer_all(command, api, only ? kz_game_name(only) : NULL);
    }
    kz_api_free(api);
    table_list_close(&tables);
    free(named.items);
    return code;
}

const cli_command command_ask = {
    .name = "ask",
    .summary = "Answer questions of scripts: JSON in, JSON out, a line each",
    .operands = "[GAME...]",
    .help = "Reads a question from each line of standard input and prints the answer on a line, at\n"
            "once and in the same order: the answers of the HTTP API (docs/api.md), without a\n"
            "server. A question is a JSON object:\n"
            "\n"
            "  request    position, moves, legal, line, play, table, puzzles, board, svg,\n"
            "             games, ... If it is left out: positions or annotate, if there\n"
            "             are positions or there is a record; otherwise position\n"
            "  game       the game; may be left out if one is named here\n"
            "  id         comes back with the answer\n"
            "  others     the parameters of that request: pos, rules, positions, record, ...\n"
            "\n"
            "A question that can't be answered gets {\"error\": ...}, and the exit code is 2 in the\n"
            "end. Tables are chosen as kanzen serve does.\n",
    .examples = "echo '{\"pos\": \"startpos\"}' | kanzen ask dobutsu\n"
                "kanzen ask dobutsu <questions.jsonl >answers.jsonl\n",
    .run = run,
};
