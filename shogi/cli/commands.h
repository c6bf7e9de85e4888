/* SPDX-License-Identifier: MIT
 *
 * What the commands of shogi share. */
#ifndef SHOGI_COMMANDS_H
#define SHOGI_COMMANDS_H

#include "app/cli/common.h"
#include "app/cli/report.h"

#include <kanzen/shogi_files.h>
#include <stdio.h>

/* ---- Which records a file has, and which dialect of moves: shogi_records.c --------------------------------------- */

/* The record called `name`, the value of the option --`option`; or if `name` is NULL, the one that the ending of the
 * path stands for: the name of a record, .bin (psv by custom), .txt (plain), .kifu (kif). KZ_SHOGI_RECORDS after
 * telling the user which there are. */
kz_shogi_record record_of_option_or_path(const cli_command *command, const char *option, const char *name,
                                         const char *path);
/* The same for a file that is to be written: records that can only be read are refused. */
kz_shogi_record record_to_write(const cli_command *command, const char *option, const char *name, const char *path);

/* As completions offer them. */
#define DIALECT_WORDS "yaneuraou drops82 apery"

/* The records that the ending of a file's name tells of, KZ_SHOGI_RECORDS if it tells nothing. */
kz_shogi_record record_of_path(const char *path);
/* Whether that ending is used for records of several kinds (.bin, .txt), so that what the user says goes before it. */
bool is_ambiguous_path(const char *path);

/* clang-format off */
#define OPTION_UNSEARCHED(target_) \
    OPTION_FLAG("unsearched", target_, "hcpe3: take also positions whose move has no candidates")
/* clang-format on */

/* The dialect called `name`, the value of the option --`option`; the usual one (KZ_SHOGI_DIALECTS) if it is NULL. If
 * there is none, the user is told which there are. */
int dialect_of_option(const cli_command *command, const char *option, const char *name, kz_shogi_dialect *dialect);

/* ---- Which records are taken, and how they are edited: shogi_filter.c -------------------------------------------- */

/* What the user said. */
typedef struct shogi_filter {
    const char *require;
    const char *drop;
    const char *results;
    const char *ply;
    const char *score;
    const char *scale;
    uint64_t clip;
    bool fold;
} shogi_filter;

#define FILTER_DROP_WORDS "in-check entering captures promotions noisy illegal-moves"

/* clang-format off */
#define OPTIONS_OF_FILTER(filter_)                                                                                     \
    OPTION_TEXT("require", &(filter_)->require, "LIST",                                                                \
                "leave out records that lack one of these: score,move,ply,result"),                                    \
    OPTION_TEXT("drop", &(filter_)->drop, "LIST",                                                                      \
                "leave out records of these kinds: in-check,entering,captures,promotions,noisy (any of in-check, "     \
                "captures, promotions),illegal-moves"),                                                                \
    OPTION_TEXT("results", &(filter_)->results, "LIST", "keep only these results for the side to move: won,drawn,lost"),\
    OPTION_TEXT("ply", &(filter_)->ply, "FROM:TO", "keep only records of these plies; either may be left out"),        \
    OPTION_TEXT("score", &(filter_)->score, "FROM:TO", "keep only records with these scores; either may be left out"), \
    OPTION_TEXT("scale", &(filter_)->scale, "FACTOR", "multiply scores by this, like 0.5"),                            \
    OPTION_NUMBER("clip", &(filter_)->clip, 1, 32767, "scores beyond N become N, on both sides"),                      \
    OPTION_FLAG("fold", &(filter_)->fold, "take a position and its mirror image for the same, and write one of them")
/* clang-format on */

/* If it is none, the user has been told what is wrong. */
int read_filter(const cli_command *command, const shogi_filter *asked, kz_shogi_filter *filter);

/* ---- Files by themselves, by a pattern, or of a folder: shogi_inputs.c ------------------------------------------- */

typedef struct shogi_inputs {
    kz_shogi_source *sources;
    char **paths; /* of the sources */
    size_t count;
    size_t room;
} shogi_inputs;

