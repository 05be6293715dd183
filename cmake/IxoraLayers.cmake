# ixora_layer(NAME SOURCES dir [DEPENDS layer...] [LIBRARIES target...]): one static library per layer, with every .cpp below
# `dir`. DEPENDS are public, LIBRARIES too since the libraries are static.
set(IXORA_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 at -O2 warns falsely about copies within strings and of buffers of known size, the more so where the standard
  # headers come precompiled.
  list(APPEND IXORA_WARNINGS -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()

# Tests: Catch's expressions need parentheses.
set(IXORA_TEST_WARNINGS ${IXORA_WARNINGS} -Wno-parentheses)

# ixora_precompile(TARGET): the standard headers once for all its sources.
function(ixora_precompile target)
  if(PROJECT_IS_TOP_LEVEL)
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp)
    # What ccache needs to work with them.
    target_compile_options(${target} PRIVATE
      "$<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>" "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endfunction()

function(ixora_layer name)
  cmake_parse_arguments(LAYER "" "SOURCES" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${LAYER_SOURCES}/*.cpp)
  set(scope PUBLIC)
  if(sources)
    add_library(ixora_${name} STATIC ${sources})
    set_target_properties(ixora_${name} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  else()  # headers only
    set(scope INTERFACE)
    add_library(ixora_${name} INTERFACE)
  endif()
  target_compile_features(ixora_${name} ${scope} cxx_std_20)
  target_include_directories(ixora_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  foreach(dependency IN LISTS LAYER_DEPENDS)
    target_link_libraries(ixora_${name} ${scope} ixora_${dependency})
  endforeach()
  target_link_libraries(ixora_${name} ${scope} ${LAYER_LIBRARIES} Threads::Threads)
  if(sources)
    ixora_precompile(ixora_${name})
  endif()
  if(IXORA_DEVELOPER AND sources)
    target_compile_options(ixora_${name} PRIVATE ${IXORA_WARNINGS})
  endif()
  if(IXORA_BUILD_FUZZERS AND sources)
    target_compile_options(ixora_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  set_property(GLOBAL APPEND PROPERTY IXORA_LAYERS ixora_${name})
endfunction()
