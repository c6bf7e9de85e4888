/* SPDX-License-Identifier: MIT */
#include "common.h"
#include "svg.h"

#include <math.h>

void histogram_read(const kz_table *table, cli_histogram *histogram) {
    const kz_game *game = kz_table_game(table);
    *histogram = (cli_histogram){.title = kz_game_title(game),
                                 .rules = rules_of(table),
                                 .unit = kz_distance_unit(game),
                                 .longest = -1,
                                 .longest_win = -1};
    kz_value value;
    uint64_t count;
    for (size_t number = 0; kz_table_count(table, number, &value, &count); number++) {
        histogram->positions += count;
        if (value.outcome == KZ_DRAW) {
            histogram->draws += count;
        }
        int distance = kz_distance_shown(game, value);
        if ((value.outcome != KZ_WIN && value.outcome != KZ_LOSS) || distance < 0 || distance >= HISTOGRAM_DISTANCES ||
            count == 0) {
            continue;
        }
        bool win = value.outcome == KZ_WIN;
        (win ? histogram->wins : histogram->losses)[distance] = count;
        *(win ? &histogram->all_wins : &histogram->all_losses) += count;
        histogram->largest = count > histogram->largest ? count : histogram->largest;
        histogram->longest = distance > histogram->longest ? distance : histogram->longest;
        if (win && distance > histogram->longest_win) {
            histogram->longest_win = distance;
        }
    }
}

/* ---- SVG ------------------------------------------------------------------------------------------------------- */

/* Wins stand on the top of a strip across the middle that has the scale of distances in it; losses hang below it. */
enum {
    WIDTH = 1000,
    LEFT = 64,
    RIGHT = 24,
    TOP = 92,
    HALF = 236, /* height of either part */
    STRIP = 30,
    BOTTOM = 34,
    MIDDLE_TOP = TOP + HALF,
    MIDDLE_BOTTOM = MIDDLE_TOP + STRIP,
    HEIGHT = MIDDLE_BOTTOM + HALF + BOTTOM
};

/* A single position must be seen, too: counts begin a little above the base line. */
static const double FLOOR_DECADES = 0.35;

typedef struct diagram_scale {
    int decades;
    double bar; /* width for one distance */
} diagram_scale;

static double height_of(const diagram_scale *scale, double count) {
    return HALF * (log10(count) + FLOOR_DECADES) / (scale->decades + FLOOR_DECADES);
}

static void write_grid(const diagram_scale *scale, FILE *stream) {
    double power = 1;
    for (int decade = 0; decade <= scale->decades; decade++, power *= 10) {
        static const char *const suffixes[] = {"", ",000", "M", "B", "T", "P", "E"};
        static const char *const digits[] = {"1", "10", "100"};
        double height = height_of(scale, power);
        for (int part = 0; part < 2; part++) {
            double y = part == 0 ? MIDDLE_TOP - height : MIDDLE_BOTTOM + height;
            fprintf(stream,
                    "<line class='grid' x1='%d' x2='%d' y1='%.1f' y2='%.1f'/>"
                    "<text class='tick end' x='%d' y='%.1f'>%s%s</text>\n",
                    LEFT, WIDTH - RIGHT, y, y, LEFT - 8, y + 4, digits[decade % 3], suffixes[decade / 3]);
        }
    }
}

static double x_of(const diagram_scale *scale, double distance) { return LEFT + scale->bar * distance; }

static void write_bar(const diagram_scale *scale, int distance, bool win, uint64_t count, FILE *stream) {
    char text[THOUSANDS_BYTES];
    double height = height_of(scale, (double)count);
    double gap = scale->bar > 4 ? 0.8 : 0.2 * scale->bar;
    fprintf(stream,
            "<rect class='%s' x='%.2f' y='%.1f' width='%.2f' height='%.1f'><title>%s in %d: %s</title></rect>\n",
            win ? "win" : "loss", x_of(scale, distance) + gap / 2, win ? MIDDLE_TOP - height : MIDDLE_BOTTOM,
            scale->bar - gap, height, win ? "win" : "loss", distance, format_thousands(count, text));
}

