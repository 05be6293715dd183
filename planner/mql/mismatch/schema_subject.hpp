// What a schema is held against: a whole document, or a value in it.
#pragma once

#include "../schema/schema_object.hpp"
#include "ixora/bson/document.hpp"

namespace ixora::mql {

// Owns a copy of what it is about.
class SchemaSubject {
public:
    static SchemaSubject of_document(bson::View document) {
        return SchemaSubject(bson::Value::of_object(document), true);
    }
    static SchemaSubject of_value(bson::Element value) { return SchemaSubject(bson::Value(value), false); }

    bson::Element value() const { return value_.element(); }  // an object for a document
    bool is_document() const noexcept { return is_document_; }
    // For translating the schemas that are held against it.
    SchemaPath path() const;
    // Whether it passes a rule that was translated with path(); null demands nothing.
    bool passes(const MatchNodePtr& rule) const;
    bool follows(bson::View schema) const { return passes(translate_schema(schema, path())); }

private:
    SchemaSubject(bson::Value value, bool is_document) : value_(std::move(value)), is_document_(is_document) {}

    bson::Value value_;
    bool is_document_;
};

}  // namespace ixora::mql
