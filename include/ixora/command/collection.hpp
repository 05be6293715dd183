// The typed API of one collection: the same code path as the commands, right below the parsing of a request.
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "ixora/bson/document.hpp"
#include "ixora/command/prepared_find.hpp"
#include "ixora/command/row_cursor.hpp"
#include "ixora/command/service.hpp"
#include "ixora/explain/verbosity.hpp"

namespace ixora {

// A find that has not run yet. Options are set in a chain; each call hands the query on by value, so a chain may stand
// in a range-for. A view is read by commands only: here it throws CommandNotSupportedOnView (166).
class Find {
public:
    Find(command::Service& service, command::Namespace ns, bson::Document filter);

    Find sort(bson::Document pattern) &&;
    Find project(bson::Document projection) &&;
    Find hint(bson::Document key_pattern) &&;
    Find hint(std::string_view index_name) &&;
    Find min(bson::Document bound) &&;
    Find max(bson::Document bound) &&;
    Find collation(bson::Document specification) &&;
    Find skip(std::int64_t rows) &&;
    Find limit(std::int64_t rows) &&;
    // The query fails with MaxTimeMSExpired (50) when it runs longer.
    Find max_time(std::chrono::milliseconds limit) &&;

    // Plans and starts the query. Throws what parsing and planning throw.
    RowCursor rows() &;
    RowCursor rows() &&;
    // The same find to be run many times; its filter may hold {$param: "name"} in place of values. Throws
    // FailedToParse (9) for a bad parameter; the rest is looked at by the first run.
    PreparedFind prepare() && { return PreparedFind(*service_, std::move(parameters_)); }
    // The explain reply, as the explain command gives it.
    bson::Document explain(Verbosity verbosity = Verbosity::query_planner);

    class Iterator {
    public:
        using value_type = bson::View;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;
        using pointer = const bson::View*;
        using reference = const bson::View&;

        Iterator() = default;
        explicit Iterator(RowCursor cursor) : cursor_(std::make_shared<RowCursor>(std::move(cursor))) { ++*this; }
        reference operator*() const noexcept { return row_; }
        pointer operator->() const noexcept { return &row_; }
        Iterator& operator++();
        void operator++(int) { ++*this; }
        friend bool operator==(const Iterator& left, const Iterator& right) noexcept {
            return left.cursor_ == right.cursor_;
        }

    private:
        std::shared_ptr<RowCursor> cursor_;  // null at the end
        bson::View row_;
    };
    Iterator begin() { return Iterator(rows()); }
    Iterator end() const { return {}; }

private:
    RowCursor start(command::QueryParameters&& parameters) const;

    command::Service* service_;
    command::QueryParameters parameters_;
};

// A handle; cheap to copy, valid as long as its engine. The collection need not exist: an insert or an index creates
// it.
class CollectionHandle {
public:
    CollectionHandle(command::Service& service, command::Namespace ns) : service_(&service), ns_(std::move(ns)) {}

    // Throws the first failure, DuplicateKey (11000) for instance.
    void insert(bson::View document);
    // All of them, in order, up to the first failure, which is thrown.
    void insert(std::span<const bson::View> documents);
    // `options` are the fields of an index specification beside key: name, unique, sparse, partialFilterExpression ...
    // The default name is the one clients give. An identical index is left as it is.
    void create_index(bson::View key_pattern, bson::View options = {});
    Find find(bson::Document filter = {}) const { return Find(*service_, ns_, std::move(filter)); }
    // Find::prepare() without options.
    PreparedFind prepare(bson::Document filter) const { return find(std::move(filter)).prepare(); }
    // Rows that match, through the plan of a count command.
    std::int64_t count(bson::Document filter = {}) const;
    // False if the collection did not exist.
    bool drop() { return service_->drop_collection(ns_); }

    const command::Namespace& ns() const noexcept { return ns_; }

private:
    command::Service* service_;
    command::Namespace ns_;
};

}  // namespace ixora
