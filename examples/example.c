/* SPDX-License-Identifier: MIT
 *
 * Perfect play from a table of any game: the value of a position, its moves from best to worst, and how the game goes
 * on when nobody errs.
 *
 *     kanzen solve pushfight --board mini --out mini.kzt
 *     cc example.c $(pkg-config --cflags --libs kanzen) -o example
 *     ./example mini.kzt [POSITION] */
#include <kanzen/table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "win 3", counted as people count in this game. */
static void print_value(const kz_game *game, kz_value value) {
    static const char *const names[] = {"unknown", "loss", "draw", "win"};
    if (value.outcome == KZ_WIN || value.outcome == KZ_LOSS) {
        printf("%s %d", names[value.outcome], kz_distance_shown(game, value));
    } else {
        printf("%s", names[value.outcome]);
    }
}

static kz_status print_move(const kz_game *game, const kz_position *position, kz_move move, kz_error *error) {
    char text[KZ_TEXT_BYTES];
    kz_status status = kz_move_format(game, position, move, text, sizeof text, error);
    if (status == KZ_OK) {
        printf("%s\t", text);
    }
    return status;
}

static kz_status show(const kz_table *table, const char *text, kz_scored_move *moves, kz_error *error) {
    const kz_game *game = kz_table_game(table);
    int rules = kz_table_rules(table);

    /* A position is a value: no memory belongs to it, and an assignment copies it. */
    kz_position position;
    if (text) {
        kz_status status = kz_parse(game, rules, text, strlen(text), &position, error);
        if (status != KZ_OK) {
            return status;
        }
    } else {
        kz_start(game, rules, &position);
    }

    char written[KZ_TEXT_BYTES];
    kz_value value;
    kz_status status = kz_format(game, &position, 0, written, sizeof written, error);
    if (status == KZ_OK) {
        status = kz_probe(table, &position, &value, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    printf("%s, %s\n%s\t", kz_game_title(game), kz_rules_name(game, rules), written);
    print_value(game, value);
    printf(" (%s)\n\nmoves\n", kz_distance_unit(game));

    int count;
    status = kz_probe_moves(table, &position, moves, &count, error);
    for (int i = 0; status == KZ_OK && i < count && i < 5; i++) {
        status = print_move(game, &position, moves[i].move, error);
        if (status == KZ_OK) {
            print_value(game, moves[i].value);
            printf("\n");
        }
    }

    /* The first move is a best one. A drawn game need not end, so this one is broken off. */
    printf("\nline\n");
    for (int ply = 1; status == KZ_OK && count > 0 && ply <= 200; ply++) {
        printf("%d\t", ply);
        status = print_move(game, &position, moves[0].move, error);
        if (status == KZ_OK) {
            print_value(game, moves[0].value);
            printf("\n");
            kz_play(game, rules, &position, moves[0].move);
            status = kz_probe_moves(table, &position, moves, &count, error);
        }
    }
    return status;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: %s TABLE [POSITION]\n", argv[0]);
        return 2;
    }
    kz_error error;
    kz_table *table;
    if (kz_table_open(argv[1], &table, &error) != KZ_OK) {
        fprintf(stderr, "%s: %s\n", argv[0], error.message);
        return 1;
    }
    /* Some games have positions with thousands of moves: more than a small stack has to spare. */
    kz_scored_move *moves = malloc((size_t)kz_max_moves(kz_table_game(table), kz_table_rules(table)) * sizeof *moves);
    int code = 1;
    if (!moves) {
        fprintf(stderr, "%s: out of memory\n", argv[0]);
    } else if (show(table, argc > 2 ? argv[2] : NULL, moves, &error) != KZ_OK) {
        fprintf(stderr, "%s: %s\n", argv[0], error.message);
    } else {
        code = 0;
    }
    free(moves);
    kz_table_close(table);
    return code;
}
