#!/usr/bin/env bash
# Installs the package into a scratch folder and builds and runs an example against it with find_package.
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
echo "the installed package works"
