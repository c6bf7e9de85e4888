/* SPDX-License-Identifier: MIT */
#include "tests/support/packets_undecided.h"

#include "tests/support/forge.h"

#include "games/dobutsu/index/index.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PACKET_BYTES = 8000 };

static kz_packet_source *source;
/* With nothing in it that differs, it has the true values; `analyzer` has what the analyzer makes of them. */
static work truth, analyzer;

void packets_whole_begin(kz_packet_source *opened) {
    source = opened;
    truth = (work){.retro = source->retro, .reach = source->reach};
    analyzer = truth;
    collect(&analyzer);
    decide(&analyzer);
}

/* ---- The independent computation --------------------------------------------------------------------------------- */

static int true_score_of(const kz_dobutsu *position) { return true_score(&truth, position); }

static bool is_parent(uint64_t key, kz_dobutsu *position) {
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    uint64_t index;
    /* Most numbers are none because a lion is in column 3. */
    return (key & 3) != 3 && (key >> 4 & 3) != 3 && kz_dobutsu_from_state40(key, true, position, NULL) == KZ_OK &&
           kz_dobutsu_rank_all(position, &index) && index < KZ_DOBUTSU_DECIDED_END &&
           kz_dobutsu_reach_has(source->reach, index) && kz_dobutsu_moves(RULES, position, moves) > 0;
}

static uint64_t load(const uint8_t *bytes, int count) {
    uint64_t number = 0;
    for (int i = count; i-- > 0;) {
        number = number << 8 | bytes[i];
    }
    return number;
}

static uint64_t maximum(uint64_t packet) { return load(source->maximums + packet * 5, 5); }

static uint64_t packet_of(uint64_t key) {
    uint64_t packet = 0;
    for (uint64_t step = UINT64_C(1) << 20; step; step /= 2) {
        packet += packet + step < source->packets && maximum(packet + step - 1) < key ? step : 0;
    }
    return packet;
}

static void check_packet(uint64_t packet, const work *expected) {
    static uint8_t bytes[PACKET_BYTES];
    kz_error error;
    assert_int_equal(kz_packet_source_fill(source, packet, 1, 0, 1, bytes, &error), KZ_OK);
    unsigned size = kz_packet_source_size(source, packet);
    unsigned found = 0;
    for (uint64_t key = packet ? maximum(packet - 1) + 1 : 0; key <= maximum(packet); key++) {
        kz_dobutsu parent;
        if (!is_parent(key, &parent)) {
            continue;
        }
        assert_true(found < size);
        if (load(bytes + found, 8) != entry_of(expected, key)) {
            fail_msg("packet %llu, parent %llx: %llx, and not %llx", (unsigned long long)packet,
                     (unsigned long long)key, (unsigned long long)load(bytes + found, 8),
                     (unsigned long long)entry_of(expected, key));
        }
        found += 8;
    }
    assert_int_equal(found, size);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

void test_packets_counts(void **state) {
    (void)state;
    assert_int_equal(source->before[KZ_PACKET_PARTS], KZ_DOBUTSU_PACKETS_POSITIONS);
    assert_int_equal(source->packets, KZ_DOBUTSU_PACKETS_COUNT);
    assert_int_equal(source->packets, 1098349);
    assert_int_equal(source->maximums_size, 5491745);
    assert_int_equal(kz_packet_source_size(source, 0), 8000);
    assert_int_equal(kz_packet_source_size(source, 1098348), 1640);
    for (uint64_t packet = 1; packet < source->packets; packet++) {
        assert_true(maximum(packet - 1) < maximum(packet));
    }
}

void test_packets_entries(void **state) {
    (void)state;
    /* The start, what follows it, a capture of the lion, a Try that stands; the first packet and the last. */
    static const uint64_t keys[] = {0x2b20785c1d, 0x2b20785c1a, 0xabe0785c1d, 0x2b20785c48, 0x2b207b9f12};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        check_packet(packet_of(keys[i]), &analyzer);
    }
    check_packet(0, &analyzer);
    check_packet(source->packets - 1, &analyzer);
    for (uint64_t packet = 12345; packet < source->packets; packet += 151817) {
        check_packet(packet, &analyzer);
    }
}

static void check_entry(uint64_t parent, uint64_t expected) {
    static uint8_t bytes[PACKET_BYTES];
    uint64_t packet = packet_of(parent);
    assert_int_equal(kz_packet_source_fill(source, packet, 1, 0, 1, bytes, NULL), KZ_OK);
    unsigned place = 0;
    kz_dobutsu position;
    for (uint64_t key = packet ? maximum(packet - 1) + 1 : 0; key < parent; key++) {
        place += is_parent(key, &position) ? 8 : 0;
    }
    assert_int_equal(load(bytes + place, 8), expected);
}

/* An entry that the analyzer's own program wrote: the lion is taken. */
void test_packets_worked_example(void **state) {
    (void)state;
    static const uint8_t entry[] = {0xf6, 0x5c, 0x78, 0x20, 0x2b, 0x37, 0x01, 0x00};
    check_entry(0x2b20785c48, load(entry, 8));
}

