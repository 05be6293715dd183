#!/usr/bin/env bash
# Installs the package into a scratch folder and builds and runs an example against it with find_package and with
# pkg-config; then configures a project that takes the source tree by add_subdirectory, which must bring in the library
# and nothing else.
#   install_test.sh SOURCE BUILD
set -euo pipefail
source=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
mkdir "$scratch/consumer"
cp "$source/examples/embed.cpp" "$scratch/consumer/"
cat > "$scratch/consumer/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C CXX)
find_package(ixora REQUIRED)
add_executable(consumer embed.cpp)
target_link_libraries(consumer PRIVATE ixora::ixora)
TEXT
cmake -S "$scratch/consumer" -B "$scratch/consumer/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" >/dev/null
cmake --build "$scratch/consumer/build" >/dev/null
"$scratch/consumer/build/consumer" | grep -q 'keys examined: 2'
pc=$(find "$scratch/prefix" -name ixora.pc)
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$pc")
# shellcheck disable=SC2046
c++ -std=c++20 "$source/examples/embed.cpp" -o "$scratch/by_pkg_config" $(pkg-config --static --cflags --libs ixora)
"$scratch/by_pkg_config" | grep -q 'keys examined: 2'
echo "the installed package works"

mkdir "$scratch/parent"
cp "$source/examples/embed.cpp" "$scratch/parent/"
cat > "$scratch/parent/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.25)
project(parent LANGUAGES C CXX)
add_subdirectory("$source" ixora)
add_executable(parent embed.cpp)
target_link_libraries(parent PRIVATE ixora::ixora)
foreach(target ixora_cli ixora_catch example_embed)
  if(TARGET \${target})
    message(FATAL_ERROR "\${target} is built in a project that only uses the library")
  endif()
endforeach()
if(CMAKE_CXX_FLAGS OR CMAKE_CXX_COMPILER_LAUNCHER)
  message(FATAL_ERROR "flags leak into the parent: \${CMAKE_CXX_FLAGS} \${CMAKE_CXX_COMPILER_LAUNCHER}")
endif()
TEXT
env -u CXXFLAGS -u CMAKE_CXX_COMPILER_LAUNCHER cmake -S "$scratch/parent" -B "$scratch/parent/build" >/dev/null
echo "the source tree works by add_subdirectory"
