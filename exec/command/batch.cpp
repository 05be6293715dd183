#include "ixora/command/batch.hpp"

#include "ixora/bson/validate.hpp"

namespace ixora::command {

bool fill_batch(ClientCursor& cursor, std::optional<std::int64_t> count_max, bson::Builder& out) {
    const std::size_t start = out.size();
    std::int64_t count = 0;
    if (cursor.has_stashed && count_max != 0) {
        out.append(cursor.stashed);
        cursor.has_stashed = false;
        cursor.stashed = {};
        ++count;
    }
    bson::View row;
    while (!count_max || count < *count_max) {
        if (!cursor.rows->next(row)) return true;
        if (count > 0 && out.size() - start + row.size() > bson::document_size_max) {
            cursor.stashed = bson::Document(row);
            cursor.has_stashed = true;
            return false;
        }
        out.append(row);
        ++count;
    }
    return cursor.rows->is_exhausted() && !cursor.has_stashed;
}

}  // namespace ixora::command
