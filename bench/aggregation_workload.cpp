#include "aggregation_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "orders.hpp"

namespace ixora::bench {

namespace {

constexpr std::array<Aggregation, 5> all{{
    {"group",
     "orders",
     R"([{"$group": {"_id": "$tenant", "n": {"$sum": 1}, "total": {"$sum": "$total"}}}])",
     {"_id", "n", "total"},
     "select json_extract(doc,'$.tenant') t, count(*), sum(json_extract(doc,'$.total')) from orders group by t"},
    {"unwind",
     "orders",
     R"([{"$unwind": "$items"}, {"$group": {"_id": "$items.sku", "qty": {"$sum": "$items.qty"}}},
         {"$sort": {"qty": -1, "_id": 1}}])",
     {"_id", "qty", ""},
     "select json_extract(i.value,'$.sku') s, sum(json_extract(i.value,'$.qty')) q from orders, "
     "json_each(orders.doc,'$.items') i group by s order by q desc, s"},
    {"lookup",
     "orders",
     R"([{"$unwind": "$items"},
         {"$lookup": {"from": "products", "localField": "items.sku", "foreignField": "_id", "as": "product"}},
         {"$unwind": "$product"},
         {"$group": {"_id": "$product.category", "n": {"$sum": 1}, "qty": {"$sum": "$items.qty"}}}])",
     {"_id", "n", "qty"},
     "select json_extract(p.doc,'$.category') c, count(*), sum(json_extract(i.value,'$.qty')) from orders "
     "cross join json_each(orders.doc,'$.items') i cross join products p on p.id=json_extract(i.value,'$.sku') group "
     "by c"},
    {"tree",
     "tree",
     R"([{"$match": {"_id": 0}},
         {"$graphLookup": {"from": "tree", "startWith": "$_id", "connectFromField": "_id", "connectToField": "parent",
                           "as": "below", "depthField": "depth"}},
         {"$project": {"_id": {"$size": "$below"}, "depth": {"$max": "$below.depth"},
                       "weight": {"$sum": "$below.weight"}}}])",
     {"_id", "depth", "weight"},
     "with recursive below(id, doc, depth) as (select id, doc, 0 from tree where parent=0 "
     "union all select t.id, t.doc, b.depth+1 from below b cross join tree t on t.parent=b.id) "
     "select count(*), max(depth), sum(json_extract(doc,'$.weight')) from below"},
    {"top10",
     "orders",
     R"([{"$sort": {"total": -1, "_id": 1}}, {"$limit": 10}])",
     {"_id", "total", ""},
     "select id, json_extract(doc,'$.total') t, doc from orders order by t desc, id limit 10"},
}};

bool is_same(const Cell& left, const Cell& right) {
    if (left.index() != right.index() || left.index() == 1) return left == right;
    const double a = std::get<double>(left);
    const double b = std::get<double>(right);
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

void append_value(const bson::Element& value, std::string& out);

void append_members(bson::View object, bool is_array, std::string& out) {
    char separator = is_array ? '[' : '{';
    if (object.empty()) out += separator;
    for (const bson::Element& field : object) {
        out += separator;
        separator = ',';
        if (!is_array) fmt::format_to(std::back_inserter(out), "\"{}\":", field.name());
        append_value(field, out);
    }
    out += is_array ? ']' : '}';
}

void append_value(const bson::Element& value, std::string& out) {
    switch (value.type()) {
        case bson::Type::number_int: fmt::format_to(std::back_inserter(out), "{}", value.number_int()); return;
        case bson::Type::number_double: fmt::format_to(std::back_inserter(out), "{}", value.number_double()); return;
        case bson::Type::date: fmt::format_to(std::back_inserter(out), "{}", value.date()); return;
        case bson::Type::string: fmt::format_to(std::back_inserter(out), "\"{}\"", value.string()); return;
        default: append_members(value.object(), value.is_array(), out);
    }
}

// Uniform in 0 ... n - 1, from the number alone.
std::int32_t spread(std::int32_t number, std::int32_t n) {
    return orders::Random(static_cast<std::uint32_t>(number) * 2654435761U).below(n);
}

}  // namespace

std::span<const Aggregation> aggregations() { return all; }

bool is_same(const Aggregation& aggregation, Answer left, Answer right) {
    if (aggregation.pipeline.find("$sort") == std::string_view::npos) {
        std::sort(left.begin(), left.end());
        std::sort(right.begin(), right.end());
    }
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), [](const auto& one, const auto& other) {
        return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                          [](const Cell& a, const Cell& b) { return is_same(a, b); });
    });
}

bson::View product(std::int32_t number, bson::Builder& builder) {
    builder.reset();
    builder.append("_id", fmt::format("SKU-{:05}", number));
    builder.append("name", fmt::format("Product number {}", number));
    builder.append("category", number % 50);
    builder.append("weight", 0.25 * (1 + spread(number, 400)));
    return builder.finish_view();
}

bson::View tree_node(std::int32_t number, bson::Builder& builder) {
    builder.reset();
    builder.append("_id", number);
    if (number > 0) builder.append("parent", spread(number, number));
    builder.append("weight", 1 + spread(number + tree_size, 100));
    builder.append("label", fmt::format("node {}", number));
    return builder.finish_view();
}

void append_plain_json(bson::View document, std::string& out) { append_members(document, false, out); }

}  // namespace ixora::bench
