/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE_COLUMNS = 80,
    OPTION_COLUMNS = 19,
    USAGE_INDENT = 12,
    MAN_COLUMNS = 74,
    PIECE_BYTES = 128,
    LINE_BYTES = 512
};

/* ---- Text for the terminal --------------------------------------------------------------------------------------- */

/* Prints words with line breaks; `indent` is that of the lines after the first. */
typedef struct line_wrapper {
    int column;
    int indent;
} line_wrapper;

static void print_piece(line_wrapper *wrapper, const char *piece, int length) {
    bool fits = wrapper->column + 1 + length <= LINE_COLUMNS;
    if (wrapper->column == wrapper->indent) {
        wrapper->column += printf("%.*s", length, piece);
    } else if (fits) {
        wrapper->column += printf(" %.*s", length, piece);
    } else {
        printf("\n%*s%.*s", wrapper->indent, "", length, piece);
        wrapper->column = wrapper->indent + length;
    }
}

static void print_wrapped(line_wrapper *wrapper, const char *text) {
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        print_piece(wrapper, text, length);
        text += length;
        text += *text == ' ';
    }
}

/* "[--rules|--board NAME]": the option and its other names, which follow it in the table. */
static void format_option(const cli_option *option, char piece[PIECE_BYTES]) {
    int used = snprintf(piece, PIECE_BYTES, "%s--%s", option->required ? "" : "[", option->name);
    for (const cli_option *other = option + 1; other->name && other->alias; other++) {
        used += snprintf(piece + used, (size_t)(PIECE_BYTES - used), "|--%s", other->name);
    }
    snprintf(piece + used, (size_t)(PIECE_BYTES - used), "%s%s%s%s", option->value ? " " : "",
             option->value ? option->value : "", option->required ? "" : "]", option->repeats ? "..." : "");
}

static bool is_shown(const cli_option *option) { return !option->old; }

static void print_usage(line_wrapper *wrapper, const cli_description *description) {
    const cli_command *command = description->command;
    print_wrapped(wrapper, "kanzen");
    print_wrapped(wrapper, command->name);
    print_wrapped(wrapper, command->run ? command->operands : "COMMAND");
    for (const cli_option *option = description->options; option->name; option++) {
        if (is_shown(option) && !option->alias) {
            char piece[PIECE_BYTES];
            format_option(option, piece);
            print_piece(wrapper, piece, (int)strlen(piece));
        }
    }
}

static void print_option(const cli_option *option) {
    line_wrapper wrapper = {.indent = OPTION_COLUMNS};
    wrapper.column = printf("  --%s%s%s", option->name, option->value ? " " : "", option->value ? option->value : "");
    if (wrapper.column < OPTION_COLUMNS) {
        wrapper.column += printf("%*s", OPTION_COLUMNS - wrapper.column, "");
    } else {
        wrapper.column += printf(" ");
    }
    print_wrapped(&wrapper, option->help);
    printf("\n");
}

/* Copies a line of an example or a paragraph; returns the rest. */
static const char *next_line(const char *text, const char **line, int *length) {
    *line = text;
    *length = (int)strcspn(text, "\n");
    text += *length;
    return *text == '\n' ? text + 1 : text;
}

/* Paragraphs are wrapped. Lines that begin with a space are parts of lists: they stay as they are, as long as they
 * fit. */
static void print_prose(const char *text) {
    line_wrapper wrapper = {.column = 0, .indent = 0};
    while (*text != '\0') {
        const char *line;
        int length;
        char copy[LINE_BYTES];
        text = next_line(text, &line, &length);
        snprintf(copy, sizeof copy, "%.*s", length, line);
        bool listed = length == 0 || copy[0] == ' ';
        if (listed && wrapper.column > 0) {
            printf("\n");
        }
        if (!listed) {
            print_wrapped(&wrapper, copy);
            continue;
        }
        wrapper.column = 0;
        if (length <= LINE_COLUMNS) {
            printf("%s\n", copy);
        } else {
            int indent = (int)strspn(copy, " ");
            line_wrapper item = {.column = indent, .indent = indent};
            printf("%*s", indent, "");
            print_wrapped(&item, copy + indent);
            printf("\n");
        }
    }
    if (wrapper.column > 0) {
        printf("\n");
    }
}

