// The document that pipeline stages hand to each other.
#pragma once

#include <utility>

#include "ixora/bson/document.hpp"

namespace ixora::pipeline {

// Filled by the stage that produces it. `document` is valid until that stage is asked for the next row or saved, unless
// `owned` backs it. Stages that keep a row longer call own() first.
struct Row {
    bson::View document;
    bson::Document owned;
    bson::Value sort_key;  // what {$meta: "sortKey"} reads; missing where no $sort made one

    void set_view(bson::View view) noexcept {
        document = view;
        owned = bson::Document();
    }
    void set_owned(bson::Document made) noexcept {
        owned = std::move(made);
        document = owned.view();
    }
    void own() {
        if (document.data() != owned.view().data()) set_owned(bson::Document(document));
    }
};

}  // namespace ixora::pipeline
