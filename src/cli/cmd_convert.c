/* SPDX-License-Identifier: MIT */
#include "common.h"
#include "convert_files.h"
#include "positions.h"

#include <stdio.h>
#include <string.h>

struct conversion {
    const kz_game *game;
    int notation;
    bool json;
};

static kz_status convert_position(void *context, const kz_position *position, const char *input, size_t length,
                                  kz_error *error) {
    const struct conversion *conversion = context;
    char text[KZ_TEXT_BYTES];
    kz_status status = kz_format(conversion->game, position, conversion->notation, text, sizeof text, error);
    if (status != KZ_OK) {
        return status;
    }
    if (conversion->json) {
        struct json json = json_start(stdout);
        json_object(&json, NULL);
        json_text_of_length(&json, "input", input, length);
        json_text(&json, "form", kz_notation_name(conversion->game, conversion->notation));
        json_text(&json, "position", text);
        json_end_object(&json);
        json_finish(&json);
    } else {
        puts(text);
    }
    return KZ_OK;
}

/* The number of the notation, or -1 after telling the user which there are. */
static int choose_form(const struct command *command, const kz_game *game, const char *name) {
    int notation = name != NULL ? kz_notation_find(game, name) : -1;
    if (notation >= 0) {
        return notation;
    }
    char list[LIST_BYTES];
    list_names(game, kz_notation_name, list);
    if (name == NULL) {
        report_usage(command, "to which form? Say --to with one of: %s", list);
    } else {
        report_usage(command, "%s has no form '%s'; it has: %s", kz_game_name(game), name, list);
    }
    return -1;
}

static int convert_positions(struct arguments *arguments, const char *form, const struct rules_option *asked,
                             bool json) {
    struct conversion conversion = {.json = json};
    conversion.game = choose_game(arguments->command, arguments->items[0]);
    if (conversion.game == NULL) {
        return STATUS_USAGE;
    }
    conversion.notation = choose_form(arguments->command, conversion.game, form);
    if (conversion.notation < 0) {
        return STATUS_USAGE;
    }
    int rules = choose_rules(arguments->command, conversion.game, asked);
    if (rules < 0) {
        return STATUS_USAGE;
    }
    return for_each_position(arguments, 1, conversion.game, rules, convert_position, &conversion);
}

/* The operands of kanzen convert shogi. */
static int convert_shogi(const struct arguments *arguments, const struct convert_files *files,
                         const struct rules_option *rules) {
    if (rules->rules != NULL || rules->board != NULL) {
        return report_usage(arguments->command, "shogi has no --rules and no --board");
    }
    if (arguments->count != 3) {
        return report_usage(arguments->command, "shogi wants two files, IN and OUT (- is a stream)");
    }
    return convert_files(arguments->command, files, arguments->items[1], arguments->items[2]);
}

enum { CHECKPOINT_SECONDS = 5 };

/* Whether an option was given that has a meaning for files only. */
static bool is_for_files(const struct convert_files *files) {
    return files->from != NULL || files->dialect != NULL || files->to_dialect != NULL || files->first != 0 ||
           files->count != 0 || files->threads != 0 || files->checkpoint != CHECKPOINT_SECONDS || files->skip_bad ||
           files->stop || files->no_box || files->legal || files->resume || files->force || files->quiet;
}

static int run(struct arguments *arguments) {
    struct rules_option rules = {NULL, NULL};
    struct convert_files files = {.checkpoint = CHECKPOINT_SECONDS};
    const struct option options[] = {
        OPTION_TEXT("to", &files.to),
        OPTION_RULES(&rules),
        OPTION_TEXT("from", &files.from),
        OPTION_TEXT("dialect", &files.dialect),
        OPTION_TEXT("to-dialect", &files.to_dialect),
        OPTION_NUMBER("first", &files.first, 0, UINT64_MAX),
        OPTION_NUMBER("count", &files.count, 1, UINT64_MAX),
        OPTION_FLAG("skip-bad", &files.skip_bad),
        OPTION_FLAG("stop", &files.stop),
        OPTION_FLAG("no-box", &files.no_box),
        OPTION_FLAG("legal", &files.legal),
        OPTION_FLAG("resume", &files.resume),
        OPTION_NUMBER("checkpoint", &files.checkpoint, 0, 86400),
        OPTION_FLAG("force", &files.force),
        OPTION_NUMBER("threads", &files.threads, 1, MOST_THREADS),
        OPTION_FLAG("quiet", &files.quiet),
        OPTION_FLAG("json", &files.json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, MANY_OPERANDS)) {
        return STATUS_USAGE;
    }
    if (strcmp(arguments->items[0], "shogi") == 0) {
        return convert_shogi(arguments, &files, &rules);
    }
    if (is_for_files(&files)) {
        return report_usage(arguments->command, "positions of %s take no options beside --to, --rules and --json",
                            arguments->items[0]);
    }
    return convert_positions(arguments, files.to, &rules, files.json);
}

