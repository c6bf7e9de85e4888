/* SPDX-License-Identifier: MIT */
#include "tests/support/api_answers.h"

#include "tests/support/tables.h"

/* ---- Answers that are kept ------------------------------------------------------------------------------------- */

static json_t *all; /* an array */

static void let_go(void) { json_decref(all); }

json_t *kept(json_t *value) {
    if (!all) {
        all = json_pack("[]"); /* json_array is a call of the command, too */
        atexit(let_go);
    }
    assert_int_equal(json_array_append_new(all, value), 0);
    return value;
}

/* ---- Schemas --------------------------------------------------------------------------------------------------- */

json_t *described(void) {
    json_error_t reason;
    json_t *document = json_loads(kz_api_description(), JSON_REJECT_DUPLICATES, &reason);
    if (!document) {
        fail_msg("the description: line %d: %s", reason.line, reason.text);
    }
    return kept(document);
}

/* What "#/components/schemas/Move" refers to. */
static json_t *referred(json_t *document, const char *reference) {
    assert_int_equal(strncmp(reference, "#/", 2), 0);
    json_t *at = document;
    const char *next = reference + 2;
    while (*next) {
        char name[80];
        size_t length = strcspn(next, "/");
        assert_true(length < sizeof name);
        memcpy(name, next, length);
        name[length] = '\0';
        at = json_object_get(at, name);
        if (!at) {
            fail_msg("%s refers to nothing", reference);
        }
        next += length + (next[length] == '/');
    }
    return at;
}

static bool has_type(const json_t *value, const char *type) {
    if (strcmp(type, "object") == 0) {
        return json_is_object(value);
    }
    if (strcmp(type, "array") == 0) {
        return json_is_array(value);
    }
    if (strcmp(type, "string") == 0) {
        return json_is_string(value);
    }
    if (strcmp(type, "integer") == 0) {
        return json_is_integer(value);
    }
    if (strcmp(type, "number") == 0) {
        return json_is_number(value);
    }
    if (strcmp(type, "boolean") == 0) {
        return json_is_boolean(value);
    }
    assert_string_equal(type, "null");
    return json_is_null(value);
}

static bool has_one_of_types(const json_t *value, const json_t *types) {
    if (json_is_string(types)) {
        return has_type(value, json_string_value(types));
    }
    assert_true(json_is_array(types));
    for (size_t i = 0; i < json_array_size(types); i++) {
        if (has_type(value, json_string_value(json_array_get(types, i)))) {
            return true;
        }
    }
    return false;
}

static bool fits(json_t *document, json_t *schema, json_t *value, char why[256]);

static bool object_fits(json_t *document, json_t *schema, json_t *value, char why[256]) {
    json_t *properties = json_object_get(schema, "properties");
    json_t *others = json_object_get(schema, "additionalProperties");
    json_t *required = json_object_get(schema, "required");
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *name = json_string_value(json_array_get(required, i));
        if (!json_object_get(value, name)) {
            snprintf(why, 256, "there is no '%s'", name);
            return false;
        }
    }
    const char *name;
    json_t *member;
    json_object_foreach(value, name, member) {
        json_t *known = json_object_get(properties, name);
        if (!known && json_is_false(others)) {
            snprintf(why, 256, "'%s' is not described", name);
            return false;
        }
        json_t *member_schema = known ? known : others;
        if (json_is_object(member_schema) && !fits(document, member_schema, member, why)) {
            return false;
        }
    }
    return true;
}

static bool is_one_of(const json_t *choices, const json_t *value) {
    for (size_t i = 0; i < json_array_size(choices); i++) {
        if (json_equal(json_array_get(choices, i), value)) {
            return true;
        }
    }
    return false;
}

static bool fits_exactly_one(json_t *document, json_t *schemas, json_t *value) {
    int fitting = 0;
    for (size_t i = 0; i < json_array_size(schemas); i++) {
        char why[256];
        fitting += fits(document, json_array_get(schemas, i), value, why);
    }
    return fitting == 1;
}

/* Whether a value is what the schema says; if not, `why`. */
static bool fits(json_t *document, json_t *schema, json_t *value, char why[256]) {
    static const char *const known[] = {
        "$ref",  "type",        "enum",    "minimum", "properties", "additionalProperties", "required", "items",
        "oneOf", "description", "maximum", "default", "maxItems"};
    const char *keyword;
    json_t *argument;
    json_object_foreach(schema, keyword, argument) {
        bool understood = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            understood = understood || strcmp(known[i], keyword) == 0;
        }
        if (!understood) {
            fail_msg("the description uses '%s'", keyword);
        }
    }
    json_t *reference = json_object_get(schema, "$ref");
    if (reference) {
        return fits(document, referred(document, json_string_value(reference)), value, why);
    }
    json_t *types = json_object_get(schema, "type");
    json_t *choices = json_object_get(schema, "enum");
    json_t *schemas = json_object_get(schema, "oneOf");
    json_t *least = json_object_get(schema, "minimum");
    json_t *items = json_object_get(schema, "items");
    bool fine = (!types || has_one_of_types(value, types)) && (!choices || is_one_of(choices, value)) &&
                (!schemas || fits_exactly_one(document, schemas, value)) &&
                (!least || !json_is_integer(value) || json_integer_value(value) >= json_integer_value(least));
    if (!fine) {
        char *text = json_dumps(value, JSON_ENCODE_ANY);
        snprintf(why, 256, "%.200s does not fit", text ? text : "?");
        free(text);
        return false;
    }
    for (size_t i = 0; items && i < json_array_size(value); i++) {
        if (!fits(document, items, json_array_get(value, i), why)) {
            return false;
        }
    }
    return !json_is_object(value) || object_fits(document, schema, value, why);
}

