// Decides for each index key whether it lies in the bounds, and where to seek if not (spec: execution.md 4.3.3, 4.3.4,
// keystring.md 4.3).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ixora/key/key_string.hpp"
#include "ixora/plan/interval.hpp"

namespace ixora::stage {

// Works on encoded bytes: interval ends are encoded once, a key is cut into its elements and each is compared by
// memcmp; nothing is decoded and nothing allocated per key. Bounds must be aligned with the scan direction. Keeps the
// current interval of every field, so keys must be offered in scan order. Where the current intervals are points, then
// at most one range, then everything, the keys in them lie side by side: from the second one on a key is compared with
// the end of them all and not cut.
class BoundsChecker {
public:
    enum class Verdict : std::uint8_t { valid, must_advance, done };

    BoundsChecker(const plan::IndexBounds& bounds, bson::View key_pattern, int direction);

    // Sets seek_point() to the start of the bounds. False if a field has no interval: nothing can match.
    bool seek_start();
    // must_advance sets seek_point().
    Verdict check(key::Bytes key);
    // Sets seek_point() behind every key that agrees with `key` in its first `fields` elements.
    void seek_behind(key::Bytes key, std::size_t fields);

    // A search key with its discriminator; valid until the next call.
    key::Bytes seek_point() const noexcept { return key::as_bytes(seek_point_); }

private:
    enum class Position : std::uint8_t { behind, within, ahead };

    struct EncodedInterval {
        std::string start;
        std::string end;
        bool start_inclusive = true;
        bool end_inclusive = true;
        bool is_all = false;
    };
    struct Field {
        std::vector<EncodedInterval> intervals;
        bool descending = false;  // in the key pattern
        std::size_t current = 0;
    };

    key::Bytes element(key::Bytes key, std::size_t field) const noexcept {
        return key.subspan(offsets_[field], offsets_[field + 1] - offsets_[field]);
    }
    // Where the element of `field` ends, once where it begins is known.
    void measure(key::Bytes key, std::size_t field) noexcept {
        const std::uint8_t* at = key.data() + offsets_[field];
        offsets_[field + 1] = offsets_[field] + static_cast<std::uint32_t>(key::element_size(
                                                    at, key.data() + key.size(), fields_[field].descending));
    }
    int order(key::Bytes value, const std::string& bound, bool descending) const noexcept;
    Position locate(key::Bytes value, const EncodedInterval& interval, bool descending) const noexcept;
    Position locate_current(key::Bytes key, std::size_t field) const noexcept;
    // The leftmost field at or behind `field` that isn't within its current interval; fields_.size() if there is none.
    std::size_t leftmost_problem(key::Bytes key, std::size_t field, Position& position) noexcept;
    Verdict advance(key::Bytes key, std::size_t field);
    Position find(key::Bytes value, const Field& field, std::size_t& interval) const noexcept;
    bool space_left(key::Bytes key, std::size_t field) const noexcept;
    void restart(std::size_t field) noexcept;
    void seek_to_starts(key::Bytes key, std::size_t prefix);
    void append_discriminator(std::string& out, bool inclusive) const;
    // Whether the key comes before the end of keys that are all valid.
    bool is_within_stretch(key::Bytes key) const noexcept {
        if (stretch_end_.empty()) return false;
        const int order = key::compare(key, key::as_bytes(stretch_end_));
        return forward_ ? order < 0 : order > 0;
    }
    void note_valid();
    void forget_stretch() noexcept;

    std::vector<Field> fields_;
    bool forward_;
    std::array<std::uint32_t, key::key_fields_max + 1> offsets_{};
    std::string seek_point_;
    // Behind the last key of the current intervals; empty: not known, or such keys do not lie side by side.
    std::string stretch_end_;
    static constexpr std::uint8_t stretch_settled = 2;
    std::uint8_t valid_in_a_row_ = 0;  // keys since an interval changed, up to that many
};

}  // namespace ixora::stage
