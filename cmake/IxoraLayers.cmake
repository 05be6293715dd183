# ixora_layer(NAME SOURCES dir [DEPENDS layer...] [LIBRARIES target...] [OFFERS header...]): one static library per layer,
# with every .cpp below `dir`. DEPENDS are public, LIBRARIES too since the libraries are static. OFFERS are the headers that
# most sources of the layers above read, so they precompile them.
set(IXORA_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 at -O2 warns falsely about copies within strings and of buffers of known size, the more so where the standard
  # headers come precompiled.
  list(APPEND IXORA_WARNINGS -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()

# Tests: Catch's expressions need parentheses.
set(IXORA_TEST_WARNINGS ${IXORA_WARNINGS} -Wno-parentheses)

# ixora_precompile(TARGET [LAYER...]): for its sources, the standard headers and those that the layers and the ones below offer.
function(ixora_precompile target)
  if(NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp)
  foreach(layer IN LISTS ARGN)
    get_property(headers GLOBAL PROPERTY IXORA_OFFERED_BY_${layer})
    target_precompile_headers(${target} PRIVATE ${headers})
  endforeach()
  # What ccache needs to work with them.
  target_compile_options(${target} PRIVATE
    "$<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>" "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()

function(ixora_layer name)
  cmake_parse_arguments(LAYER "" "SOURCES" "DEPENDS;LIBRARIES;OFFERS" ${ARGN})
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
    ixora_precompile(ixora_${name} ${LAYER_DEPENDS})
  endif()
  set(offered)
  foreach(dependency IN LISTS LAYER_DEPENDS)
    get_property(below GLOBAL PROPERTY IXORA_OFFERED_BY_${dependency})
    list(APPEND offered ${below})
  endforeach()
  list(TRANSFORM LAYER_OFFERS PREPEND ${PROJECT_SOURCE_DIR}/include/ixora/${name}/)
  list(APPEND offered ${LAYER_OFFERS})
  list(REMOVE_DUPLICATES offered)
  set_property(GLOBAL PROPERTY IXORA_OFFERED_BY_${name} ${offered})
  if(IXORA_DEVELOPER AND sources)
    target_compile_options(ixora_${name} PRIVATE ${IXORA_WARNINGS})
  endif()
  if(IXORA_BUILD_FUZZERS AND sources)
    target_compile_options(ixora_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  set_property(GLOBAL APPEND PROPERTY IXORA_LAYERS ixora_${name})
endfunction()
