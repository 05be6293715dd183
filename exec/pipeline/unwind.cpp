#include "ixora/pipeline/unwind.hpp"

#include "ixora/base/error.hpp"
#include "ixora/pipeline/document_edit.hpp"
#include "ixora/pipeline/stages.hpp"

namespace ixora::pipeline {

namespace {

class UnwindOperator final : public Operator {
public:
    UnwindOperator(const UnwindStage& stage, OperatorPtr input) : Operator(std::move(input)), stage_(stage) {}

private:
    const UnwindOptions& options() const noexcept { return stage_.options; }

    Pulled pull(Row& out) override {
        for (std::uint32_t rows = 1;; ++rows) {
            if (in_array_) {
                if (at_ != end_) {
                    emit(*at_, position_++, out);
                    ++at_;
                    return Pulled::row;
                }
                in_array_ = false;
            }
            const Pulled pulled = input()->next(row_);
            if (pulled != Pulled::row) return pulled;
            if (start(out)) return Pulled::row;
            if (rows % 256 == 0) stage_.context()->check_interrupt();
        }
    }

    // Looks at a new row; true if it comes out at once, as one row.
    bool start(Row& out) {
        const bson::Element value = value_at(row_.document, options().path);
        if (value.is_array() && !value.object().empty()) {
            at_ = value.object().begin();
            end_ = value.object().end();
            position_ = 0;
            in_array_ = true;
            return false;
        }
        const bool nothing = value.missing() || value.is_null() || value.type() == bson::Type::undefined ||
                             value.is_array();  // an empty one
        if (nothing && !options().preserve_null_and_empty) return false;
        if (value.is_array())
            emit(bson::Element(), std::nullopt, out);
        else if (options().index)
            set_index(row_.document, std::nullopt, out);
        else
            out.set_view(row_.document);
        return true;
    }

    void emit(bson::Element member, std::optional<std::int64_t> position, Row& out) {
        builder_.reset();
        append_with(builder_, row_.document, options().path, member);
        const bson::View unwound = builder_.finish_view();
        if (options().index)
            set_index(unwound, position, out);
        else
            out.set_view(unwound);
    }

    void set_index(bson::View document, std::optional<std::int64_t> position, Row& out) {
        indexed_.reset();
        const bson::Value value = position ? bson::Value::of_long(*position) : bson::Value::null();
        append_with(indexed_, document, *options().index, value);
        out.set_view(indexed_.finish_view());
    }

    // The row that is being unwound may lie in the store.
    void do_save() override {
        if (!in_array_) return;
        const auto offset = at_ == end_ ? 0 : at_->data() - row_.document.data();
        const auto end_offset = end_->data() - row_.document.data();
        row_.own();
        end_ = bson::View::Iterator(row_.document.data() + end_offset);
        at_ = offset == 0 ? end_ : bson::View::Iterator(row_.document.data() + offset);
    }

    const UnwindStage& stage_;
    Row row_;  // what is being unwound
    bool in_array_ = false;
    bson::View::Iterator at_;
    bson::View::Iterator end_;
    std::int64_t position_ = 0;
    bson::Builder builder_;
    bson::Builder indexed_;
};

std::string got(bson::Element value) { return std::string(bson::type_name(value.type())); }

void parse_option(bson::Element option, UnwindOptions& options, std::string& path) {
    if (option.name() == "path") {
        if (!option.is_string())
            throw Error(28808, "expected a string as the path for $unwind stage, got " + got(option));
        path = option.string();
    } else if (option.name() == "preserveNullAndEmptyArrays") {
        if (option.type() != bson::Type::boolean)
            throw Error(28809, "expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got " +
                                   got(option));
        options.preserve_null_and_empty = option.boolean();
    } else if (option.name() == "includeArrayIndex") {
        if (!option.is_string() || option.string().empty())
            throw Error(28810, "expected a non-empty string for the includeArrayIndex  option to $unwind stage, got " +
                                   got(option));
        if (option.string().starts_with('$'))
            throw Error(28822, "includeArrayIndex option to $unwind stage should not be prefixed with a '$': " +
                                   std::string(option.string()));
        options.index = checked_path(option.string());
    } else {
        throw Error(28811, "unrecognized option to $unwind stage: " + std::string(option.name()));
    }
}

}  // namespace

void UnwindStage::print(bson::Builder& out) const {
    out.open_object("$unwind");
    out.append("path", "$" + options.path.dotted());
    if (options.preserve_null_and_empty) out.append("preserveNullAndEmptyArrays", true);
    if (options.index) out.append("includeArrayIndex", options.index->dotted());
    out.close();
}

NeedsAnswer UnwindStage::add_needs(Needs& needs) const {
    needs.fields.insert(options.path.dotted());
    return NeedsAnswer::see_next;
}

ModifiedPaths UnwindStage::modified_paths() const {
    ModifiedPaths modified{ModifiedPaths::Kind::these, {options.path.dotted()}, {}};
    if (options.index) modified.paths.insert(options.index->dotted());
    return modified;
}

OperatorPtr UnwindStage::open(OperatorPtr input) const {
    return std::make_unique<UnwindOperator>(*this, std::move(input));
}

void parse_unwind(bson::Element spec, const ContextPtr& context, StageList& out) {
    UnwindOptions options;
    std::string path;
    if (spec.is_object()) {
        for (const bson::Element& option : spec.object()) parse_option(option, options, path);
    } else if (spec.is_string()) {
        path = spec.string();
    } else {
        throw Error(15981,
                    "expected either a string or an object as specification for $unwind stage, got " + got(spec));
    }
    if (path.empty()) throw Error(28812, "no path specified to $unwind stage");
    if (!path.starts_with('$'))
        throw Error(28818, "path option to $unwind stage should be prefixed with a '$': " + path);
    options.path = checked_path(std::string_view(path).substr(1));
    out.push_back(std::make_unique<UnwindStage>(std::move(options), context));
}

void append_unwinding(bson::Builder& out, const UnwindOptions& options) {
    out.open_object("unwinding");
    out.append("preserveNullAndEmptyArrays", options.preserve_null_and_empty);
    if (options.index) out.append("includeArrayIndex", options.index->dotted());
    out.close();
}

}  // namespace ixora::pipeline
