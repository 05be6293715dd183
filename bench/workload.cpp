#include "workload.hpp"

namespace ixora::bench {

std::string_view name_of(Story story) {
    switch (story) {
        case Story::point_id: return "point_id";
        case Story::user_eq: return "user_eq";
        case Story::user_status: return "user_status";
        case Story::range_limit: return "range_limit";
        case Story::multikey: return "multikey";
        case Story::elem_match: return "elem_match";
        case Story::count_range: return "count_range";
        case Story::count_in: return "count_in";
        case Story::prefix: return "prefix";
        case Story::scan: return "scan";
        case Story::top10: return "top10";
    }
    return "";
}

}  // namespace ixora::bench
