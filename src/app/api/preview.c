/* SPDX-License-Identifier: MIT
 *
 * Previews of links: the image of a position, and the page that names it. */
#include "app/api/question.h"

#include "app/picture/picture.h"
#include "base/error.h"
#include "base/text.h"
#include "base/text_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char folder[] = "/share/";

/* The board as an image of pixels, as large as those who show previews of links ask for. */
kz_status kz_answer_png(kz_question *question, kz_problem *problem) {
    enum { WIDTH = 1200, HEIGHT = 630, PAPER = 0xfbf7ee };
    const char *svg;
    size_t size = 0;
    KZ_TRY(kz_question_draw(question, &svg, &problem->error));
    char *png = kz_picture(svg, strlen(svg), WIDTH, HEIGHT, PAPER, &size);
    if (!png) {
        return kz_fail(&problem->error, KZ_ERR_MEMORY, "out of memory");
    }
    kz_json_bytes(&question->json, png, size);
    free(png);
    return KZ_OK;
}

bool kz_is_preview(const char *path) { return strncmp(path, folder, sizeof folder - 1) == 0; }

/* ---- HTML ------------------------------------------------------------------------------------------------------ */

static void put(kz_json *html, const char *text) { kz_json_bytes(html, text, strlen(text)); }

static void put_escaped(kz_json *html, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '&':
            put(html, "&amp;");
            break;
        case '<':
            put(html, "&lt;");
            break;
        case '>':
            put(html, "&gt;");
            break;
        case '"':
            put(html, "&quot;");
            break;
        default:
            kz_json_bytes(html, text, 1);
        }
    }
}

static void put_property(kz_json *html, const char *kind, const char *name, const char *content) {
    put(html, "<meta ");
    put(html, kind);
    put(html, "=\"");
    put(html, name);
    put(html, "\" content=\"");
    put_escaped(html, content);
    put(html, "\">\n");
}

/* ---- The address of the board ---------------------------------------------------------------------------------- */

/* As web/src/state/address.ts writes texts: a blank is '_', and what an address can't have is percent-encoded. */
static void put_in_address(kz_writer *writer, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == ' ') {
            kz_put_char(writer, '_');
        } else if (kz_is_plain(c, "/,-_.!~*()")) {
            kz_put_char(writer, c);
        } else {
            kz_write(writer, "%%%02X", (unsigned char)c);
        }
    }
}

/* The address of the board, from the folder of these links. */
static void write_address(kz_writer *writer, const kz_question *question) {
    const kz_values *values = &question->values;
    const kz_query_value *start = &question->query.values[KZ_Q_POS];
    const kz_query_value *played = &question->query.values[KZ_Q_PLAYED];
    const kz_query_value *at = &question->query.values[KZ_Q_AT]; /* a number: it was read before */
    kz_write(writer, "../#/play/%s/%s", kz_game_name(values->game), kz_rules_name(values->game, values->rules));
    if (start->text) {
        kz_put(writer, "?start=");
        put_in_address(writer, start->text, start->length);
    }
    if (played->text) {
        kz_put(writer, start->text ? "&moves=" : "?moves=");
        const char *text = played->text + strspn(played->text, " ");
        for (size_t length; (length = strcspn(text, " ")) > 0; text += strspn(text, " ")) {
            put_in_address(writer, text, length);
            text += length;
            kz_put(writer, text[strspn(text, " ")] ? "." : "");
        }
    }
    if (played->text && at->text) {
        kz_write(writer, "&at=%s", at->text);
    }
}

/* ---- Pages ----------------------------------------------------------------------------------------------------- */

/* "sente to move: loses in 78 plies"; without a table, only who moves. */
static void write_title(kz_writer *writer, const kz_question *question) {
    const kz_values *values = &question->values;
    static const char *const verbs[] = {[KZ_WIN] = "wins", [KZ_LOSS] = "loses"};
    kz_value value;
    kz_write(writer, "%s to move", kz_side_to_move(values->game, &question->position));
    if (!values->table || kz_probe(values->table, &question->position, &value, NULL) != KZ_OK) {
        return;
    }
    if (value.outcome == KZ_DRAW) {
        kz_put(writer, ": a draw with best play");
    } else if (value.outcome == KZ_WIN || value.outcome == KZ_LOSS) {
        kz_write(writer, ": %s in %d %s", verbs[value.outcome], kz_distance_shown(values->game, value),
                 kz_distance_unit(values->game));
    }
}

static void begin_page(kz_json *html) {
    put(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width\">\n"
              "<link rel=\"icon\" href=\"../favicon.svg\" type=\"image/svg+xml\">\n");
}

static void write_page(const kz_question *question, const char *query, const char *base, kz_json *html) {
    const kz_values *values = &question->values;
    char title[160], text[200];
    char address[4 * KZ_API_MOST_QUERY];
    char image[2 * KZ_API_MOST_QUERY];
    kz_writer writer = kz_writer_into(title, sizeof title);
    write_title(&writer, question);
    title[0] = (char)(title[0] >= 'a' && title[0] <= 'z' ? title[0] - 'a' + 'A' : title[0]);
    writer = kz_writer_into(address, sizeof address);
    write_address(&writer, question);
    snprintf(image, sizeof image, "%s/api/v1/%s/png%s%s", base, kz_game_name(values->game), query && *query ? "?" : "",
             query ? query : "");
    snprintf(text, sizeof text, "%s: every move with its exact value.", kz_game_title(values->game));
    begin_page(html);
    put_property(html, "http-equiv", "refresh", "0; url=");
    html->length -= strlen("\">\n");
    put_escaped(html, address);
    put(html, "\">\n<title>");
    put_escaped(html, title);
    put(html, "</title>\n");
    put_property(html, "name", "description", text);
    put_property(html, "property", "og:type", "website");
    put_property(html, "property", "og:site_name", "Kanzen");
    put_property(html, "property", "og:title", title);
    put_property(html, "property", "og:description", text);
    put_property(html, "property", "og:image", image);
    put_property(html, "property", "og:image:type", "image/png");
    put_property(html, "property", "og:image:width", "1200");
    put_property(html, "property", "og:image:height", "630");
    put_property(html, "property", "og:image:alt", title);
    put_property(html, "name", "twitter:card", "summary_large_image");
    put(html, "<p><a href=\"");
    put_escaped(html, address);
    put(html, "\">");
    put_escaped(html, title);
    put(html, "</a></p>\n</html>\n");
}

static void write_error_page(const char *message, kz_json *html) {
    begin_page(html);
    put(html, "<title>Kanzen</title>\n<p>This link is broken: ");
    put_escaped(html, message);
    put(html, "</p>\n<p><a href=\"../\">Kanzen</a></p>\n</html>\n");
}

void kz_api_preview(const kz_api *api, const kz_api_request *request, const char *base, kz_api_answer *answer) {
    kz_question question;
    const char *game = request->path + sizeof folder - 1;
    *answer = (kz_api_answer){.status = 200, .type = "text/html; charset=utf-8"};
    kz_question_about(&question, api, request, kz_route_find("png"), game, strlen(game));
    if (kz_question_position(&question) == KZ_OK) {
        write_page(&question, request->query, base, &question.json);
    } else {
        answer->status = kz_problem_http_status(&question.problem);
        write_error_page(question.problem.error.message, &question.json);
    }
    answer->body = kz_json_take(&question.json, &answer->length);
    kz_question_close(&question);
}
