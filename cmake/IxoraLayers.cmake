# ixora_layer(NAME SOURCES dir [DEPENDS layer...] [LIBRARIES target...]): one static library per layer, with every .cpp below
# `dir`. DEPENDS are public, LIBRARIES too since the libraries are static.
set(IXORA_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND IXORA_WARNINGS -Wno-restrict)  # GCC 12 warns falsely at -O2
endif()

function(ixora_layer name)
  cmake_parse_arguments(LAYER "" "SOURCES" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${LAYER_SOURCES}/*.cpp)
  add_library(ixora_${name} STATIC ${sources})
  target_compile_features(ixora_${name} PUBLIC cxx_std_20)
  target_include_directories(ixora_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(ixora_${name} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  foreach(dependency IN LISTS LAYER_DEPENDS)
    target_link_libraries(ixora_${name} PUBLIC ixora_${dependency})
  endforeach()
  target_link_libraries(ixora_${name} PUBLIC ${LAYER_LIBRARIES} Threads::Threads)
  if(IXORA_DEVELOPER)
    target_compile_options(ixora_${name} PRIVATE ${IXORA_WARNINGS})
  endif()
  set_property(GLOBAL APPEND PROPERTY IXORA_LAYERS ixora_${name})
endfunction()
