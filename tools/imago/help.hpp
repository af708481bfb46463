// This file lays out the command's help: a column of names, one of descriptions, 80 in all.
#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace imago::command {

/// The group of options that few users need; the help lists it last.
inline constexpr const char* kAdvanced = "Advanced";

/// Returns the layout of `--help`, with defaults in brackets after the descriptions.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace imago::command
