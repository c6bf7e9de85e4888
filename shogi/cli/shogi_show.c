/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

enum { MOST_RECORD_BYTES = 64, FILES = 9, RANKS = 9, HEX_BYTES = 2 * KZ_SHOGI_RECORD_BYTES + 1 };

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static kz_status fail(kz_error *error, kz_status status, const char *message) {
    error->status = status;
    snprintf(error->message, sizeof error->message, "%s", message);
    return status;
}

static int digit_of(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static kz_status read_hex(const char *text, uint8_t bytes[MOST_RECORD_BYTES], size_t wanted, kz_error *error) {
    size_t digits = 0;
    char message[KZ_ERROR_MESSAGE_BYTES];
    for (size_t i = 0; text[i] != '\0'; i++) {
        int digit = digit_of(text[i]);
        if (text[i] == ' ') {
            continue;
        }
        if (digit < 0) {
            snprintf(message, sizeof message, "character %zu ('%c') is no hexadecimal digit", i + 1, text[i]);
            return fail(error, KZ_ERR_INPUT, message);
        }
        if (digits < 2 * wanted) {
            bytes[digits / 2] = (uint8_t)(digits % 2 == 0 ? digit << 4 : bytes[digits / 2] | digit);
        }
        digits++;
    }
    if (digits != 2 * wanted) {
        snprintf(message, sizeof message, "there are %zu digits, and the record has %zu", digits, 2 * wanted);
        return fail(error, KZ_ERR_INPUT, message);
    }
    return KZ_OK;
}

kz_status read_hex_record(kz_shogi_record record, kz_shogi_dialect dialect, const char *text,
                          kz_shogi_position *position, kz_shogi_note *note, kz_error *error) {
    const kz_shogi_record_info *info = kz_shogi_record_at(record);
    uint8_t bytes[MOST_RECORD_BYTES] = {0};
    *note = (kz_shogi_note){.has = 0};
    if (info->bytes == 0) {
        return fail(error, KZ_ERR_INPUT, "records as digits have a fixed size");
    }
    KZ_TRY(read_hex(text, bytes, info->bytes, error));
    kz_shogi_defect defect = kz_shogi_codec_for(info->format, NULL)->unpack(bytes, position);
    if (defect == KZ_SHOGI_FINE && info->holds != 0) {
        if (dialect == KZ_SHOGI_DIALECTS) {
            dialect = info->format == KZ_SHOGI_HCP ? KZ_SHOGI_APERY : KZ_SHOGI_YANEURAOU;
        }
        defect = kz_shogi_read_note(record, dialect, bytes, (kz_shogi_side)position->side, note);
    }
    return defect == KZ_SHOGI_FINE ? KZ_OK : fail(error, KZ_ERR_INPUT, kz_shogi_defect_text(defect));
}

/* ---- The board --------------------------------------------------------------------------------------------------- */

static void print_hand(const kz_shogi_position *position, kz_shogi_side side) {
    static const char letters[] = "PLNSGBR";
    bool empty = true;
    printf("  %s:", side == KZ_SHOGI_BLACK ? "black" : "white");
    for (int kind = KZ_SHOGI_HAND_KINDS - 1; kind >= 0; kind--) {
        int count = position->hand[side][kind];
        if (count > 0) {
            printf(" %c", letters[kind]);
            empty = false;
        }
        if (count > 1) {
            printf("%d", count);
        }
    }
    printf("%s%s\n", empty ? " -" : "", position->side == side ? "  (to move)" : "");
}

static void print_square(uint8_t code) {
    static const char letters[] = "PLNSGBRK";
    if (code == KZ_SHOGI_EMPTY) {
        printf("   |");
        return;
    }
    char letter = letters[kz_shogi_code_kind(code)];
    bool white = kz_shogi_code_side(code) == KZ_SHOGI_WHITE;
    printf("%c%c |", (code & KZ_SHOGI_PROMOTED) != 0 ? '+' : ' ', white ? letter - 'A' + 'a' : letter);
}

static void print_rule(void) {
    printf("  +");
    for (int file = 0; file < FILES; file++) {
        printf("---+");
    }
    printf("\n");
}

static void print_board(const kz_shogi_position *position) {
    print_hand(position, KZ_SHOGI_WHITE);
    printf(" ");
    for (int file = FILES; file >= 1; file--) {
        printf("   %d", file);
    }
    printf("\n");
    print_rule();
    for (int rank = 0; rank < RANKS; rank++) {
        printf("  |");
        for (int file = FILES - 1; file >= 0; file--) {
            print_square(position->board[file * RANKS + rank]);
        }
        printf(" %c\n", 'a' + rank);
        print_rule();
    }
    print_hand(position, KZ_SHOGI_BLACK);
}

/* ---- What else there is to say ----------------------------------------------------------------------------------- */

/* The position in one of the packed formats; false if it can't hold it, with the reason in `text`. */
static bool pack_hex(const kz_shogi_position *position, kz_shogi_format format, char text[HEX_BYTES],
                     const char **reason) {
    uint8_t record[KZ_SHOGI_RECORD_BYTES];
    kz_shogi_defect defect = kz_shogi_codec_for(format, NULL)->pack(position, record);
    *reason = kz_shogi_defect_text(defect);
    if (defect != KZ_SHOGI_FINE) {
        return false;
    }
    for (int i = 0; i < KZ_SHOGI_RECORD_BYTES; i++) {
        snprintf(text + (size_t)i * 2, 3, "%02x", record[i]);
    }
    return true;
}

static const char *result_name(int result) { return result > 0 ? "won" : result < 0 ? "lost" : "drawn"; }

static int ply_of(const kz_shogi_note *note) { return (note->has & KZ_SHOGI_HAS_PLY) != 0 ? note->ply : 1; }

static void report_note(cli_report *report, const kz_shogi_note *note) {
    char move[8];
    if ((note->has & KZ_SHOGI_HAS_MOVE) != 0) {
        kz_shogi_format_move(note->move, move);
        report_field(report, "move", "move", move);
    }
    if ((note->has & KZ_SHOGI_HAS_SCORE) != 0) {
        report_line(report, "%-8s %d\n", "score", note->score);
        json_integer(&report->json, "score", note->score);
    }
    if ((note->has & KZ_SHOGI_HAS_RESULT) != 0) {
        report_field(report, "result", "result", result_name(note->result));
    }
}

static void report_moves(cli_report *report, const kz_shogi_position *position) {
    kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
    size_t count = kz_shogi_moves(position, moves);
    bool check = kz_shogi_in_check(position, (kz_shogi_side)position->side);
    report_line(report, "%-8s %zu%s\n", "moves", count, check ? ", in check" : "");
    json_boolean(&report->json, "check", check);
    json_unsigned(&report->json, "moves", count);
}

/* The text has the note before the moves, the JSON after them. */
void show_shogi_position(const kz_shogi_position *position, const kz_shogi_note *note, bool as_json) {
    char text[KZ_SHOGI_SFEN_BYTES];
    kz_shogi_defect defect = kz_shogi_check_legal(position);
    kz_shogi_format_sfen(position, ply_of(note), text);
    if (!as_json) {
        print_board(position);
        putchar('\n');
    }
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    report.label = 8;
    report_field(&report, "sfen", "sfen", text);
    json_text(json, "side", position->side == KZ_SHOGI_BLACK ? "black" : "white");
    json_boolean(json, "legal", defect == KZ_SHOGI_FINE);
    json_text(json, "defect", kz_shogi_defect_name(defect));
    if (!as_json) {
        report_note(&report, note);
    }
    if (defect == KZ_SHOGI_FINE) {
        report_moves(&report, position);
    } else {
        report_line(&report, "%-8s %s\n", "illegal", kz_shogi_defect_text(defect));
    }
    if (as_json) {
        report_note(&report, note);
    }
    json_object(json, "packed");
    for (kz_shogi_format format = 0; format < KZ_SHOGI_FORMATS; format++) {
        char hex[HEX_BYTES];
        const char *reason;
        bool packed = pack_hex(position, format, hex, &reason);
        report_line(&report, "%-8s %s%s\n", kz_shogi_format_name(format), packed ? "" : "- ", packed ? hex : reason);
        json_text(json, kz_shogi_format_name(format), packed ? hex : NULL);
    }
    json_end_object(json);
    report_end(&report);
}
