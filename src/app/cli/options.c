/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *number) {
    return kz_span_number((kz_span){text, strlen(text)}, least, most, number);
}

const cli_option *find_option(const cli_option *options, const char *name, size_t length) {
    for (const cli_option *option = options; option && option->name; option++) {
        if (strlen(option->name) == length && memcmp(option->name, name, length) == 0) {
            return option;
        }
    }
    return NULL;
}

/* Handles the option at items[*at] and moves *at past what it used. */
static bool take_option(const cli_arguments *arguments, const cli_option *options, int *at) {
    const cli_command *command = arguments->command;
    const char *item = arguments->items[(*at)++];
    bool is_long = strncmp(item, "--", 2) == 0;
    const char *name = item + 2;
    size_t length = is_long ? strcspn(name, "=") : 0;
    const cli_option *option = is_long ? find_option(options, name, length) : NULL;
    if (!option) {
        report_usage(command, "unknown option '%.*s' (put -- before an argument that begins with -)",
                     (int)(is_long ? length + 2 : strlen(item)), item);
        return false;
    }
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (option->flag) {
        if (value) {
            report_usage(command, "option --%s takes no value", option->name);
            return false;
        }
        *option->flag = true;
        return true;
    }
    if (!value) {
        if (*at == arguments->count) {
            report_usage(command, "option --%s needs a value", option->name);
            return false;
        }
        value = arguments->items[(*at)++];
    }
    if (option->text) {
        *option->text = value;
        return true;
    }
    if (option->texts) {
        option->texts->items[option->texts->count++] = value;
        return true;
    }
    if (!parse_number(value, option->least, option->most, option->number)) {
        report_usage(command, "option --%s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'", option->name,
                     option->least, option->most, value);
        return false;
    }
    return true;
}

/* "-" stands for a stream, and a number may be negative. */
static bool is_option(const char *item) {
    return item[0] == '-' && item[1] != '\0' && (item[1] < '0' || item[1] > '9');
}

void describe_command(const cli_command *command, cli_description *description) {
    *description = (cli_description){.command = command};
    if (command->run) {
        cli_arguments arguments = {.command = command, .description = description};
        (void)command->run(&arguments);
    }
}

static void describe(cli_description *description, const cli_option *options) {
    for (int i = 0; i < MOST_OPTIONS && options && options[i].name; i++) {
        description->options[i] = options[i];
    }
}

int read_options(cli_arguments *arguments, const cli_option *options, int fewest, int most) {
    if (arguments->description) {
        describe(arguments->description, options);
        return STATUS_USAGE;
    }
    int operands = 0;
    bool options_ended = false;
    for (int at = 0; at < arguments->count;) {
        char *item = arguments->items[at];
        if (options_ended || !is_option(item)) {
            arguments->items[operands++] = item;
            at++;
        } else if (strcmp(item, "--") == 0) {
            options_ended = true;
            at++;
        } else if (!take_option(arguments, options, &at)) {
            return STATUS_USAGE;
        }
    }
    arguments->count = operands;
    if (operands > most) {
        bool position = strstr(arguments->command->operands, "POSITION");
        return report_usage(arguments->command, "unexpected argument '%s'%s", arguments->items[most],
                            position ? "; a position with spaces in it needs quotes" : "");
    }
    if (operands < fewest) {
        return report_usage(arguments->command, "an argument is missing: kanzen %s %s", arguments->command->name,
                            arguments->command->operands);
    }
    return STATUS_FINE;
}

static bool parse_size(const char *text, uint64_t *size) {
    static const char units[] = "KMGT";
    char digits[24];
    size_t length = strlen(text);
    const char *unit = length > 1 ? strchr(units, text[length - 1] & ~0x20) : NULL;
    length -= unit ? 1 : 0;
    if (length >= sizeof digits) {
        return false;
    }
    memcpy(digits, text, length);
    digits[length] = '\0';
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (!parse_number(digits, 1, UINT64_MAX >> shift, size)) {
        return false;
    }
    *size <<= shift;
    return true;
}

int memory_of_option(const cli_command *command, const char *text, uint64_t *size) {
    return !text || parse_size(text, size)
               ? STATUS_FINE
               : report_usage(command, "--memory takes a number of bytes like 800M or 16G, not '%s'", text);
}
