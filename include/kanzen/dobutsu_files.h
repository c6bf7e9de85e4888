/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi in the files of other solvers: writing them, reading them, comparing with them. */
#ifndef KANZEN_DOBUTSU_FILES_H
#define KANZEN_DOBUTSU_FILES_H

#include <kanzen/export.h>
#include <kanzen/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Packets (docs/format-packets.md) -------------------------------------------------------------------------- */

/* The database of the Dobutsu Shogi Analyzer (2024), byte for byte: for each position that can be reached by the
 * simplified rules and has a move, the child that is best for the side to move and what that child is worth. */
#define KZ_DOBUTSU_PACKETS_POSITIONS UINT64_C(1098348205)
enum {
    KZ_DOBUTSU_PACKETS_COUNT = 1098349,  /* packets in all; the last one is shorter than the others */
    KZ_DOBUTSU_PACKETS_ENTRIES = 1000,   /* positions in a packet */
    KZ_DOBUTSU_PACKETS_ENTRY_BYTES = 8,  /* of an entry */
    KZ_DOBUTSU_PACKETS_FOLDER = 1000,    /* packets in a folder: packet 12345 is the file 12/345.dat */
    KZ_DOBUTSU_PACKETS_MAXIMUM_BYTES = 5 /* of a key in maximums.dat, which has the last one of each packet */
};

typedef struct kz_dobutsu_packets_options {
    int threads;    /* 0: all processors */
    uint64_t first; /* packet */
    uint64_t count; /* packets; 0: all from there on. maximums.dat is complete in any case */
    bool tar;       /* one archive (ustar) in place of the folder */
    int descriptor; /* where the archive goes if the path is NULL */
    bool fix;       /* write ten entries that the analyzer has wrong as they ought to be */
    bool replace;   /* whether files that are already there may be replaced */
    const kz_progress *progress;
} kz_dobutsu_packets_options;

typedef struct kz_dobutsu_packets_summary {
    uint64_t packets; /* written */
    uint64_t kept;    /* that were there already */
    uint64_t bytes;   /* written, of packets and maximums.dat, or of the archive */
} kz_dobutsu_packets_summary;

/* Solves the game in memory and writes the database to the folder `path`, or an archive of it. It takes 600 MB of
 * memory, and gives the same bytes whatever the number of threads is. In a folder, packets that are there already are
 * kept, unless they are to be replaced; an archive that is not complete is called PATH.part. So the same call goes on
 * after an interruption. */
kz_status kz_dobutsu_packets_write(const char *path, const kz_dobutsu_packets_options *options,
                                   kz_dobutsu_packets_summary *summary, kz_error *error);

/* A database that is read: this one, or the published one. */
typedef struct kz_dobutsu_packets kz_dobutsu_packets;

/* Reads and checks maximums.dat of the folder. Packets are read when they are needed. */
kz_status kz_dobutsu_packets_open(const char *path, kz_dobutsu_packets **opened, kz_error *error);

/* A database whose files come from the caller: from a server, or out of an archive. */
typedef struct kz_dobutsu_packets_files {
    /* Gets the file `name` ("maximums.dat", "12/345.dat") into `data`, which has room for `most` bytes, and tells its
     * size. KZ_ERR_IO: it can't be had; KZ_ERR_CORRUPT: it is larger than that, or not complete. The message says which
     * file. Called from every thread that probes. */
    kz_status (*get)(void *user, const char *name, uint8_t *data, size_t most, size_t *size, kz_error *error);
    void *user;
} kz_dobutsu_packets_files;

/* The same for such a database; `path` stands for it in messages. Both are copied. */
kz_status kz_dobutsu_packets_open_files(const char *path, const kz_dobutsu_packets_files *files,
                                        kz_dobutsu_packets **opened, kz_error *error);
void kz_dobutsu_packets_close(kz_dobutsu_packets *packets);
/* How many packets maximums.dat speaks of. */
uint64_t kz_dobutsu_packets_count(const kz_dobutsu_packets *packets);
/* The packet in which a position is, by its key; KZ_DOBUTSU_PACKETS_NONE if it comes after all of them. */
#define KZ_DOBUTSU_PACKETS_NONE UINT64_MAX
uint64_t kz_dobutsu_packets_find(const kz_dobutsu_packets *packets, uint64_t key);

/* Looks a position up: its value, and the move to the child that the database has (0: the game is over). Everything in
 * the packet is checked, and KZ_ERR_CORRUPT says what is wrong: its size, each entry's form and value, and that it
 * leads on from the position whose turn it is in key order. KZ_ERR_INPUT: the database does not have the position,
 * which is so if no game leads there. Any number of threads may do so at once. */
