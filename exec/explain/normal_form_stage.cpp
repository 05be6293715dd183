// Stage trees in normal form (spec: explain.md 13.1, 13.2).
#include "normal_form_parts.hpp"

namespace ixora::explain::normal {

namespace {

using bson::Element;
using bson::View;

// Names that newer servers add (13.2 step 6), and node numbers of the slot-based engine.
constexpr std::array newer_fields{std::string_view("isCached"),     std::string_view("nss"),
                                  std::string_view("planNodeId"),   std::string_view("peakTrackedMemBytes"),
                                  std::string_view("spilledBytes"), std::string_view("usedJoinOptimization")};

constexpr std::array timing_fields{std::string_view("executionTimeMillisEstimate"), std::string_view("needYield"),
                                   std::string_view("saveState"), std::string_view("restoreState")};

// What SORT prints since 6.0.
constexpr std::array fields_of_60{std::string_view("spills"), std::string_view("spilledDataStorageSize")};

std::string_view stage_name(View stage) noexcept {
    const Element name = stage["stage"];
    return name.is_string() ? name.string() : std::string_view();
}

bool is_geo_near(View stage) noexcept { return stage_name(stage).starts_with("GEO_NEAR"); }

bool is_geo_field(View stage, std::string_view field) noexcept {
    const Element pattern = stage["keyPattern"];
    if (!pattern.is_object()) return false;
    const Element kind = pattern.object()[field];
    return kind.is_string() && (kind.string() == "2dsphere" || kind.string() == "2d");
}

// Servers up to 6.x spend a unit on opening a collection scan, which every stage above passes on (13.2 step 9).
std::int64_t opening_units(View stage) {
    std::int64_t units = 0;
    if (stage_name(stage) == "COLLSCAN" && stage["works"].to_int64() > 0 && stage["needTime"].to_int64() > 0) units = 1;
    if (const Element input = stage["inputStage"]; input.is_object()) units += opening_units(input.object());
    if (const Element inputs = stage["inputStages"]; inputs.is_array())
        for (const Element& input : inputs.object())
            if (input.is_object()) units += opening_units(input.object());
    return units;
}

class StageWriter {
public:
    StageWriter(bson::Builder& out, const StageContext& context) : out_(out), context_(context) {}

    void write_fields(View stage) {
        const std::int64_t units = context_.printer.older_than(7) ? opening_units(stage) : 0;
        for (const Element& field : stage)
            if (!is_left_out(stage, field.name())) write_field(stage, field, units);
    }

private:
    bool is_left_out(View stage, std::string_view name) const {
        if (is_one_of(newer_fields, name)) return true;
        if (name == "type") return stage_name(stage) == "EOF";
        if (name == "spilledRecords") return stage_name(stage) == "SORT";
        if (name == "skipAmount") return !context_.options.class_b;
        if (is_one_of(timing_fields, name)) return !context_.options.class_c || context_.ignore_timing;
        return is_one_of(fields_of_60, name) && context_.options.other.older_than(6);
    }

    void write_field(View stage, const Element& field, std::int64_t units) {
        const std::string_view name = field.name();
        if (is_size_estimate(name) || name == "searchIntervals") {
            out_.append(name, masked_value);
        } else if (name == "inputStage" || name == "inputStages") {
            write_inputs(stage, field);
        } else if (name == "indexBounds" && field.is_object()) {
            write_bounds(stage, field.object());
        } else if (units > 0 && (name == "works" || name == "needTime") && field.is_number()) {
            out_.append(name, field.to_int64() - units);
        } else if (units > 0 && (name == "saveState" || name == "restoreState") && field.is_number()) {
            // Yields come every thousand units.
            const std::int64_t works = stage["works"].to_int64();
            out_.append(name, field.to_int64() - works / 1000 + (works - units) / 1000);
        } else {
            append_value(out_, name, field);
        }
    }

    void write_inputs(View stage, const Element& inputs) {
        if (is_geo_near(stage)) {  // its density scans depend on the server's geometry (class F)
            out_.append(inputs.name(), masked_value);
        } else if (inputs.is_object()) {
            out_.open_object(inputs.name());
            write_fields(inputs.object());
            out_.close();
        } else if (inputs.is_array()) {
            out_.open_array(inputs.name());
            for (const Element& input : inputs.object()) {
                if (!input.is_object()) {
                    out_.append_member(input);
                    continue;
                }
                out_.open_object();
                write_fields(input.object());
                out_.close();
            }
            out_.close();
        } else {
            append_value(out_, inputs.name(), inputs);
        }
    }

    void write_bounds(View stage, View bounds) {
        out_.open_object("indexBounds");
        for (const Element& field : bounds) {
            if (is_geo_field(stage, field.name())) {
                out_.append(field.name(), masked_value);
            } else if (field.is_array()) {
                out_.open_array(field.name());
                for (const Element& interval : field.object()) write_interval(interval);
                out_.close();
            } else {
                append_value(out_, field.name(), field);  // startKey and endKey of COUNT_SCAN are values
            }
        }
        out_.close();
    }

    void write_interval(const Element& interval) {
        if (interval.is_string())
            out_.append(bounds_text(interval.string(), context_.options.class_b));
        else
            out_.append_member(interval);
    }

    bson::Builder& out_;
    const StageContext& context_;
};

}  // namespace

void append_stage(bson::Builder& out, std::string_view name, View stage, const StageContext& context) {
    out.open_object(name);
    StageWriter(out, context).write_fields(stage);
    out.close();
}

}  // namespace ixora::explain::normal
