// Makes views from what create and collMod are asked for (spec: commands.md section 5).
#pragma once

#include "ixora/command/commands.hpp"
#include "ixora/command/view.hpp"

namespace ixora::command {

// Checks the name of the collection and the stages. Throws InvalidNamespace (73), BadValue (2),
// OptionNotSupportedOnView (167) for stages that write, what parsing the pipeline throws, and what check_view_graph()
// throws.
ViewPtr define_view(const Operation& operation, const Namespace& ns, std::string_view on, bson::Element pipeline,
                    bson::CollatorPtr collator);

// create with viewOn. Throws NamespaceExists (48) unless the same view is there.
void create_view(const Operation& operation, const Namespace& ns);

}  // namespace ixora::command