/* Two won positions stay undecided in the analyzer, and ten more that rest on them: 12 in all. Ten entries are others
 * than they ought to be. */
void test_packets_undecided(void **state) {
    (void)state;
    unsigned differing_entries = 0;
    assert_int_equal(analyzer.count, 12);
    for (size_t i = 0; i < analyzer.count; i++) {
        uint64_t parents[KZ_MAX_PREDECESSORS + 1];
        int count = parents_of(&analyzer, analyzer.found[i].key, parents);
        assert_int_equal(analyzer.found[i].score, 0);
        parents[count++] = analyzer.found[i].key;
        for (int k = 0; k < count; k++) {
            /* A draw before one of them would have other statistics in the entries before it; but there is none. */
            kz_dobutsu parent;
            assert_int_equal(kz_dobutsu_from_state40(parents[k], true, &parent, NULL), KZ_OK);
            assert_int_not_equal(true_score_of(&parent), 0);
        }
        uint64_t key = analyzer.found[i].key;
        if (entry_of(&truth, key) == entry_of(&analyzer, key)) {
            assert_true(i < NEVER_DECIDED);
            continue;
        }
        differing_entries++;
        check_entry(key, entry_of(&analyzer, key));
        source->fix = true;
        check_entry(key, entry_of(&truth, key));
        source->fix = false;
    }
    assert_int_equal(differing_entries, 10);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static kz_dobutsu_packets_summary export_range(const char *path, uint64_t first, uint64_t last, bool tar,
                                               bool replace) {
    kz_error error = {.message = ""};
    kz_dobutsu_packets_summary summary;
    kz_dobutsu_packets_options options = {.first = first, .count = last - first + 1, .tar = tar, .replace = replace};
    must(kz_packet_write_with(source, path, &options, &summary, &error), &error);
    return summary;
}

void test_packets_folder(void **state) {
    (void)state;
    kz_dobutsu_packets_summary summary = export_range("whole", 1995, 2010, false, false);
    assert_int_equal(summary.packets, 16);
    assert_int_equal(summary.bytes, 16 * 8000 + 5491745);
    /* The same in two parts that overlap, and after losing one. */
    export_range("parts", 2003, 2010, false, false);
    summary = export_range("parts", 1995, 2004, false, false);
    assert_int_equal(summary.packets, 8);
    assert_int_equal(summary.kept, 2);
    assert_int_equal(unlink("parts/2/7.dat"), 0);
    summary = export_range("parts", 1995, 2010, false, false);
    assert_int_equal(summary.packets, 1);
    assert_int_equal(summary.kept, 15);
    assert_true(same_contents("whole/maximums.dat", "parts/maximums.dat"));
    for (int packet = 1995; packet <= 2010; packet++) {
        char names[2][64];
        snprintf(names[0], sizeof names[0], "whole/%d/%d.dat", packet / 1000, packet % 1000);
        snprintf(names[1], sizeof names[1], "parts/%d/%d.dat", packet / 1000, packet % 1000);
        assert_true(same_contents(names[0], names[1]));
    }
    /* What is not a packet is not taken for one, and replaced only on demand. */
    assert_int_equal(truncate("parts/2/3.dat", 7992), 0);
    kz_error error;
    kz_dobutsu_packets_options options = {.first = 1995, .count = 16};
    assert_int_equal(kz_packet_write_with(source, "parts", &options, NULL, &error), KZ_ERR_IO);
    export_range("parts", 1995, 2010, false, true);
    assert_true(same_contents("whole/2/3.dat", "parts/2/3.dat"));
}

static bool stop_at_once(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    (void)stage;
    return total == 0 || done < total / 2;
}

void test_packets_archive(void **state) {
    (void)state;
    kz_dobutsu_packets_summary summary = export_range("whole.tar", 1995, 2010, true, false);
    struct stat found;
    assert_int_equal(stat("whole.tar", &found), 0);
    assert_int_equal(summary.bytes, found.st_size);
    assert_int_equal(system("mkdir whole-tar && tar -xf whole.tar -C whole-tar && diff -r whole whole-tar"), 0);
    /* An export that was interrupted goes on: from a part that ends in the middle of a packet. */
    assert_int_equal(system("head -c 5600000 whole.tar > part.tar.part"), 0);
    summary = export_range("part.tar", 1995, 2010, true, false);
    assert_true(summary.kept > 0 && summary.kept < 16);
    assert_int_equal(summary.kept + summary.packets, 16);
    assert_true(same_contents("whole.tar", "part.tar"));
    /* But not from the part of another one. */
    assert_int_equal(system("head -c 5600000 whole.tar > other.tar.part"), 0);
    kz_error error;
    kz_dobutsu_packets_options options = {.first = 3000, .count = 51, .tar = true};
    assert_int_equal(kz_packet_write_with(source, "other.tar", &options, NULL, &error), KZ_ERR_IO);
    /* Cancelled: nothing has the name yet. */
    kz_progress progress = {.report = stop_at_once};
    const kz_progress *listener = source->progress;
    source->progress = &progress;
    options = (kz_dobutsu_packets_options){.first = 5000, .count = 9000, .tar = true};
    assert_int_equal(kz_packet_write_with(source, "stopped.tar", &options, NULL, &error), KZ_ERR_CANCELLED);
    source->progress = listener;
    assert_int_not_equal(access("stopped.tar", F_OK), 0);
    assert_int_equal(access("stopped.tar.part", F_OK), 0);
    assert_int_equal(unlink("stopped.tar.part"), 0);
}

static kz_status export_fix(const char *path, uint64_t first, bool fix, bool tar, bool replace, const char *complaint) {
    kz_error error = {.message = ""};
    kz_dobutsu_packets_options options = {.first = first, .count = 3, .fix = fix, .tar = tar, .replace = replace};
    kz_status status = kz_packet_write_with(source, path, &options, NULL, &error);
    if (!strstr(error.message, complaint)) {
        fail_msg("%s", error.message);
    }
    source->fix = false;
    return status;
}

/* What was begun without --fix is not continued with it, nor the other way round, where it makes a difference. */
void test_packets_fix(void **state) {
    (void)state;
    uint64_t disputed[KZ_PACKET_DISPUTED];
    int count = kz_packet_source_disputed(source, disputed);
    uint64_t packet = packet_of(0x20a5358f86);
    bool found = false;
    for (int i = 0; i < count; i++) {
        found = found || disputed[i] == packet;
    }
    assert_true(found);
    char name[64];
    snprintf(name, sizeof name, "fix/%d/%d.dat", (int)((packet + 3) / 1000), (int)((packet + 3) % 1000));
    assert_int_equal(export_fix("fix", packet, false, false, false, ""), KZ_OK);
    assert_int_equal(export_fix("fix", packet, true, false, false, "was written without --fix"), KZ_ERR_IO);
    assert_int_equal(export_fix("fix", packet + 1, true, false, false, "was written without --fix"), KZ_ERR_IO);
    assert_int_equal(export_fix("fix", packet + 1, true, false, true, "was written without --fix"), KZ_ERR_IO);
    assert_int_not_equal(access(name, F_OK), 0);
    assert_int_equal(export_fix("fix", packet, true, false, true, ""), KZ_OK);
    assert_int_equal(export_fix("fix", packet + 1, false, false, false, "was written with --fix"), KZ_ERR_IO);
    assert_int_equal(export_fix("fix", packet + 1, true, false, false, ""), KZ_OK);
    assert_int_equal(access(name, F_OK), 0);
    /* Packets that are the same in any case don't tell, and need not. */
    assert_int_equal(export_fix("plain", packet + 1, false, false, false, ""), KZ_OK);
    assert_int_equal(export_fix("plain", packet + 2, true, false, false, ""), KZ_OK);
    /* An archive: maximums.dat, a folder and the packet in question, but not all. */
    assert_int_equal(export_fix("fix.tar", packet, true, true, false, ""), KZ_OK);
    assert_int_equal(system("head -c -9000 fix.tar > again.tar.part"), 0);
    assert_int_equal(export_fix("again.tar", packet, false, true, false, "was written with --fix"), KZ_ERR_IO);
    assert_int_equal(export_fix("again.tar", packet, true, true, false, ""), KZ_OK);
    assert_true(same_contents("fix.tar", "again.tar"));
}

void test_packets_reading(void **state) {
    (void)state;
    kz_dobutsu_packets *packets;
    kz_error error = {.message = ""};
    uint64_t packet = packet_of(0x2b20785c1d);
    export_range("start", packet, packet, false, false);
    assert_int_equal(kz_dobutsu_packets_open("start", &packets, &error), KZ_OK);
    assert_int_equal(kz_dobutsu_packets_count(packets), KZ_DOBUTSU_PACKETS_COUNT);
    unsigned found = 0;
    unsigned asked = 0;
    for (uint64_t key = maximum(packet - 1) + 1; key <= maximum(packet); key++) {
        kz_dobutsu dobutsu;
        uint64_t index;
        if (kz_dobutsu_from_state40(key, true, &dobutsu, NULL) != KZ_OK || !kz_dobutsu_rank_all(&dobutsu, &index) ||
            index >= KZ_DOBUTSU_DECIDED_END || asked++ % 7 != 0) {
            continue;
        }
        kz_position position;
        kz_value value;
        kz_move move;
        kz_dobutsu_to_position(&dobutsu, &position);
        kz_status status = kz_dobutsu_packets_probe(packets, &position, &value, &move, &error);
        if (kz_dobutsu_reach_has(source->reach, index)) {
            kz_dobutsu child = dobutsu;
            assert_int_equal(status, KZ_OK);
            assert_int_equal(kz_dobutsu_outcome_of(value), true_score_of(&dobutsu));
            kz_dobutsu_play(&child, move);
            assert_int_equal(kz_dobutsu_to_state40(&child), entry_of(&truth, key) & 0xffffffffff);
            found++;
        } else {
            assert_int_equal(status, KZ_ERR_INPUT);
        }
    }
    assert_true(found > 100);
    kz_dobutsu_packets_close(packets);
}
