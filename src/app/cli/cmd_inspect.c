/* SPDX-License-Identifier: MIT
 *
 * kanzen inspect: walking through the tree of positions, and why each of them is worth what it is worth. A child is the
 * position after a move. */
#include "play_parts.h"
#include "positions.h"
#include "values.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT_LIST = 20 };

/* A node on the way from a root to where the user is. */
typedef struct tree_node {
    kz_position position;
    kz_move move; /* that led here; 0: a root */
} tree_node;

typedef struct tree_inspector {
    const cli_command *command;
    cli_terminal terminal;
    const kz_values *values;
    tree_node *path;
    size_t depth; /* nodes on the path, at least 1 */
    size_t room;
    bool turned;
    bool ended;

    /* The children of the last node. */
    kz_scored_move *children;
    int count;
    kz_value value;
} tree_inspector;

static tree_node *here(const tree_inspector *inspector) { return &inspector->path[inspector->depth - 1]; }

static kz_status look(tree_inspector *inspector, kz_error *error) {
    kz_position position = here(inspector)->position;
    return kz_values_moves(inspector->values, &position, &inspector->value, inspector->children, &inspector->count,
                           error);
}

static kz_status push(tree_inspector *inspector, const kz_position *position, kz_move move, kz_error *error) {
    if (inspector->depth == inspector->room) {
        size_t room = 2 * inspector->room + 64;
        tree_node *path = realloc(inspector->path, room * sizeof *path);
        if (!path) {
            return out_of_memory(error);
        }
        inspector->path = path;
        inspector->room = room;
    }
    inspector->path[inspector->depth++] = (tree_node){*position, move};
    return KZ_OK;
}

/* ---- Why --------------------------------------------------------------------------------------------------------- */

/* How many children are worth what to the side that moves there. */
typedef struct child_tally {
    int wins;
    int draws;
    int losses;
    int unknown;
} child_tally;

static child_tally tally_children(const tree_inspector *inspector) {
    child_tally tally = {0, 0, 0, 0};
    for (int i = 0; i < inspector->count; i++) {
        switch (value_after(inspector->children[i].value).outcome) {
        case KZ_WIN:
            tally.wins++;
            break;
        case KZ_LOSS:
            tally.losses++;
            break;
        case KZ_DRAW:
            tally.draws++;
            break;
        case KZ_UNKNOWN:
            tally.unknown++;
            break;
        }
    }
    return tally;
}

/* The number of the first child that is worth what the position is, from 0; -1 if none is known. */
static int deciding_child(const tree_inspector *inspector) {
    for (int i = 0; i < inspector->count; i++) {
        kz_value value = inspector->children[i].value;
        if (value.outcome == inspector->value.outcome && value.distance == inspector->value.distance &&
            value.outcome != KZ_UNKNOWN) {
            return i;
        }
    }
    return -1;
}

enum { REASON_BYTES = 400 };

static kz_status explain(const tree_inspector *inspector, char reason[REASON_BYTES], kz_error *error) {
    const kz_values *values = inspector->values;
    const kz_position *position = &here(inspector)->position;
    const char *side = kz_side_to_move(values->game, position);
    const char *other = other_side(values->game, values->rules, position);
    child_tally tally = tally_children(inspector);
    int decides = deciding_child(inspector);
    if (inspector->count == 0) {
        snprintf(reason, REASON_BYTES, "the rules say so: the game is over");
        return KZ_OK;
    }
    if (decides < 0) {
        snprintf(reason, REASON_BYTES, "%s",
                 inspector->value.outcome == KZ_UNKNOWN ? "a search could not prove anything in time"
                                                        : "a search has proven it, but no child that decides it");
        return KZ_OK;
    }
    char move[KZ_TEXT_BYTES];
    char after[WORDS_BYTES];
    KZ_TRY(kz_move_format(values->game, position, inspector->children[decides].move, move, sizeof move, error));
    describe_value(values->game, other, value_after(inspector->children[decides].value), after);
    switch (inspector->value.outcome) {
    case KZ_WIN:
        snprintf(reason, REASON_BYTES, "child %d (%.60s) is lost for %s, and none is lost sooner: %s", decides + 1,
                 move, other, after);
        break;
    case KZ_LOSS:
        snprintf(reason, REASON_BYTES, "%s won for %s, and %s: %s",
                 inspector->count == 1 ? "the only child is" : "all children are", other,
                 inspector->count == 1 ? "so there is no choice" : "none takes longer than the first", after);
        break;
    default:
        snprintf(reason, REASON_BYTES, "no child is lost for %s, so %s can't win, but child %d (%.60s) is a draw",
                 other, side, decides + 1, move);
        break;
    }
    if (tally.unknown > 0) {
        size_t length = strlen(reason);
        snprintf(reason + length, REASON_BYTES - length, " (%d children are not known)", tally.unknown);
    }
    return KZ_OK;
}

