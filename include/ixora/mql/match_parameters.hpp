// Named parameters of a filter: {$param: "name"} stands where a value will. ixora's own; a server has no such operator.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ixora/bson/builder.hpp"

namespace ixora::mql {

// The names that occur in a filter and the values bound to them. Not thread-safe. Values are kept in buffers that are
// used again, so binding does not allocate once they have their size.
class MatchParameters {
public:
    MatchParameters() = default;
    // Reads the names. Throws FailedToParse (9) for a $param without a name.
    explicit MatchParameters(bson::View filter);
    MatchParameters(const MatchParameters&) = delete;  // values point into their buffers
    MatchParameters& operator=(const MatchParameters&) = delete;
    MatchParameters(MatchParameters&&) noexcept = default;
    MatchParameters& operator=(MatchParameters&&) noexcept = default;
    ~MatchParameters() = default;

    bool empty() const noexcept { return parameters_.empty(); }
    std::size_t size() const noexcept { return parameters_.size(); }
    // How many placeholders there are; a name may occur more than once.
    std::size_t occurrences() const noexcept { return occurrences_; }

    // The parameter of that name. Throws BadValue (2) if there is none.
    std::size_t position(std::string_view name) const;
    // Binds whatever a Builder can append.
    template <class T>
    void bind(std::size_t position, const T& value) {
        bson::Builder& buffer = parameters_[position].buffer;
        buffer.reset();
        buffer.append("", value);
        parameters_[position].value = buffer.finish_view().front();
    }
    // Missing: not bound yet. Valid until the next bind().
    bson::Element value(std::size_t position) const noexcept { return parameters_[position].value; }
    // Throws BadValue (2) naming a parameter that has no value.
    void check_bound() const;

    // Whether the value is a placeholder.
    static bool is_placeholder(bson::Element value) noexcept;
    // The value bound to the placeholder's name.
    bson::Element value_of(bson::Element placeholder) const;

    // The filter with the bound values in their places.
    bson::Document substitute(bson::View filter) const;

private:
    struct Parameter {
        std::string name;
        bson::Builder buffer;
        bson::Element value;  // in the buffer
    };
    void collect(bson::View object);
    void write(bson::View object, bson::Builder& out) const;

    std::vector<Parameter> parameters_;  // in order of appearance
    std::size_t occurrences_ = 0;
};

}  // namespace ixora::mql