static void write_distances(const diagram_scale *scale, const char *unit, int longest, FILE *stream) {
    fprintf(stream,
            "<line class='base' x1='%d' x2='%d' y1='%d' y2='%d'/><line class='base' x1='%d' x2='%d' y1='%d' y2='%d'/>\n"
            "<text class='tick end' x='%d' y='%d'>%s</text>\n",
            LEFT, WIDTH - RIGHT, MIDDLE_TOP, MIDDLE_TOP, LEFT, WIDTH - RIGHT, MIDDLE_BOTTOM, MIDDLE_BOTTOM, LEFT - 8,
            MIDDLE_TOP + STRIP / 2 + 4, unit);
    int step = longest > 400 ? 50 : longest > 60 ? 10 : longest > 20 ? 5 : 1;
    for (int distance = 0; distance <= longest; distance += step) {
        fprintf(stream, "<text class='tick mid' x='%.1f' y='%d'>%d</text>\n", x_of(scale, distance + 0.5),
                MIDDLE_TOP + STRIP / 2 + 4, distance);
    }
}

static void write_texts(const cli_histogram *histogram, FILE *stream) {
    char positions[THOUSANDS_BYTES];
    char wins[THOUSANDS_BYTES];
    char losses[THOUSANDS_BYTES];
    char draws[THOUSANDS_BYTES];
    fprintf(stream,
            "<text class='title' x='%d' y='36'>How many %s are left when both sides play perfectly</text>\n"
            "<text class='sub' x='%d' y='60'>%s; %s rules; %s positions, of which %s are draws</text>\n",
            LEFT, histogram->unit, LEFT, histogram->title, histogram->rules,
            format_thousands(histogram->positions, positions), format_thousands(histogram->draws, draws));
    fprintf(stream,
            "<text class='part win end' x='%d' y='%d'>&#9650; %s wins for the side to move</text>\n"
            "<text class='part loss end' x='%d' y='%d'>&#9660; %s losses for the side to move</text>\n",
            WIDTH - RIGHT, TOP + 18, format_thousands(histogram->all_wins, wins), WIDTH - RIGHT,
            MIDDLE_BOTTOM + HALF - 8, format_thousands(histogram->all_losses, losses));
    fprintf(stream, "<text class='tick' x='%d' y='%d'>Number of positions on a logarithmic scale</text>\n", LEFT,
            HEIGHT - 12);
}

/* Names the last win, beside its bar. */
static void write_longest(const diagram_scale *scale, const cli_histogram *histogram, FILE *stream) {
    char text[THOUSANDS_BYTES];
    int distance = histogram->longest_win;
    uint64_t count = histogram->wins[distance];
    /* Well above the bars to its left, which are higher the further left they are. */
    double y = MIDDLE_TOP - height_of(scale, (double)count) - 0.3 * HALF;
    double x = x_of(scale, distance + 0.5);
    fprintf(stream,
            "<path class='base' fill='none' d='M%.1f %.1fV%.1f'/>"
            "<text class='tick end' x='%.1f' y='%.1f'>longest: %d %s, %s position%s</text>\n",
            x, MIDDLE_TOP - height_of(scale, (double)count) - 3, y + 6, x + scale->bar / 2, y - 3, distance,
            histogram->unit, format_thousands(count, text), count == 1 ? "" : "s");
}

void histogram_write_svg(const void *context, FILE *stream) {
    const cli_histogram *histogram = context;
    diagram_scale scale = {.decades = 1, .bar = (double)(WIDTH - LEFT - RIGHT) / (histogram->longest + 1)};
    while (pow(10, scale.decades) < (double)histogram->largest) {
        scale.decades++;
    }
    if (histogram->longest < 0) {
        scale.bar = WIDTH - LEFT - RIGHT;
    }
    char title[160];
    snprintf(title, sizeof title, "%s, %s rules: positions by distance to the end", histogram->title, histogram->rules);
    svg_begin(stream, WIDTH, HEIGHT, title);
    write_grid(&scale, stream);
    for (int distance = 0; distance <= histogram->longest; distance++) {
        if (histogram->wins[distance] > 0) {
            write_bar(&scale, distance, true, histogram->wins[distance], stream);
        }
        if (histogram->losses[distance] > 0) {
            write_bar(&scale, distance, false, histogram->losses[distance], stream);
        }
    }
    write_distances(&scale, histogram->unit, histogram->longest, stream);
    if (histogram->longest_win >= 0) {
        write_longest(&scale, histogram, stream);
    }
    write_texts(histogram, stream);
    svg_end(stream);
}
