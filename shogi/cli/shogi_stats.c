/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "app/cli/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Charts: the histograms with neighbouring bins brought together ---------------------------------------------- */

enum { MOST_BARS = KZ_SHOGI_PLY_BINS };

typedef struct chart_bar {
    int low, high; /* what it counts, both included */
    bool open_low; /* and all that is lower, or higher */
    bool open_high;
    uint64_t count;
} chart_bar;

typedef struct bar_chart {
    const char *title;
    int bars;
    chart_bar bar[MOST_BARS];
    uint64_t total;
    uint64_t largest;
} bar_chart;

/* What bin `number` of a histogram counts. */
typedef chart_bar bin_range(int number);

static chart_bar ply_range(int bin) {
    return (chart_bar){.low = bin, .high = bin, .open_high = bin == KZ_SHOGI_PLY_BINS - 1};
}

/* Rounded to the nearest step, halves away from 0. */
static chart_bar score_range(int bin) {
    int middle = (bin - KZ_SHOGI_SCORE_BINS / 2) * KZ_SHOGI_SCORE_STEP;
    int half = KZ_SHOGI_SCORE_STEP / 2;
    return (chart_bar){.low = middle > 0 ? middle - half : middle - half + 1,
                       .high = middle < 0 ? middle + half : middle + half - 1,
                       .open_low = bin == 0,
                       .open_high = bin == KZ_SHOGI_SCORE_BINS - 1};
}

static chart_bar piece_range(int bin) { return (chart_bar){.low = bin, .high = bin}; }

/* How many bins make a bar, so that `bins` of them are `most` bars at most: a round number, or an odd one. */
static int bins_of_bar(int bins, int most, bool odd) {
    static const int rounds[] = {1, 2, 5, 10, 20, 50};
    int width = 1;
    for (int i = 0; bins / width + 2 > most; i++) {
        width = odd ? width + 2 : rounds[i];
    }
    return width;
}

/* Brings bins together so that there are `most` bars at most. Bars begin with bin 0, or have bin `middle` in the middle
 * of one if that is not 0. */
static void make_chart(bar_chart *chart, const char *title, const uint64_t *counts, int bins, bin_range *range,
                       int middle, int most) {
    *chart = (bar_chart){.title = title};
    int first = 0;
    int last = bins - 1;
    while (first < bins && counts[first] == 0) {
        first++;
    }
    while (last > first && counts[last] == 0) {
        last--;
    }
    if (first == bins) {
        return;
    }
    int width = bins_of_bar(last - first + 1, most, middle != 0);
    int begin = middle - (middle != 0 ? width / 2 : 0);
    while (begin > first) {
        begin -= width;
    }
    while (begin + width <= first) {
        begin += width;
    }
    for (; begin <= last; begin += width) {
        int low = begin < 0 ? 0 : begin;
        int high = begin + width - 1 < bins ? begin + width - 1 : bins - 1;
        chart_bar bar = range(low);
        bar.high = range(high).high;
        bar.open_high = range(high).open_high;
        for (int bin = low; bin <= high; bin++) {
            bar.count += counts[bin];
        }
        chart->bar[chart->bars++] = bar;
        chart->total += bar.count;
        chart->largest = bar.count > chart->largest ? bar.count : chart->largest;
    }
}

enum { CHARTS = 3 };

/* The charts of what the records have; returns how many. */
static int make_charts(const kz_shogi_file_stats *counts, int most, bar_chart charts[CHARTS]) {
    int made = 0;
    if ((counts->holds & KZ_SHOGI_HAS_PLY) != 0) {
        make_chart(&charts[made++], "ply", counts->plies, KZ_SHOGI_PLY_BINS, ply_range, 0, most);
    }
    if ((counts->holds & KZ_SHOGI_HAS_SCORE) != 0) {
        make_chart(&charts[made++], "score for the side to move", counts->scores, KZ_SHOGI_SCORE_BINS, score_range,
                   KZ_SHOGI_SCORE_BINS / 2, most);
    }
    make_chart(&charts[made++], "pieces on the board, kings aside", counts->on_board,
               (int)(sizeof counts->on_board / sizeof *counts->on_board), piece_range, 0, most);
    return made;
}

