# SPDX-License-Identifier: MIT
#
# Benchmarks: tools/bench/bench_*.c

file(GLOB BENCH_SOURCES CONFIGURE_DEPENDS tools/bench/bench_*.c)
add_library(kanzen_random STATIC EXCLUDE_FROM_ALL shogi/tests/support/shogi_random.c)
target_include_directories(kanzen_random PUBLIC . src)
target_link_libraries(kanzen_random PUBLIC kanzen_static)
foreach(source IN LISTS BENCH_SOURCES)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_link_libraries(${name} PRIVATE kanzen_random kanzen_static PkgConfig::ZSTD PkgConfig::XXHASH)
endforeach()

# Something to ask the server about, and somebody who does: tools/bench/bench_server.sh, tools/bench/soak_server.sh
add_executable(random_positions tools/bench/random_positions.c)
target_link_libraries(random_positions PRIVATE kanzen_static)
add_executable(soak_clients tools/bench/soak_clients.c)
target_link_libraries(soak_clients PRIVATE kanzen_static Threads::Threads)
