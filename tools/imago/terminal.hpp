// This file finds the width of terminals, and formats reports for them.
#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace imago::command {

/// Returns the columns of the terminal that a stream writes to; nullopt if it is no terminal.
std::optional<std::size_t> terminal_width(std::FILE* stream);

std::vector<std::string> lines_of(const std::string& text);

/// Wraps lines that are longer than `width`. They continue below their text, because reports have
/// labels in the first eleven columns. Words are not cut.
std::string wrapped(const std::string& text, std::size_t width);

/// Prints a report, wrapped if the output is a terminal.
void print_report(const std::string& text, std::FILE* to = stdout);

}  // namespace imago::command