/* ---- Showing ----------------------------------------------------------------------------------------------------- */

/* A child as the user sees it, or as an object of the list that is open. */
static kz_status report_child(cli_report *report, const tree_inspector *inspector, int number, kz_error *error) {
    const kz_values *values = inspector->values;
    const cli_terminal *terminal = &inspector->terminal;
    const kz_scored_move *child = &inspector->children[number];
    kz_position next = here(inspector)->position;
    kz_value after = value_after(child->value);
    char move[KZ_TEXT_BYTES];
    char text[KZ_TEXT_BYTES];
    char value[VALUE_BYTES];
    KZ_TRY(kz_move_format(values->game, &next, child->move, move, sizeof move, error));
    kz_play(values->game, values->rules, &next, child->move);
    KZ_TRY(kz_format(values->game, &next, 0, text, sizeof text, error));
    /* The colour is for the side that chooses: what is lost there is good here. */
    report_line(report, "%4d  %-20s %s%-9s%s %s\n", number + 1, move, colour_code(terminal, value_colour(child->value)),
                format_value(values->game, after, value), colour_code(terminal, COLOUR_NONE), text);
    json_object(&report->json, NULL);
    json_integer(&report->json, "number", number + 1);
    json_text(&report->json, "move", move);
    json_text(&report->json, "position", text);
    json_value(&report->json, values->game, after);
    json_end_object(&report->json);
    return KZ_OK;
}

static kz_status report_children(cli_report *report, const tree_inspector *inspector, int most, kz_error *error) {
    kz_status status = KZ_OK;
    report_list(report, "children");
    for (int i = 0; i < inspector->count && i < most && status == KZ_OK; i++) {
        status = report_child(report, inspector, i, error);
    }
    report_end_list(report);
    if (status == KZ_OK && inspector->count > most) {
        report_line(report, "      and %d more: 'list' has them\n", inspector->count - most);
    }
    return status;
}

static kz_status report_node(const tree_inspector *inspector, bool as_json, kz_error *error) {
    const kz_values *values = inspector->values;
    const cli_terminal *terminal = &inspector->terminal;
    const kz_position *position = &here(inspector)->position;
    const char *side = kz_side_to_move(values->game, position);
    char text[KZ_TEXT_BYTES];
    char reason[REASON_BYTES];
    char words[WORDS_BYTES];
    if (!as_json) {
        KZ_TRY(print_board(terminal, values->game, position, inspector->turned, error));
    }
    KZ_TRY(kz_format(values->game, position, 0, text, sizeof text, error));
    KZ_TRY(explain(inspector, reason, error));
    child_tally tally = tally_children(inspector);
    int decides = deciding_child(inspector);
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    report_game(&report, values->game, values->rules);
    json_text(json, "position", text);
    json_text(json, "side", side);
    json_value(json, values->game, inspector->value);
    json_text(json, "reason", reason);
    if (decides >= 0) {
        json_integer(json, "decided_by", decides + 1);
    } else {
        json_null(json, "decided_by");
    }
    json_object(json, "counts");
    json_integer(json, "loss", tally.losses);
    json_integer(json, "draw", tally.draws);
    json_integer(json, "win", tally.wins);
    json_integer(json, "unknown", tally.unknown);
    json_end_object(json);
    report_line(
        &report, "%s\nvalue     %s%s%s\nbecause   %s\n", text, colour_code(terminal, value_colour(inspector->value)),
        describe_value(values->game, side, inspector->value, words), colour_code(terminal, COLOUR_NONE), reason);
    if (inspector->count > 0) {
        report_line(&report, "children  %d: for %s %d lost, %d drawn, %d won%s\n", inspector->count,
                    other_side(values->game, values->rules, position), tally.losses, tally.draws, tally.wins,
                    tally.unknown > 0 ? ", others not known" : "");
    }
    kz_status status = report_children(&report, inspector, as_json ? INT_MAX : SHORT_LIST, error);
    report_end(&report);
    return status;
}

static kz_status print_node(const tree_inspector *inspector, kz_error *error) {
    return report_node(inspector, false, error);
}

static kz_status print_children(const tree_inspector *inspector, kz_error *error) {
    cli_report report = report_begin(stdout, false);
    return report_children(&report, inspector, KZ_MAX_MOVES, error);
}

/* ---- Walking ----------------------------------------------------------------------------------------------------- */

static kz_status go_to_child(tree_inspector *inspector, int number, kz_error *error) {
    const kz_values *values = inspector->values;
    kz_move move = inspector->children[number].move;
    kz_position next = here(inspector)->position;
    kz_play(values->game, values->rules, &next, move);
    KZ_TRY(push(inspector, &next, move, error));
    return look(inspector, error);
}

