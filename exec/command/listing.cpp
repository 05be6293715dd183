#include "ixora/command/listing.hpp"

#include "ixora/command/batch.hpp"
#include "ixora/command/request.hpp"

namespace ixora::command {

namespace {

class DocumentStream final : public RowStream {
public:
    explicit DocumentStream(std::vector<bson::Document> documents) noexcept : documents_(std::move(documents)) {}

    bool next(bson::View& row) override {
        if (is_exhausted()) return false;
        row = documents_[next_++].view();
        return true;
    }
    bool is_exhausted() const override { return next_ == documents_.size(); }
    void save() override {}
    void restore(Interrupt&) override {}

private:
    std::vector<bson::Document> documents_;
    std::size_t next_ = 0;
};

}  // namespace

std::optional<std::int64_t> parse_listing_cursor(bson::Element cursor, std::string_view command) {
    if (cursor.missing()) return std::nullopt;
    const std::string owner = std::string(command) + ".cursor";
    std::optional<std::int64_t> batch_size;
    for (const bson::Element& option : expect_object(cursor, {command, "cursor"})) {
        if (option.name() != "batchSize") throw unknown_field(owner, option.name());
        batch_size = expect_non_negative(option, {owner, "batchSize"});
    }
    return batch_size;
}

void append_listing(Operation& operation, bson::Builder& reply, Namespace ns, std::vector<bson::Document> documents,
                    std::optional<std::int64_t> batch_size) {
    auto cursor = std::make_unique<ClientCursor>();
    cursor->ns = std::move(ns);
    cursor->rows = std::make_unique<DocumentStream>(std::move(documents));
    bson::Builder batch;
    batch.open_array("firstBatch");
    const bool exhausted = fill_batch(*cursor, batch_size, batch);
    batch.close();
    const std::string name = cursor->ns.full();
    Service& service = operation.service;
    reply.open_object("cursor");
    reply.append(
        "id", exhausted ? std::int64_t{0} : service.cursors().add(std::move(cursor), service.knobs().maxOpenCursors));
    reply.append("ns", name);
    reply.append_all(batch.finish());
    reply.close();
}

}  // namespace ixora::command
