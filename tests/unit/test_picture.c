/* SPDX-License-Identifier: MIT
 *
 * Drawings as images: the file by another reader (zlib), pixels by what the drawing says, and drawings that are broken.
 */
#include "tests/support/testing.h"

#include "app/picture/picture.h"

#include <kanzen/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if __has_include(<zlib.h>)
#include <zlib.h>
#define HAS_ZLIB
#endif

enum { WIDTH = 40, HEIGHT = 20, WHITE = 0xffffff };

#ifdef HAS_ZLIB

static uint32_t number_at(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* Reads a PNG as its standard says, with zlib for checksums and content. The caller frees the pixels. */
static unsigned char *read_png(const char *png, size_t size, uint32_t width, uint32_t height) {
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    size_t row = 3 * (size_t)width;
    uLongf unpacked = (uLongf)((row + 1) * height);
    unsigned char *rows = malloc(unpacked), *pixels = malloc(row * height);
    const char *names[] = {"IHDR", "IDAT", "IEND"};
    size_t at = 8;
    for (int i = 0; i < 3; i++) {
        size_t length = number_at(png + at);
        assert_memory_equal(png + at + 4, names[i], 4);
        assert_int_equal(crc32(0, (const Bytef *)png + at + 4, (uInt)length + 4), number_at(png + at + 8 + length));
        if (i == 0) {
            assert_int_equal(length, 13);
            assert_int_equal(number_at(png + at + 8), width);
            assert_int_equal(number_at(png + at + 12), height);
            assert_memory_equal(png + at + 16, "\x08\x02\x00\x00\x00", 5);
        } else if (i == 1) {
            assert_int_equal(uncompress(rows, &unpacked, (const Bytef *)png + at + 8, (uLong)length), Z_OK);
            assert_int_equal(unpacked, (row + 1) * height);
        }
        at += 12 + length;
    }
    assert_int_equal(at, size);
    for (uint32_t y = 0; y < height; y++) {
        assert_int_equal(rows[y * (row + 1)], 0); /* no filter */
        memcpy(pixels + y * row, rows + y * (row + 1) + 1, row);
    }
    free(rows);
    return pixels;
}

static unsigned char *drawn(const char *elements) {
    char svg[4096];
    size_t size;
    int length = snprintf(svg, sizeof svg, "<svg viewBox='0 0 %d %d'>%s</svg>", WIDTH, HEIGHT, elements);
    char *png = kz_picture(svg, (size_t)length, WIDTH, HEIGHT, WHITE, &size);
    assert_non_null(png);
    unsigned char *pixels = read_png(png, size, WIDTH, HEIGHT);
    free(png);
    return pixels;
}

/* The pixel with this number from the left and from the top has this colour. */
static void is_color(const unsigned char *pixels, int x, int y, uint32_t color) {
    const unsigned char *p = pixels + 3 * (y * WIDTH + x);
    uint32_t found = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
    if (found != color) {
        fail_msg("pixel %d, %d is %06x and should be %06x", x, y, found, color);
    }
}

TEST(test_shapes) {
    unsigned char *p = drawn("<rect x='4' y='2' width='10' height='8' fill='#f00'/>"
                             "<rect x='20.5' y='2' width='2' height='2.25' fill='#000'/>"
                             "<circle cx='30' cy='10' r='6' fill='#00ff00'/>");
    is_color(p, 3, 5, WHITE);
    is_color(p, 4, 5, 0xff0000);
    is_color(p, 13, 9, 0xff0000);
    is_color(p, 14, 9, WHITE);
    is_color(p, 13, 10, WHITE);
    is_color(p, 20, 3, 0x808080); /* half of the pixel: 255 / 2, rounded */
    is_color(p, 21, 3, 0x000000);
    is_color(p, 21, 4, 0xbfbfbf); /* a quarter */
    is_color(p, 30, 10, 0x00ff00);
    is_color(p, 34, 10, 0x00ff00);
    is_color(p, 36, 10, WHITE);
    is_color(p, 24, 4, WHITE); /* the corner of the square around the circle */
    free(p);
}

/* Transforms, classes, groups, copies, strokes, and what is not drawn. */
TEST(test_structure) {
    unsigned char *p = drawn("<title>&lt;g&gt;</title><style>.a{fill:#00f}.b{fill:none;stroke:#f00;stroke-width:2}"
                             "@media (prefers-color-scheme:dark){.a{fill:#fff}}</style>"
                             "<defs><g id='t'><rect x='-2' y='-1' width='4' height='2'/></g></defs>"
                             "<g class='a' transform='translate(10 10)'><use href='#t'/></g>"
                             "<use href='#t' class='a' transform='translate(20 10) rotate(90)'/>"
                             "<use href='#t' x='10' y='4' class='a' fill='#123'/>"
                             "<g transform='scale(2)'><path class='b' d='M14 2h4v4h-4z'/></g>"
                             "<rect x='0' y='18' width='2' height='2' fill='#000' opacity='.5'/>");
    is_color(p, 8, 9, 0x0000ff);
    is_color(p, 11, 10, 0x0000ff);
    is_color(p, 12, 10, WHITE);
    is_color(p, 19, 8, 0x0000ff); /* turned: it is high and not wide */
    is_color(p, 20, 11, 0x0000ff);
    is_color(p, 22, 9, WHITE);
    is_color(p, 10, 4, 0x0000ff); /* a class comes before an attribute */
    is_color(p, 0, 0, WHITE);     /* what is in defs is not drawn where it stands */
    is_color(p, 27, 8, 0xff0000); /* the stroke: 4 pixels wide around x = 28 */
    is_color(p, 29, 8, 0xff0000);
    is_color(p, 31, 8, WHITE); /* inside: no fill */
    is_color(p, 0, 19, 0x808080);
    free(p);
}

/* A path with all its commands goes where it should: each shape covers the middle of a square, and not the next. */
TEST(test_paths) {
    static const char *const paths[] = {
        "M1 1H9V9H1Z",
        "m1,1l8,0 0,8-8,0z",
        "M1 1L9 1 9 9 1 9",
        "M1 5a4 4 0 0 1 8 0A4 4 0 0 1 1 5z",
        "M5 1C10 1 10 9 5 9S0 1 5 1Z",
        "M1 1Q5 -1 9 1T9 9L1 9z",
        "M1.0 1.0 h 8.0\nv 8.0 h-8z",
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char element[200];
        snprintf(element, sizeof element, "<path d='%s' fill='#000'/>", paths[i]);
        unsigned char *p = drawn(element);
        is_color(p, 4, 5, 0x000000);
        is_color(p, 5, 4, 0x000000);
        is_color(p, 15, 5, WHITE);
        is_color(p, 5, 15, WHITE);
        free(p);
    }
    /* Dashes of 4 with gaps of 4 along a line from left to right. */
    unsigned char *p =
        drawn("<line x1='0' y1='10' x2='40' y2='10' stroke='#000' stroke-width='4' stroke-dasharray='4 4'/>");
    is_color(p, 2, 10, 0x000000);
    is_color(p, 6, 10, WHITE);
    is_color(p, 10, 10, 0x000000);
    is_color(p, 2, 14, WHITE);
    free(p);
}

/* "1" is a line in the middle; a letter that the font lacks is taken from data-letter. */
TEST(test_letters) {
    unsigned char *p =
        drawn("<style>.t{font:600 18px sans-serif;fill:#000}</style><text class='t' x='20' y='16'>l</text>");
    is_color(p, 20, 10, 0x000000);
    is_color(p, 14, 10, WHITE);
    free(p);
    unsigned char *emoji = drawn("<text x='20' y='16'>\xf0\x9f\xa6\x81</text>");
    unsigned char *letter = drawn("<text x='20' y='16' data-letter='L'>\xf0\x9f\xa6\x81</text>");
    unsigned char *same = drawn("<text x='20' y='16'>L</text>");
    assert_memory_equal(letter, same, 3 * WIDTH * HEIGHT);
    assert_memory_not_equal(letter, emoji, 3 * WIDTH * HEIGHT);
    free(emoji);
    free(letter);
    free(same);
}

/* Noise, which repeats nothing, and one colour, which repeats everything, come back. */
TEST(test_any_content) {
    char svg[8192] = "";
    uint32_t seed = 7;
    for (int i = 0; i < 60; i++) {
        seed = seed * 1664525 + 1013904223;
        snprintf(svg + strlen(svg), 100, "<rect x='%u' y='%u' width='1' height='1' fill='#%06x'/>", seed >> 8 & 31,
                 seed >> 16 & 15, seed & 0xffffff);
    }
    unsigned char *p = drawn(svg);
    seed = 7;
    uint32_t last[16][32];
    memset(last, 0xff, sizeof last);
    for (int i = 0; i < 60; i++) {
        seed = seed * 1664525 + 1013904223;
        last[seed >> 16 & 15][seed >> 8 & 31] = seed & 0xffffff;
    }
    for (int y = 0; y < 16; y++) {
        for (int x = 0; x < 32; x++) {
            is_color(p, x, y, last[y][x] == UINT32_MAX ? WHITE : last[y][x]);
        }
    }
    free(p);
}

/* The drawings of the games have no part that is stepped over: of all the colours that they name, those of pieces and
 * boards come out somewhere. */
TEST(test_games) {
    static const struct {
        const char *game;
        uint32_t colors[4];
    } games[] = {{"dobutsu", {0xffd94d, 0xa9bccf, 0xf3b54a, 0xcfe6f5}},
                 {"pushfight", {0xd8503f, 0x3f7fc4, 0x6b4f2a, 0xf1e4c6}}};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        const kz_game *game = kz_game_find(games[i].game);
        char *svg = malloc(32 << 10);
        kz_position position;
        size_t size;
        kz_start(game, 0, &position);
        assert_int_equal(kz_draw_svg(game, &position, svg, 32 << 10, NULL), KZ_OK);
        char *png = kz_picture(svg, strlen(svg), 300, 200, WHITE, &size);
        unsigned char *pixels = read_png(png, size, 300, 200);
        for (int color = 0; color < 4; color++) {
            bool found = false;
            for (size_t at = 0; at < 3 * 300 * 200; at += 3) {
                found = found || ((uint32_t)pixels[at] << 16 | (uint32_t)pixels[at + 1] << 8 | pixels[at + 2]) ==
                                     games[i].colors[color];
            }
            assert_true(found);
        }
        free(pixels);
        free(png);
        free(svg);
    }
}

