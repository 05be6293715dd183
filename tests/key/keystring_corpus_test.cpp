// Keys that a real server stored for documents, indexes and record ids (tests/key/data/keystring.jsonl.gz).
#include <zlib.h>

#include <algorithm>

#include "catch.hpp"
#include "hex.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/key/key_generator.hpp"

namespace ixora::key::test {

namespace {

using bson::Document;
using bson::View;

std::vector<std::string> read_lines(const char* path) {
    gzFile file = gzopen(path, "rb");
    REQUIRE(file != nullptr);
    std::string text(1 << 16, '\0');
    std::string all;
    for (int count; (count = gzread(file, text.data(), static_cast<unsigned>(text.size()))) > 0;)
        all.append(text.data(), static_cast<std::size_t>(count));
    gzclose(file);
    std::vector<std::string> lines;
    for (std::size_t start = 0, end; (end = all.find('\n', start)) != std::string::npos; start = end + 1)
        lines.push_back(all.substr(start, end - start));
    return lines;
}

struct Stored {
    std::string key, entry_key, value;
    friend bool operator==(const Stored&, const Stored&) = default;
    friend bool operator<(const Stored& left, const Stored& right) { return left.entry_key < right.entry_key; }
};
std::ostream& operator<<(std::ostream& out, const Stored& stored) {
    return out << stored.entry_key << " -> " << stored.value;
}

bool is_id_index(View pattern) { return pattern.front().name() == "_id"; }

Stored stored_form(View pattern, Bytes key, Bytes type_bits, const RecordId& id) {
    std::string suffix;
    append_record_id(suffix, id);
    Stored stored{to_hex(key), to_hex(key), to_hex(type_bits)};
    if (is_id_index(pattern))
        stored.value = to_hex(suffix) + stored.value;
    else
        stored.entry_key += to_hex(suffix);
    return stored;
}

std::vector<Stored> recorded(View line) {
    std::vector<Stored> entries;
    for (const bson::Element& entry : line["entries"].object()) {
        const View fields = entry.object();
        entries.push_back({std::string(fields["ks"].string()), std::string(fields["key"].string()),
                           std::string(fields["value"].string())});
    }
    std::sort(entries.begin(), entries.end());
    return entries;
}

std::vector<Stored> generated(View line, View pattern) {
    KeyGeneratorOptions options;
    options.sparse = line["index"].object()["sparse"].truthy();
    KeySet keys;
    KeyGenerator(pattern, options).generate(line["doc"].object(), keys);
    std::vector<Stored> entries;
    for (std::size_t i = 0; i < keys.size(); ++i)
        entries.push_back(stored_form(pattern, keys[i].key, keys[i].type_bits, RecordId(line["recordId"].to_int64())));
    std::sort(entries.begin(), entries.end());
    return entries;
}

// Decoding what the server stored and encoding it again must give the same bytes and type bits.
std::string encoded_again(const Stored& stored, Ordering ordering, bool id_index) {
    const std::string key = from_hex(stored.entry_key);
    std::string bits = from_hex(stored.value);
    if (id_index) bits = bits.substr(2U + (static_cast<std::uint8_t>(bits[0]) >> 5));
    const Document values = decode(as_bytes(key), ordering, as_bytes(bits));
    KeyBuilder builder(ordering);
    for (const bson::Element& value : values) builder.append(value);
    builder.append_end();
    std::string again;
    builder.type_bits().append_serialized(again);
    return to_hex(builder.bytes()) + "/" + (again == bits ? "" : to_hex(again) + " instead of " + to_hex(bits));
}

}  // namespace

TEST_CASE("keys equal the ones that a server stored") {
    const std::vector<std::string> lines = read_lines(IXORA_TEST_DATA "/key/data/keystring.jsonl.gz");
    std::size_t documents = 0, entries = 0, documents_wrong = 0, entries_wrong = 0;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const Document line = bson::from_json(lines[i]);
        const View pattern = line["index"].object()["key"].object();
        const std::vector<Stored> expected = recorded(line);
        // A wildcard key has an ascending path in front of its value.
        const bool wildcard = index_type(pattern) == IndexType::wildcard;
        const Ordering ordering = wildcard ? Ordering() : Ordering::of(pattern);
        INFO(line["id"].string());
        ++documents;
        const bool equal = generated(line, pattern) == expected;
        documents_wrong += equal ? 0 : 1;
        if (!equal) CHECK(generated(line, pattern) == expected);
        for (const Stored& stored : expected) {
            ++entries;
            const std::string again = encoded_again(stored, ordering, is_id_index(pattern));
            if (again != stored.key + "/") {
                ++entries_wrong;
                CHECK(again == stored.key + "/");
            }
        }
    }
    CHECK(documents > 4000);
    CHECK(entries > 4000);
    CHECK(documents_wrong == 0);
    CHECK(entries_wrong == 0);
}

}  // namespace ixora::key::test
