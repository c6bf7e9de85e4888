/* SPDX-License-Identifier: MIT
 *
 * The list of records. */
#include <kanzen/shogi_records.h>

#include <string.h>

enum {
    GAME = KZ_SHOGI_HAS_MOVE | KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_RESULT | KZ_SHOGI_HAS_ENDING,
    HCPE = KZ_SHOGI_HAS_SCORE | KZ_SHOGI_HAS_MOVE | KZ_SHOGI_HAS_RESULT,
    PLAIN = HCPE | KZ_SHOGI_HAS_PLY,
    PSV = PLAIN | KZ_SHOGI_HAS_EXTRA
};

static const kz_shogi_record_info records[KZ_SHOGI_RECORDS] = {
    [KZ_SHOGI_RECORD_SSPF] = {"sspf", "32 bytes: a position in SSPFv1", 32, KZ_SHOGI_SSPF, 0, true},
    [KZ_SHOGI_RECORD_SSPFX] = {"sspfx", "32 bytes: a position in SSPFv1 with its extension for handicaps", 32,
                               KZ_SHOGI_SSPFX, 0, true},
    [KZ_SHOGI_RECORD_SSPFC] = {"sspfc", "32 bytes: a position in the compacted SSPFv1, with 6 spare bits", 32,
                               KZ_SHOGI_SSPFC, 0, true},
    [KZ_SHOGI_RECORD_PSFEN] = {"psfen", "32 bytes: a position in PackedSfen (YaneuraOu)", 32, KZ_SHOGI_PSFEN, 0, true},
    [KZ_SHOGI_RECORD_HCP] = {"hcp", "32 bytes: a position in HuffmanCodedPos (Apery, dlshogi)", 32, KZ_SHOGI_HCP, 0,
                             true},
    [KZ_SHOGI_RECORD_PSV] = {"psv", "40 bytes: PackedSfenValue, a psfen with score, move, ply and result", 40,
                             KZ_SHOGI_PSFEN, PSV, true},
    [KZ_SHOGI_RECORD_SSPV] = {"sspv", "40 bytes: an sspf with score, move, ply and result, as in psv", 40,
                              KZ_SHOGI_SSPF, PSV, true},
    [KZ_SHOGI_RECORD_HCPE] = {"hcpe", "38 bytes: an hcp with score, move and result", 38, KZ_SHOGI_HCP, HCPE, true},
    [KZ_SHOGI_RECORD_HCPE2] = {"hcpe2", "38 bytes: an hcp with score, move, result and ending", 38, KZ_SHOGI_HCP,
                               HCPE | KZ_SHOGI_HAS_ENDING, true},
    [KZ_SHOGI_RECORD_HCPE3] = {"hcpe3", "games of dlshogi: an hcp, then a score and candidates for each move", 0,
                               KZ_SHOGI_HCP, GAME | KZ_SHOGI_HAS_SCORE, true},
    [KZ_SHOGI_RECORD_SFEN] = {"sfen", "text: a line with an SFEN for each position", 0, KZ_SHOGI_FORMATS,
                              KZ_SHOGI_HAS_PLY, true},
    [KZ_SHOGI_RECORD_PLAIN] = {"plain", "text: lines with sfen, move, score, ply and result for each position", 0,
                               KZ_SHOGI_FORMATS, PLAIN, true},
    [KZ_SHOGI_RECORD_CSA] = {"csa", "text: games in the CSA standard", 0, KZ_SHOGI_FORMATS, GAME | KZ_SHOGI_HAS_SCORE,
                             true},
    [KZ_SHOGI_RECORD_KIF] = {"kif", "text: games in KIF, UTF-8 or Shift_JIS", 0, KZ_SHOGI_FORMATS,
                             GAME | KZ_SHOGI_HAS_SCORE, true},
    [KZ_SHOGI_RECORD_USI] = {"usi", "text: a game in a line, a position of USI and its moves", 0, KZ_SHOGI_FORMATS,
                             KZ_SHOGI_HAS_MOVE | KZ_SHOGI_HAS_PLY, false},
    [KZ_SHOGI_RECORD_KI2] = {"ki2", "text: games in KI2, UTF-8 or Shift_JIS", 0, KZ_SHOGI_FORMATS,
                             GAME | KZ_SHOGI_HAS_SCORE, false},
    [KZ_SHOGI_RECORD_PACK] = {"pack", "games of rshogi's tools: moves and scores", 0, KZ_SHOGI_FORMATS,
                              KZ_SHOGI_HAS_SCORE | KZ_SHOGI_HAS_MOVE | KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_RESULT, false},
    [KZ_SHOGI_RECORD_NSHOGI] = {"nshogi", "records of nshogi's teachers: position, ply, move, winner", 0,
                                KZ_SHOGI_FORMATS, KZ_SHOGI_HAS_MOVE | KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_RESULT, false},
};

const kz_shogi_record_info *kz_shogi_record_at(kz_shogi_record record) { return &records[record]; }

kz_shogi_record kz_shogi_record_named(const char *name) {
    int record = 0;
    while (record < KZ_SHOGI_RECORDS && strcmp(records[record].name, name) != 0) {
        record++;
    }
    return (kz_shogi_record)record;
}
