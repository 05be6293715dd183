# Every third-party library, found once and given one target name. All come from Debian 12 packages.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(ICU REQUIRED COMPONENTS i18n uc)
find_package(fmt REQUIRED)
find_package(date REQUIRED)  # Howard Hinnant's; time zones are those of the system
pkg_check_modules(bson REQUIRED IMPORTED_TARGET libbson-1.0)
pkg_check_modules(pcre2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)

if(NOT TARGET Boost::headers)
  add_library(Boost::headers ALIAS Boost::boost)
endif()

function(ixora_find_library name header library)
  find_path(IXORA_${name}_INCLUDE_DIR ${header} REQUIRED)
  find_library(IXORA_${name}_LIBRARY ${library} REQUIRED)
  if(NOT TARGET ixora::${name})
    add_library(ixora::${name} UNKNOWN IMPORTED)
    set_target_properties(ixora::${name} PROPERTIES
      IMPORTED_LOCATION ${IXORA_${name}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${IXORA_${name}_INCLUDE_DIR})
  endif()
endfunction()

# Intel's decimal library; the build "000" passes arguments by value and takes rounding mode and flags as arguments.
ixora_find_library(bid bid_functions.h libbidgcc000.a)
ixora_find_library(md md5.h md)
ixora_find_library(murmurhash murmurhash.h murmurhash)
