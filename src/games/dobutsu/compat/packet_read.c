/* SPDX-License-Identifier: MIT
 *
 * Reading a packet database. An entry does not say whose it is: only the order of the keys tells. But its child says
 * from which positions it can have come. An entry belongs to one of these; the next one's owner has a larger key, and
 * all keys of a packet are above the last one of the packet before and not above its own. That pins nearly all entries
 * down, and it is a check that hardly any damage passes. */
#include "base/error.h"
#include "base/file.h"
#include "games/dobutsu/rules/definition.h"
#include "games/dobutsu/rules/rules.h"

#include <inttypes.h>
#include <kanzen/dobutsu_files.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct kz_dobutsu_packets {
    char *path;
    kz_dobutsu_packets_files files;
    uint8_t *maximums;
    uint64_t count;
};

enum {
    PACKET_BYTES = KZ_DOBUTSU_PACKETS_ENTRIES * KZ_DOBUTSU_PACKETS_ENTRY_BYTES,
    MAXIMUMS_BYTES = KZ_DOBUTSU_PACKETS_COUNT * KZ_DOBUTSU_PACKETS_MAXIMUM_BYTES,
    MOST_OUTCOME = 201,
    NAME_BYTES = 64
};

/* ---- Files of a folder ------------------------------------------------------------------------------------------- */

static kz_status get_from_folder(void *user, const char *name, uint8_t *data, size_t most, size_t *size,
                                 kz_error *error) {
    char path[PATH_MAX];
    kz_mapping mapping;
    if (snprintf(path, sizeof path, "%s/%s", (const char *)user, name) >= (int)sizeof path) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: the name is too long", (const char *)user);
    }
    KZ_TRY(kz_mapping_open(&mapping, path, error));
    kz_status status = KZ_OK;
    if (mapping.size > most) {
        status = kz_fail(error, KZ_ERR_CORRUPT, "%s has %zu bytes, more than %zu", path, mapping.size, most);
    } else {
        memcpy(data, mapping.data, mapping.size);
        *size = mapping.size;
    }
    kz_mapping_close(&mapping);
    return status;
}

/* ---- maximums.dat ------------------------------------------------------------------------------------------------ */

static uint64_t maximum(const kz_dobutsu_packets *packets, uint64_t packet) {
    uint64_t key = 0;
    for (unsigned i = KZ_DOBUTSU_PACKETS_MAXIMUM_BYTES; i-- > 0;) {
        key = key << 8 | packets->maximums[packet * KZ_DOBUTSU_PACKETS_MAXIMUM_BYTES + i];
    }
    return key;
}

static kz_status check_maximums(const kz_dobutsu_packets *packets, size_t size, kz_error *error) {
    if (size == 0 || size % KZ_DOBUTSU_PACKETS_MAXIMUM_BYTES != 0) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s/maximums.dat has %zu bytes, which are no keys of %d bytes",
                       packets->path, size, KZ_DOBUTSU_PACKETS_MAXIMUM_BYTES);
    }
    for (uint64_t packet = 1; packet < packets->count; packet++) {
        if (maximum(packets, packet - 1) >= maximum(packets, packet)) {
            return kz_fail(error, KZ_ERR_CORRUPT,
                           "%s/maximums.dat: the key of packet %" PRIu64 " is not above the one before", packets->path,
                           packet);
        }
    }
    return KZ_OK;
}

static kz_status open_files(const char *path, const kz_dobutsu_packets_files *files, kz_dobutsu_packets **opened,
                            kz_error *error) {
    size_t size = 0;
    kz_dobutsu_packets *packets = calloc(1, sizeof *packets);
    *opened = NULL;
    if (!packets || !(packets->path = strdup(path)) || !(packets->maximums = malloc(MAXIMUMS_BYTES))) {
        kz_dobutsu_packets_close(packets);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", path);
    }
    /* A folder's path is our own copy of it. */
    packets->files = files ? *files : (kz_dobutsu_packets_files){.get = get_from_folder, .user = packets->path};
    kz_status status =
        packets->files.get(packets->files.user, "maximums.dat", packets->maximums, MAXIMUMS_BYTES, &size, error);
    if (status == KZ_OK) {
        packets->count = size / KZ_DOBUTSU_PACKETS_MAXIMUM_BYTES;
        status = check_maximums(packets, size, error);
    }
    if (status != KZ_OK) {
        kz_dobutsu_packets_close(packets);
        return status;
    }
    *opened = packets;
    return KZ_OK;
}

kz_status kz_dobutsu_packets_open(const char *path, kz_dobutsu_packets **opened, kz_error *error) {
    return open_files(path, NULL, opened, error);
}

kz_status kz_dobutsu_packets_open_files(const char *path, const kz_dobutsu_packets_files *files,
                                        kz_dobutsu_packets **opened, kz_error *error) {
    return open_files(path, files, opened, error);
}

void kz_dobutsu_packets_close(kz_dobutsu_packets *packets) {
    if (packets) {
        free(packets->maximums);
        free(packets->path);
        free(packets);
    }
}

uint64_t kz_dobutsu_packets_count(const kz_dobutsu_packets *packets) { return packets->count; }

