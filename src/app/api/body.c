/* SPDX-License-Identifier: MIT */
#include "app/api/body.h"

#include "base/error.h"
#include "base/json_reader.h"
#include "base/text_writer.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[KZ_B_MEMBERS] = {
    [KZ_B_POSITIONS] = "positions", [KZ_B_RULES] = "rules", [KZ_B_RECORD] = "record"};

const char *kz_body_name(kz_member member) { return names[member]; }

/* Texts are decoded one behind the other. A decoded text with the 0 at its end is never longer than its form in the
 * body with both quotes, so as much memory as the body has is enough. */
typedef struct reading {
    kz_json_reader json;
    kz_body *body;
    size_t used;
    kz_problem *problem;
} reading;

static kz_status no_json(reading *r) {
    kz_json_unsigned(kz_problem_params(r->problem), "character", r->json.at + 1);
    return kz_refuse(r->problem, KZ_ERR_INPUT, "bad_body", "the body is not JSON: character %zu: %s", r->json.at + 1,
                     r->json.wrong);
}

static bool read_text(reading *r, const char **text) {
    size_t length;
    *text = r->body->memory + r->used;
    if (!kz_json_read_text(&r->json, r->body->memory + r->used, &length)) {
        return false;
    }
    r->used += length + 1;
    return true;
}

static kz_status add_position(reading *r) {
    kz_body *body = r->body;
    if (kz_json_peek(&r->json) != '"') {
        return kz_refuse(r->problem, KZ_ERR_INPUT, "bad_body",
                         "\"positions\": number %zu (counted from 1) is not a text", body->position_count + 1);
    }
    if (body->position_count == KZ_API_MOST_POSITIONS) {
        kz_json_unsigned(kz_problem_params(r->problem), "most", KZ_API_MOST_POSITIONS);
        r->problem->http_status = 413;
        return kz_refuse(r->problem, KZ_ERR_INPUT, "too_many_positions", "there are more than %d positions",
                         KZ_API_MOST_POSITIONS);
    }
    if (!read_text(r, &body->positions[body->position_count])) {
        return no_json(r);
    }
    body->position_count++;
    return KZ_OK;
}

static kz_status read_positions(reading *r) {
    if (kz_json_peek(&r->json) != '[') {
        return kz_refuse(r->problem, KZ_ERR_INPUT, "bad_body", "\"positions\" should be a list of texts");
    }
    r->body->positions = malloc(KZ_API_MOST_POSITIONS * sizeof *r->body->positions);
    if (!r->body->positions) {
        return kz_fail(&r->problem->error, KZ_ERR_MEMORY, "out of memory");
    }
    kz_json_enter(&r->json, '[');
    while (kz_json_another(&r->json, ']', r->body->position_count == 0)) {
        KZ_TRY(add_position(r));
    }
    return r->json.wrong ? no_json(r) : KZ_OK;
}

static kz_status read_member_text(reading *r, kz_member member) {
    if (kz_json_peek(&r->json) != '"') {
        return kz_refuse(r->problem, KZ_ERR_INPUT, "bad_body", "\"%s\" should be a text", names[member]);
    }
    return read_text(r, &r->body->texts[member]) ? KZ_OK : no_json(r);
}

static kz_status find_member(reading *r, unsigned allowed, const char *name, kz_member *member) {
    char list[80];
    kz_writer writer = kz_writer_into(list, sizeof list);
    for (int i = 0; i < KZ_B_MEMBERS; i++) {
        if (allowed & KZ_B(i) && strcmp(name, names[i]) == 0) {
            *member = (kz_member)i;
            return KZ_OK;
        }
        if (allowed & KZ_B(i)) {
            kz_write(&writer, "%s\"%s\"", writer.length ? ", " : "", names[i]);
        }
    }
    return kz_refuse(r->problem, KZ_ERR_INPUT, "bad_body", "the body has a member \"%.40s\"; it may have: %s", name,
                     list);
}

static kz_status read_member(reading *r, unsigned allowed) {
    size_t length;
    kz_member member = KZ_B_RULES;
    /* The key is not kept: the value overwrites it. */
    char *name = r->body->memory + r->used;
    if (!kz_json_read_key(&r->json, name, &length)) {
        return no_json(r);
    }
    KZ_TRY(find_member(r, allowed, name, &member));
    if (member == KZ_B_POSITIONS ? r->body->positions != NULL : r->body->texts[member] != NULL) {
        return kz_refuse(r->problem, KZ_ERR_INPUT, "bad_body", "the member \"%s\" is there twice", names[member]);
    }
    return member == KZ_B_POSITIONS ? read_positions(r) : read_member_text(r, member);
}

static kz_status read_object(reading *r, unsigned allowed) {
    char first = kz_json_peek(&r->json);
    if (first != '{' && first != '\0') {
        return kz_refuse(r->problem, KZ_ERR_INPUT, "bad_body", "the body should be an object, {...}");
    }
    if (!kz_json_enter(&r->json, '{')) {
        return no_json(r);
    }
    for (bool is_first = true; kz_json_another(&r->json, '}', is_first); is_first = false) {
        KZ_TRY(read_member(r, allowed));
    }
    return r->json.wrong || !kz_json_read_end(&r->json) ? no_json(r) : KZ_OK;
}

kz_status kz_body_read(kz_body *body, const char *text, size_t length, unsigned allowed, kz_problem *problem) {
    *body = (kz_body){.memory = malloc(length + 1)};
    reading r = {.json = {.text = text, .length = length}, .body = body, .problem = problem};
    kz_status status =
        body->memory ? read_object(&r, allowed) : kz_fail(&problem->error, KZ_ERR_MEMORY, "out of memory");
    if (status == KZ_OK && allowed & KZ_B(KZ_B_POSITIONS) && !body->positions) {
        status = kz_refuse(problem, KZ_ERR_INPUT, "bad_body", "the body has no member \"positions\"");
    } else if (status == KZ_OK && allowed & KZ_B(KZ_B_RECORD) && !body->texts[KZ_B_RECORD]) {
        status = kz_refuse(problem, KZ_ERR_INPUT, "bad_body", "the body has no member \"record\"");
    }
    if (status != KZ_OK) {
        kz_body_free(body);
    }
    return status;
}

void kz_body_free(kz_body *body) {
    free(body->positions);
    free(body->memory);
    *body = (kz_body){.memory = NULL};
}
