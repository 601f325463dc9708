include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/voda")
install(
  TARGETS voda voda_header_only
  EXPORT voda_targets
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT voda_targets FILE voda-targets.cmake NAMESPACE voda:: DESTINATION "${package_dir}")
configure_package_config_file(cmake/voda-config.cmake.in voda-config.cmake INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(voda-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/voda-config.cmake" "${PROJECT_BINARY_DIR}/voda-config-version.cmake"
        DESTINATION "${package_dir}")
file(RELATIVE_PATH prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/voda.pc.in voda.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/voda.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(TARGET voda_program)
  install(TARGETS voda_program)
endif()
