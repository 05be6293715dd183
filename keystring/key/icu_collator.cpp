#include "ixora/key/icu_collator.hpp"

#include <array>
#include <mutex>
#include <unordered_map>

#include <unicode/coll.h>
#include <unicode/locid.h>
#include <unicode/unistr.h>

#include "collation_spec.hpp"
#include "ixora/base/error.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/debug_string.hpp"

namespace ixora::key {

namespace {

[[noreturn]] void fail(const std::string& what, bson::View spec) {
    throw Error(ErrorCode::bad_value, what + " in: " + bson::debug_string(spec));
}

icu::StringPiece piece(std::string_view text) { return {text.data(), static_cast<int32_t>(text.size())}; }

// Only const members of the ICU object are used once it is configured; those are thread-safe.
class IcuCollator final : public bson::Collator {
public:
    IcuCollator(std::unique_ptr<const icu::Collator> collator, bson::Document spec) noexcept
        : collator_(std::move(collator)), spec_(std::move(spec)) {}

    int compare(std::string_view left, std::string_view right) const override {
        UErrorCode status = U_ZERO_ERROR;
        return static_cast<int>(collator_->compareUTF8(piece(left), piece(right), status));
    }

    void append_sort_key(std::string_view text, std::string& out) const override {
        const icu::UnicodeString unicode = icu::UnicodeString::fromUTF8(piece(text));
        std::array<std::uint8_t, 256> buffer;
        const int32_t size = collator_->getSortKey(unicode, buffer.data(), static_cast<int32_t>(buffer.size()));
        const auto bytes = static_cast<std::size_t>(size);
        if (bytes <= buffer.size()) {
            if (bytes > 0) out.append(reinterpret_cast<const char*>(buffer.data()), bytes - 1);
            return;
        }
        const std::size_t start = out.size();
        out.resize(start + bytes);
        collator_->getSortKey(unicode, reinterpret_cast<std::uint8_t*>(out.data()) + start, size);
        out.pop_back();  // ICU's final NUL
    }