/* A child by its number or by the move that leads there. */
static kz_status find_child(const tree_inspector *inspector, const char *line, int *number, kz_error *error) {
    const kz_values *values = inspector->values;
    uint64_t wanted;
    if (parse_number(line, 1, UINT32_MAX, &wanted)) {
        *number = (int)wanted - 1;
        if (wanted <= (uint64_t)inspector->count) {
            return KZ_OK;
        }
        return kz_fail(error, KZ_ERR_INPUT, "there is no child %" PRIu64 "; there are %d", wanted, inspector->count);
    }
    kz_move move = 0;
    kz_error why;
    kz_status status =
        kz_move_parse(values->game, values->rules, &here(inspector)->position, line, strlen(line), &move, &why);
    for (int i = 0; i < inspector->count && status == KZ_OK; i++) {
        if (inspector->children[i].move == move) {
            *number = i;
            return KZ_OK;
        }
    }
    return kz_fail(error, KZ_ERR_INPUT,
                   "'%.40s' is neither a child's number, nor a move, nor a command ('help' has a list): %.200s", line,
                   status == KZ_OK ? "it is not listed" : why.message);
}

static kz_status go_back(tree_inspector *inspector, kz_error *error) {
    if (inspector->depth == 1) {
        return kz_fail(error, KZ_ERR_INPUT, "this is where you began");
    }
    inspector->depth--;
    return look(inspector, error);
}

static kz_status go_to_root(tree_inspector *inspector, kz_error *error) {
    while (inspector->depth > 1 && here(inspector)->move != 0) {
        inspector->depth--;
    }
    return look(inspector, error);
}

static kz_status go_to_position(tree_inspector *inspector, const char *text, kz_error *error) {
    kz_position position;
    KZ_TRY(kz_parse(inspector->values->game, inspector->values->rules, text, strlen(text), &position, error));
    KZ_TRY(push(inspector, &position, 0, error));
    return look(inspector, error);
}

static kz_status go_best(tree_inspector *inspector, const char *text, kz_error *error) {
    uint64_t plies = 1;
    if (text[0] != '\0' && !parse_number(text, 1, 1000, &plies)) {
        return kz_fail(error, KZ_ERR_INPUT, "best takes the number of plies to go");
    }
    if (inspector->count == 0) {
        return kz_fail(error, KZ_ERR_INPUT, "the game is over: there are no children");
    }
    for (; plies > 0 && inspector->count > 0; plies--) {
        KZ_TRY(go_to_child(inspector, 0, error));
    }
    return KZ_OK;
}

static kz_status print_path(const tree_inspector *inspector, kz_error *error) {
    const kz_game *game = inspector->values->game;
    size_t root = inspector->depth - 1;
    while (root > 0 && inspector->path[root].move != 0) {
        root--;
    }
    char text[KZ_TEXT_BYTES];
    KZ_TRY(kz_format(game, &inspector->path[root].position, 0, text, sizeof text, error));
    printf("%s", text);
    for (size_t i = root + 1; i < inspector->depth; i++) {
        KZ_TRY(
            kz_move_format(game, &inspector->path[i - 1].position, inspector->path[i].move, text, sizeof text, error));
        printf(" %s", text);
    }
    putchar('\n');
    return KZ_OK;
}

static const cli_word words[] = {
    {"best", NULL}, {"back", NULL}, {"root", NULL}, {"goto", "startpos"}, {"list", NULL}, {"path", NULL},
    {"show", NULL}, {"flip", NULL}, {"help", NULL}, {"quit", NULL},       {NULL, NULL},
};

static void print_words(void) {
    fputs("  N, MOVE        go to child N, or to the one after a move\n"
          "  best [N]       go to the best child, N times\n"
          "  back           where you were before\n"
          "  root           up to the root\n"
          "  goto POSITION  any position, in any notation: a new root\n"
          "  list           all children\n"
          "  path           the moves from the root to here\n"
          "  show           this position again\n"
          "  flip           turn the board around\n"
          "  quit           end; so does the end of the input\n",
          stdout);
}

