# SPDX-License-Identifier: MIT
#
# Tests: tests/unit/test_*.c, tests/cli/test_*.sh and tests/heavy/test_*.c and *.sh, and the same in shogi/tests. A new file in one
# of these folders is a new test; nothing here has to change. Lines of its head comment say what it needs; tests/README.md lists the words:
#
#     labels: slow serial
#     wraps: malloc free
#
# The folder's name is a label too.

# kanzen_test_head(SOURCE): sets LABELS and WRAPS to the words of these lines.
function(kanzen_test_head source)
    set(known slow serial dobutsu-table simplified-table makes-simplified-table mini-table server unsanitized faults)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    set(labels ${folder})
    set(wraps "")
    file(STRINGS ${source} lines REGEX "^( \\*|#) (labels|wraps): ")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^[^:]*: *" "" words "${line}")
        string(REPLACE " " ";" words "${words}")
        if(line MATCHES "^[^:]*wraps:")
            list(APPEND wraps ${words})
        else()
            list(APPEND labels ${words})
            foreach(word IN LISTS words)
                if(NOT word IN_LIST known)
                    message(FATAL_ERROR "${source}: there is no label '${word}' (${known})")
                endif()
            endforeach()
        endif()
    endforeach()
    # Heads are read when CMake runs, so it runs again when one may have changed.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    set(LABELS ${labels} PARENT_SCOPE)
    set(WRAPS ${wraps} PARENT_SCOPE)
endfunction()

# kanzen_test_wanted(RESULT LABEL...): whether this build has what a test with these labels needs.
function(kanzen_test_wanted result)
    set(wanted ON)
    if(KANZEN_SANITIZE AND ("heavy" IN_LIST ARGN OR "unsanitized" IN_LIST ARGN))
        set(wanted OFF)
    endif()
    if("server" IN_LIST ARGN AND NOT (JANSSON_FOUND AND MICROHTTPD_FOUND))
        set(wanted OFF)
    endif()
    set(${result} ${wanted} PARENT_SCOPE)
endfunction()

# kanzen_test(NAME "LABEL;..." COMMAND...)
function(kanzen_test name labels)
    add_test(NAME ${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/in-temporary-folder ${ARGN})
    set(environment "KANZEN=$<TARGET_FILE:kanzen>" "KANZEN_SOURCE=${CMAKE_CURRENT_SOURCE_DIR}" "KANZEN_TABLES="
        "FAULT_SHIM=$<TARGET_FILE:kanzen_faults>")
    if("unit" IN_LIST labels)
        list(APPEND environment KANZEN_TEST_IN_MEMORY=1)
    endif()
    if(TARGET team_mpi)
        list(APPEND environment "TEAM_MPI=$<TARGET_FILE:team_mpi>")
    endif()
    set(seconds 300)
    set(cost 1)
    if("heavy" IN_LIST labels)
        set(seconds 1800)
        set(cost 100)
    elseif("slow" IN_LIST labels)
        set(seconds 900)
        set(cost 10)
    endif()
    # What takes longest begins first.
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${seconds} COST ${cost} LABELS "${labels}")
    if("serial" IN_LIST labels)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    endif()
    set(fixtures "")
    if("dobutsu-table" IN_LIST labels)
        list(APPEND fixtures dobutsu_table)
        list(APPEND environment "DOBUTSU_TABLE=${DOBUTSU_TABLE}")
    endif()
    if("simplified-table" IN_LIST labels)
        list(APPEND fixtures simplified_table)
        list(APPEND environment "SIMPLIFIED_TABLE=${SIMPLIFIED_TABLE}")
    endif()
    if("mini-table" IN_LIST labels)
        list(APPEND fixtures mini_table)
        list(APPEND environment "MINI_TABLE=${MINI_TABLE}")
    endif()
    if("makes-simplified-table" IN_LIST labels)
        set_tests_properties(${name} PROPERTIES FIXTURES_SETUP simplified_table COST 500)
        list(APPEND environment "SIMPLIFIED_TABLE=${SIMPLIFIED_TABLE}")
    endif()
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED "${fixtures}")
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${environment}")
endfunction()

enable_testing()
file(GLOB TEST_SOURCES CONFIGURE_DEPENDS tests/unit/test_*.c tests/heavy/test_*.c shogi/tests/unit/test_*.c
     shogi/tests/heavy/test_*.c)
file(GLOB TEST_SCRIPTS CONFIGURE_DEPENDS tests/cli/test_*.sh tests/heavy/test_*.sh shogi/tests/cli/test_*.sh)

# Tests with the label dobutsu-table share one table of Dobutsu Shogi, which this solves first. test_heavy_cli looks at
# what the command printed. The number of threads is another one than in the tests that solve again and compare. The table
# by the simplified rules is left by the one test that solves these (makes-simplified-table).
set(DOBUTSU_TABLE ${CMAKE_CURRENT_BINARY_DIR}/tables/dobutsu-official.kzt)
set(SIMPLIFIED_TABLE ${CMAKE_CURRENT_BINARY_DIR}/tables/simplified/dobutsu-simplified.kzt)
if(NOT KANZEN_SANITIZE)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/tables/simplified)
    add_test(NAME solve_dobutsu COMMAND sh -c
        "$<TARGET_FILE:kanzen> solve dobutsu --out '${DOBUTSU_TABLE}' --force --threads 7 >'${DOBUTSU_TABLE}.out' 2>'${DOBUTSU_TABLE}.err'")
    set_tests_properties(solve_dobutsu PROPERTIES FIXTURES_SETUP dobutsu_table COST 1000 LABELS heavy)