enum { LABEL_BYTES = 48 };

static const char *format_range(const chart_bar *bar, char text[LABEL_BYTES]) {
    if (bar->open_low) {
        snprintf(text, LABEL_BYTES, "to %d", bar->high);
    } else if (bar->open_high) {
        snprintf(text, LABEL_BYTES, "from %d", bar->low);
    } else if (bar->low == bar->high) {
        snprintf(text, LABEL_BYTES, "%d", bar->low);
    } else {
        snprintf(text, LABEL_BYTES, "%d to %d", bar->low, bar->high);
    }
    return text;
}

static double percent(uint64_t count, uint64_t of) { return of > 0 ? 100.0 * (double)count / (double)of : 0.0; }

/* ---- Text -------------------------------------------------------------------------------------------------------- */

enum { BAR_CELLS = 50, TEXT_BARS = 34 };

static void report_share(cli_report *report, const char *key, const char *label, uint64_t count, uint64_t of) {
    char unit[LABEL_BYTES];
    snprintf(unit, sizeof unit, "  %6.2f %%", percent(count, of));
    report_count(report, key, label, count, unit);
}

static void print_chart(const bar_chart *chart) {
    char text[THOUSANDS_BYTES];
    char label[LABEL_BYTES];
    printf("\n%s\n", chart->title);
    for (int i = 0; i < chart->bars; i++) {
        const chart_bar *bar = &chart->bar[i];
        char cells[BAR_CELLS + 1];
        int length = (int)lround(BAR_CELLS * (double)bar->count / (double)chart->largest);
        memset(cells, '#', BAR_CELLS);
        cells[length > 0 || bar->count == 0 ? length : 1] = '\0';
        printf("%16s %15s  %6.2f %%%s%s\n", format_range(bar, label), format_thousands(bar->count, text),
               percent(bar->count, chart->total), cells[0] != '\0' ? "  " : "", cells);
    }
}

static void json_counts(cli_json *json, const char *key, const char *member, const uint64_t *counts, int bins,
                        int first, int step) {
    json_array(json, key);
    for (int bin = 0; bin < bins; bin++) {
        if (counts[bin] > 0) {
            json_object(json, NULL);
            json_integer(json, member, first + bin * step);
            json_unsigned(json, "count", counts[bin]);
            json_end_object(json);
        }
    }
    json_end_array(json);
}

static void report_results(cli_report *report, const kz_shogi_file_stats *counts) {
    uint64_t all = counts->results[0] + counts->results[1] + counts->results[2];
    report_share(report, "won", "won by the mover", counts->results[2], all);
    report_share(report, "drawn", "drawn", counts->results[1], all);
    report_share(report, "lost", "lost", counts->results[0], all);
    report_share(report, "won_by_black", "won by black", counts->wins[KZ_SHOGI_BLACK], all);
    report_share(report, "won_by_white", "won by white", counts->wins[KZ_SHOGI_WHITE], all);
}

