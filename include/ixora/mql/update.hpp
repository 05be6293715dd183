// An update document: parsed once, applied to many documents (spec: update.md sections 1 to 7).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "ixora/bson/collator.hpp"
#include "ixora/bson/document.hpp"

namespace ixora::mql {

struct UpdateOptions {
    bson::CollatorPtr collator;               // of the operation: $min, $addToSet, $pull, array filters ...
    std::optional<bson::View> array_filters;  // an array of objects; nothing where the request has none
};

// What one application needs to know beside the document.
struct UpdateContext {
    std::optional<std::uint32_t> array_offset;  // that the query's match recorded, for positional `$`
    bool insert = false;                        // the document is about to be inserted by an upsert
    std::int64_t now_millis = 0;                // of the operation, for $currentDate
    std::uint64_t now_timestamp = 0;            // seconds << 32 | increment
};

struct UpdateResult {
    bool modified = false;    // some operator reported a change
    bson::Document document;  // the new document; empty unless modified
};

// Immutable; thread-safe if it was parsed. Keeps its own copy of what it was made from.
class Update {
public:
    // `argument` is what the request gives as the update. Throws the server's codes and messages (update.md 1-5):
    // FailedToParse (9), BadValue (2), TypeMismatch (14), PathNotViable (28), EmptyFieldName (56),
    // ConflictingUpdateOperators (40) ... `argument` is no pipeline: that is of_transform().
    static Update parse(bson::Element argument, const UpdateOptions& options);
    // An update that `transform` works out: it gives the whole new document, valid until it is called again.
    // Thread-safe if `transform` is.
    using Transform = std::function<bson::View(bson::View document)>;
    static Update of_transform(Transform transform);
    ~Update();
    Update(Update&&) noexcept;
    Update& operator=(Update&&) noexcept;

    // A whole new document takes the place of the old one.
    bool is_replacement() const noexcept;
    // Some path holds a positional `$`, so the query must be matched for its array offset.
    bool needs_array_offset() const noexcept;
    // The fields of a replacement.
    bson::View replacement() const noexcept;

    // Applies to one document; all or nothing. Throws what the operators throw for this document. Linear in the
    // document and the update; ranges that no path touches are copied as they are.
    UpdateResult apply(bson::View document, const UpdateContext& context) const;

    struct Program;  // planner/mql/update/update_tree.hpp

private:
    explicit Update(std::unique_ptr<const Program> program) noexcept;
    std::unique_ptr<const Program> program_;
};

}  // namespace ixora::mql
