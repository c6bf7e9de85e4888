# SPDX-License-Identifier: MIT
#
# What Kanzen is linked with. docs/dependencies.md lists the same with versions and licences (tools/sbom).

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(CRYPTO REQUIRED IMPORTED_TARGET libcrypto)
# The server; without it the command has none.
pkg_check_modules(MICROHTTPD IMPORTED_TARGET libmicrohttpd)
# Databases for kanzen export; without it there are none.
pkg_check_modules(SQLITE IMPORTED_TARGET sqlite3)
# Tables that xz has packed, for kanzen compare; without it they have to be unpacked first.
pkg_check_modules(LZMA IMPORTED_TARGET liblzma)
# Files of shogi records that gzip has packed; without it they have to be unpacked first.
pkg_check_modules(ZLIB IMPORTED_TARGET zlib)
# Tables and packets from web servers: the module kanzen-curl.so; without it only files of this machine.
pkg_check_modules(CURL IMPORTED_TARGET libcurl)
# Lines that can be edited in the terminal; without it they are plain.
pkg_check_modules(LIBEDIT IMPORTED_TARGET libedit)
# Tests
if(BUILD_TESTING)
    pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
    # They read the server's answers with it.
    pkg_check_modules(JANSSON IMPORTED_TARGET jansson)
endif()

# Several processes: the module kanzen-mpi.so
if(KANZEN_MPI STREQUAL "ON" OR (KANZEN_MPI STREQUAL "AUTO" AND NOT KANZEN_SANITIZE))
    find_package(MPI QUIET COMPONENTS C)
    if(KANZEN_MPI STREQUAL "ON" AND NOT MPI_C_FOUND)
        message(FATAL_ERROR "KANZEN_MPI is ON, but there is no MPI (Debian: libopenmpi-dev)")
    endif()
endif()

# Graphics cards: the module kanzen-cuda.so
set(KANZEN_HAS_CUDA OFF)
if(KANZEN_CUDA STREQUAL "ON" OR (KANZEN_CUDA STREQUAL "AUTO" AND NOT KANZEN_SANITIZE))
    include(CheckLanguage)
    check_language(CUDA)
    find_package(CUDAToolkit 12)
    if(CMAKE_CUDA_COMPILER AND CUDAToolkit_FOUND)
        set(CMAKE_CUDA_ARCHITECTURES 80-virtual 90-real)
        enable_language(CUDA)
        set(KANZEN_HAS_CUDA ON)
    elseif(KANZEN_CUDA STREQUAL "ON")
        message(FATAL_ERROR "KANZEN_CUDA is ON, but there is no CUDA compiler of version 12 or later")
    endif()
endif()