const struct command command_convert = {
    .name = "convert",
    .summary = "Write positions in another notation, or files of shogi in another format",
    .usage = "GAME --to FORM [POSITION...] [--rules|--board NAME] [--json]\n"
             "            | shogi IN OUT [--from RECORDS] [--to RECORDS] [--dialect NAME]\n"
             "            [--to-dialect NAME] [--first N] [--count N] [--skip-bad|--stop] [--no-box]\n"
             "            [--legal] [--resume] [--checkpoint SECONDS] [--force] [--threads N] [--quiet] [--json]",
    .help = "Prints each position in the notation FORM, one a line (a diagram takes several).\n"
            "Positions are read in any notation; which one a text is in is found out. They are\n"
            "arguments, or else lines of standard input. What can't be read, or can't be\n"
            "written in that notation, is reported with its place, and the rest goes on; the\n"
            "exit code is 2 then. kanzen help lists the forms of each game.\n"
            "\n"
            "For shogi it reads the records of the file IN and writes them to the file OUT in\n"
            "another form, in their order; - is standard input or output. RECORDS are\n"
            "\n"
            "  sspf, sspfx, sspfc, psfen, hcp   a position in 32 bytes\n"
            "  psv, sspv, hcpe, hcpe2           a position in 38 or 40 bytes with score, move\n"
            "                                   and result (psv, sspv: and ply)\n"
            "  sfen, plain                      text\n"
            "  hcpe3, csa, kif                  games; these can be read only\n"
            "\n"
            "Without --from and --to the endings of the files' names tell. What OUT can't hold,\n"
            "and what it holds and IN has not, is said at the end on standard error. The first\n"
            "bad record ends the run with exit code 4, and no OUT; with --skip-bad bad records\n"
            "are left out and reported, and the exit code is 1 if there was any.\n"
            "\n"
            "A run from file to file that is interrupted leaves OUT.part and OUT.part.state;\n"
            "the same command with --resume goes on from there and ends in the same bytes.\n"
            "\n" HELP_OPTIONS "  --to FORM        the notation to write; for shogi, the records\n" HELP_RULES
            "  --from RECORDS   what IN has\n"
            "  --dialect NAME   of moves in IN: yaneuraou, drops82 or apery (default: apery for\n"
            "                   hcpe and hcpe2, else yaneuraou)\n"
            "  --to-dialect NAME  the same for OUT\n"
            "  --first N        pass over the first N records\n"
            "  --count N        convert N records at most\n"
            "  --skip-bad       leave out bad records\n"
            "  --stop           end at the first bad record (default)\n"
            "  --no-box         psfen, psv, hcp, hcpe: handicaps may lack the codes of the\n"
            "                   removed pieces, as in records of before 2024\n"
            "  --legal          positions that are not legal are bad, too\n"
            "  --resume         go on with a run that was interrupted, if there is one\n"
            "  --checkpoint N   save what that needs every N seconds (default: 5)\n"
            "  --force          replace an OUT that is there already\n" HELP_THREADS HELP_QUIET
            "  --json           print JSON; for positions, one object a line\n"
            "\n"
            "Examples:\n"
            "  kanzen convert dobutsu --to state40 startpos\n"
            "  kanzen convert dobutsu --to sfen < positions.txt\n"
            "  kanzen convert shogi games.csa games.psv\n"
            "  kanzen convert shogi --from psv --to hcpe train.bin train.hcpe\n"
            "  zstd -dc train.psv.zst | kanzen convert shogi --from psv --to sspv - - > train.sspv\n",
    .run = run,
};
