// A row of $bucketAuto with the value that decides on its bucket.
#pragma once

#include <span>
#include <vector>

#include "ixora/bson/builder.hpp"

namespace ixora::pipeline {

struct BucketItem {
    bson::Value key;
    bson::Document document;

    std::int64_t memory() const noexcept { return static_cast<std::int64_t>(key.element().size() + document.size()); }
    void make_owned() const noexcept {}
    // Bytes for a row that goes to disk: {"": key}, then the document.
    void append_to(std::vector<std::uint8_t>& out) const {
        bson::Builder wrapped;
        wrapped.append("", key);
        const bson::View front = wrapped.finish_view();
        out.insert(out.end(), front.data(), front.data() + front.size());
        out.insert(out.end(), document.view().data(), document.view().data() + document.size());
    }
    void read(std::span<const std::uint8_t> bytes) {
        const bson::View front(bytes.data());
        key = bson::Value(front.front());
        document = bson::Document(bson::View(bytes.data() + front.size()));
    }
};

}  // namespace ixora::pipeline
