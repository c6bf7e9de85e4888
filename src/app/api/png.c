/* SPDX-License-Identifier: MIT
 *
 * The board as an image of pixels, as large as those who show previews of links ask for. */
#include "app/api/question.h"

#include "app/picture/picture.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

kz_status kz_answer_png(kz_question *question, kz_problem *problem) {
    enum { SVG_BYTES = 32 << 10, WIDTH = 1200, HEIGHT = 630, PAPER = 0xfbf7ee };
    char *svg = malloc(SVG_BYTES);
    if (!svg) {
        return kz_fail(&problem->error, KZ_ERR_MEMORY, "out of memory");
    }
    kz_status status = kz_draw_svg(question->values.game, &question->position, svg, SVG_BYTES, &problem->error);
    if (status == KZ_OK) {
        size_t size = 0;
        char *png = kz_picture(svg, strlen(svg), WIDTH, HEIGHT, PAPER, &size);
        status = png ? KZ_OK : kz_fail(&problem->error, KZ_ERR_MEMORY, "out of memory");
        kz_json_bytes(question->json, png ? png : "", size);
        free(png);
    }
    free(svg);
    return status;
}
