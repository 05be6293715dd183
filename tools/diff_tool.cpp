// ixora diff: two explain replies, ours and a server's for instance, compared in normal form.
#include <iostream>
#include <iterator>
#include <memory>

#include <CLI/CLI.hpp>

#include "data_file.hpp"
#include "diff_tree.hpp"
#include "ixora/ixora.hpp"
#include "standard_output.hpp"
#include "subcommands.hpp"
#include "workspace.hpp"

namespace ixora::tool {

namespace {

constexpr int status_equal = 0, status_different = 1, status_unreadable = 2;

struct DiffToolOptions {
    std::string ours, theirs;
    explain::NormalFormOptions form;
    bool json = false;
};

std::string read_side(const std::string& path) {
    if (path != "-") return read_text_file(path);
    return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

// A document, or the only member of an array as some drivers print pipelines.
bson::Document parse_reply(const std::string& text, const std::string& path) {
    bson::Value value;
    try {
        try {
            value = mql::parse_shell_value(text);
        } catch (const mql::ShellSyntaxError&) {
            // Programs that collect explains write {$timestamp: "..."} and the like, which no wrapper allows.
            mql::ShellOptions literal;
            literal.extended_json = false;
            value = mql::parse_shell_value(text, literal);
        }
    } catch (const mql::ShellSyntaxError& error) {
        throw Error(error.code(), path + ": line " + std::to_string(error.line()) + ", column " +
                                      std::to_string(error.column()) + ": " + error.what() + "\n" + error.excerpt());
    }
    const bson::Element element = value;
    if (element.is_array() && element.object().field_count() == 1 && element.object().front().is_object())
        return bson::Document(element.object().front().object());
    if (!element.is_object()) throw Error(ErrorCode::failed_to_parse, path + ": expected an explain reply, a document");
    return bson::Document(element.object());
}

int compare(const DiffToolOptions& options) {
    try {
        if (options.ours == "-" && options.theirs == "-")
            throw Error(ErrorCode::bad_value, "only one side can come from standard input");
        const bson::Document ours = parse_reply(read_side(options.ours), options.ours);
        const bson::Document theirs = parse_reply(read_side(options.theirs), options.theirs);
        const explain::Diff diff = explain::diff(ours, theirs, options.form);
        if (options.json) {
            write_output(bson::to_json(explain::to_document(diff), bson::JsonMode::relaxed) + "\n");
        } else {
            TreeOptions tree;
            tree.colour = output_takes_colour();
            write_output(diff_tree(diff, tree));
        }
        flush_output();
        return diff.equal() ? status_equal : status_different;
    } catch (const Error& error) {
        report_error(error);
        return status_unreadable;
    }
}

}  // namespace

void add_diff(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand(
        "diff", "Compare two explain replies: exit status 0 equal, 1 different, 2 not readable as explain replies");
    const auto options = std::make_shared<DiffToolOptions>();
    command->add_option("ours", options->ours, "Explain reply: Extended JSON or mongosh print; - reads standard input")
        ->type_name("FILE")
        ->required();
    command->add_option("theirs", options->theirs, "The one to compare with, such as a server's")
        ->type_name("FILE")
        ->required();
    command->add_flag("--json", options->json, "Print the differences as a document instead of a tree");
    command->add_flag("--order-free", options->form.order_free,
                      "Do not compare the order of fields where it means nothing");
    command->add_flag("--rejected-as-set", options->form.rejected_as_set, "Do not compare the order of rejected plans");
    command->add_flag("--class-b", options->form.class_b,
                      "Also compare queryHash, planCacheKey, skipAmount and the keys of collated strings");
    command->add_flag("--class-c", options->form.class_c, "Also compare times, yields, saves and restores");
    command->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace ixora::tool
