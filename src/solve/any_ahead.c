/* SPDX-License-Identifier: MIT
 *
 * What the moves of a position lead to: by the functions for single positions, or by numbers if the game lists them. */
#include "solve/any_cells.h"

#include "game/defined.h"

void kz_any_add_value(kz_sight *sight, kz_code code) {
    int plies = (int)(code - 2) / 2;
    if (code == KZ_CODE_DRAW) {
        sight->draws = true;
    } else if (code % 2) {
        sight->worst = plies > sight->worst ? plies : sight->worst;
    } else if (!sight->win || plies + 1 < sight->win) {
        sight->win = plies + 1;
    }
}

void kz_any_add_lower(any_worker *w, uint64_t from, kz_code code, any_outlook *o) {
    if (code == KZ_CODE_HOLE) {
        kz_any_complain(w, from, LAW_HOLE);
    } else {
        kz_any_add_value(&o->sight, code);
    }
}

/* A move to a position of a lower tier: its value is fetched, and added later. */
static void add_place(const kz_any_tier *tier, any_worker *w, uint64_t from, uint64_t index, any_outlook *o) {
    if (index - w->span.begin >= w->span.count) {
        w->span = tier->lower.span(tier->lower.context, index);
    }
    if (w->span.count == 0) {
        kz_any_complain(w, from, LAW_HOLE);
        return;
    }
    const uint8_t *at = w->span.values + (index - w->span.begin) * kz_any_form_bytes(w->span.form);
    __builtin_prefetch(at);
    w->places[w->on_way++] = (any_place){at, w->span.form};
    o->below++;
}

/* Adds the values of the first `o->below` places. No branch depends on a value: it would be guessed wrong, and the next
 * values would not be on their way meanwhile. */
static void add_below(any_worker *w, uint64_t from, const any_place *places, any_outlook *o) {
    const kz_code none = UINT32_MAX;
    kz_code soonest = none; /* lost position */
    kz_code latest = 0;     /* won one */
    bool draws = false;
    bool holes = false;
    for (unsigned i = 0; i < o->below; i++) {
        kz_code code = kz_any_form_get(places[i].at, places[i].form);
        bool odd = code % 2;
        kz_code lost = odd ? none : code;
        kz_code won = odd ? code : 0;
        soonest = lost < soonest ? lost : soonest;
        latest = won > latest ? won : latest;
        draws |= code == KZ_CODE_DRAW;
        holes |= code == KZ_CODE_HOLE;
    }
    if (holes) {
        kz_any_complain(w, from, LAW_HOLE);
        return;
    }
    if (soonest != none) {
        kz_any_add_value(&o->sight, soonest);
    }
    if (latest > KZ_CODE_DRAW) {
        kz_any_add_value(&o->sight, latest);
    }
    o->sight.draws |= draws;
}

/* A move to the position with that number. */
static void add_number(const kz_any_tier *tier, any_worker *w, uint64_t from, uint64_t index, any_outlook *o) {
    const kz_any_rules *rules = tier->rules;
    if (index - tier->begin < tier->size) {
        w->indices[o->inside++] = index;
        if (rules->game->never_repeats) {
            kz_any_complain(w, from, LAW_REPEATS);
        }
    } else if (index >= rules->size) {
        kz_any_complain(w, from, LAW_INDEX);
    } else if (index >= tier->begin) {
        kz_any_complain(w, from, LAW_TIER);
    } else if (w->asked) {
        w->asked[w->asks++] = index;
    } else {
        add_place(tier, w, from, index, o);
    }
}

/* The numbers come to the place where those of the tier stay, which is never behind the one that is looked at. */
static void look_by_numbers(const kz_any_tier *tier, any_worker *w, uint64_t index, any_outlook *o) {
    const kz_definition *game = tier->rules->game;
    int count = game->numbers_after(tier->rules->context, index, w->indices, &o->sight);
    o->hole = count < 0;
    if (count > game->max_moves) {
        kz_any_complain(w, index, LAW_MOVES);
        count = 0;
    }
    o->settled = o->sight.win == 1;
    if (o->sight.over != KZ_UNKNOWN || o->settled) {
        return;
    }
    for (int i = 0; i < count; i++) {
        add_number(tier, w, index, w->indices[i], o);
    }
}

static void look_by_moves(const kz_any_tier *tier, any_worker *w, uint64_t index, any_outlook *o) {
    const kz_definition *game = tier->rules->game;
    const void *context = tier->rules->context;
    kz_position position;
    if (!kz_any_unrank(tier->rules, index, &position)) {
        o->hole = true;
        return;
    }
    o->sight.over = game->result(context, &position);
    if (o->sight.over != KZ_UNKNOWN) {
        return;
    }
    int count = game->moves(context, &position, w->moves);
    if (count < 0 || count > game->max_moves) {
        kz_any_complain(w, index, LAW_MOVES);
        count = 0;
    }
    if (count == 0) {
        kz_outcome stuck = kz_defined_stuck(game, context, &position);
        o->stuck = true;
        o->sight.over = stuck == KZ_UNKNOWN ? KZ_LOSS : stuck;
    }
    for (int i = 0; i < count && o->sight.win != 1; i++) {
        kz_position child = position;
        if (w->moves[i] == 0) {
            kz_any_complain(w, index, LAW_ZERO);
        }
        game->play(context, &child, w->moves[i]);
        switch (game->result(context, &child)) {
        case KZ_LOSS:
            kz_any_add_value(&o->sight, kz_code_loss(0));
            break;
        case KZ_WIN:
            kz_any_add_value(&o->sight, kz_code_win(0));
            break;
        case KZ_DRAW:
            kz_any_add_value(&o->sight, KZ_CODE_DRAW);
            break;
        default:
            add_number(tier, w, index, kz_any_rank(tier->rules, &child), o);
        }
    }
}

void kz_any_look_far(const kz_any_tier *tier, any_worker *w, uint64_t index, unsigned count, any_outlook *o) {
    w->asks = 0;
    w->on_way = 0;
    for (unsigned i = 0; i < count; i++) {
        o[i] = (any_outlook){.hole = false};
        if (tier->rules->game->numbers_after) {
            look_by_numbers(tier, w, index + i, &o[i]);
        } else {
            look_by_moves(tier, w, index + i, &o[i]);
        }
    }
    const any_place *places = w->places;
    for (unsigned i = 0; i < count; i++) {
        add_below(w, index + i, places, &o[i]);
        places += o[i].below;
    }
}

void kz_any_look_ahead(const kz_any_tier *tier, any_worker *w, uint64_t index, any_outlook *o) {
    kz_any_look_far(tier, w, index, 1, o);
}
