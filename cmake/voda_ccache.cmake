# Compiles through ccache where there is one. The base directory lets a second checkout reuse the first one's results.
find_program(VODA_CCACHE ccache)
if(VODA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,gcno_cwd ${VODA_CCACHE})
endif()
