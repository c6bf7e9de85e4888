/* SPDX-License-Identifier: MIT */
#include "games/pushfight/table/run_window.h"

#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

/* Which word of a run's windows has the run that begins `back` places before it; a new one if need be. */
static unsigned find_word(uint16_t back[KZ_WINDOW_RUNS], unsigned *used, unsigned wanted) {
    unsigned word = 0;
    while (word < *used && back[word] != wanted) {
        word++;
    }
    if (word == *used && word < KZ_WINDOW_RUNS) {
        back[(*used)++] = (uint16_t)wanted;
    }
    return word;
}

static bool make_windows(const kz_run_layout *layout, kz_run_windows *windows) {
    unsigned width = layout->run;
    memset(windows, 0, sizeof *windows);
    if (width < KZ_WINDOW_LEAST_RUN || width > KZ_WINDOW_MOST_RUN || layout->group < 8 || layout->group % width ||
        layout->group / width > KZ_GROUP_RUNS) {
        return false;
    }
    for (unsigned run = 0; run < layout->group / width; run++) {
        unsigned used = 0;
        uint16_t *words = windows->back[run];
        for (unsigned place = run * width; place < (run + 1) * width; place++) {
            const kz_entry_plan *plan = &layout->places[place];
            uint8_t *choose = windows->choose[place];
            memset(choose, 8 * KZ_WINDOW_UNKNOWN, sizeof windows->choose[place]);
            for (unsigned i = 0; i < KZ_RUN_NEIGHBOURS; i++) {
                unsigned at = place - plan->back[i];
                unsigned word =
                    at / width == run ? (unsigned)KZ_WINDOW_OWN : find_word(words, &used, (run - at / width) * width);
                if (word == KZ_WINDOW_RUNS) {
                    return false;
                }
                if (at != place) {
                    choose[i] = (uint8_t)(8 * word + at % width);
                }
            }
            for (unsigned k = 0; k < KZ_GROUP_NEIGHBOURS; k++) {
                choose[KZ_RUN_NEIGHBOURS + k] = (uint8_t)(8 * (KZ_WINDOW_GROUPS + k) + place % width);
            }
            choose[KZ_NEIGHBOURS] = (uint8_t)(8 * KZ_WINDOW_OWN + place % width);
            windows->kind[place] = plan->kind;
            windows->run_of[place] = (uint8_t)run;
        }
        /* Words that are not needed are filled from where the group begins. */
        for (unsigned word = used; word < KZ_WINDOW_RUNS; word++) {
            words[word] = (uint16_t)(run * width);
        }
    }
    return true;
}

void kz_run_layout_complete(kz_run_layout *layout) {
#ifdef __x86_64__
    bool used = kz_cpu_level() >= KZ_CPU_VBMI2;
#else
    bool used = false;
#endif
    layout->windows = used ? malloc(sizeof *layout->windows) : NULL;
    if (layout->windows && !make_windows(layout, layout->windows)) {
        free(layout->windows);
        layout->windows = NULL;
    }
}