static void print_members(const cli_command *group) {
    enum { MEMBER_COLUMNS = 23 };
    const char *heading = "\nCommands:\n";
    for (int i = 0; command_at(i); i++) {
        if (name_in_group(command_at(i), group)) {
            line_wrapper wrapper = {.column = MEMBER_COLUMNS, .indent = MEMBER_COLUMNS};
            printf("%s  %-20s ", heading, command_at(i)->name);
            print_wrapped(&wrapper, command_at(i)->summary);
            printf("\n");
            heading = "";
        }
    }
}

void print_help(const cli_command *command) {
    cli_description description;
    describe_command(command, &description);
    printf("Usage: ");
    line_wrapper wrapper = {.column = USAGE_INDENT, .indent = USAGE_INDENT};
    print_usage(&wrapper, &description);
    printf("\n\n%s.\n", command->summary);
    if (command->help[0] != '\0') {
        printf("\n");
        print_prose(command->help);
        for (int i = 0; command->more_help && command->more_help(i); i++) {
            print_prose(command->more_help(i));
        }
    }
    const char *heading = "\nOptions:\n";
    for (const cli_option *option = description.options; option->name; option++) {
        if (is_shown(option)) {
            printf("%s", heading);
            heading = "";
            print_option(option);
        }
    }
    print_members(command);
    if (command->examples) {
        printf("\nExamples:\n");
        for (const char *text = command->examples; *text != '\0';) {
            const char *line;
            int length;
            text = next_line(text, &line, &length);
            printf("  %.*s\n", length, line);
        }
    }
}

/* ---- The man page ------------------------------------------------------------------------------------------------ */

static void print_lower(const char *text, int length) {
    for (int i = 0; i < length; i++) {
        putchar(tolower((unsigned char)text[i]));
    }
}

/* What troff would change or obey is escaped. */
static void print_man_word(const char *text, int length) {
    for (int i = 0; i < length; i++) {
        if (text[i] == '\\') {
            printf("\\e");
        } else if (text[i] == '-' && ((i + 1 < length && text[i + 1] == '-') || (i > 0 && text[i - 1] == '-'))) {
            printf("\\-");
        } else {
            putchar(text[i]);
        }
    }
}

/* "Fl \-table Ar file"; with all its names, or only its own. */
static void print_man_option(const cli_option *option, bool aliases) {
    printf("Fl \\-%s", option->name);
    for (const cli_option *other = option + 1; aliases && other->name && other->alias; other++) {
        printf(" Ns | Ns Fl \\-%s", other->name);
    }
    if (option->value) {
        printf(" Ar ");
        print_lower(option->value, (int)strlen(option->value));
    }
    if (option->repeats) {
        printf(" ...");
    }
    printf("\n");
}

static void print_man_operands(const char *operands) {
    for (const char *next = operands; *next != '\0';) {
        int length = (int)strcspn(next, " ");
        bool optional = next[0] == '[';
        const char *name = next + optional;
        int bytes = length - 2 * optional;
        bool repeats = bytes > 3 && memcmp(name + bytes - 3, "...", 3) == 0;
        printf(optional ? ".Op Ar " : ".Ar ");
        print_lower(name, bytes - 3 * repeats);
        printf(repeats ? " ...\n" : "\n");
        next += length + (next[length] == ' ');
    }
}