#endif

/* Every beginning of a drawing, and one with nonsense in it: an image, and no crash. */
TEST(test_broken) {
    const kz_game *game = kz_game_at(0);
    char svg[32 << 10];
    kz_position position;
    kz_start(game, 0, &position);
    assert_int_equal(kz_draw_svg(game, &position, svg, sizeof svg, NULL), KZ_OK);
    size_t length = strlen(svg);
    for (size_t cut = 0; cut < length; cut += 97) {
        char *copy = malloc(cut ? cut : 1); /* of the exact size, so that a sanitizer sees what is read past it */
        size_t size;
        memcpy(copy, svg, cut);
        char *png = kz_picture(copy, cut, 16, 8, WHITE, &size);
        assert_non_null(png);
        free(png);
        free(copy);
    }
    static const char *const nonsense[] = {
        "<svg viewBox='0 0 0 0'><rect/></svg>",
        "<svg viewBox='0 0 4 4'><rect x='9999999999999999999999999999999999999999' width='1' height='1'/></svg>",
        "<svg viewBox='0 0 4 4'><g id='a'><use href='#a'/></g><use href='#a'/></svg>",
        "<svg viewBox='0 0 4 4'><path d='M 1 x'/><path d='5 5'/><path d='A1 1 0 0 0 1 1'/><path/></svg>",
        "<svg viewBox='0 0 4 4'><line x2='4' stroke='#1' stroke-dasharray='0 0'/></svg>",
        "<svg viewBox='0 0 4 4'><text x='1'/><text",
        "<svg viewBox='0 0 4 4'><style>.a{</style><rect class='a",
    };
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        size_t size;
        char *png = kz_picture(nonsense[i], strlen(nonsense[i]), 16, 8, WHITE, &size);
        assert_non_null(png);
        free(png);
    }
}

TESTS(NULL, NULL)