kz_status kz_dobutsu_packets_probe(const kz_dobutsu_packets *packets, const kz_position *position, kz_value *value,
                                   kz_move *move, kz_error *error);

/* ---- Lists of positions ---------------------------------------------------------------------------------------- */

/* The files of kota7's doubutsushogi (docs/format-exports.md), by the official rules, with the state index of
 * kz_dobutsu_to_index18: the positions that a game can lead to if wins may be missed, mirror images folded. `written`
 * gets the number of lines or rows.
 *
 * doubutsu-states-full.txt, or with `won` doubutsu-states-win.txt: a line for each position, with the positions after
 * it, in the order in which that program finds them. This is found by one thread, one position after the other. */
kz_status kz_dobutsu_export_states(const char *path, bool won, const kz_export_options *options, uint64_t *written,
                                   kz_error *error);
/* doubutsu-values-full.txt: a line for each position that is not won in one ply, with its value, by state index. */
kz_status kz_dobutsu_export_values(const kz_table *table, const char *path, const kz_export_options *options,
                                   uint64_t *written, kz_error *error);
/* doubutsu.db: the same as the SQLite table stateValues, with a view `positions` for people. KZ_ERR_UNSUPPORTED if the
 * library was built without SQLite. */
kz_status kz_dobutsu_export_sqlite(const kz_table *table, const char *path, const kz_export_options *options,
                                   uint64_t *written, kz_error *error);

/* ---- Comparing with another solver's table --------------------------------------------------------------------- */

/* The table of Robert Clausecker's dobutsu, dobutsu.tb or dobutsu.tb.xz (docs/format-clausecker.md): Dobutsu Shogi by
 * the official rules, a byte for each position in which the side to move has at least as many pieces as the other. */
typedef struct kz_dobutsu_clausecker kz_dobutsu_clausecker;

/* KZ_ERR_CORRUPT if the file does not have the size of such a table, or can't be unpacked. Unpacking takes some
 * seconds; KZ_ERR_UNSUPPORTED if the library was built without liblzma. */
kz_status kz_dobutsu_clausecker_open(const char *path, const kz_progress *progress, kz_dobutsu_clausecker **opened,
                                     kz_error *error);
/* NULL is fine. */
void kz_dobutsu_clausecker_close(kz_dobutsu_clausecker *file);

typedef struct kz_dobutsu_clausecker_report {
    /* If all is the same, what the entries are: */
    uint64_t wins; /* positions with that value, the same in both */
    uint64_t losses;
    uint64_t draws;
    uint64_t at_once; /* positions that are won in one ply, which the file has no values of */
    uint64_t unused;  /* padding */
    /* If not, the first entry that differs: */
    uint64_t offset; /* in the file, unpacked */
    kz_position position;
    kz_value ours; /* by the table */
    kz_value theirs;
} kz_dobutsu_clausecker_report;

/* Compares all of it with a table of the official rules, by position and distance. KZ_ERR_MISMATCH at the first entry
 * that differs, which does not depend on the number of threads. A mover without a move has lost in 0 plies by the table
 * and in 2 by the file; that is no difference. It takes 260 MB of memory beside the file. */
kz_status kz_dobutsu_clausecker_compare(const kz_dobutsu_clausecker *file, const kz_table *table, int threads,
                                        const kz_progress *progress, kz_dobutsu_clausecker_report *report,
                                        kz_error *error);

/* ---- The Try rule ----------------------------------------------------------------------------------------------- */

/* What the simplified Try rule changes, over every position of the index. */
typedef struct kz_dobutsu_try_rule_report {
    uint64_t positions;
    uint64_t same;           /* same value and distance */
    uint64_t one_ply_longer; /* same winner, one ply more by the simplified rule */
    uint64_t one_ply_shorter;
    uint64_t further;      /* same winner, more than one ply apart */
    uint64_t other_winner; /* another winner, or a draw for one rule only */
    uint64_t longer_wins;  /* of one_ply_longer: wins of the side to move */
    uint64_t longer_losses;
    uint64_t longer_at_once; /* of longer_wins: those that a safe Try wins in one ply by the official rule */
} kz_dobutsu_try_rule_report;

/* Solves by both rule sets and compares. KZ_ERR_MISMATCH if the rules differ by more than a ply anywhere; the report is
 * filled then, too. */
kz_status kz_dobutsu_check_try_rule(int threads, const kz_progress *progress, kz_dobutsu_try_rule_report *report,
                                    kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
