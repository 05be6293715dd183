#include "diff_tree.hpp"

#include <memory>
#include <vector>

#include <fmt/format.h>

#include "ixora/bson/extended_json.hpp"

namespace ixora::tool {

namespace {

using explain::Difference;
using explain::DifferenceKind;

constexpr std::string_view bold = "\033[1m", dim = "\033[2m", red = "\033[31m", green = "\033[32m", plain = "\033[0m";

constexpr std::size_t line_length_max = 160;

// A step of the paths that lead to differences.
struct Branch {
    std::string name;
    std::string path;  // from the root
    std::vector<const Difference*> differences;
    std::vector<std::unique_ptr<Branch>> branches;

    Branch& at(const std::string& step) {
        for (const std::unique_ptr<Branch>& branch : branches)
            if (branch->name == step) return *branch;
        branches.push_back(std::make_unique<Branch>());
        branches.back()->name = step;
        branches.back()->path = path.empty() ? step : path + "." + step;
        return *branches.back();
    }
};

class DiffPrinter {
public:
    DiffPrinter(const explain::Diff& diff, bool colour) : diff_(diff), colour_(colour) {}

    std::string print() {
        Branch root;
        for (const Difference& difference : diff_.differences) {
            Branch* branch = &root;
            std::string_view rest = difference.path;
            while (!rest.empty()) {
                const std::size_t dot = rest.find('.');
                branch = &branch->at(std::string(rest.substr(0, dot)));
                rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
            }
            branch->differences.push_back(&difference);
        }
        for (const std::unique_ptr<Branch>& branch : root.branches) print_branch(*branch, "", "");
        for (const Difference* difference : root.differences) print_difference(*difference, "");
        for (const std::string& note : diff_.notes) out_ += paint(dim, "note: " + note) + "\n";
        const std::size_t count = diff_.differences.size();
        out_ += count == 0 ? "no differences\n" : fmt::format("{} difference{}\n", count, count == 1 ? "" : "s");
        return std::move(out_);
    }

private:
    std::string paint(std::string_view code, const std::string& what) const {
        return colour_ ? fmt::format("{}{}{}", code, what, plain) : what;
    }

    // Runs of steps without a stage or a difference of their own stand in one line.
    void print_branch(const Branch& start, const std::string& lead, const std::string& indent) {
        const Branch* branch = &start;
        std::string name = branch->name;
        while (branch->differences.empty() && branch->branches.size() == 1 && stage_at(branch->path).empty()) {
            branch = branch->branches.front().get();
            name += "." + branch->name;
        }
        if (const Difference* scalar = lone_scalar(*branch)) {
            out_ += lead + name + "  " + paint(red, "- " + one_line(scalar->ours)) + "  " +
                    paint(green, "+ " + one_line(scalar->theirs)) + "\n";
            return;
        }
        const std::string stage = stage_at(branch->path);
        out_ += lead + name + (stage.empty() ? "" : "  " + paint(bold, stage)) + "\n";
        const std::string detail = indent + (branch->branches.empty() ? "   " : "│  ");
        for (const Difference* difference : branch->differences) print_difference(*difference, detail);
        for (std::size_t i = 0; i < branch->branches.size(); ++i) {
            const bool last = i + 1 == branch->branches.size();
            print_branch(*branch->branches[i], indent + (last ? "└─ " : "├─ "), indent + (last ? "   " : "│  "));
        }
    }

    // Two plain values fit in the line of their name.
    static const Difference* lone_scalar(const Branch& branch) {
        if (!branch.branches.empty() || branch.differences.size() != 1) return nullptr;
        const Difference& difference = *branch.differences.front();
        const auto is_scalar = [](bson::Element value) {
            return !value.missing() && !value.is_object() && !value.is_array();
        };
        const bool plain_change =
            difference.kind == DifferenceKind::changed && is_scalar(difference.ours) && is_scalar(difference.theirs);
        return plain_change ? &difference : nullptr;
    }

    void print_difference(const Difference& difference, const std::string& indent) {
        std::string remark;
        if (difference.kind == DifferenceKind::moved) {
            out_ += indent + paint(dim, "in theirs at " + difference.path_in_theirs) + "\n";
            return;
        }
        if (difference.kind == DifferenceKind::reordered) remark = "  (in this order)";
        if (!difference.ours.missing()) print_side('-', red, difference.ours, remark, indent);
        if (!difference.theirs.missing()) print_side('+', green, difference.theirs, remark, indent);
    }

    void print_side(char sign, std::string_view code, bson::Element value, const std::string& remark,
                    const std::string& indent) {
        const std::string text = one_line(value);
        out_ += indent + paint(code, fmt::format("{} {}{}", sign, text, remark)) + "\n";
    }

    // A plan in short; other values as JSON, cut where they are long.
    static std::string one_line(bson::Element value) {
        if (value.is_object()) {
            const bson::View object = value.object();
            if (object["stage"].is_string()) return plan_summary(object);
            if (object["executionStages"].is_object()) return plan_summary(object["executionStages"].object());
        }
        std::string text = bson::to_json(value, bson::JsonMode::relaxed);
        if (text.size() <= line_length_max) return text;
        std::size_t end = line_length_max;
        while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not inside a character
        return text.substr(0, end) + " ...";
    }

    // "IXSCAN a_1" of the stage at this path, in ours or else in theirs.
    std::string stage_at(const std::string& path) const {
        for (const bson::View form : {diff_.ours.view(), diff_.theirs.view()}) {
            const bson::Element value = form.find_dotted(path);
            if (!value.is_object() || !value.object()["stage"].is_string()) continue;
            std::string text(value.object()["stage"].string());
            if (const bson::Element index = value.object()["indexName"]; index.is_string())
                text += " " + std::string(index.string());
            return text;
        }
        return {};
    }

    const explain::Diff& diff_;
    bool colour_;
    std::string out_;
};

}  // namespace

std::string diff_tree(const explain::Diff& diff, const TreeOptions& options) {
    return DiffPrinter(diff, options.colour).print();
}

}  // namespace ixora::tool
