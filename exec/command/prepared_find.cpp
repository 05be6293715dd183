#include "ixora/command/prepared_find.hpp"

namespace ixora {

namespace {

plan::FindRequest named(plan::FindRequest request, const command::Namespace& ns) {
    request.ns = ns.full();
    return request;
}

}  // namespace

PreparedFind::PreparedFind(command::Service& service, command::QueryParameters parameters)
    : service_(&service),
      parameters_(std::move(parameters)),
      query_(named(std::move(parameters_.request), parameters_.ns)),
      is_id_lookup_(asks_for_one_id()) {}

// {_id: parameter} and no option that IDHACK does not know (planner.md 6.1) or that changes its row.
bool PreparedFind::asks_for_one_id() const {
    const plan::FindRequest& request = query_.request();
    const bson::Element id = request.filter.view().front();
    return request.filter.view().field_count() == 1 && id.name() == "_id" && mql::MatchParameters::is_placeholder(id) &&
           !parameters_.collation && request.projection.empty() && request.sort.empty() && request.hint.empty() &&
           request.min.empty() && request.max.empty() && request.skip == 0;
}

PreparedFind::Rows PreparedFind::rows() {
    cursor_.reset();
    found_.reset();
    looked_up_ = is_id_lookup_ && look_up();
    if (!looked_up_) {
        auto interrupt = std::make_unique<Interrupt>();
        if (parameters_.max_time.count() > 0) interrupt->set_deadline(Interrupt::Clock::now() + parameters_.max_time);
        command::RunningQuery running = service_->open(query_, parameters_, *interrupt);
        cursor_.emplace(std::move(running), std::move(interrupt));
    }
    return Rows(*this);
}

std::optional<bson::View> PreparedFind::next() {
    if (cursor_) return cursor_->next();
    if (!looked_up_) return std::nullopt;
    const std::optional<bson::View> row = std::exchange(found_, std::nullopt);
    if (!row) {
        access_->reader->release();
        looked_up_ = false;
    }
    return row;
}

const PreparedFind::Target& PreparedFind::target() {
    const std::uint64_t version = service_->catalog().version();
    if (target_.known && target_.catalog_version == version) return target_;
    target_ = {service_->find_collection(parameters_.ns), nullptr, version, true};
    if (target_.collection != nullptr && target_.collection->collator == nullptr)
        for (const write::IndexStatePtr& index : target_.collection->indexes)
            if (index->is_id_index() && !index->hidden()) target_.id_index = index;
    return target_;
}

// False where the value or the collection asks for the ordinary way.
bool PreparedFind::look_up() {
    const bson::Element id = query_.parameters().value(0);
    if (plan::constant_class(id) == 0) return false;
    const Target& target = this->target();
    if (target.id_index == nullptr) return false;
    if (access_ == nullptr) access_ = std::make_unique<Access>(service_->storage().point_reader());
    access_->key.reset(key::Ordering::of(target.id_index->key_pattern()));
    access_->key.append(id);
    access_->key.append_end();
    target.id_index->note_access();
    found_ =
        access_->reader->find(target.collection->identity->records, target.id_index->table(), access_->key.bytes());
    return true;
}

PreparedFind::Rows::Iterator& PreparedFind::Rows::Iterator::operator++() {
    if (const std::optional<bson::View> row = find_->next())
        row_ = *row;
    else
        find_ = nullptr;
    return *this;
}

}  // namespace ixora