endif()

# The table of Push Fight's mini board, for tests with the label mini-table, which look at what is made of it.
set(MINI_TABLE ${CMAKE_CURRENT_BINARY_DIR}/tables/mini/pushfight-mini.kzt)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/tables/mini)
add_test(NAME solve_mini COMMAND kanzen solve pushfight --board mini --out ${MINI_TABLE} --force --quiet)
set_tests_properties(solve_mini PROPERTIES FIXTURES_SETUP mini_table COST 400 LABELS cli)

# Several processes: tests/support/mpi_testing.sh
if(MPI_C_FOUND)
    add_executable(team_mpi tests/mpi/team_mpi.c)
    target_include_directories(team_mpi PRIVATE . src)
    target_link_libraries(team_mpi PRIVATE kanzen_static Threads::Threads)
    add_dependencies(team_mpi kanzen_mpi)
endif()

# A library that makes calls of the C library fail. The command runs with it (FAULT_SHIM), and tests with the label faults
# are linked with it. It is a tool of the tests, so it has no sanitizers.
add_library(kanzen_faults SHARED tests/faults/shim.c)
set_target_properties(kanzen_faults PROPERTIES COMPILE_OPTIONS "${WARNINGS}" LINK_OPTIONS "")
target_include_directories(kanzen_faults PRIVATE . src)
target_link_libraries(kanzen_faults PRIVATE Threads::Threads ${CMAKE_DL_LIBS})

# What any test may need beside its own program; tools/check builds this.
add_custom_target(for_tests)
add_dependencies(for_tests product kanzen_faults)
if(MPI_C_FOUND)
    add_dependencies(for_tests team_mpi)
endif()

# More than a hundred programs are linked whenever the library changes; lld takes half of the time.
check_linker_flag(C -fuse-ld=lld HAVE_LLD)

# Code that tests share. A program takes from it what it calls, so only those that use cmocka or jansson need them.
file(GLOB SUPPORT_SOURCES CONFIGURE_DEPENDS tests/support/*.c shogi/tests/support/*.c)
if(CMOCKA_FOUND)
    add_library(kanzen_support STATIC EXCLUDE_FROM_ALL ${SUPPORT_SOURCES})
    target_include_directories(kanzen_support PUBLIC . src)
    target_link_libraries(kanzen_support PUBLIC kanzen_server kanzen_static PkgConfig::CMOCKA Threads::Threads)
    if(JANSSON_FOUND)
        target_link_libraries(kanzen_support PUBLIC PkgConfig::JANSSON)
    endif()

    foreach(source IN LISTS TEST_SOURCES)
        get_filename_component(name ${source} NAME_WE)
        kanzen_test_head(${source})
        kanzen_test_wanted(wanted ${LABELS})
        if(NOT wanted)
            continue()
        endif()
        add_executable(${name} ${source})
        if("faults" IN_LIST LABELS)
            target_link_libraries(${name} PRIVATE kanzen_faults)
        endif()
        target_link_libraries(${name} PRIVATE kanzen_support kanzen_cli PkgConfig::ZSTD PkgConfig::XXHASH)
        if(HAVE_LLD)
            target_link_options(${name} PRIVATE -fuse-ld=lld)
        endif()
        foreach(call IN LISTS WRAPS)
            target_link_options(${name} PRIVATE LINKER:--wrap=${call})
        endforeach()
        kanzen_test(${name} "${LABELS}" $<TARGET_FILE:${name}>)
    endforeach()
endif()
foreach(script IN LISTS TEST_SCRIPTS)
    get_filename_component(name ${script} NAME_WE)
    kanzen_test_head(${script})
    kanzen_test_wanted(wanted ${LABELS})
    if(wanted)
        kanzen_test(${name} "${LABELS}" bash ${script})
    endif()
endforeach()

# ---- Fuzz targets: tests/fuzz/fuzz_*.c; tools/fuzz runs them ------------------------------------------------------------

file(GLOB FUZZ_SOURCES CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
if(NOT KANZEN_FUZZ AND NOT KANZEN_SANITIZE AND CMOCKA_FOUND AND JANSSON_FOUND AND MICROHTTPD_FOUND)
    # Compiled in every build, so that a change which they don't follow shows at once.
    add_library(fuzz_compiles OBJECT ${FUZZ_SOURCES})
    target_include_directories(fuzz_compiles PRIVATE . src src/app/cli)
    target_link_libraries(fuzz_compiles PRIVATE kanzen_support)
    add_dependencies(for_tests fuzz_compiles)
endif()
if(KANZEN_FUZZ)
    add_custom_target(fuzz_targets)
    foreach(source IN LISTS FUZZ_SOURCES)
        get_filename_component(name ${source} NAME_WE)
        kanzen_test_head(${source})
        kanzen_test_wanted(wanted ${LABELS})
        if(NOT wanted)
            continue()
        endif()
        add_executable(${name} ${source})
        target_include_directories(${name} PRIVATE src/app/cli)
        target_link_libraries(${name} PRIVATE kanzen_support kanzen_cli PkgConfig::ZSTD PkgConfig::XXHASH)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        add_dependencies(fuzz_targets ${name})
    endforeach()
endif()
