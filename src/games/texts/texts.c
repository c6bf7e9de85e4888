/* SPDX-License-Identifier: MIT
 *
 * The variants that come with Kanzen, in the language of docs/variants.md. */
#include "games/texts/variant.h"

#include <kanzen/load.h>

static const char texts[] =
    "[chess]\n"
    "pawn = p\nknight = n\nbishop = b\nrook = r\nqueen = q\nking = k\n"
    "promotionPawnTypes = p\npromotionPieceTypes = nbrq\nenPassantTypes = p\n"
    "startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1\n"
    "[antichess:chess]\n"
    "king = -\ncommoner = k\npromotionPieceTypes = nbrqk\nmustCapture = true\nstalemateValue = win\n"
    "extinctionValue = win\nextinctionPieceTypes = *\n"
    "[racingkings:chess]\n"
    "pawn = -\npromotionPawnTypes = -\nenPassantTypes = -\ndoubleStep = false\nchecking = false\n"
    "flagPiece = k\nflagRegionWhite = *8\nflagRegionBlack = *8\nflagMove = true\n"
    "startFen = 8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1\n"
    "[shatranj:chess]\n"
    "bishop = -\nqueen = -\nalfil = b\nfers = q\npromotionPieceTypes = q\ndoubleStep = false\n"
    "stalemateValue = loss\nextinctionValue = loss\nextinctionClaim = true\nextinctionPieceTypes = *\n"
    "extinctionPieceCount = 1\nextinctionOpponentPieceCount = 2\n"
    "startFen = rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1\n"
    "[makruk:chess]\n"
    "bishop = -\nqueen = -\nsilver = s\nfers = m\npromotionRegionWhite = *6 *7 *8\npromotionRegionBlack = *3 *2 *1\n"
    "promotionPieceTypes = m\ndoubleStep = false\n"
    "startFen = rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1\n"
    "[breakthrough]\n"
    "breakthrough = p\nstalemateValue = loss\nflagPiece = p\nflagRegionWhite = *8\nflagRegionBlack = *1\n"
    "extinctionValue = loss\nextinctionPieceTypes = *\n"
    "startFen = pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1\n"
    "[minishogi]\n"
    "maxFile = 5\nmaxRank = 5\n"
    "shogiPawn = p\nsilver = s\ngold = g\nbishop = b\ndragonHorse = h\nrook = r\nbers = d\nking = k\n"
    "promotedPieceType = p:g s:g b:h r:d\n"
    "pieceDrops = true\ncapturesToHand = true\ndropNoDoubled = p\nimmobilityIllegal = true\n"
    "shogiPawnDropMateIllegal = true\nstalemateValue = loss\n"
    "promotionRegionWhite = *5\npromotionRegionBlack = *1\n"
    "startFen = rbsgk/4p/5/P4/KGSBR[-] w - - 0 1\n"
    "[dobutsu:minishogi]\n"
    "maxFile = 3\nmaxRank = 4\n"
    "bishop = -\ndragonHorse = -\nrook = -\nbers = -\nsilver = -\n"
    "king = -\nshogiPawn = c\ngold = h\nfers = e\nwazir = g\ncommoner = l\n"
    "extinctionValue = loss\nextinctionPieceTypes = l\n"
    "promotedPieceType = c:h\nmandatoryPiecePromotion = true\n"
    "promotionRegionWhite = *4\npromotionRegionBlack = *1\n"
    "flagPiece = l\nflagRegionWhite = *4\nflagRegionBlack = *1\nflagPieceSafe = true\n"
    "dropNoDoubled = -\nimmobilityIllegal = false\nshogiPawnDropMateIllegal = false\n"
    "startFen = gle/1c1/1C1/ELG[-] w - - 0 1\n";

const char *kz_variant_texts(void) { return texts; }

const char *kz_game_text_name(int number) {
    static const char *const names[] = {"chess",  "antichess",    "racingkings", "shatranj",
                                        "makruk", "breakthrough", "minishogi",   NULL};
    return number >= 0 && number < (int)(sizeof names / sizeof *names) ? names[number] : NULL;
}
