/* SPDX-License-Identifier: MIT
 *
 * kanzen-probe.exe TABLE [POSITION...]: the value of positions, from a table, on Windows. An example of how a program
 * uses the part of the library that is built there (tools/windows): the caller reads the file. */
#include <kanzen/table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t *get(void *user, uint64_t offset, size_t size) {
    (void)size;
    return (const uint8_t *)user + offset;
}

static uint8_t *read_file(const char *path, uint64_t *size) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    if (file && _fseeki64(file, 0, SEEK_END) == 0) {
        *size = (uint64_t)_ftelli64(file);
        bytes = malloc((size_t)*size + 1);
        rewind(file);
        if (bytes && fread(bytes, 1, (size_t)*size, file) != (size_t)*size) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

static int probe(const kz_table *table, const char *text) {
    const kz_game *game = kz_table_game(table);
    kz_position position;
    kz_value value;
    kz_error error;
    if (kz_parse(game, kz_table_rules(table), text, strlen(text), &position, &error) != KZ_OK ||
        kz_probe(table, &position, &value, &error) != KZ_OK) {
        fprintf(stderr, "%s: %s\n", text, error.message);
        return 2;
    }
    if (value.outcome == KZ_WIN || value.outcome == KZ_LOSS) {
        printf("%s\t%s %d\n", text, kz_outcome_name(value.outcome), kz_distance_shown(game, value));
    } else {
        printf("%s\t%s\n", text, kz_outcome_name(value.outcome));
    }
    return 0;
}

int main(int count, char **arguments) {
    kz_byte_source source = {.get = get};
    kz_table *table;
    kz_error error;
    int code = 0;
    if (count < 2) {
        fprintf(stderr, "usage: kanzen-probe TABLE [POSITION...]\n");
        return 2;
    }
    uint8_t *bytes = read_file(arguments[1], &source.size);
    if (!bytes) {
        fprintf(stderr, "can't read %s\n", arguments[1]);
        return 3;
    }
    source.user = bytes;
    if (kz_table_open_bytes(arguments[1], &source, &table, &error) != KZ_OK) {
        fprintf(stderr, "%s\n", error.message);
        free(bytes);
        return 4;
    }
    for (int i = 2; i < count || (i == 2 && count == 2); i++) {
        int one = probe(table, count > 2 ? arguments[i] : "startpos");
        code = one > code ? one : code;
    }
    kz_table_close(table);
    free(bytes);
    return code;
}
