// A find that is prepared once and run many times with other values: collection.prepare(filter).
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>

#include "ixora/command/row_cursor.hpp"
#include "ixora/key/key_string.hpp"

namespace ixora {

// Usage:
//   PreparedFind by_user = orders.prepare(R"({userId: {$param: "user"}, total: {$gte: {$param: "least"}}})"_bson);
//   by_user.bind("user", 17).bind("least", 100.0);
//   for (bson::View order : by_user.rows()) ...
//
// A run gives the rows of a find whose filter has the values in place of their parameters, whatever the values are and
// whatever has happened to the collection and its indexes since. It does not parse, and it plans only where the plan
// may have become another one: the first time, after a change of the indexes, for null, arrays and other values that
// the planner looks at, for parameters elsewhere than in comparisons ($eq, $lt, $lte, $gt, $gte, $ne). A filter
// {_id: {$param: "id"}} without options is answered straight from the index.
//
// One thread and one run at a time. Valid as long as its engine.
class PreparedFind {
public:
    PreparedFind(command::Service& service, command::QueryParameters parameters);

    // `value` is anything that a bson::Builder appends: numbers, texts, bson::Value::of_date(...), an element. It stays
    // bound for later runs. Throws BadValue (2) if the filter has no parameter of that name.
    template <class T>
    PreparedFind& bind(std::string_view name, const T& value) {
        query_.parameters().bind(query_.parameters().position(name), value);
        return *this;
    }

    // The rows of one run, one pass: valid until the next run begins, each row until the next is asked for.
    class Rows {
    public:
        explicit Rows(PreparedFind& find) noexcept : find_(&find) {}
        // The next row, or nothing at the end. Throws what a running query throws.
        std::optional<bson::View> next() { return find_->next(); }

        class Iterator {
        public:
            using value_type = bson::View;
            using difference_type = std::ptrdiff_t;
            using iterator_category = std::input_iterator_tag;
            using pointer = const bson::View*;
            using reference = const bson::View&;

            explicit Iterator(PreparedFind* find) noexcept : find_(find) {}
            reference operator*() const noexcept { return row_; }
            pointer operator->() const noexcept { return &row_; }
            Iterator& operator++();
            void operator++(int) { ++*this; }
            friend bool operator==(const Iterator& left, const Iterator& right) noexcept {
                return left.find_ == right.find_;
            }

        private:
            PreparedFind* find_;  // null at the end
            bson::View row_;
        };
        Iterator begin() {
            Iterator first(find_);
            ++first;
            return first;
        }
        Iterator end() const noexcept { return Iterator(nullptr); }

    private:
        PreparedFind* find_;
    };
    // Begins a run, which ends the one before. Throws BadValue (2) if a parameter has no value, and what parsing and
    // planning throw.
    Rows rows();

    // Whether the last run had to plan.
    bool was_planned() const noexcept { return cursor_ && cursor_->was_planned(); }

private:
    // What is known of the collection while the catalog stays as it is.
    struct Target {
        command::CollectionPtr collection;  // null: there is none
        write::IndexStatePtr id_index;      // null: not to be asked directly
        std::uint64_t catalog_version = 0;
        bool known = false;
    };
    struct Access {
        explicit Access(std::unique_ptr<command::PointReader> point_reader) : reader(std::move(point_reader)) {}
        std::unique_ptr<command::PointReader> reader;
        key::KeyBuilder key;
    };
    std::optional<bson::View> next();
    bool asks_for_one_id() const;
    const Target& target();
    bool look_up();

    command::Service* service_;
    command::QueryParameters parameters_;
    plan::PreparedQuery query_;
    bool is_id_lookup_;
    Target target_;
    std::unique_ptr<Access> access_;   // made when first needed
    bool looked_up_ = false;           // the current run asks nothing but the reader
    std::optional<bson::View> found_;  // by it, and not handed out yet
    std::optional<RowCursor> cursor_;
};

}  // namespace ixora
