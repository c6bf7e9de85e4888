/* SPDX-License-Identifier: MIT
 *
 * Files of shogi positions: converting, checking, counting, shuffling, dropping duplicates. All of it streams: memory
 * does not grow with the files. "-" is the standard input or output. */
#ifndef KANZEN_SHOGI_FILES_H
#define KANZEN_SHOGI_FILES_H

#include <kanzen/progress.h>
#include <kanzen/shogi_records.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where records come from. */
typedef struct kz_shogi_source {
    const char *path;
    kz_shogi_record record;
    /* The dialect of moves; KZ_SHOGI_DIALECTS: the usual one of the record. */
    kz_shogi_dialect dialect;
    uint64_t first; /* records before it are passed over */
    uint64_t count; /* 0: all that follow */
} kz_shogi_source;

/* Where they go. */
typedef struct kz_shogi_target {
    const char *path;
    kz_shogi_record record;
    kz_shogi_dialect dialect; /* as above */
    bool replace;             /* an existing file; otherwise it is refused */
} kz_shogi_target;

/* Records that a filter leaves out, beside those that lack something. */
enum {
    KZ_SHOGI_DROP_IN_CHECK = 1,      /* the side to move is in check */
    KZ_SHOGI_DROP_ENTERING = 2,      /* a king is on the three ranks farthest from its side */
    KZ_SHOGI_DROP_CAPTURES = 4,      /* the move takes a piece */
    KZ_SHOGI_DROP_PROMOTIONS = 8,    /* the move promotes */
    KZ_SHOGI_DROP_NOISY = 16,        /* any of these three: check, capture, promotion; what is left is quiet */
    KZ_SHOGI_DROP_ILLEGAL_MOVES = 32 /* the move is not legal */
};

/* Which records are kept, and how their notes are changed. All zero keeps everything as it is. Where a limit is set, a
 * record without that member is left out. */
typedef struct kz_shogi_filter {
    unsigned require;    /* members that a record has to have: KZ_SHOGI_HAS_... */
    unsigned drop;       /* KZ_SHOGI_DROP_... */
    unsigned results;    /* results to keep: 1 lost, 2 drawn, 4 won for the side to move; 0: all */
    uint16_t least_ply;  /* plies to keep; 0: no limit */
    uint16_t most_ply;   /* the same */
    bool has_scores;     /* the next two are set */
    int16_t least_score; /* scores to keep */
    int16_t most_score;
    uint16_t clip; /* scores beyond it become it, on both sides; 0: none */
    double scale;  /* scores are multiplied by it, before they are clipped; 0: they are not */
    bool fold;     /* of a position and its mirror image always the same one is taken, with its move */
} kz_shogi_filter;

/* All zero asks for the usual thing; calls that take options need some (not NULL). */
typedef struct kz_shogi_file_options {
    int threads;      /* 0: one for each processor */
    bool skip_bad;    /* go on after a bad record without it; otherwise the first one ends the run with an error */
    bool without_box; /* psfen and hcp: handicaps may lack the codes of the box, as old records do */
    bool legal;       /* positions that are not legal are bad, too */
    bool resume;      /* convert: go on with a run that was interrupted, if its traces are there */
    double checkpoint_seconds; /* convert: how often to save what `resume` needs; 0: every 5 seconds */
    uint64_t memory;           /* shuffle, dedupe: bytes to use; 0: a quarter of the machine's */
    uint64_t seed;             /* shuffle, sample */
    const char *scratch;       /* shuffle, dedupe: the folder for temporary files; NULL: beside the target */
    bool unsearched; /* hcpe3: take also positions whose move has no candidates; usually they are passed over */
    const kz_shogi_filter *filter; /* convert, stats: NULL keeps everything. It must last as long as the call */
} kz_shogi_file_options;

enum { KZ_SHOGI_OFFENDERS = 10 };

typedef struct kz_shogi_offender {
    uint64_t index; /* of the record, from 0; of a text, the line from 1 */
    kz_shogi_defect defect;
    char reason[120]; /* more about it, for texts; may be empty */
} kz_shogi_offender;

