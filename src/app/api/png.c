/* SPDX-License-Identifier: MIT
 *
 * The board as an image of pixels, as large as those who show previews of links ask for. */
#include "app/api/question.h"

#include "app/picture/picture.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

kz_status kz_answer_png(kz_question *question, kz_problem *problem) {
    enum { WIDTH = 1200, HEIGHT = 630, PAPER = 0xfbf7ee };
    const char *svg;
    size_t size = 0;
    KZ_TRY(kz_question_draw(question, &svg, &problem->error));
    char *png = kz_picture(svg, strlen(svg), WIDTH, HEIGHT, PAPER, &size);
    if (!png) {
        return kz_fail(&problem->error, KZ_ERR_MEMORY, "out of memory");
    }
    kz_json_bytes(question->json, png, size);
    free(png);
    return KZ_OK;
}
