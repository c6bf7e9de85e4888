/* SPDX-License-Identifier: MIT */
#include <kanzen/system.h>

#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double kz_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

uint64_t kz_peak_memory_bytes(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) {
        return 0;
    }
    return (uint64_t)usage.ru_maxrss * 1024; /* Linux counts in KiB */
}

int kz_processor_count(void) {
    /* The affinity mask respects taskset and batch systems; a machine with more processors than cpu_set_t holds
     * makes the call fail. */
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return CPU_COUNT(&set);
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}
