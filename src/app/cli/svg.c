/* SPDX-License-Identifier: MIT */
#include "svg.h"

#include <kanzen/paths.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    "<style>"
    "text{font-family:system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#3d4450}"
    ".page{fill:#fcfcfa}.title{font-size:21px;font-weight:600;fill:#1d2129}.sub{font-size:14px}"
    ".tick{font-size:12px;fill:#69707d}.end{text-anchor:end}.mid{text-anchor:middle}"
    ".grid{stroke:#e2e3e0;stroke-width:1}.base{stroke:#9aa0aa;stroke-width:1}"
    ".part{font-size:15px;font-weight:600}.win{fill:#2267a8}.draw{fill:#8b919c}.loss{fill:#c2571a}"
    "@media (prefers-color-scheme:dark){text{fill:#c3c8d0}.page{fill:#16181c}.title{fill:#f1f2f4}.tick{fill:#949ba7}"
    ".grid{stroke:#2b2f36}.base{stroke:#6d7480}.win{fill:#6db1ef}.draw{fill:#9aa0aa}.loss{fill:#f0955a}}"
    "</style>\n";

void svg_begin(FILE *stream, int width, int height, const char *title) {
    fprintf(stream,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' role='img'>\n"
            "<title>%s</title>\n%s<rect class='page' width='%d' height='%d' rx='12'/>\n",
            width, height, width, height, title, style, width, height);
}

void svg_end(FILE *stream) { fputs("</svg>\n", stream); }

/* A document in memory. open_memstream would do, but if memory runs out in the middle, it says so to no one. */
typedef struct svg_document {
    char *data;
    size_t size;
    bool failed;
} svg_document;

static ssize_t append(void *cookie, const char *data, size_t size) {
    svg_document *svg = cookie;
    char *larger = svg->failed ? NULL : realloc(svg->data, svg->size + size + 1);
    if (!larger) {
        svg->failed = true;
        return 0;
    }
    memcpy(larger + svg->size, data, size);
    svg->data = larger;
    svg->size += size;
    return (ssize_t)size;
}

kz_status svg_write(const char *path, svg_draw *draw, const void *context, kz_error *error) {
    if (strcmp(path, "-") == 0) {
        draw(context, stdout);
        return KZ_OK;
    }
    svg_document svg = {.data = NULL};
    FILE *stream = fopencookie(&svg, "w", (cookie_io_functions_t){.write = append});
    if (stream) {
        draw(context, stream);
    }
    kz_status status;
    if (!stream || fclose(stream) != 0 || svg.failed) {
        *error = (kz_error){.status = KZ_ERR_MEMORY, .message = "out of memory"};
        status = KZ_ERR_MEMORY;
    } else {
        status = kz_write_file(path, svg.data, svg.size, true, error);
    }
    free(svg.data);
    return status;
}