typedef struct kz_shogi_file_report {
    uint64_t read;    /* records, bad ones included */
    uint64_t written; /* 0 for check */
    uint64_t bad;
    uint64_t repeated;                  /* dedupe: records that were dropped */
    uint64_t defects[KZ_SHOGI_DEFECTS]; /* bad records by their defect */
    size_t offender_count;
    kz_shogi_offender offenders[KZ_SHOGI_OFFENDERS]; /* the first ones */
    unsigned lost;             /* members of notes that were there and that the target can't hold: KZ_SHOGI_HAS_... */
    unsigned missing;          /* members that the target holds and the source has not; written as 0 */
    uint64_t not_canonical;    /* check: well-formed records that `pack` would write otherwise */
    uint64_t not_legal;        /* check: positions that are not legal, by no other defect */
    unsigned dialects;         /* check: dialects in which all moves can be read, as 1 << kz_shogi_dialect */
    uint64_t moves;            /* check: records with a move */
    uint64_t impossible_moves; /* check: moves that can't be made in their position, in the source's dialect */
    uint64_t trailing;         /* bytes after the last whole record */
    uint64_t left_out;         /* records that the filter left out */
    uint64_t unsearched;       /* hcpe3: positions that were passed over, because their move has no candidates */
    uint64_t lost_positions;   /* of games after a bad move, or with a mistake: nothing can be said about them */
    uint64_t cut_plies;        /* plies of more than 65535, written as 65535 */
} kz_shogi_file_report;

/* Reads records and writes them in another form, in their order. The same input gives the same bytes at any number of
 * threads. */
kz_status kz_shogi_convert(const kz_shogi_source *source, const kz_shogi_target *target,
                           const kz_shogi_file_options *options, const kz_progress *progress,
                           kz_shogi_file_report *report, kz_error *error);

/* Looks at every record. KZ_OK also when there are bad ones: the report says so. */
kz_status kz_shogi_check_file(const kz_shogi_source *source, const kz_shogi_file_options *options,
                              const kz_progress *progress, kz_shogi_file_report *report, kz_error *error);

/* What a sample of a file tells about the dialect of its moves. */
typedef struct kz_shogi_dialect_guess {
    uint64_t moves;                    /* in the sample */
    uint64_t legal[KZ_SHOGI_DIALECTS]; /* of these, legal in their position if they are read in a dialect */
    unsigned fit;                      /* dialects in which nearly all are, as 1 << kz_shogi_dialect */
    bool mixed;                        /* none fits, and different parts of the file fit different ones */
} kz_shogi_dialect_guess;

/* Tries moves all over a regular file. Records without moves, or without a fixed size, have no dialect: nothing is
 * counted. Calls that read moves do so themselves where the source names no dialect, and refuse a file whose moves are
 * in another one than the usual. */
kz_status kz_shogi_guess_dialect(const kz_shogi_source *source, kz_shogi_dialect_guess *guess, kz_error *error);
/* "yaneuraou", "drops82", "apery". Never NULL. */
const char *kz_shogi_dialect_name(kz_shogi_dialect dialect);

enum { KZ_SHOGI_PLY_BINS = 513, KZ_SHOGI_SCORE_BINS = 129, KZ_SHOGI_SCORE_STEP = 100 };

typedef struct kz_shogi_file_stats {
    uint64_t records; /* well-formed ones */
    uint64_t bad;
    unsigned holds; /* what the histograms are about: KZ_SHOGI_HAS_... */
    uint64_t sides[2];
    uint64_t plies[KZ_SHOGI_PLY_BINS];    /* the last bin has the rest */
    uint64_t scores[KZ_SHOGI_SCORE_BINS]; /* bin 64 is -49 to 49 ...: steps of 100, the outer ones have the rest */
    uint64_t results[3];                  /* lost, drawn, won for the side to move */
    uint64_t wins[2];                     /* by side */
    uint64_t on_board[39];                /* pieces on the board that are no kings */
    uint64_t handicaps;                   /* pieces are missing */
} kz_shogi_file_stats;

kz_status kz_shogi_file_statistics(const kz_shogi_source *source, const kz_shogi_file_options *options,
                                   const kz_progress *progress, kz_shogi_file_stats *stats, kz_error *error);

/* The following take records of fixed size and keep their bytes; source and target have the same record. */

/* All records in an order that depends on the seed only; every order is equally likely. Bounded memory: pieces are
 * scattered over temporary files and shuffled one at a time. Records are copied without a look into them: only one that
 * is cut short at the end counts as bad. */
kz_status kz_shogi_shuffle(const kz_shogi_source *source, const kz_shogi_target *target,
                           const kz_shogi_file_options *options, const kz_progress *progress,
                           kz_shogi_file_report *report, kz_error *error);
/* Without records whose position was there before: the first one is kept, and the order. Positions are compared, not
 * bytes: records that write the same position differently are the same. Bounded memory: an external sort. */
kz_status kz_shogi_dedupe(const kz_shogi_source *source, const kz_shogi_target *target,
                          const kz_shogi_file_options *options, const kz_progress *progress,
                          kz_shogi_file_report *report, kz_error *error);
/* `count` records, or all if there are fewer; every set of that size equally likely, in the order of the file. They are
 * copied as by kz_shogi_shuffle. */
kz_status kz_shogi_sample(const kz_shogi_source *source, const kz_shogi_target *target, uint64_t count,
                          const kz_shogi_file_options *options, const kz_progress *progress,
                          kz_shogi_file_report *report, kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