    const bson::Document& spec() const noexcept override { return spec_; }

private:
    std::unique_ptr<const icu::Collator> collator_;
    bson::Document spec_;
};

std::unique_ptr<icu::Collator> open_locale(const std::string& name, bson::View spec) {
    const icu::Locale locale(name.c_str());
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::Collator> collator(icu::Collator::createInstance(locale, status));
    if (U_FAILURE(status) || collator == nullptr)
        throw Error(ErrorCode::bad_value, std::string("Failed to create collator: ") + u_errorName(status) +
                                              ". Collation spec: " + bson::debug_string(spec));
    // ICU falls back to its root for a language that it doesn't know.
    status = U_ZERO_ERROR;
    const icu::Locale valid = collator->getLocale(ULOC_VALID_LOCALE, status);
    if (U_FAILURE(status) || locale.isBogus() || valid.getLanguage()[0] == '\0')
        fail("Field 'locale' is invalid", spec);
    if (name != locale.getName())
        throw Error(ErrorCode::bad_value, "Field 'locale' is invalid in: " + bson::debug_string(spec) +
                                              ". Did you mean '" + locale.getName() + "'?");
    return collator;
}

void set(icu::Collator& collator, UColAttribute attribute, UColAttributeValue value, bson::View spec) {
    UErrorCode status = U_ZERO_ERROR;
    collator.setAttribute(attribute, value, status);
    if (U_FAILURE(status)) fail(std::string("Failed to set a collation attribute: ") + u_errorName(status), spec);
}

UColAttributeValue get(const icu::Collator& collator, UColAttribute attribute) {
    UErrorCode status = U_ZERO_ERROR;
    return collator.getAttribute(attribute, status);
}

UColAttributeValue switched(bool on) { return on ? UCOL_ON : UCOL_OFF; }

constexpr std::array<UColAttributeValue, 5> strengths{UCOL_PRIMARY, UCOL_SECONDARY, UCOL_TERTIARY, UCOL_QUATERNARY,
                                                      UCOL_IDENTICAL};

UColAttributeValue case_first_value(CaseFirst value) {
    switch (value) {
        case CaseFirst::upper: return UCOL_UPPER_FIRST;
        case CaseFirst::lower: return UCOL_LOWER_FIRST;
        case CaseFirst::off: break;
    }
    return UCOL_OFF;
}

void configure(icu::Collator& collator, const CollationSpec& wanted, bson::View spec) {
    if (wanted.case_level) set(collator, UCOL_CASE_LEVEL, switched(*wanted.case_level), spec);
    if (wanted.case_first) set(collator, UCOL_CASE_FIRST, case_first_value(*wanted.case_first), spec);
    if (wanted.strength) set(collator, UCOL_STRENGTH, strengths[static_cast<std::size_t>(*wanted.strength - 1)], spec);
    if (wanted.numeric_ordering) set(collator, UCOL_NUMERIC_COLLATION, switched(*wanted.numeric_ordering), spec);
    if (wanted.alternate)
        set(collator, UCOL_ALTERNATE_HANDLING,
            *wanted.alternate == Alternate::shifted ? UCOL_SHIFTED : UCOL_NON_IGNORABLE, spec);
    if (wanted.max_variable) {
        UErrorCode status = U_ZERO_ERROR;
        collator.setMaxVariable(
            *wanted.max_variable == MaxVariable::space ? UCOL_REORDER_CODE_SPACE : UCOL_REORDER_CODE_PUNCTUATION,
            status);
        if (U_FAILURE(status)) fail(std::string("Failed to set 'maxVariable': ") + u_errorName(status), spec);
    }
    if (wanted.normalization) set(collator, UCOL_NORMALIZATION_MODE, switched(*wanted.normalization), spec);
    if (wanted.backwards) set(collator, UCOL_FRENCH_COLLATION, switched(*wanted.backwards), spec);
}

int strength_number(const icu::Collator& collator) {
    const UColAttributeValue value = get(collator, UCOL_STRENGTH);
    for (std::size_t i = 0; i < strengths.size(); ++i)
        if (strengths[i] == value) return static_cast<int>(i) + 1;
    return 3;
}

const char* case_first_name(const icu::Collator& collator) {
    switch (get(collator, UCOL_CASE_FIRST)) {
        case UCOL_UPPER_FIRST: return "upper";
        case UCOL_LOWER_FIRST: return "lower";
        default: return "off";
    }
}

// Every field with the value in force, in the order in which the server prints them.
bson::Document complete_spec(const std::string& locale, const icu::Collator& collator) {
    const auto is_on = [&](UColAttribute attribute) { return get(collator, attribute) == UCOL_ON; };
    bson::Builder out;
    out.append("locale", locale);
    out.append("caseLevel", is_on(UCOL_CASE_LEVEL));
    out.append("caseFirst", case_first_name(collator));
    out.append("strength", strength_number(collator));
    out.append("numericOrdering", is_on(UCOL_NUMERIC_COLLATION));
    out.append("alternate", get(collator, UCOL_ALTERNATE_HANDLING) == UCOL_SHIFTED ? "shifted" : "non-ignorable");
    out.append("maxVariable", collator.getMaxVariable() == UCOL_REORDER_CODE_SPACE ? "space" : "punct");
    out.append("normalization", is_on(UCOL_NORMALIZATION_MODE));
    out.append("backwards", is_on(UCOL_FRENCH_COLLATION));
    out.append("version", collation_version);
    return out.finish();
}

// Options that would have no effect together are refused.
void check_combination(const icu::Collator& collator, bson::View spec) {
    const int strength = strength_number(collator);
    if (strength == 1 && get(collator, UCOL_FRENCH_COLLATION) == UCOL_ON)
        fail("'backwards' is invalid with 'strength' of 1", spec);
    if (strength <= 2 && get(collator, UCOL_CASE_FIRST) != UCOL_OFF && get(collator, UCOL_CASE_LEVEL) != UCOL_ON)
        fail("'caseFirst' is invalid unless 'caseLevel' is on or 'strength' is greater than 2", spec);
}

bson::CollatorPtr build(bson::View spec) {
    const CollationSpec wanted = parse_collation(spec);
    if (wanted.simple()) return nullptr;
    std::unique_ptr<icu::Collator> collator = open_locale(wanted.locale, spec);
    configure(*collator, wanted, spec);
    check_combination(*collator, spec);
    bson::Document complete = complete_spec(wanted.locale, *collator);
    return std::make_shared<IcuCollator>(std::move(collator), std::move(complete));
}

// Collators by the bytes of a specification, as written and complete. Opening one costs far more than a look-up, and
// every operation with a collation asks for one.
class Cache {
public:
    bson::CollatorPtr find(const std::string& spec) const {
        const std::lock_guard lock(mutex_);
        const auto found = collators_.find(spec);
        return found == collators_.end() ? nullptr : found->second;
    }
    // The collator that is shared from now on: an older one of the same complete specification wins.
    bson::CollatorPtr add(const std::string& spec, bson::CollatorPtr collator) {
        const bson::View complete = collator->spec().view();
        const std::lock_guard lock(mutex_);
        if (collators_.size() >= entries_max) collators_.clear();
        const auto shared = collators_.try_emplace(key_of(complete), collator).first->second;
        collators_.try_emplace(spec, shared);
        return shared;
    }
    static std::string key_of(bson::View spec) { return {reinterpret_cast<const char*>(spec.data()), spec.size()}; }

private:
    static constexpr std::size_t entries_max = 256;

    mutable std::mutex mutex_;
    std::unordered_map<std::string, bson::CollatorPtr> collators_;
};

}  // namespace

bson::CollatorPtr make_collator(bson::View spec) {
    static Cache cache;
    const std::string key = Cache::key_of(spec);
    if (bson::CollatorPtr known = cache.find(key)) return known;
    bson::CollatorPtr built = build(spec);
    return built == nullptr ? nullptr : cache.add(key, std::move(built));
}

}  // namespace ixora::key
