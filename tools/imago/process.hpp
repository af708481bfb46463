// This file prepares the process of the command, and ends it.
#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace imago::command {

/// Returns the arguments of the program in UTF-8, without the program's own name.
std::vector<std::string> utf8_arguments(int argc, char** argv);

/// Prepares standard input and output: bytes are not changed, and a terminal shows UTF-8 and
/// escape sequences.
void prepare_streams();

/// Lets writing to a closed pipe, or beyond the limit of a file's size, fail with an error. Started
/// programs get the caller's settings.
void let_writes_fail();

/// Returns the columns of the terminal that a stream writes to; nullopt if it is no terminal.
std::optional<std::size_t> terminal_width(std::FILE* stream);

}  // namespace imago::command
