#include "engine_contestant.hpp"

#include <malloc.h>
#include <unistd.h>

#include <ctime>
#include <fstream>

namespace ixora::bench {

using namespace ixora::literals;

namespace {

std::size_t resident_bytes() {
    malloc_trim(0);
    std::ifstream statm("/proc/self/statm");
    std::size_t size = 0;
    std::size_t resident = 0;
    statm >> size >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::int64_t cpu_nanos() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

bool is_count(Story story) { return story == Story::count_range || story == Story::count_in; }
std::int64_t limit_of(Story story) { return story == Story::range_limit ? range_rows : story == Story::top10 ? 10 : 0; }

void append_range(bson::Builder& out, const orders::Parameters& p) {
    out.append("tenant", p.tenant);
    out.open_object("createdAt");
    out.append_date("$gte", p.from);
    out.append_date("$lt", p.to);
    out.close();
}

}  // namespace

bson::Document EngineContestant::filter_of(Story story, const orders::Parameters& p) {
    bson::Builder out;
    switch (story) {
        case Story::point_id: out.append("_id", p.id); break;
        case Story::user_eq: out.append("userId", p.user); break;
        case Story::user_status:
            out.append("userId", p.user);
            out.append("status", user_status);
            break;
        case Story::range_limit:
        case Story::count_range: append_range(out, p); break;
        case Story::multikey: out.append("items.sku", p.sku); break;
        case Story::elem_match:
            out.open_object("items");
            out.open_object("$elemMatch");
            out.append("sku", p.sku);
            out.open_object("qty");
            out.append("$gte", elem_match_quantity);
            out.close();
            out.close();
            out.close();
            break;
        case Story::count_in:
            out.open_object("status");
            out.open_array("$in");
            for (const std::string_view status : counted_statuses) out.append(status);
            out.close();
            out.close();
            break;
        case Story::prefix: out.append_regex("address.city", "^" + p.city_prefix, ""); break;
        case Story::scan:
            out.open_object("total");
            out.append("$gt", scan_total);
            out.close();
            break;
        case Story::top10: break;
    }
    return out.finish();
}

EngineContestant::EngineContestant(std::int32_t count, const std::vector<orders::Parameters>& parameters)
    : parameters_(parameters),
      orders_(database_.collection("orders", "bench")),
      by_time_("{createdAt: -1}"_bson),
      by_total_("{total: -1}"_bson) {
    load(count);
    make_requests();
}

void EngineContestant::load(std::int32_t count) {
    orders_.create_index("{userId: 1}"_bson);
    orders_.create_index("{tenant: 1, createdAt: -1}"_bson);
    orders_.create_index("{'items.sku': 1}"_bson);
    orders_.create_index("{status: 1}"_bson);
    orders_.create_index("{'address.city': 1}"_bson);

    const std::size_t before = resident_bytes();
    constexpr std::size_t batch_size = 1000;
    std::int64_t nanos = 0;
    {
        orders::Generator generator(count);
        std::vector<bson::Document> batch;
        std::vector<bson::View> views;
        for (std::int32_t i = 0; i < count; ++i) {
            batch.emplace_back(generator.next());
            views.push_back(batch.back());
            load_.bson_bytes += batch.back().size();
            if (batch.size() < batch_size && i + 1 < count) continue;
            const std::int64_t start = cpu_nanos();
            orders_.insert(views);
            nanos += cpu_nanos() - start;
            batch.clear();
            views.clear();
        }
    }
    load_.nanos_per_document = static_cast<double>(nanos) / count;
    load_.resident_bytes = resident_bytes() - before;
}

void EngineContestant::make_requests() {
    for (const Story story : stories) {
        const auto at = static_cast<std::size_t>(story);
        for (const orders::Parameters& p : parameters_) {
            filters_[at].push_back(filter_of(story, p));
            bson::Builder command;
            command.append(is_count(story) ? "count" : "find", "orders");
            command.append(is_count(story) ? "query" : "filter", filters_[at].back());
            if (story == Story::range_limit) command.append("sort", by_time_);
            if (story == Story::top10) command.append("sort", by_total_);
            if (limit_of(story) > 0) command.append("limit", limit_of(story));
            command.append("$db", "bench");
            commands_[at].push_back(command.finish());
        }
    }
}

Find EngineContestant::find(Story story, std::size_t set) const {
    Find find = orders_.find(filters_[static_cast<std::size_t>(story)][set]);
    if (story == Story::range_limit) return std::move(find).sort(by_time_).limit(limit_of(story));
    if (story == Story::top10) return std::move(find).sort(by_total_).limit(limit_of(story));
    return find;
}

Tally EngineContestant::run(Story story, std::size_t set) {
    Tally tally;
    if (is_count(story)) {
        tally.rows = static_cast<std::uint64_t>(orders_.count(filters_[static_cast<std::size_t>(story)][set]));
        return tally;
    }
    RowCursor rows = find(story, set).rows();
    while (const std::optional<bson::View> row = rows.next()) {
        ++tally.rows;
        tally.bytes += row->size();
    }
    tally.planned = rows.was_planned();
    return tally;
}

Tally EngineContestant::run_command(Story story, std::size_t set) {
    const bson::Document reply = database_.run_command(commands_[static_cast<std::size_t>(story)][set]);
    Tally tally;
    if (is_count(story)) {
        tally.rows = static_cast<std::uint64_t>(reply["n"].to_int64());
        return tally;
    }
    for (const bson::Element& row : reply["cursor"].object()["firstBatch"].object()) {
        ++tally.rows;
        tally.bytes += row.object().size();
    }
    return tally;
}

Examined EngineContestant::examined(Story story, std::size_t sets) {
    Examined sum;
    for (std::size_t set = 0; set < sets; ++set) {
        bson::Builder command;
        command.append("explain", commands_[static_cast<std::size_t>(story)][set]);
        command.append("verbosity", "executionStats");
        command.append("$db", "bench");
        const bson::Document reply = database_.run_command(command.finish());
        const bson::View stats = reply["executionStats"].object();
        sum.rows += static_cast<double>(run(story, set).rows) / static_cast<double>(sets);  // a count's nReturned is 0
        sum.keys += stats["totalKeysExamined"].to_double() / static_cast<double>(sets);
        sum.documents += stats["totalDocsExamined"].to_double() / static_cast<double>(sets);
    }
    return sum;
}

bool CommandContestant::knows(Story story) const {
    return story == Story::point_id || story == Story::user_eq || story == Story::range_limit || is_count(story);
}

PreparedContestant::PreparedContestant(const EngineContestant& engine,
                                       const std::vector<orders::Parameters>& parameters)
    : parameters_(parameters),
      by_id_(engine.orders().prepare(R"({_id: {$param: "id"}})"_bson)),
      by_user_(engine.orders().prepare(R"({userId: {$param: "user"}})"_bson)),
      by_time_(
          engine.orders()
              .find(R"({tenant: {$param: "tenant"}, createdAt: {$gte: {$param: "from"}, $lt: {$param: "to"}}})"_bson)
              .sort("{createdAt: -1}"_bson)
              .limit(range_rows)
              .prepare()) {}

bool PreparedContestant::knows(Story story) const {
    return story == Story::point_id || story == Story::user_eq || story == Story::range_limit;
}

Tally PreparedContestant::run(Story story, std::size_t set) {
    const orders::Parameters& p = parameters_[set];
    PreparedFind* find = &by_time_;
    if (story == Story::point_id) {
        find = &by_id_.bind("id", p.id);
    } else if (story == Story::user_eq) {
        find = &by_user_.bind("user", p.user);
    } else {
        by_time_.bind("tenant", p.tenant);
        by_time_.bind("from", bson::Value::of_date(p.from));
        by_time_.bind("to", bson::Value::of_date(p.to));
    }
    Tally tally;
    PreparedFind::Rows rows = find->rows();
    while (const std::optional<bson::View> row = rows.next()) {
        ++tally.rows;
        tally.bytes += row->size();
    }
    tally.planned = find->was_planned();
    return tally;
}

}  // namespace ixora::bench