/* A paragraph: as mdoc wants it, every sentence begins a line, and lines are short. Returns what comes after it. */
static const char *print_man_paragraph(const char *text) {
    int column = 0;
    bool ended = false; /* a sentence, with the word before */
    while (*text != '\0' && *text != '\n') {
        int length = (int)strcspn(text, " \n");
        if (column > 0) {
            bool breaks = ended || column + 1 + length > MAN_COLUMNS;
            printf(breaks ? "\n" : " ");
            column = breaks ? 0 : column + 1;
        }
        if (column == 0 && (text[0] == '.' || text[0] == '\'')) {
            printf("\\&");
        }
        print_man_word(text, length);
        column += length;
        ended = length > 0 && strchr(".?!", text[length - 1]);
        text += length + (text[length] != '\0');
    }
    printf("\n");
    return text;
}

/* Lines that begin with spaces are kept as they are. Returns what comes after them. */
static const char *print_man_literal(const char *text) {
    printf(".Bd -literal -offset indent\n");
    while (text[0] == ' ') {
        int length = (int)strcspn(text, "\n");
        print_man_word(text + 2, length - 2);
        printf("\n");
        text += length + (text[length] == '\n');
    }
    printf(".Ed\n");
    return text;
}

static void print_man_paragraphs(const char *text) {
    while (*text != '\0') {
        if (*text == '\n') {
            text++;
        } else if (*text == ' ') {
            text = print_man_literal(text);
        } else {
            printf(".Pp\n");
            text = print_man_paragraph(text);
        }
    }
}

void print_help_man(const cli_command *command) {
    cli_description description;
    describe_command(command, &description);
    if (!command->run) {
        return;
    }
    printf(".Ss kanzen %s\n.Bd -ragged -offset indent\n.Nm\n.Cm %s\n", command->name, command->name);
    print_man_operands(command->operands);
    int shown = 0;
    for (const cli_option *option = description.options; option->name; option++) {
        shown += is_shown(option);
        if (is_shown(option) && !option->alias) {
            printf(option->required ? "." : ".Op ");
            print_man_option(option, true);
        }
    }
    printf(".Ed\n.Pp\n%s.\n", command->summary);
    print_man_paragraphs(command->help);
    for (int i = 0; command->more_help && command->more_help(i); i++) {
        print_man_paragraphs(command->more_help(i));
    }
    if (shown > 0) {
        printf(".Bl -tag -width Ds\n");
        for (const cli_option *option = description.options; option->name; option++) {
            if (is_shown(option)) {
                printf(".It ");
                print_man_option(option, false);
                (void)print_man_paragraph(option->help);
            }
        }
        printf(".El\n");
    }
    if (command->examples) {
        printf(".Pp\nExamples:\n.Bd -literal -offset indent\n");
        for (const char *text = command->examples; *text != '\0';) {
            const char *line;
            int length;
            text = next_line(text, &line, &length);
            print_man_word(line, length);
            printf("\n");
        }
        printf(".Ed\n");
    }
}

/* ---- Markdown ---------------------------------------------------------------------------------------------------- */

/* In a table a bar ends the cell, and <angle brackets> would be a tag. */
static void print_cell(const char *text) {
    for (; *text != '\0'; text++) {
        printf(*text == '|' ? "\\|" : *text == '<' ? "&lt;" : "%c", *text);
    }
}

void print_help_markdown(const cli_command *command) {
    cli_description description;
    describe_command(command, &description);
    if (!command->run) {
        return;
    }
    printf("<!-- usage: %s -->\n    ", command->name);
    line_wrapper wrapper = {.column = 8, .indent = 8};
    print_usage(&wrapper, &description);
    printf("\n");
    const char *heading = "\n| option | |\n|---|---|\n";
    for (const cli_option *option = description.options; option->name; option++) {
        if (is_shown(option)) {
            printf("%s| `--%s%s", heading, option->name, option->value ? " " : "");
            print_cell(option->value ? option->value : "");
            printf("` | ");
            print_cell(option->help);
            printf(" |\n");
            heading = "";
        }
    }
    printf("<!-- end -->\n");
}