uint64_t kz_dobutsu_packets_find(const kz_dobutsu_packets *packets, uint64_t key) {
    uint64_t low = 0;
    uint64_t high = packets->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (maximum(packets, middle) >= key) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low < packets->count ? low : KZ_DOBUTSU_PACKETS_NONE;
}

/* ---- A packet ---------------------------------------------------------------------------------------------------- */

typedef struct entry {
    uint64_t child;
    kz_dobutsu_stats stats;
    unsigned owners;   /* how many of `keys` below */
    uint64_t earliest; /* the owner's key is not below */
    uint64_t latest;   /* nor above */
} entry;

typedef struct packet {
    char name[PATH_MAX]; /* for messages, and so it may be cut */
    uint8_t bytes[PACKET_BYTES];
    unsigned count;
    entry entries[KZ_DOBUTSU_PACKETS_ENTRIES];
    uint64_t keys[KZ_DOBUTSU_PACKETS_ENTRIES][KZ_MAX_PREDECESSORS]; /* that the entry may belong to */
    kz_position before[KZ_MAX_PREDECESSORS];                        /* room for work */
} packet;

static kz_status wrong(const packet *p, unsigned number, const char *what, kz_error *error) {
    return kz_fail(error, KZ_ERR_CORRUPT, "%s: entry %u %s", p->name, number, what);
}

/* What the rules tell about a child must be what its statistics say. */
static const char *wrong_statistics(const entry *e, const kz_dobutsu *child) {
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    kz_value value = kz_dobutsu_immediate(KZ_DOBUTSU_SIMPLIFIED, child);
    int outcome = e->stats.outcome;
    /* What is won or lost in a ply or two plies is left to the analysis: it decides all of it, but two positions. */
    if (value.outcome != KZ_UNKNOWN && value.distance == 0) {
        bool same = e->stats.required == 0 && outcome == kz_dobutsu_outcome_of(value);
        return same ? NULL : "has another value for the end of a game than the rules";
    }
    if (e->stats.required > (unsigned)kz_dobutsu_moves(KZ_DOBUTSU_SIMPLIFIED, child, moves)) {
        return "waits for more moves than there are";
    }
    if (e->stats.required > 0) {
        return outcome >= -MOST_OUTCOME && outcome < 0 ? NULL : "has a value out of range for a draw";
    }
    return outcome != 0 && outcome > -MOST_OUTCOME && outcome < MOST_OUTCOME ? NULL : "has a value out of range";
}

/* The positions that an entry may belong to: those from which a move leads to its child, between two keys. */
static void find_owners(packet *p, unsigned number, const kz_dobutsu *child, uint64_t above, uint64_t last) {
    kz_position position;
    kz_dobutsu_to_position(child, &position);
    int count = kz_dobutsu_predecessors(&position, p->before);
    entry *e = &p->entries[number];
    for (int i = 0; i < count; i++) {
        kz_dobutsu before;
        kz_dobutsu_from_position(&p->before[i], &before);
        uint64_t key = kz_dobutsu_to_state40(&before);
        kz_value value = kz_dobutsu_immediate(KZ_DOBUTSU_SIMPLIFIED, &before);
        bool over = value.outcome != KZ_UNKNOWN && value.distance == 0;
        if ((above == UINT64_MAX || key > above) && key <= last && !over) {
            p->keys[number][e->owners++] = key;
        }
    }
}

static kz_status read_entry(packet *p, unsigned number, const uint8_t *bytes, uint64_t above, uint64_t last,
                            kz_error *error) {
    uint64_t packed = 0;
    for (unsigned i = KZ_DOBUTSU_PACKETS_ENTRY_BYTES; i-- > 0;) {
        packed = packed << 8 | bytes[i];
    }
    entry *e = &p->entries[number];
    kz_dobutsu child;
    kz_error reason;
    *e = (entry){0};
    if (packed >> 56) {
        return wrong(p, number, "has a last byte that is not 0", error);
    }
    kz_dobutsu_unpack56(packed, &e->child, &e->stats);
    if (kz_dobutsu_from_state40(e->child, true, &child, &reason) != KZ_OK) {
        return wrong(p, number, reason.message, error);
    }
    const char *what = wrong_statistics(e, &child);
    if (what) {
        return wrong(p, number, what, error);
    }
    find_owners(p, number, &child, above, last);
    return KZ_OK;
}

/* Pins the owners down from both ends. The last entry is the one of the packet's largest key. */
static kz_status order_entries(packet *p, uint64_t last, kz_error *error) {
    uint64_t bound = 0;
    for (unsigned i = 0; i < p->count; i++) {
        entry *e = &p->entries[i];
        e->earliest = UINT64_MAX;
        for (unsigned k = 0; k < e->owners; k++) {
            if ((i == 0 || p->keys[i][k] > bound) && p->keys[i][k] < e->earliest) {
                e->earliest = p->keys[i][k];
            }
        }
        if (e->earliest == UINT64_MAX) {
            return wrong(p, i, "does not follow from a position of this packet in order", error);
        }
        bound = e->earliest;
    }
    bound = last + 1;
    for (unsigned i = p->count; i-- > 0;) {
        entry *e = &p->entries[i];
        bool found = false;
        for (unsigned k = 0; k < e->owners; k++) {
            if (p->keys[i][k] < bound && (!found || p->keys[i][k] > e->latest)) {
                e->latest = p->keys[i][k];
                found = true;
            }
        }
        if (!found || (i + 1 == p->count && e->latest != last)) {
            return wrong(p, i, "does not follow from a position of this packet in order", error);
        }
        bound = e->latest;
    }
    return KZ_OK;
}

