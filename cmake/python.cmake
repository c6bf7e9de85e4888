# SPDX-License-Identifier: MIT
#
# The Python package: the extension over the static library, for the stable ABI of Python 3.9. It lies in the build folder
# with the rest of the package, python/kanzen, so that PYTHONPATH=build/python is enough to use it. tools/wheel packs it.

set(KANZEN_PYTHON AUTO CACHE STRING "The Python package: ON, OFF, or AUTO (if the headers of Python 3 are there)")
set_property(CACHE KANZEN_PYTHON PROPERTY STRINGS AUTO ON OFF)

set(KANZEN_PYTHON_DIR "" CACHE STRING "Where `make install` puts the Python package, below the prefix; empty: nowhere")
option(KANZEN_PYTHON_DYNAMIC "Link the Python package with the system's libraries, as packages of systems do; wheels can't" OFF)

set(KANZEN_HAS_PYTHON OFF)
if(KANZEN_PYTHON STREQUAL "ON" OR (KANZEN_PYTHON STREQUAL "AUTO" AND NOT KANZEN_FUZZ AND NOT CMAKE_CROSSCOMPILING))
    # Whose headers they are does not matter: the stable ABI is asked for.
    find_path(PYTHON_HEADERS Python.h PATHS /usr/include/python3.13 /usr/include/python3.12 /usr/include/python3.11
              /usr/include/python3.10 /usr/include/python3.9)
    if(PYTHON_HEADERS)
        set(KANZEN_HAS_PYTHON ON)
    elseif(KANZEN_PYTHON STREQUAL "ON")
        message(FATAL_ERROR "KANZEN_PYTHON is ON, but there are no headers of Python 3 (Debian: python3-dev)")
    endif()
endif()

if(KANZEN_HAS_PYTHON)
    file(GLOB PYTHON_SOURCES CONFIGURE_DEPENDS python/src/*.c)
    file(GLOB PYTHON_FILES CONFIGURE_DEPENDS python/kanzen/*.py python/kanzen/*.pyi python/kanzen/py.typed)
    set(PYTHON_FOLDER ${CMAKE_CURRENT_BINARY_DIR}/python/kanzen)
    add_library(kanzen_python MODULE ${PYTHON_SOURCES})
    set_target_properties(kanzen_python PROPERTIES PREFIX "" OUTPUT_NAME _kanzen SUFFIX .abi3.so LINKER_LANGUAGE C
                          LIBRARY_OUTPUT_DIRECTORY ${PYTHON_FOLDER} C_VISIBILITY_PRESET hidden)
    target_include_directories(kanzen_python PRIVATE include shogi/include)
    target_include_directories(kanzen_python SYSTEM PRIVATE ${PYTHON_HEADERS})
    # A wheel has to bring what it needs: libraries are taken as archives where there is one beside the library that
    # pkg-config finds. What the package never calls (databases, other packers) is not linked.
    set(PYTHON_LINKS "")
    foreach(library ZSTD XXHASH CRYPTO ZLIB)
        if(NOT ${library}_FOUND)
            continue()
        endif()
        get_target_property(path PkgConfig::${library} INTERFACE_LINK_LIBRARIES)
        list(GET path 0 path)
        get_filename_component(path "${path}" DIRECTORY)
        list(GET ${library}_LIBRARIES 0 name)
        find_library(PYTHON_ARCHIVE_${library} lib${name}.a PATHS ${path} NO_DEFAULT_PATH)
        if(PYTHON_ARCHIVE_${library} AND NOT KANZEN_PYTHON_DYNAMIC)
            list(APPEND PYTHON_LINKS ${PYTHON_ARCHIVE_${library}})
        else()
            list(APPEND PYTHON_LINKS PkgConfig::${library})
        endif()
    endforeach()
    if(CURL_LINKED)
        list(APPEND PYTHON_LINKS PkgConfig::CURL)
    endif()
    add_dependencies(kanzen_python kanzen_static kanzen_shogi_static)
    target_link_libraries(kanzen_python PRIVATE $<TARGET_FILE:kanzen_static> $<TARGET_FILE:kanzen_shogi_static> ${PYTHON_LINKS} Threads::Threads ${CMAKE_DL_LIBS} m)
    target_link_options(kanzen_python PRIVATE LINKER:--exclude-libs,ALL LINKER:--gc-sections LINKER:--as-needed)
    foreach(file IN LISTS PYTHON_FILES)
        get_filename_component(name ${file} NAME)
        add_custom_command(OUTPUT ${PYTHON_FOLDER}/${name} DEPENDS ${file}
                           COMMAND ${CMAKE_COMMAND} -E copy ${file} ${PYTHON_FOLDER}/${name})
        list(APPEND PYTHON_COPIES ${PYTHON_FOLDER}/${name})
    endforeach()
    add_custom_target(kanzen_python_files ALL DEPENDS ${PYTHON_COPIES})
    add_dependencies(kanzen_python kanzen_python_files)
    if(KANZEN_PYTHON_DIR)
        install(TARGETS kanzen_python LIBRARY DESTINATION ${KANZEN_PYTHON_DIR}/kanzen)
        install(FILES ${PYTHON_FILES} DESTINATION ${KANZEN_PYTHON_DIR}/kanzen)
    endif()
endif()
