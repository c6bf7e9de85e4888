# SPDX-License-Identifier: MIT
#
# What `make install` puts below the prefix, and `make uninstall` removes again.

install(TARGETS kanzen RUNTIME)
install(TARGETS kanzen_static EXPORT kanzen-targets ARCHIVE)
set_target_properties(kanzen_static PROPERTIES EXPORT_NAME static)
if(KANZEN_SHARED)
    install(TARGETS kanzen_shared EXPORT kanzen-targets LIBRARY)
    set_target_properties(kanzen_shared PROPERTIES EXPORT_NAME kanzen)
endif()
if(MODULES)
    install(TARGETS ${MODULES} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/kanzen)
endif()
install(FILES ${PUBLIC_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kanzen)

# ---- For other builds: pkg-config and find_package(kanzen) ---------------------------------------------------------------

set(KANZEN_PC_REQUIRES "libzstd libxxhash libcrypto")
if(SQLITE_FOUND)
    string(APPEND KANZEN_PC_REQUIRES " sqlite3")
endif()
if(LZMA_FOUND)
    string(APPEND KANZEN_PC_REQUIRES " liblzma")
endif()
set(SHOGI_PC_REQUIRES "libzstd libxxhash libcrypto")
if(ZLIB_FOUND)
    string(APPEND SHOGI_PC_REQUIRES " zlib")
endif()
set(KANZEN_PC_LIBS "-pthread -lm")
if(CMAKE_DL_LIBS)
    string(APPEND KANZEN_PC_LIBS " -l${CMAKE_DL_LIBS}")
endif()
# The prefix is where the file lies, so that a tree can be moved.
file(RELATIVE_PATH KANZEN_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" KANZEN_PC_PREFIX "${KANZEN_PC_PREFIX}")
configure_file(packaging/kanzen.pc.in kanzen.pc @ONLY)
configure_file(packaging/kanzen-shogi.pc.in kanzen-shogi.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/kanzen.pc ${CMAKE_CURRENT_BINARY_DIR}/kanzen-shogi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

include(CMakePackageConfigHelpers)
set(PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/kanzen)
configure_package_config_file(packaging/kanzen-config.cmake.in kanzen-config.cmake INSTALL_DESTINATION ${PACKAGE_FOLDER})
write_basic_package_version_file(kanzen-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/kanzen-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/kanzen-config-version.cmake
        DESTINATION ${PACKAGE_FOLDER})
install(EXPORT kanzen-targets NAMESPACE kanzen:: DESTINATION ${PACKAGE_FOLDER})

# ---- Documents, completions, the page, the service -------------------------------------------------------------------------

# The command itself knows what the man page says of it, so a build for other machines, whose command can't run here, has none.
if(NOT CMAKE_CROSSCOMPILING)
    set(MAN_PAGE ${CMAKE_CURRENT_BINARY_DIR}/kanzen.1)
    add_custom_command(OUTPUT ${MAN_PAGE} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/make-man $<TARGET_FILE:kanzen> ${MAN_PAGE}
                       DEPENDS kanzen tools/make-man packaging/man/kanzen.1.in)
    add_custom_target(kanzen_man ALL DEPENDS ${MAN_PAGE})
    add_dependencies(product kanzen_man)
    install(FILES ${MAN_PAGE} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(FILES packaging/completions/kanzen.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME kanzen)
install(FILES packaging/completions/_kanzen DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES packaging/completions/kanzen.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES README.md LICENSE SECURITY.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The page without tables, if it was built (make site).
install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/site/ DESTINATION ${CMAKE_INSTALL_DATADIR}/kanzen/site OPTIONAL
        PATTERN tables EXCLUDE)
# The service names the command and the page; only at installation is the prefix certain.
install(CODE "
    set(BINDIR \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
    set(SITE \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/kanzen/site\")
    set(UNIT_FILE \"\${CMAKE_INSTALL_PREFIX}/lib/systemd/system/kanzen.service\")
    configure_file(\"${CMAKE_CURRENT_SOURCE_DIR}/packaging/systemd/kanzen.service.in\" \"\$ENV{DESTDIR}\${UNIT_FILE}\" @ONLY)
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES \${UNIT_FILE})
    message(STATUS \"Installing: \$ENV{DESTDIR}\${UNIT_FILE}\")")
