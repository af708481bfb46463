// This file knows terminals: how wide they are, and how a report is laid out on them.
#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace imago::command {

/// Columns of the terminal that a file descriptor is; none where it is no terminal.
std::optional<std::size_t> terminal_width(int file);

std::vector<std::string> lines_of(const std::string& text);

/// Lines that are longer than `width` go on in the next one, below their text: reports have labels
/// in the first eleven columns. Words are not cut.
std::string wrapped(const std::string& text, std::size_t width);

/// Prints a report: wrapped where that is a terminal.
void print_report(const std::string& text, std::FILE* to = stdout);

}  // namespace imago::command
