// The compiled part of Boost.JSON, which is used as a header-only library: in this translation unit and in no other.
#include <boost/json/src.hpp>
