/* SPDX-License-Identifier: MIT */
#include <kanzen/system.h>

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
#ifdef __APPLE__
    return (uint64_t)usage.ru_maxrss; /* in bytes */
#else
    return (uint64_t)usage.ru_maxrss * 1024; /* Linux counts in KiB */
#endif
}

/* Reads a small file as text. */
static bool read_text(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "r");
    size_t got = file ? fread(text, 1, size - 1, file) : 0;
    text[got] = 0;
    if (file) {
        fclose(file);
    }
    return got > 0;
}

/* The number that comes after a name in a text; `otherwise` if it is not there. */
static uint64_t number_after(const char *text, const char *name, uint64_t otherwise) {
    const char *found = strstr(text, name);
    return found ? strtoull(found + strlen(name), NULL, 10) : otherwise;
}

/* What the control group of this process and those above it leave: their limits, less what they hold already and can't
 * give back. Only version 2 of control groups is looked at. */
static uint64_t left_by_groups(void) {
    enum { PATH_ROOM = 4096, STAT_ROOM = 8192 };
    char text[STAT_ROOM];
    char group[PATH_ROOM];
    char path[PATH_ROOM + 64];
    uint64_t least = UINT64_MAX;
    char *begin = read_text("/proc/self/cgroup", text, sizeof text) ? strstr(text, "0::/") : NULL;
    if (!begin) {
        return least;
    }
    begin += strlen("0::");
    begin[strcspn(begin, "\n")] = 0;
    snprintf(group, sizeof group, "%s", begin);
    for (char *slash; (slash = strrchr(group, '/')); *slash = 0) {
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", group);
        if (!read_text(path, text, sizeof text) || text[0] == 'm') { /* "max": no limit */
            continue;
        }
        uint64_t most = strtoull(text, NULL, 10);
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.current", group);
        uint64_t held = read_text(path, text, sizeof text) ? strtoull(text, NULL, 10) : 0;
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.stat", group);
        uint64_t cached = read_text(path, text, sizeof text) ? number_after(text, "\nfile ", 0) : 0;
        held = held > cached ? held - cached : 0;
        uint64_t left = most > held ? most - held : 0;
        least = left < least ? left : least;
    }
    return least;
}

uint64_t kz_available_memory_bytes(void) {
    char text[8192];
    uint64_t least = left_by_groups();
    if (read_text("/proc/meminfo", text, sizeof text) && strstr(text, "MemAvailable:")) {
        uint64_t free = (number_after(text, "MemAvailable:", 0) + number_after(text, "SwapFree:", 0)) * 1024;
        least = free < least ? free : least;
    }
    return least;
}

int kz_processor_count(void) {
#ifdef __linux__
    /* The affinity mask respects taskset and batch systems; a machine with more processors than cpu_set_t holds
     * makes the call fail. */
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return CPU_COUNT(&set);
    }
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}