/* How the files are to be read; the options are those of the command. */
typedef struct shogi_reading {
    const cli_command *command;
    const char *record;  /* --record: what files have whose names don't tell; NULL: all names tell */
    const char *dialect; /* --dialect */
} shogi_reading;

/* Adds the files that `name` stands for, in the order of their names: "-" is the standard input; of a folder, and the
 * folders in it, those whose names tell what records they have, and with --record all others, too; a pattern (*, ?,
 * [...]) is expanded. Returns the exit code; the user has been told if it is not STATUS_FINE. */
int add_inputs(shogi_inputs *inputs, const shogi_reading *reading, const char *name);
/* Refuses --record if no file has such records: then it was meant for a file whose name tells something else. */
int check_record_option(const shogi_reading *reading, const shogi_inputs *const *sets, size_t count);
/* Adds the files of two sets, of which each has to have a file. Free them in any case. */
int add_two_sets(shogi_inputs sets[2], const shogi_reading *reading, const char *const names[2]);
void free_inputs(shogi_inputs *inputs);

/* ---- Bad records, and members of records: shogi_report.c --------------------------------------------------------- */

/* A line on stderr for each of the first bad records, and one for the rest. Records and lines are counted from 1. */
void print_offenders(const cli_command *command, kz_shogi_record record, const char *path,
                     const kz_shogi_file_report *report);

/* Lines of the text about what became of no record: what a filter left out, positions of hcpe3 that nobody searched,
 * positions after a bad move, plies that were cut down. Nothing if there are none. */
void report_losses(cli_report *report, const kz_shogi_file_report *found);
/* A count that the text has only if it is not 0. */
void report_if_any(cli_report *report, const char *key, const char *label, uint64_t count);

/* The members "bad", "defects", "offenders" and "trailing_bytes" of the object that is open. */
void json_bad_records(cli_json *json, kz_shogi_record record, const kz_shogi_file_report *report);

/* Members of records (KZ_SHOGI_HAS_...) as "score, move", and as an array of texts. */
enum { MEMBERS_BYTES = 96 };
const char *format_members(unsigned members, char text[MEMBERS_BYTES]);
void json_members(cli_json *json, const char *key, unsigned members);

/* ---- What the records of a file are like: shogi_stats.c ---------------------------------------------------------- */

typedef struct shogi_stats {
    const char *name; /* of the file */
    kz_shogi_record record;
    kz_shogi_file_stats counts;
} shogi_stats;

void print_shogi_stats(const shogi_stats *stats, bool as_json);
kz_status write_shogi_stats_svg(const shogi_stats *stats, const char *path, kz_error *error);

/* ---- A position for people: shogi_show.c ------------------------------------------------------------------------- */

/* Reads hexadecimal digits (spaces between them are passed over) as a record of fixed size. */
kz_status read_hex_record(kz_shogi_record record, kz_shogi_dialect dialect, const char *text,
                          kz_shogi_position *position, kz_shogi_note *note, kz_error *error);

void show_shogi_position(const kz_shogi_position *position, const kz_shogi_note *note, bool as_json);

/* ---- Positions for measuring: shogi_play.c ----------------------------------------------------------------------- */

/* Positions of games that are played with random legal moves, in half of them with a liking for captures, so that
 * hands are large. The same seed gives the same ones everywhere. */
void play_shogi_at_random(uint64_t seed, kz_shogi_position *positions, size_t count);

/* ---- A folder for temporary files: scratch.c --------------------------------------------------------------------- */

typedef struct scratch_folder {
    char path[4096]; /* "" where there is none */
} scratch_folder;

/* Makes a new folder in `parent` (NULL: in $TMPDIR, or /tmp) that only this user can open. Its name can't be foreseen,
 * so it is none that others have made. Returns an exit code; what is wrong has been said. */
int make_scratch_folder(const cli_command *command, const char *parent, scratch_folder *folder);
/* Removes the folder and all that is in it. */
void remove_scratch_folder(scratch_folder *folder);

#endif
