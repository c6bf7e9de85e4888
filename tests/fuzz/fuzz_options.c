/* SPDX-License-Identifier: MIT
 *
 * Words, with 0 bytes or line ends between them, as the arguments of a command. What is wrong with them is told exactly
 * once. */
#include "tests/fuzz/laws.h"

#include "app/cli/options.h"

#include <inttypes.h>
#include <kanzen/values.h>
#include <stdarg.h>

static int reports;

/* In place of the ones that print. */
int report_usage(const cli_command *command, const char *format, ...) {
    char message[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    reports++;
    fuzz_keep(command && message[0] ? NULL : "a message is empty");
    return STATUS_USAGE;
}

int report_error(const cli_command *command, const kz_error *error) {
    (void)command;
    fuzz_keep(error->message[0] ? NULL : "a message is empty");
    return STATUS_IO;
}

enum { MOST_WORDS = 64, LEAST = 3, LARGEST = 4096 };

static int split(char *text, size_t length, char *words[MOST_WORDS]) {
    int count = 0;
    for (size_t at = 0; at < length && count < MOST_WORDS; at++) {
        words[count++] = text + at;
        while (at < length && text[at] != '\n' && text[at] != '\0') {
            at++;
        }
        text[at] = '\0';
    }
    return count;
}

static void try_number(const char *word) {
    uint64_t number = 0;
    if (parse_number(word, 0, UINT64_MAX, &number)) {
        char text[24];
        snprintf(text, sizeof text, "%" PRIu64, number);
        fuzz_keep(strcmp(word + strspn(word, "0"), number ? text : "") == 0 ? NULL : "a number is another one");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const cli_command command = {.name = "fuzz", .summary = "", .operands = "A [B]", .help = ""};
    char *text = fuzz_text(data, size);
    char *words[MOST_WORDS], *given[MOST_WORDS];
    int count = split(text, size, words);
    memcpy(given, words, sizeof given);
    bool flag = false;
    const char *file = NULL;
    const char *items[MOST_WORDS];
    cli_texts texts = {items, 0};
    uint64_t number = 0;
    const cli_option options[] = {
        OPTION_FLAG("json", &flag, ""),
        OPTION_TEXT("table", &file, "FILE", ""),
        OPTION_TEXTS("also", &texts, "TEXT", ""),
        OPTION_NUMBER("threads", &number, LEAST, LARGEST, ""),
        OPTION_END,
    };
    cli_arguments arguments = {.command = &command, .count = count, .items = words};
    reports = 0;
    bool fine = read_options(&arguments, options, 1, 2) == STATUS_FINE;
    fuzz_keep(reports == !fine ? NULL : "what is wrong is told once");
    if (fine) {
        fuzz_keep(arguments.count >= 1 && arguments.count <= 2 ? NULL : "too many or too few arguments");
        fuzz_keep(number == 0 || (number >= LEAST && number <= LARGEST) ? NULL : "a number is out of range");
        /* All that was given is somewhere: an option with its value may be one word or two. */
        int used = arguments.count + texts.count;
        fuzz_keep(used <= count ? NULL : "there is more than was given");
    }
    for (int i = 0; i < count; i++) {
        try_number(given[i]);
        int level = kz_level_find(given[i]);
        fuzz_keep(level < 0 || strcmp(kz_level_name(level), given[i]) == 0 ? NULL : "a level has another name");
    }
    free(text);
    return 0;
}
