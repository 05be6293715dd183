// Everything that a program which embeds ixora needs.
#pragma once

#include "ixora/base/error.hpp"
#include "ixora/base/knobs.hpp"
#include "ixora/base/version.hpp"
#include "ixora/bson/builder.hpp"
#include "ixora/bson/debug_string.hpp"
#include "ixora/bson/extended_json.hpp"
#include "ixora/bson/validate.hpp"
#include "ixora/command/engine.hpp"
#include "ixora/mql/shell.hpp"
#include "ixora/plan/planner.hpp"
