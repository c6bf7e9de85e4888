/* SPDX-License-Identifier: MIT
 *
 * Letters for drawings, as strokes of a pen. The grid: columns 0 to 4 from the left; rows 0 (below the line), 2 (the
 * line), 6 (small letters) and 8 (capitals) from below. */
#ifndef KZ_PICTURE_LETTERS_H
#define KZ_PICTURE_LETTERS_H

/* Points as two digits, column and row; a blank lifts the pen. "" for a blank. Characters that are not ASCII get none.
 */
const char *kz_letter_strokes(char c);
/* In columns. */
int kz_letter_width(char c);

#endif
