/* SPDX-License-Identifier: MIT
 *
 * Bytes as a packet database: a byte with the number of packets, the key of a position to look up, the keys of
 * maximums.dat, and the rest as the packet in which that position is. */
#include "tests/fuzz/files.h"

#include <kanzen/dobutsu.h>
#include <kanzen/dobutsu_files.h>

int LLVMFuzzerInitialize(int *count, char ***arguments);

enum { MOST_PACKETS = 4, KEY = KZ_DOBUTSU_PACKETS_MAXIMUM_BYTES };

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    fuzz_enter_folder();
    if (mkdir("db", 0700) != 0 || mkdir("db/0", 0700) != 0) {
        abort();
    }
    /* All packets have the same entries. */
    for (int i = 1; i < MOST_PACKETS; i++) {
        char name[32];
        snprintf(name, sizeof name, "db/0/%d.dat", i);
        if (symlink("0.dat", name) != 0) {
            abort();
        }
    }
    return 0;
}

static const char *broken_by_probe(const kz_dobutsu_packets *packets, const kz_position *position) {
    const kz_game *game = kz_game_find("dobutsu");
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    kz_value value = {KZ_UNKNOWN, 0};
    kz_move move = 0;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_dobutsu_packets_probe(packets, position, &value, &move, &error);
    fuzz_keep_failure(status, &error);
    if (status == KZ_OK) {
        bool listed = false;
        int count = kz_moves(game, KZ_DOBUTSU_SIMPLIFIED, position, moves);
        for (int i = 0; i < count; i++) {
            listed = listed || moves[i] == move;
        }
        LAW(value.outcome != KZ_UNKNOWN);
        LAW(listed || (move == 0 && count == 0));
        kz_value told = kz_immediate(game, KZ_DOBUTSU_SIMPLIFIED, position);
        LAW(told.outcome == KZ_UNKNOWN || (told.outcome == value.outcome && told.distance == value.distance));
    }
    return NULL;
}

/* The first packet whose largest key is not below, found one by one. */
static const char *broken_by_finding(const kz_dobutsu_packets *packets, const uint8_t *maximums, uint64_t count,
                                     uint64_t key) {
    uint64_t found = KZ_DOBUTSU_PACKETS_NONE;
    for (uint64_t i = count; i-- > 0;) {
        const uint8_t *at = maximums + i * KEY;
        size_t size = KEY;
        found = fuzz_number(&at, &size, KEY) >= key ? i : found;
    }
    LAW(kz_dobutsu_packets_count(packets) == count);
    LAW(kz_dobutsu_packets_find(packets, key) == found);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t count = fuzz_byte(&data, &size) % MOST_PACKETS;
    uint64_t key = fuzz_number(&data, &size, KEY);
    size_t bytes = count * KEY < size ? count * KEY : size;
    const uint8_t *maximums = data;
    fuzz_write_file("db/maximums.dat", maximums, bytes);
    fuzz_write_file("db/0/0.dat", data + bytes, size - bytes);
    kz_dobutsu_packets *packets;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_dobutsu_packets_open("db", &packets, &error);
    fuzz_keep_failure(status, &error);
    if (status == KZ_OK) {
        kz_dobutsu dobutsu;
        kz_position position;
        fuzz_keep(broken_by_finding(packets, maximums, bytes / KEY, key));
        if (kz_dobutsu_from_state40(key, true, &dobutsu, NULL) == KZ_OK) {
            kz_dobutsu_to_position(&dobutsu, &position);
            fuzz_keep(broken_by_probe(packets, &position));
        }
        kz_dobutsu_packets_close(packets);
    }
    return 0;
}