/* The text has charts of what the JSON has as lists. */
void print_shogi_stats(const shogi_stats *stats, bool as_json) {
    const kz_shogi_file_stats *counts = &stats->counts;
    const char *record = kz_shogi_record_at(stats->record)->name;
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    report.label = 16;
    report_line(&report, "%s, %s\n", stats->name, record);
    json_text(json, "file", stats->name);
    json_text(json, "record", record);
    report_count(&report, "records", "records", counts->records, "");
    report_count(&report, "bad", "bad", counts->bad, "");
    report_share(&report, "black_to_move", "black to move", counts->sides[KZ_SHOGI_BLACK], counts->records);
    report_share(&report, "white_to_move", "white to move", counts->sides[KZ_SHOGI_WHITE], counts->records);
    report_share(&report, "handicaps", "handicaps", counts->handicaps, counts->records);
    if ((counts->holds & KZ_SHOGI_HAS_RESULT) != 0) {
        report_results(&report, counts);
    }
    if ((counts->holds & KZ_SHOGI_HAS_PLY) != 0) {
        json_counts(json, "plies", "ply", counts->plies, KZ_SHOGI_PLY_BINS, 0, 1);
    }
    if ((counts->holds & KZ_SHOGI_HAS_SCORE) != 0) {
        json_counts(json, "scores", "score", counts->scores, KZ_SHOGI_SCORE_BINS,
                    -(KZ_SHOGI_SCORE_BINS / 2) * KZ_SHOGI_SCORE_STEP, KZ_SHOGI_SCORE_STEP);
    }
    json_counts(json, "pieces", "on_board", counts->on_board, (int)(sizeof counts->on_board / sizeof *counts->on_board),
                0, 1);
    bar_chart charts[CHARTS];
    int made = as_json ? 0 : make_charts(counts, TEXT_BARS, charts);
    for (int i = 0; i < made; i++) {
        print_chart(&charts[i]);
    }
    report_end(&report);
}

/* ---- SVG --------------------------------------------------------------------------------------------------------- */

enum {
    WIDTH = 1000,
    LEFT = 64,
    RIGHT = 24,
    PLOT = WIDTH - LEFT - RIGHT,
    TOP = 84,
    RESULTS = 58, /* height of the results */
    RESULT_BAR = 20,
    HEADING = 30, /* of a chart */
    CHART = 150,
    SCALE = 34, /* below it */
    SVG_BARS = 130
};

/* The results as one bar across the page: won, drawn, lost. */
static void draw_results(const kz_shogi_file_stats *counts, int top, FILE *stream) {
    static const struct {
        const char *style;
        const char *label;
        int result;
    } parts[] = {{"win", "won by the side to move", 2}, {"draw", "drawn", 1}, {"loss", "lost", 0}};
    uint64_t all = counts->results[0] + counts->results[1] + counts->results[2];
    double x = LEFT;
    fprintf(stream, "<text class='sub' y='%d'>", top + 12);
    for (int i = 0; i < 3; i++) {
        fprintf(stream, "<tspan %s class='%s' font-weight='600'>%s %.1f%%</tspan>", i == 0 ? "x='64'" : "dx='24'",
                parts[i].style, parts[i].label, percent(counts->results[parts[i].result], all));
    }
    fprintf(stream, "<tspan dx='24'>black won %.1f%%, white %.1f%%</tspan></text>\n",
            percent(counts->wins[KZ_SHOGI_BLACK], all), percent(counts->wins[KZ_SHOGI_WHITE], all));
    for (int i = 0; i < 3 && all > 0; i++) {
        double width = PLOT * (double)counts->results[parts[i].result] / (double)all;
        fprintf(stream, "<rect class='%s' x='%.1f' y='%d' width='%.1f' height='%d'/>\n", parts[i].style, x, top + 20,
                width, RESULT_BAR);
        x += width;
    }
}

/* A round step, so that a few lines divide the axis. */
static double round_step(double largest) {
    double step = pow(10, floor(log10(largest)));
    return largest / step > 5 ? 2 * step : largest / step > 2 ? step : step / 2;
}

static void draw_axis(const bar_chart *chart, int base, FILE *stream) {
    double most = percent(chart->largest, chart->total);
    double step = round_step(most);
    for (int line = 1; line * step <= most; line++) {
        double share = line * step;
        double y = base - CHART * share / most;
        fprintf(stream,
                "<line class='grid' x1='%d' x2='%d' y1='%.1f' y2='%.1f'/>"
                "<text class='tick end' x='%d' y='%.1f'>%g%%</text>\n",
                LEFT, WIDTH - RIGHT, y, y, LEFT - 8, y + 4, share);
    }
    fprintf(stream, "<line class='base' x1='%d' x2='%d' y1='%d' y2='%d'/>\n", LEFT, WIDTH - RIGHT, base, base);
}