/* ---- Answers --------------------------------------------------------------------------------------------------- */

/* The description's schema for an answer of this status, with "{game}" in place of the game's name. */
static json_t *schema_of(json_t *document, const kz_api_request *request, int status) {
    static const char base[] = "/api/v1/";
    char path[120];
    const char *slash = strrchr(request->path, '/');
    bool about_game = strncmp(request->path, base, sizeof base - 1) == 0 && slash - request->path > (long)sizeof base;
    snprintf(path, sizeof path, "%s%s", about_game ? "/api/v1/{game}" : request->path, about_game ? slash : "");
    json_t *operation =
        json_object_get(json_object_get(json_object_get(document, "paths"), path), request->post ? "post" : "get");
    json_t *response = json_object_get(json_object_get(operation, "responses"), status == 200 ? "200" : "default");
    json_t *reference = json_object_get(response, "$ref");
    if (reference || (!response && status != 200)) {
        response = referred(document, "#/components/responses/Error");
    }
    json_t *content = json_object_get(json_object_get(response, "content"), "application/json");
    json_t *schema = json_object_get(content, "schema");
    if (!schema) {
        fail_msg("%s is not described", request->path);
    }
    return schema;
}

json_t *answered(const kz_api *api, const kz_api_request *request, int status) {
    kz_api_answer answer;
    kz_api_ask(api, request, &answer);
    assert_non_null(answer.body);
    if (answer.status != status) {
        fail_msg("%s?%s: %d %.300s", request->path, request->query ? request->query : "", answer.status, answer.body);
    }
    assert_int_equal(strlen(answer.body), answer.length);
    json_error_t reason;
    json_t *value = json_loadb(answer.body, answer.length, JSON_REJECT_DUPLICATES, &reason);
    if (!value) {
        fail_msg("%s: %s", reason.text, answer.body);
    }
    static json_t *document;
    document = document ? document : described();
    char why[256] = "";
    if (!fits(document, schema_of(document, request, status), value, why)) {
        fail_msg("%s?%s: %s", request->path, request->query ? request->query : "", why);
    }
    kz_api_answer_free(&answer);
    return kept(value);
}

json_t *posted(const kz_api *api, const char *path, const char *query, const char *body, int status) {
    return answered(
        api, &(kz_api_request){.path = path, .query = query, .post = true, .body = body, .body_length = strlen(body)},
        status);
}

json_t *got(const kz_api *api, const char *path, const char *query) {
    return answered(api, &(kz_api_request){.path = path, .query = query}, 200);
}

void refuses(const kz_api *api, const kz_api_request *request, int status, const char *message) {
    json_t *answer = answered(api, request, status);
    json_t *error = json_object_get(answer, "error");
    assert_int_equal(json_integer_value(json_object_get(error, "status")), status);
    const char *text = json_string_value(json_object_get(error, "message"));
    if (!text || !strstr(text, message)) {
        fail_msg("'%s' should have '%s' in it", text ? text : "", message);
    }
}

void refuses_get(const kz_api *api, const char *path, const char *query, int status, const char *message) {
    refuses(api, &(kz_api_request){.path = path, .query = query}, status, message);
}

void refuses_post(const kz_api *api, const char *path, const char *body, int status, const char *message) {
    const kz_api_request request = {.path = path, .post = true, .body = body, .body_length = strlen(body)};
    refuses(api, &request, status, message);
}

int open_api(void **state) {
    static api_fixture f;
    f.raft = solved_board("raft");
    f.api = kz_api_new();
    *state = &f;
    return f.api && kz_api_use(f.api, f.raft, NULL) == KZ_OK ? 0 : -1;
}

int close_api(void **state) {
    const api_fixture *f = *state;
    kz_api_free(f->api);
    kz_table_close(f->raft);
    return 0;
}

/* ---- Members --------------------------------------------------------------------------------------------------- */

const char *text_in(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    assert_non_null(text);
    return text;
}

json_int_t number_in(const json_t *object, const char *name) {
    const json_t *number = json_object_get(object, name);
    assert_true(json_is_integer(number));
    return json_integer_value(number);
}

void has_value(const json_t *object, const char *value, int plies) {
    assert_string_equal(text_in(object, "value"), value);
    assert_int_equal(number_in(object, "plies"), plies);
}
