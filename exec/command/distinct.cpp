#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>

#include "ixora/bson/compare.hpp"
#include "ixora/bson/validate.hpp"
#include "ixora/command/commands.hpp"
#include "ixora/command/view_query.hpp"
#include "ixora/mql/path_values.hpp"

namespace ixora::command {

namespace {

constexpr std::size_t reply_size_max = bson::document_size_max - 4096;

Error too_big(int code) { return Error(code, "distinct too big, 16mb cap"); }

// The distinct values of one key, each as it was met first.
class DistinctValues {
public:
    DistinctValues(std::string key, const bson::Collator* collator)
        : key_(std::move(key)), collator_(collator), seen_(0, Hash{collator}, Equal{collator}) {}

    void add(bson::View document) {
        row_.clear();
        mql::append_path_values(document, key_, row_);
        // Of the strings in one document that a collation holds equal, the first in binary order represents them.
        if (collator_ != nullptr)
            std::stable_sort(row_.begin(), row_.end(), [](const bson::Element& left, const bson::Element& right) {
                return bson::compare(left, right) < 0;
            });
        for (const bson::Element& value : row_) {
            if (seen_.contains(value)) continue;
            size_ += value.size();
            if (size_ >= reply_size_max) throw too_big(17217);
            seen_.insert(bson::Value(value));
        }
    }

    void append_sorted(bson::Builder& out) const {
        std::vector<bson::Value> values(seen_.begin(), seen_.end());
        std::sort(values.begin(), values.end(), [this](const bson::Value& left, const bson::Value& right) {
            return bson::compare(left.element(), right.element(), bson::FieldNames::ignored, collator_) < 0;
        });
        for (const bson::Value& value : values) out.append_member(value);
    }

private:
    struct Hash {
        using is_transparent = void;
        const bson::Collator* collator;
        std::size_t operator()(const bson::Element& value) const { return bson::hash(value, collator); }
    };
    struct Equal {
        using is_transparent = void;
        const bson::Collator* collator;
        bool operator()(const bson::Element& left, const bson::Element& right) const {
            return bson::equal(left, right, collator);
        }
    };

    std::string key_;
    const bson::Collator* collator_;
    boost::unordered_flat_set<bson::Value, Hash, Equal> seen_;
    std::vector<bson::Element> row_;
    std::size_t size_ = 0;
};

}  // namespace

QueryParameters parse_distinct(const Operation& operation) {
    QueryParameters out;
    bson::Element key;
    for (const bson::Element& field : operation.command) {
        if (field.name() == "apiStrict") out.request.api_strict = field.truthy();
        if (field.name() == "distinct" || is_generic_argument(field.name())) continue;
        const FieldName name{"distinct", field.name()};
        const bool absent = field.is_null() || field.type() == bson::Type::undefined;
        if (field.name() == "key") {
            if (absent) continue;
            expect_string(field, name);
            key = field;
        } else if (field.name() == "query") {
            // Shells and drivers of old sent null for "no query".
            if (!absent) out.request.filter = bson::Document(expect_object(field, name));
        } else if (field.name() == "collation") {
            if (!absent) out.collation = bson::Document(expect_object(field, name));
        } else {
            throw unknown_field("distinct", field.name());
        }
    }
    if (key.missing()) throw missing_field("distinct", "key");
    out.ns = operation.target();  // the server looks at the name last
    if (key.string().find('\0') != std::string_view::npos)
        throw Error(31032, "Key field cannot contain an embedded null byte");
    out.distinct = plan::DistinctRequest{std::string(key.string())};
    out.request.implied_projection = plan::distinct_projection(key.string());
    return out;
}

void run_distinct(Operation& operation, bson::Builder& reply) {
    QueryParameters parameters = parse_distinct(operation);
    if (operation.service.find_view(parameters.ns)) return run_distinct_on_view(operation, parameters, reply);
    std::string key = parameters.distinct->key;
    RunningQuery running = operation.service.open(std::move(parameters), operation.interrupt);
    DistinctValues values(std::move(key), running.executor->query()->collator().get());
    stage::Member row;
    try {
        while (running.executor->next(row)) values.add(row.document);
    } catch (const Error& error) {
        throw error.with_context("Executor error during distinct command");
    }
    reply.open_array("values");
    values.append_sorted(reply);
    reply.close();
    if (reply.size() >= reply_size_max) throw too_big(31299);
}

}  // namespace ixora::command