static kz_status read_packet(const kz_dobutsu_packets *packets, uint64_t number, packet *p, kz_error *error) {
    char name[NAME_BYTES];
    size_t size = 0;
    snprintf(name, sizeof name, "%" PRIu64 "/%" PRIu64 ".dat", number / KZ_DOBUTSU_PACKETS_FOLDER,
             number % KZ_DOBUTSU_PACKETS_FOLDER);
    snprintf(p->name, sizeof p->name, "%s/%s", packets->path, name);
    KZ_TRY(packets->files.get(packets->files.user, name, p->bytes, PACKET_BYTES, &size, error));
    bool is_last = number + 1 == packets->count;
    if (size % KZ_DOBUTSU_PACKETS_ENTRY_BYTES != 0 || size == 0 || (!is_last && size != PACKET_BYTES)) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s has %zu bytes, and not %d", p->name, size, PACKET_BYTES);
    }
    p->count = (unsigned)(size / KZ_DOBUTSU_PACKETS_ENTRY_BYTES);
    uint64_t above = number > 0 ? maximum(packets, number - 1) : UINT64_MAX;
    uint64_t last = maximum(packets, number);
    for (unsigned i = 0; i < p->count; i++) {
        KZ_TRY(read_entry(p, i, p->bytes + (size_t)i * KZ_DOBUTSU_PACKETS_ENTRY_BYTES, above, last, error));
    }
    return order_entries(p, last, error);
}

/* ---- Looking a position up --------------------------------------------------------------------------------------- */

/* The score of a child for its mover; a draw is 0 whatever the bits are. */
static int score_of(const entry *e) { return e->stats.required > 0 ? 0 : e->stats.outcome; }

/* The entry of a key. Of several that it could be, the best one: the owner's own entry is never worse. */
static const entry *entry_of(const packet *p, uint64_t key) {
    const entry *best = NULL;
    for (unsigned i = 0; i < p->count; i++) {
        const entry *e = &p->entries[i];
        if (key < e->earliest || key > e->latest) {
            continue;
        }
        for (unsigned k = 0; k < e->owners; k++) {
            if (p->keys[i][k] == key && (!best || score_of(e) < score_of(best))) {
                best = e;
            }
        }
    }
    return best;
}

/* The move that leads from a position to a child; 0 if none does. */
static kz_move move_to(const kz_dobutsu *position, uint64_t child) {
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count = kz_dobutsu_moves(KZ_DOBUTSU_SIMPLIFIED, position, moves);
    for (int i = 0; i < count; i++) {
        kz_dobutsu after = *position;
        kz_dobutsu_play(&after, moves[i]);
        if (kz_dobutsu_to_state40(&after) == child) {
            return moves[i];
        }
    }
    return 0;
}

kz_status kz_dobutsu_packets_probe(const kz_dobutsu_packets *packets, const kz_position *position, kz_value *value,
                                   kz_move *move, kz_error *error) {
    kz_dobutsu dobutsu;
    kz_dobutsu_from_position(position, &dobutsu);
    KZ_TRY(kz_dobutsu_validate(&dobutsu, error));
    *move = 0;
    *value = kz_dobutsu_immediate(KZ_DOBUTSU_SIMPLIFIED, &dobutsu);
    if (value->outcome != KZ_UNKNOWN && value->distance == 0) {
        return KZ_OK;
    }
    uint64_t key = kz_dobutsu_to_state40(&dobutsu);
    uint64_t number = kz_dobutsu_packets_find(packets, key);
    packet *p = malloc(sizeof *p);
    if (!p) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to read a packet");
    }
    const entry *e = NULL;
    kz_status status = KZ_OK;
    if (number != KZ_DOBUTSU_PACKETS_NONE) {
        status = read_packet(packets, number, p, error);
        e = status == KZ_OK ? entry_of(p, key) : NULL;
    }
    if (e) {
        kz_value told = *value;
        *move = move_to(&dobutsu, e->child);
        *value = kz_value_before(kz_dobutsu_value_of_outcome(score_of(e)));
        if (told.outcome != KZ_UNKNOWN && (told.outcome != value->outcome || told.distance != value->distance)) {
            status = kz_fail(error, KZ_ERR_CORRUPT,
                             "%s has another value for the position 0x%" PRIx64 " than the rules", p->name, key);
        }
    } else if (status == KZ_OK) {
        status =
            kz_fail(error, KZ_ERR_INPUT, "the packets don't have the position 0x%" PRIx64 ": no game leads there", key);
    }
    free(p);
    return status;
}
