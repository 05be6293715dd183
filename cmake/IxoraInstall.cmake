# `cmake --install`: headers, the layers' libraries, find_package(ixora) with target ixora::ixora, and a pkg-config file.
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY IXORA_LAYERS)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ixora)

install(TARGETS ixora ${layers} EXPORT ixora-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT ixora-targets NAMESPACE ixora:: DESTINATION ${package_dir})
install(DIRECTORY include/ixora DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
configure_package_config_file(cmake/ixora-config.cmake.in ixora-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(ixora-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ixora-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/ixora-config-version.cmake
              cmake/IxoraDependencies.cmake DESTINATION ${package_dir})
# The prefix is told from where the file lies, so that `cmake --install --prefix` and a moved package work.
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/ixora.pc.in ixora.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ixora.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
