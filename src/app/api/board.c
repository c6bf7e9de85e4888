/* SPDX-License-Identifier: MIT
 *
 * The board of a game that is defined (kanzen/define.h): how it looks, which piece is where, and which squares a person
 * chooses to play a move. The page draws any game from this. */
#include "app/api/question.h"
#include "base/error.h"

#include <kanzen/load.h>

static const char *const shapes[] = {
    [KZ_SHAPE_SQUARE] = "square", [KZ_SHAPE_POINT] = "point", [KZ_SHAPE_HAND] = "hand"};

static void add_look(kz_json *json, const kz_board_look *look) {
    kz_json_array(json, "sides");
    kz_json_text(json, NULL, look->side_names[0]);
    kz_json_text(json, NULL, look->side_names[1]);
    kz_json_end_array(json);
    kz_json_array(json, "squares");
    for (int i = 0; i < look->squares; i++) {
        const kz_square *square = &look->square[i];
        kz_json_object(json, NULL);
        kz_json_double(json, "x", (double)square->x);
        kz_json_double(json, "y", (double)square->y);
        kz_json_text(json, "label", square->label);
        kz_json_text(json, "shape", shapes[square->shape]);
        kz_json_end_object(json);
    }
    kz_json_end_array(json);
    kz_json_array(json, "kinds");
    for (int i = 0; i < look->pieces; i++) {
        const kz_piece_look *piece = &look->piece[i];
        kz_json_object(json, NULL);
        kz_json_text(json, "letter", piece->letter);
        kz_json_text(json, "emoji", piece->emoji);
        kz_json_text(json, "path", piece->path);
        kz_json_integer(json, "side", piece->side);
        kz_json_text(json, "name", piece->name);
        kz_json_end_object(json);
    }
    kz_json_end_array(json);
    kz_json_array(json, "lines");
    for (int i = 0; i < look->lines; i++) {
        kz_json_array(json, NULL);
        kz_json_integer(json, NULL, look->line[i][0]);
        kz_json_integer(json, NULL, look->line[i][1]);
        kz_json_end_array(json);
    }
    kz_json_end_array(json);
}

static void add_numbers(kz_json *json, const char *key, const uint8_t *numbers, int count) {
    kz_json_array(json, key);
    for (int i = 0; i < count; i++) {
        kz_json_integer(json, NULL, numbers[i]);
    }
    kz_json_end_array(json);
}

static void add_touched(kz_json *json, const kz_definition *definition, const void *context,
                        const kz_position *position, kz_move move, int squares) {
    kz_touched touched = {.count = 0};
    if (definition->touches) {
        definition->touches(context, position, move, &touched);
    }
    kz_json_array(json, "squares");
    for (int i = 0; i < touched.count && i < KZ_MAX_TOUCHED; i++) {
        if (touched.square[i] < squares) {
            kz_json_integer(json, NULL, touched.square[i]);
        }
    }
    kz_json_end_array(json);
    kz_json_text(json, "choice", touched.choice);
}

kz_status kz_answer_board(kz_question *question, kz_problem *problem) {
    const kz_values *values = &question->values;
    const kz_definition *definition = kz_game_definition(values->game);
    kz_json *json = &question->json;
    if (!definition || !definition->look) {
        kz_add_game(kz_problem_params(problem), values);
        return kz_refuse(problem, KZ_ERR_UNSUPPORTED, "no_board", "%s does not say how its board looks",
                         kz_game_name(values->game));
    }
    const void *context = kz_game_context(values->game, values->rules);
    const kz_position *position = &question->position;
    const kz_board_look *look = definition->look(context);
    uint8_t piece[KZ_MAX_SQUARES] = {0};
    uint8_t count[KZ_MAX_SQUARES] = {0};
    definition->pieces(context, position, piece, count);
    int listed;
    KZ_TRY(kz_list_choices(values->game, values->rules, position, &question->moves, &listed, &problem->error));
    const kz_choice *moves = question->moves;
    kz_json_object(json, NULL);
    kz_add_game_at(json, values, position);
    KZ_TRY(kz_add_position(json, values->game, position, &problem->error));
    kz_json_integer(json, "mover", definition->side_to_move ? definition->side_to_move(context, position) != 0 : 0);
    add_look(json, look);
    add_numbers(json, "pieces", piece, look->squares);
    add_numbers(json, "counts", count, look->squares);
    kz_json_array(json, "moves");
    for (int i = 0; i < listed; i++) {
        kz_json_object(json, NULL);
        KZ_TRY(kz_add_move(json, values->game, position, moves[i].move, &moves[i].after, &problem->error));
        add_touched(json, definition, context, position, moves[i].move, look->squares);
        kz_json_end_object(json);
    }
    kz_json_end_array(json);
    kz_json_end_object(json);
    return KZ_OK;
}
