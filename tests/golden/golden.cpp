// Golden scripts: text files of commands with the answers that they must give (README.md here has the format).
//
//   test_golden [--rewrite] SCRIPT...    --rewrite writes what came out into the scripts
#include <cstdio>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "ixora/ixora.hpp"
#include "orders.hpp"
#include "plan_tree.hpp"
#include "statement.hpp"
#include "why_tree.hpp"

namespace {

using namespace ixora;

constexpr const char* database_name = "test";
constexpr std::string_view separator = "----";

struct Block {
    std::size_t line = 0;  // of the script
    std::vector<std::string> comments;
    std::string command;
    std::vector<std::string> input;
    std::vector<std::string> expected;
};

// A block is: comments, a command, its input, "----", the expected lines; a blank line ends it.
std::vector<Block> parse(std::istream& script) {
    std::vector<Block> blocks(1);
    enum class Part { command, input, expected } part = Part::command;
    std::size_t number = 0;
    for (std::string line; std::getline(script, line);) {
        ++number;
        Block& block = blocks.back();
        if (line.empty()) {
            if (!block.command.empty() || !block.comments.empty()) blocks.emplace_back();
            part = Part::command;
        } else if (part == Part::expected) {
            block.expected.push_back(line);
        } else if (line == separator) {
            part = Part::expected;
        } else if (part == Part::command && line[0] == '#') {
            block.comments.push_back(line);
        } else if (part == Part::command) {
            block.line = number;
            block.command = line;
            part = Part::input;
        } else {
            block.input.push_back(line);
        }
    }
    if (blocks.back().command.empty() && blocks.back().comments.empty()) blocks.pop_back();
    return blocks;
}

class Session {
public:
    // The lines that the block gives.
    std::vector<std::string> run(const Block& block) {
        std::string out;
        try {
            out = answer(block);
        } catch (const Error& error) {
            out = "error " + std::to_string(error.code()) + " " + error.code_name() + ": " + error.what();
        }
        std::vector<std::string> lines;
        std::istringstream text(out);
        for (std::string line; std::getline(text, line);) {
            while (!line.empty() && line.back() == ' ') line.pop_back();
            if (!line.empty()) lines.push_back(line);
        }
        return lines;
    }

private:
    std::string answer(const Block& block) {
        if (block.command == "docs") return insert(block.input);
        if (block.command == "indexes") return create_indexes(block.input);
        if (block.command == "find") return find(joined(block.input));
        if (block.command == "explain") return explain(joined(block.input));
        if (block.command == "why") return tool::why_tree(explained(joined(block.input), true));
        if (block.command == "run") {
            bson::Builder command;
            command.append_all(mql::parse_shell_document(joined(block.input)));
            command.append("$db", database_name);
            return bson::debug_string(checked(command.finish()));
        }
        if (block.command.rfind("orders ", 0) == 0) return load_orders(std::stoi(block.command.substr(7)));
        throw Error(ErrorCode::failed_to_parse, "no such command: " + block.command);
    }

    static std::string joined(const std::vector<std::string>& lines) {
        std::string out;
        for (const std::string& line : lines) out += line + "\n";
        return out;
    }

    std::string insert(const std::vector<std::string>& lines) {
        CollectionHandle collection = database_.collection("c");
        for (const std::string& line : lines) collection.insert(mql::parse_shell_document(line));
        return std::to_string(lines.size()) + " inserted";
    }

    // {key}, or {key} {options}
    std::string create_indexes(const std::vector<std::string>& lines) {
        CollectionHandle collection = database_.collection("c");
        for (const std::string& line : lines) {
            std::size_t consumed = 0;
            const bson::Value key = mql::parse_shell_value_prefix(line, consumed);
            const std::string rest = line.substr(consumed);
            const bool has_options = rest.find('{') != std::string::npos;
            collection.create_index(key.element().object(),
                                    has_options ? mql::parse_shell_document(rest) : bson::Document());
        }
        return std::to_string(lines.size()) + " created";
    }

    std::string load_orders(int count) {
        CollectionHandle collection = database_.collection("c");
        orders::Options options;
        options.even_tenants = true;
        options.payload_bytes = 4;
        orders::Generator generator(count, options);
        for (int i = 0; i < count; ++i) collection.insert(generator.next());
        return std::to_string(count) + " inserted";
    }

    bson::Document checked(bson::View command) {
        bson::Document reply = database_.run_command(command);
        if (reply["ok"].truthy()) return reply;
        throw Error(static_cast<int>(reply["code"].to_int64()), std::string(reply["errmsg"].string()));
    }

    // Documents, the number of a count or the values of a distinct.
    std::string find(const std::string& statement) {
        const bson::Document reply = checked(tool::parse_statement(statement, database_name).command);
        if (reply["values"].is_array()) return bson::debug_string(reply["values"]);
        if (!reply["cursor"].is_object()) return bson::debug_string(reply["n"]);
        std::string out;
        std::size_t rows = 0;
        for (const bson::Element& row : reply["cursor"].object()["firstBatch"].object()) {
            out += bson::debug_string(row) + "\n";
            ++rows;
        }
        return rows == 0 ? "nothing" : out;
    }

    bson::Document explained(const std::string& statement, bool why) {
        const tool::StatementCommand parsed = tool::parse_statement(statement, database_name);
        bson::Builder command;
        command.append("explain", parsed.command);
        command.append("verbosity", verbosity_name(parsed.explain.value_or(Verbosity::execution_stats)));
        if (why) command.append("ixoraWhy", true);
        command.append("$db", database_name);
        return checked(command.finish());
    }

    std::string explain(const std::string& statement) {
        static const std::regex milliseconds(", \\d+ ms\n");
        return std::regex_replace(tool::plan_tree(explained(statement, false)), milliseconds, "\n");
    }

    Database database_;
};

void print(std::ostream& out, const Block& block) {
    for (const std::string& line : block.comments) out << line << "\n";
    if (block.command.empty()) return;
    out << block.command << "\n";
    for (const std::string& line : block.input) out << line << "\n";
    out << separator << "\n";
    for (const std::string& line : block.expected) out << line << "\n";
}

// How many blocks differ.
int run_script(const std::string& path, bool rewrite) {
    std::ifstream in(path);
    if (!in) {
        std::cerr << path << ": cannot read\n";
        return 1;
    }
    std::vector<Block> blocks = parse(in);
    in.close();
    Session session;
    int differences = 0;
    for (Block& block : blocks) {
        if (block.command.empty()) continue;
        const std::vector<std::string> lines = session.run(block);
        if (lines == block.expected) continue;
        ++differences;
        if (!rewrite) {
            std::cout << path << ":" << block.line << ": expected\n";
            for (const std::string& line : block.expected) std::cout << "  " << line << "\n";
            std::cout << "got\n";
            for (const std::string& line : lines) std::cout << "  " << line << "\n";
        }
        block.expected = lines;
    }
    if (!rewrite) return differences;
    std::ofstream out(path);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (i > 0) out << "\n";
        print(out, blocks[i]);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    bool rewrite = false;
    int differences = 0, scripts = 0;
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--rewrite") {
            rewrite = true;
            continue;
        }
        differences += run_script(argv[i], rewrite);
        ++scripts;
    }
    std::cout << scripts << " scripts, " << differences << " differences\n";
    return differences == 0 && scripts > 0 ? 0 : 1;
}
