/* SPDX-License-Identifier: MIT */
#include "solve/any_report.h"

#include <stdio.h>

enum { NAME_BYTES = 64 };

/* Looking at all moves counts as half of a tier. */
static bool report_tier(void *user, const char *stage, uint64_t done, uint64_t total) {
    kz_any_report *r = user;
    const kz_progress *listener = r->listener;
    if (r->rules->tiers == 1) {
        return listener->report(listener->user, stage, done, total);
    }
    char name[NAME_BYTES];
    kz_any_tier_name(r->rules, r->tier, name);
    (void)stage;
    snprintf(r->stage, sizeof r->stage, "%s (%d of %d)", name, r->tier + 1, r->rules->tiers);
    uint64_t begin = r->rules->tier_begin[r->tier];
    double half = (double)(r->rules->tier_begin[r->tier + 1] - begin) / 2;
    double share = r->looked ? 1 : total ? (double)done / (double)total : 0;
    r->looked = r->looked || (total && done >= total);
    return listener->report(listener->user, r->stage, begin + (uint64_t)(half * share), r->rules->size);
}

kz_progress kz_any_report_tier(kz_any_report *report, int tier) {
    report->tier = tier;
    report->looked = false;
    return (kz_progress){report->listener && report->listener->report ? report_tier : NULL, report};
}