/* `shows`: the node is to be shown afterwards. */
static kz_status obey(tree_inspector *inspector, char *line, bool *shows, kz_error *error) {
    char whole[LINE_BYTES];
    snprintf(whole, sizeof whole, "%s", line);
    const char *rest = split_word(line);
    *shows = true;
    if (strcmp(line, "best") == 0) {
        return go_best(inspector, rest, error);
    }
    if (strcmp(line, "goto") == 0) {
        return go_to_position(inspector, rest, error);
    }
    if (rest[0] == '\0') {
        if (strcmp(line, "back") == 0) {
            return go_back(inspector, error);
        }
        if (strcmp(line, "root") == 0) {
            return go_to_root(inspector, error);
        }
        if (strcmp(line, "show") == 0) {
            return KZ_OK;
        }
        if (strcmp(line, "flip") == 0) {
            inspector->turned = !inspector->turned;
            return KZ_OK;
        }
        *shows = false;
        if (strcmp(line, "list") == 0) {
            return print_children(inspector, error);
        }
        if (strcmp(line, "path") == 0) {
            return print_path(inspector, error);
        }
        if (strcmp(line, "help") == 0 || strcmp(line, "?") == 0) {
            print_words();
            return KZ_OK;
        }
        if (strcmp(line, "quit") == 0 || strcmp(line, "q") == 0 || strcmp(line, "exit") == 0) {
            inspector->ended = true;
            return KZ_OK;
        }
        *shows = true;
    }
    int number = 0;
    KZ_TRY(find_child(inspector, whole, &number, error));
    return go_to_child(inspector, number, error);
}

static int walk(tree_inspector *inspector) {
    kz_error error;
    kz_status status = print_node(inspector, &error);
    while (status == KZ_OK && !inspector->ended) {
        char line[LINE_BYTES];
        bool cut;
        bool shows = false;
        errno = 0;
        if (!terminal_read(&inspector->terminal, "inspect> ", line, &cut)) {
            break;
        }
        if (cut) {
            printf("this line is too long\n");
        } else if (line[0] != '\0') {
            status = obey(inspector, line, &shows, &error);
        }
        /* What the user got wrong ends nothing. */
        if (status == KZ_ERR_INPUT || status == KZ_ERR_UNSUPPORTED) {
            char safe[ESCAPED_BYTES(KZ_ERROR_MESSAGE_BYTES)];
            printf("%s%s%s\n", colour_code(&inspector->terminal, COLOUR_BAD),
                   escape_controls(error.message, safe, sizeof safe), colour_code(&inspector->terminal, COLOUR_NONE));
            status = KZ_OK;
        } else if (status == KZ_OK && shows) {
            status = print_node(inspector, &error);
        }
    }
    CLI_TRY(exit_code(inspector->command, status, &error));
    if (ferror(stdin)) {
        return report_message(inspector->command, STATUS_IO, "can't read standard input: %s", strerror(errno));
    }
    return STATUS_FINE;
}

static int inspect(const cli_command *command, const kz_values *values, const kz_position *position, bool json,
                   bool once) {
    tree_inspector inspector = {.command = command, .values = values};
    kz_error error;
    kz_status status;
    int code = STATUS_FINE;
    inspector.children = malloc((size_t)kz_max_moves(values->game, values->rules) * sizeof *inspector.children);
    KZ_TRY_OR(done, inspector.children ? KZ_OK : out_of_memory(&error));
    KZ_TRY_OR(done, push(&inspector, position, 0, &error));
    KZ_TRY_OR(done, look(&inspector, &error));
    if (json) {
        status = report_node(&inspector, true, &error);
        goto done;
    }
    terminal_open(&inspector.terminal, words);
    if (once) {
        status = print_node(&inspector, &error);
    } else {
        code = walk(&inspector);
    }
    terminal_close(&inspector.terminal);
done:
    free(inspector.path);
    free(inspector.children);
    return status == KZ_OK ? code : report_error(command, &error);
}

static int run(cli_arguments *arguments) {
    cli_asked asked = {.table = NULL};
    bool json = false;
    bool once = false;
    const cli_option options[] = {
        OPTIONS_VALUES(&asked),
        OPTION_FLAG("once", &once, "show the position and end"),
        OPTION_FLAG("json", &json, "show the position as JSON and end"),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 2));
    cli_values values;
    kz_position position;
    CLI_TRY(values_open_at(arguments, &asked, &values, &position));
    int code = inspect(arguments->command, &values.source, &position, json, once);
    values_close(&values);
    return code;
}

const cli_command command_inspect = {
    .name = "inspect",
    .summary = "Walk the tree of positions and see why each is worth what it is",
    .operands = "GAME [POSITION]",
    .help = "Shows a position, its value, which child decides it, and its children: the\n"
            "positions after its moves, with their values for the side that moves there, best\n"
            "first for the side that chooses. Then it takes commands: the number of a child or\n"
            "a move goes there; best, back, root, goto POSITION, list, path, show, flip, help,\n"
            "quit. The end of the input ends it.\n",
    .examples = "kanzen inspect dobutsu\n"
                "kanzen inspect dobutsu \"gle/1C1/3/ELG w C 2\" --once\n"
                "echo 'best 10' | kanzen inspect dobutsu\n",
    .run = run,
};
