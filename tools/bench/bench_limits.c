/* SPDX-License-Identifier: MIT
 *
 * What one processor of this machine can do at most, to compare the other figures with (docs/performance.md): memory in
 * order, memory all over, and work that needs none. Times are of the processor, because others may use the machine; the
 * best of several rounds counts. */
#include "base/bigmem.h"
#include "base/random.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* As many bytes as Dobutsu Shogi has positions, and rather more than a cache has. */
enum { BYTES = 232 << 20, ROUNDS = 5, ACCESSES = 4000000, AHEAD = 256, STEPS = 50000000 };

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct bench {
    uint8_t *bytes;
    uint32_t *places; /* [ACCESSES]: at random */
    uint64_t sum;     /* of what was read, so that it has to be read */
} bench;

static void read_in_order(bench *b) {
    uint64_t sum = 0;
    for (size_t i = 0; i < BYTES; i += sizeof sum) {
        uint64_t word;
        memcpy(&word, b->bytes + i, sizeof word);
        sum += word;
    }
    b->sum += sum;
}

/* Many at once: none waits for another. */
static void read_all_over(bench *b) {
    for (size_t i = 0; i < ACCESSES; i += AHEAD) {
        for (size_t k = i; k < i + AHEAD && k < ACCESSES; k++) {
            __builtin_prefetch(b->bytes + b->places[k]);
        }
        for (size_t k = i; k < i + AHEAD && k < ACCESSES; k++) {
            b->sum += b->bytes[b->places[k]];
        }
    }
}

/* One after the other: where the next one is depends on what was read. The bytes are all 0, but nobody knows. */
static void read_in_turn(bench *b) {
    size_t found = 0;
    for (size_t i = 0; i < ACCESSES; i++) {
        found = b->bytes[(b->places[i] + found) % BYTES];
    }
    b->sum += found;
}

/* A branch that no processor can guess, and the same sum without one. */
static void guess_wrong(bench *b) {
    kz_random random = {1};
    for (size_t i = 0; i < ACCESSES; i++) {
        uint64_t word = kz_random_next(&random);
        if (word >> 63) {
            b->sum += word;
            __asm__ volatile("" ::: "memory"); /* keeps it a branch */
        }
    }
}

static void guess_nothing(bench *b) {
    kz_random random = {1};
    for (size_t i = 0; i < ACCESSES; i++) {
        uint64_t word = kz_random_next(&random);
        b->sum += word & (0 - (word >> 63));
        __asm__ volatile("" ::: "memory");
    }
}

/* Multiplications that wait for each other: three or four cycles each on most processors. */
static void multiply(bench *b) {
    uint64_t number = b->sum | 1;
    for (size_t i = 0; i < STEPS; i++) {
        number *= number;
        __asm__ volatile("" : "+r"(number));
    }
    b->sum += number;
}

static double best_of(void (*work)(bench *), bench *b) {
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double begin = processor_seconds();
        work(b);
        double taken = processor_seconds() - begin;
        best = taken < best ? taken : best;
    }
    return best;
}

int main(void) {
    bench b = {.bytes = kz_big_alloc(BYTES), .places = malloc(ACCESSES * sizeof *b.places)};
    kz_random random = {1};
    if (!b.bytes || !b.places) {
        fprintf(stderr, "bench_limits: no memory\n");
        free(b.places);
        return 3;
    }
    memset(b.bytes, 0, BYTES);
    for (size_t i = 0; i < ACCESSES; i++) {
        b.places[i] = (uint32_t)kz_random_below(&random, BYTES);
    }
    printf("one processor, %d MiB of memory\n", BYTES >> 20);
    printf("%-44s %8.1f GB/s\n", "memory read in order", 1e-9 * BYTES / best_of(read_in_order, &b));
    printf("%-44s %8.1f ns\n", "a byte anywhere, many at once", 1e9 * best_of(read_all_over, &b) / ACCESSES);
    printf("%-44s %8.1f ns\n", "a byte anywhere, one after the other", 1e9 * best_of(read_in_turn, &b) / ACCESSES);
    double wrong = best_of(guess_wrong, &b);
    printf("%-44s %8.1f ns\n", "a branch guessed wrong",
           1e9 * 2 * (wrong - best_of(guess_nothing, &b)) / ACCESSES); /* half of them are */
    printf("%-44s %8.2f ns\n", "a multiplication that waits for another", 1e9 * best_of(multiply, &b) / STEPS);
    kz_big_free(b.bytes, BYTES);
    free(b.places);
    return b.sum == 1 ? 1 : 0; /* never; but it has to be known */
}