static void draw_bars(const bar_chart *chart, int base, FILE *stream) {
    double width = (double)PLOT / chart->bars;
    double gap = width > 4 ? 0.8 : 0.2 * width;
    for (int i = 0; i < chart->bars; i++) {
        const chart_bar *bar = &chart->bar[i];
        char label[LABEL_BYTES];
        char text[THOUSANDS_BYTES];
        double height = CHART * (double)bar->count / (double)chart->largest;
        const char *style = bar->high < 0 ? "loss" : bar->low < 0 ? "draw" : "win";
        if (bar->count > 0) {
            fprintf(stream,
                    "<rect class='%s' x='%.2f' y='%.1f' width='%.2f' height='%.1f'><title>%s: %s</title></rect>\n",
                    style, LEFT + width * i + gap / 2, base - height, width - gap, height, format_range(bar, label),
                    format_thousands(bar->count, text));
        }
    }
}

/* A label below every so many bars, for the middle of what they count. */
static void draw_scale(const bar_chart *chart, int base, FILE *stream) {
    double width = (double)PLOT / chart->bars;
    int range = chart->bar[chart->bars - 1].high - chart->bar[0].low + 1;
    int step = (int)round_step(range);
    step = step / 5 > 0 ? step / 5 : 1;
    while ((double)range / step > 20) {
        step *= 2;
    }
    for (int i = 0; i < chart->bars; i++) {
        const chart_bar *bar = &chart->bar[i];
        for (int value = bar->low; value <= bar->high; value++) {
            if (value % step == 0) {
                double share = (value - bar->low + 0.5) / (bar->high - bar->low + 1);
                fprintf(stream, "<text class='tick mid' x='%.1f' y='%d'>%d</text>\n", LEFT + width * (i + share),
                        base + 16, value);
            }
        }
    }
}

static void draw_chart(const bar_chart *chart, int top, FILE *stream) {
    fprintf(stream, "<text class='part' x='%d' y='%d'>%c%s</text>\n", LEFT, top + 14, chart->title[0] - 'a' + 'A',
            chart->title + 1);
    if (chart->bars > 0) {
        int base = top + HEADING + CHART;
        draw_axis(chart, base, stream);
        draw_bars(chart, base, stream);
        draw_scale(chart, base, stream);
    }
}

static void write_escaped(const char *text, FILE *stream) {
    for (; *text != '\0'; text++) {
        if (*text == '<' || *text == '>' || *text == '&') {
            fprintf(stream, "&#%d;", *text);
        } else {
            fputc(*text, stream);
        }
    }
}

static void draw_stats(const void *context, FILE *stream) {
    const shogi_stats *stats = context;
    const kz_shogi_file_stats *counts = &stats->counts;
    char text[THOUSANDS_BYTES];
    char white[THOUSANDS_BYTES];
    bar_chart charts[CHARTS];
    int made = make_charts(counts, SVG_BARS, charts);
    bool results = (counts->holds & KZ_SHOGI_HAS_RESULT) != 0;
    int top = TOP;
    svg_begin(stream, WIDTH, TOP + (results ? RESULTS : 0) + made * (HEADING + CHART + SCALE),
              "Records of a shogi file: results, plies, scores, pieces");
    fprintf(stream, "<text class='title' x='%d' y='36'>", LEFT);
    write_escaped(stats->name, stream);
    fprintf(stream, "</text>\n<text class='sub' x='%d' y='60'>%s positions (%s), white to move in %s of them</text>\n",
            LEFT, format_thousands(counts->records, text), kz_shogi_record_at(stats->record)->name,
            format_thousands(counts->sides[KZ_SHOGI_WHITE], white));
    if (results) {
        draw_results(counts, top, stream);
        top += RESULTS;
    }
    for (int i = 0; i < made; i++) {
        draw_chart(&charts[i], top, stream);
        top += HEADING + CHART + SCALE;
    }
    svg_end(stream);
}

kz_status write_shogi_stats_svg(const shogi_stats *stats, const char *path, kz_error *error) {
    return svg_write(path, draw_stats, stats, error);
}
