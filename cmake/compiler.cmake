# SPDX-License-Identifier: MIT
#
# How C is compiled and linked. CFLAGS, LDFLAGS, CMAKE_C_FLAGS_* and the build type are the user's: what stands here comes on
# top of them.

include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# All code is position independent: one compilation serves the static library, the shared one and the command (PIE).
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
check_pie_supported(LANGUAGES C)

# kanzen_compile_options(OPTION...): for C, not for CUDA
function(kanzen_compile_options)
    foreach(option IN LISTS ARGN)
        add_compile_options($<$<COMPILE_LANGUAGE:C>:${option}>)
    endforeach()
endfunction()

add_compile_definitions(_GNU_SOURCE)
if(APPLE)
    kanzen_compile_options(-include ${CMAKE_SOURCE_DIR}/src/base/macos.h)
endif()
set(WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla)
kanzen_compile_options(${WARNINGS})
if(KANZEN_WERROR)
    kanzen_compile_options(-Werror)
endif()

# No function of the library takes more of the stack: it may be called in threads that have little (docs/library.md). Sanitizers
# and counters make frames of their own, and so do compilers that do not optimize.
set(FRAME_LIMIT "")
if(NOT KANZEN_SANITIZE AND NOT KANZEN_COVERAGE AND NOT KANZEN_FUZZ AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug" AND
   NOT "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_RELEASE}" MATCHES "-O0")
    set(FRAME_LIMIT -Wframe-larger-than=32768)
endif()

# No path of the machine gets into the result: built in two folders, it is the same, byte for byte.
check_c_compiler_flag(-ffile-prefix-map=/nowhere=. HAVE_FILE_PREFIX_MAP)
if(HAVE_FILE_PREFIX_MAP)
    # The last one that fits counts.
    kanzen_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=build)
endif()

# Calls between functions of the library are direct, also in the shared library.
check_c_compiler_flag(-fno-semantic-interposition HAVE_NO_SEMANTIC_INTERPOSITION)
if(HAVE_NO_SEMANTIC_INTERPOSITION)
    kanzen_compile_options(-fno-semantic-interposition)
endif()

if(KANZEN_SANITIZE)
    # Assertions stay on in this build, and -O1 keeps stack traces readable. These need names and lines (-g1), and not the
    # variables, which take a quarter of the time to compile.
    set(SANITIZERS address,undefined)
    if(KANZEN_SANITIZE STREQUAL "thread")
        set(SANITIZERS thread)
    endif()
    kanzen_compile_options(-O1 -g1 -UNDEBUG -fno-omit-frame-pointer -fsanitize=${SANITIZERS} -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${SANITIZERS} -fno-sanitize-recover=all)
    # More than a hundred programs are linked; lld takes a third of the time.
    check_linker_flag(C -fuse-ld=lld HAVE_LLD)
    if(HAVE_LLD)
        add_link_options(-fuse-ld=lld)
    endif()
endif()
if(KANZEN_FUZZ)
    # All code reports where it has been; the driver is linked with the targets only.
    kanzen_compile_options(-fsanitize=fuzzer-no-link)
    add_link_options(-fsanitize=fuzzer-no-link)
endif()
if(KANZEN_COVERAGE)
    kanzen_compile_options(-O1 -g)
    add_link_options(--coverage)
endif()

# ---- Hardening -----------------------------------------------------------------------------------------------------------

# tests/cli/test_hardening.sh looks at what comes out. Sanitizers check more than this, and don't go well with it.
if(KANZEN_HARDENING AND NOT KANZEN_SANITIZE AND NOT KANZEN_COVERAGE)
    set(HARDENING -fstack-protector-strong -fstack-clash-protection)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
        list(APPEND HARDENING -fcf-protection=full)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
        list(APPEND HARDENING -mbranch-protection=standard)
    endif()
    foreach(option IN LISTS HARDENING)
        string(MAKE_C_IDENTIFIER "HAVE${option}" have)
        check_c_compiler_flag(${option} ${have})
        if(${have})
            kanzen_compile_options(${option})
        endif()
    endforeach()
    # It works with an optimizing compiler only. Who builds packages may have chosen a level already.
    if(NOT "${CMAKE_C_FLAGS}" MATCHES "_FORTIFY_SOURCE" AND CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
        kanzen_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    endif()
    if(NOT APPLE)
        add_link_options(LINKER:-z,relro,-z,now,-z,noexecstack)
    endif()
    # The mark for shadow stacks. Debian's start-up objects lack it, and the linker would leave it out because of them.
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64" AND NOT APPLE)
        add_link_options(LINKER:-z,shstk)
    endif()
endif()
