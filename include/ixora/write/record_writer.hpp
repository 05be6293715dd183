// Where write stages send what they have worked out, behind an interface that doesn't depend on the store.
#pragma once

#include <functional>
#include <optional>

#include "ixora/bson/document.hpp"
#include "ixora/key/record_id.hpp"

namespace ixora::write {

// Every call is one unit of work: all of it or nothing. Throws DuplicateKey (11000), key generation errors, and
// QueryPlanKilled (175) when the collection is gone. Calls what it is given again after a write conflict.
class RecordWriter {
public:
    // Gets the newest version of a record; answers with the new document, or nothing to leave it as it is.
    using Change = std::function<std::optional<bson::Document>(bson::View newest)>;
    using Condition = std::function<bool(bson::View newest)>;

    virtual ~RecordWriter() = default;
    // False: there is no such record any more.
    virtual bool update(const key::RecordId& id, const Change& change) = 0;
    virtual bool remove(const key::RecordId& id, const Condition& doomed) = 0;
    virtual void insert(bson::View document) = 0;
};

}  // namespace ixora::write
