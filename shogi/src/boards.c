/* SPDX-License-Identifier: MIT
 *
 * The rules by sets of squares, for any processor, and the choice among those for several kinds of them. */
#define RULES kz_shogi_rules_plain
#define PATH "plain"
#include "shogi/src/boards_body.h"

#include "base/cpu.h"

#include <string.h>

static const struct {
    const kz_shogi_rules *rules;
    kz_cpu level;
} paths[] = {
#ifdef __x86_64__
    {&kz_shogi_rules_vbmi2, KZ_CPU_VBMI2},
    {&kz_shogi_rules_bmi2, KZ_CPU_BMI2},
#endif
    {&kz_shogi_rules_plain, KZ_CPU_PLAIN},
};

const kz_shogi_rules *kz_shogi_rules_for(const char *path) {
    kz_cpu level = path ? kz_cpu_available() : kz_cpu_level();
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (paths[i].level <= level && (!path || strcmp(paths[i].rules->path, path) == 0)) {
            return paths[i].rules;
        }
    }
    return NULL;
}

kz_shogi_defect kz_shogi_check_move(const kz_shogi_position *position, kz_shogi_move move) {
    return kz_shogi_rules_plain.move(position, move);
}
