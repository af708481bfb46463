// This file finds messages about users' texts in a compiler's log, and converts their line numbers
// to those of the texts.
#pragma once

#include <string>

#include "engine/composition.hpp"

namespace imago::engine {

/// Returns the log with places in users' texts. Compilers that ignore #line (NVIDIA's) count lines
/// of the whole source ("<kernel>:7:10:"); these become lines of the text
/// ("on_forward.load[0]:2:10:").
std::string in_lines_of_texts(const std::string& source, const std::string& log);

/// Throws InvalidArgument if the compiler reported errors in a user's text. The exception contains
/// the functions that the text must define, and the compiler's messages.
void blame_user_text(const Blueprint& blueprint, const DeviceError& error);

}  // namespace imago::engine
