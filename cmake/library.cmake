# SPDX-License-Identifier: MIT
#
# The libraries, static and shared, and the modules that they load when they are asked for.

# src/base is for both libraries, libkanzen and libkanzen-shogi (shogi/CMakeLists.txt), and neither needs the other one: each
# has a copy of it. The same objects are in both archives, so a program that is linked with both takes them once.
file(GLOB BASE_SOURCES CONFIGURE_DEPENDS src/base/*.c)
# All of src but that, the command, the server, the commands of games, the code for the browser, and the modules.
file(GLOB_RECURSE LIBRARY_SOURCES CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} src/*.c)
list(FILTER LIBRARY_SOURCES EXCLUDE REGEX
     "^src/(app/cli|app/server|app/wasm|base|solve/team/mpi)/|^src/games/commands[^/]*$|^src/games/[^/]+/commands/")
file(GLOB PUBLIC_HEADERS CONFIGURE_DEPENDS include/kanzen/*.h)

# The description of the API is a document; src/app/api/about.c includes it as a string.
set(GENERATED ${CMAKE_CURRENT_BINARY_DIR}/generated)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/app/api/openapi.json tools/embed)
file(MAKE_DIRECTORY ${GENERATED})
execute_process(COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/embed ${CMAKE_CURRENT_SOURCE_DIR}/src/app/api/openapi.json
                OUTPUT_FILE ${GENERATED}/openapi_text.new COMMAND_ERROR_IS_FATAL ANY)
file(COPY_FILE ${GENERATED}/openapi_text.new ${GENERATED}/openapi_text.h ONLY_IF_DIFFERENT)

# Kernels that are compiled once for each kind of processor; which one runs is decided at run time (src/base/cpu.h).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
    set(AVX2_OPTIONS -mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt)
    set_source_files_properties(src/games/pushfight/solve/slice_avx2.c PROPERTIES COMPILE_OPTIONS "${AVX2_OPTIONS}")
    set_source_files_properties(src/games/dobutsu/solve/strips_avx2.c src/games/pushfight/table/run_views_avx2.c PROPERTIES COMPILE_OPTIONS
                                "-mavx2;-mbmi;-mlzcnt;-mpopcnt")
    set_source_files_properties(src/games/pushfight/solve/slice_avx512.c src/games/dobutsu/solve/strips_avx512.c
                                src/games/pushfight/solve/page_runs_avx512.c src/games/pushfight/table/run_views_avx512.c
                                src/games/dobutsu/table/coder_avx512.c PROPERTIES COMPILE_OPTIONS
                                "${AVX2_OPTIONS};-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl")
    set(VBMI2_OPTIONS ${AVX2_OPTIONS} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vbmi -mavx512vbmi2 -mavx512bitalg
        -mavx512vpopcntdq -mgfni)
    file(GLOB VBMI2_SOURCES CONFIGURE_DEPENDS src/games/*/*/*_vbmi2.c)
    set_source_files_properties(${VBMI2_SOURCES} PROPERTIES COMPILE_OPTIONS "${VBMI2_OPTIONS}")
endif()
set_source_files_properties(src/base/error.c PROPERTIES COMPILE_DEFINITIONS KANZEN_VERSION="${PROJECT_VERSION}")
set_source_files_properties(src/base/module.c PROPERTIES COMPILE_DEFINITIONS
    "KANZEN_LIBDIR=\"${CMAKE_INSTALL_LIBDIR}\";KANZEN_FULL_LIBDIR=\"${CMAKE_INSTALL_FULL_LIBDIR}\"")
set_source_files_properties(src/base/paths.c PROPERTIES COMPILE_DEFINITIONS
    "KANZEN_DATADIR=\"${CMAKE_INSTALL_FULL_DATADIR}/kanzen\"")
if(KANZEN_FUZZ)
    # Comparisons are reported, too, but for those of long loops whose way no input changes.
    set_source_files_properties(src/games/dobutsu/index/index.c src/games/dobutsu/index/pairs.c src/games/dobutsu/table/model.c src/games/pushfight/table/run_model.c
                                src/table/shares.c PROPERTIES COMPILE_OPTIONS -fno-sanitize-coverage=trace-cmp)
endif()

# Every source is compiled once, for the static library and for the shared one.
set(BASE_LINKS PkgConfig::ZSTD PkgConfig::XXHASH PkgConfig::CRYPTO Threads::Threads ${CMAKE_DL_LIBS} m)
add_library(kanzen_base OBJECT ${BASE_SOURCES})
target_compile_options(kanzen_base PRIVATE ${FRAME_LIMIT})
target_include_directories(kanzen_base PRIVATE src include)
# Sanitizers and counters follow the code of the program, and not that of its modules.
set(CURL_LINKED OFF)
if(CURL_FOUND AND (KANZEN_SANITIZE OR KANZEN_FUZZ OR KANZEN_COVERAGE))
    set(CURL_LINKED ON)
    target_sources(kanzen_base PRIVATE src/base/module/http_curl.c)
    target_compile_definitions(kanzen_base PRIVATE KANZEN_CURL_LINKED)
    list(APPEND BASE_LINKS PkgConfig::CURL)
endif()
target_link_libraries(kanzen_base PRIVATE ${BASE_LINKS})

set(LIBRARY_LINKS ${BASE_LINKS})
add_library(kanzen_objects OBJECT ${LIBRARY_SOURCES})
target_compile_options(kanzen_objects PRIVATE ${FRAME_LIMIT})
target_include_directories(kanzen_objects PRIVATE src include ${GENERATED})
if(SQLITE_FOUND)
    target_compile_definitions(kanzen_objects PRIVATE KANZEN_SQLITE)
    list(APPEND LIBRARY_LINKS PkgConfig::SQLITE)
endif()
if(LZMA_FOUND)
    target_compile_definitions(kanzen_objects PRIVATE KANZEN_LZMA)
    list(APPEND LIBRARY_LINKS PkgConfig::LZMA)
endif()
target_link_libraries(kanzen_objects PRIVATE ${LIBRARY_LINKS})

# kanzen_library(TARGET KIND NAME OBJECTS INCLUDE LINK...): the library libNAME of these objects and of src/base; its public
# headers are in the folder INCLUDE.
function(kanzen_library target kind name objects include)
    add_library(${target} ${kind} $<TARGET_OBJECTS:${objects}> $<TARGET_OBJECTS:kanzen_base>)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C
                          ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<BUILD_INTERFACE:${include}>
                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${target} PRIVATE ${ARGN})
endfunction()

# kanzen_exports(TARGET HEADER...): users of this shared library see what these headers declare, and nothing else.
function(kanzen_exports target)
    set(exports "")
    foreach(header IN LISTS ARGN)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
        file(READ ${header} text)
        string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" "" text "${text}")
        # Functions that a header defines itself are not in the library.
        string(REGEX REPLACE "static inline [^;{]*\\{" "" text "${text}")
        string(REGEX MATCHALL "kz_[a-z0-9_]+\\(" names "${text}")
        list(APPEND exports ${names})
    endforeach()
    list(REMOVE_DUPLICATES exports)
    string(REPLACE "(" "" exports "${exports}")
    list(JOIN exports ";\n        " exports)
    set(map ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
    file(CONFIGURE OUTPUT ${map} CONTENT "{\n    global:\n        @exports@;\n    local:\n        *;\n};\n" @ONLY)

    # Before 1.0 a minor version may break programs, so it is a part of the name that they look for (docs/library.md).
    set(soversion ${PROJECT_VERSION_MAJOR})
    if(soversion EQUAL 0)
        set(soversion 0.${PROJECT_VERSION_MINOR})
    endif()
    set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${soversion} LINK_DEPENDS ${map})
    if(NOT APPLE) # whose linker knows no such lists: all of the library is seen there
        target_link_options(${target} PRIVATE -Wl,--version-script=${map} -Wl,--no-undefined)
    endif()
endfunction()

kanzen_library(kanzen_static STATIC kanzen kanzen_objects ${CMAKE_CURRENT_SOURCE_DIR}/include ${LIBRARY_LINKS})
if(KANZEN_SHARED)
    kanzen_library(kanzen_shared SHARED kanzen kanzen_objects ${CMAKE_CURRENT_SOURCE_DIR}/include ${LIBRARY_LINKS})
    kanzen_exports(kanzen_shared ${PUBLIC_HEADERS})
endif()

add_subdirectory(shogi)
# Who asks for Kanzen gets both libraries (docs/library.md).
target_link_libraries(kanzen_static INTERFACE kanzen_shogi_static)
if(KANZEN_SHARED)
    target_link_libraries(kanzen_shared INTERFACE kanzen_shogi_shared)
endif()

# ---- Modules: src/base/module.h --------------------------------------------------------------------------------------------

# A module has what it needs of the library in itself and shows one function.
set(MODULE_MAP ${CMAKE_CURRENT_SOURCE_DIR}/cmake/module.map)
set(MODULES "")
function(kanzen_module target name)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} PREFIX "" LINKER_LANGUAGE C LINK_DEPENDS ${MODULE_MAP})
    target_include_directories(${target} PRIVATE src include)
    target_link_libraries(${target} PRIVATE kanzen_static)
    if(NOT APPLE)
        target_link_options(${target} PRIVATE -Wl,--version-script=${MODULE_MAP} -Wl,--no-undefined)
    endif()
    set(MODULES ${MODULES} ${target} PARENT_SCOPE)
endfunction()

if(MPI_C_FOUND)
    add_library(kanzen_mpi MODULE src/solve/team/mpi/team_mpi.c src/base/module/version.c)
    kanzen_module(kanzen_mpi kanzen-mpi)
    target_link_libraries(kanzen_mpi PRIVATE MPI::MPI_C)
endif()

if(CURL_FOUND AND NOT CURL_LINKED)
    add_library(kanzen_curl MODULE src/base/module/http_curl.c src/base/module/version.c)
    kanzen_module(kanzen_curl kanzen-curl)
    target_link_libraries(kanzen_curl PRIVATE PkgConfig::CURL Threads::Threads)
endif()

# The kernels need no C++ library, and the driver of the card is looked for when a solver is opened.
if(KANZEN_HAS_CUDA)
    file(GLOB CUDA_SOURCES CONFIGURE_DEPENDS src/games/*/cuda/*.cu)
    add_library(kanzen_cuda MODULE ${CUDA_SOURCES} src/base/module/version.c)
    kanzen_module(kanzen_cuda kanzen-cuda)
    set_target_properties(kanzen_cuda PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
    target_compile_options(kanzen_cuda PRIVATE
        $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;-Xcompiler=-fno-exceptions,-fno-rtti,-fno-threadsafe-statics;-Xcompiler=-Wno-deprecated-enum-enum-conversion>)
    target_link_libraries(kanzen_cuda PRIVATE CUDA::cudart_static)
endif()
