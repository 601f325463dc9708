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
  install(TARGETS voda_program COMPONENT program)
  # Made by the program itself, where bash, zsh, fish and man look for them.
  function(voda_program_file file destination)
    set(path "${PROJECT_BINARY_DIR}/program_files/${destination}/${file}")
    cmake_path(GET path PARENT_PATH folder)
    file(MAKE_DIRECTORY "${folder}")
    add_custom_command(OUTPUT "${path}" COMMAND voda_program ${ARGN} > "${path}" DEPENDS voda_program VERBATIM)
    install(FILES "${path}" DESTINATION "${destination}" COMPONENT program)
    set_property(GLOBAL APPEND PROPERTY voda_program_files "${path}")
  endfunction()
  voda_program_file(voda "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" completion bash)
  voda_program_file(_voda "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" completion zsh)
  voda_program_file(voda.fish "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" completion fish)
  voda_program_file(voda.1 "${CMAKE_INSTALL_MANDIR}/man1" manual)
  get_property(program_files GLOBAL PROPERTY voda_program_files)
  add_custom_target(voda_program_files ALL DEPENDS ${program_files})
endif()
