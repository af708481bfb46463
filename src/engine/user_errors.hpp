// This file finds in a compiler's log what it says about the user's texts, and says that in the
// lines of these texts.
#pragma once

#include <string>

#include "engine/composition.hpp"

namespace imago::engine {

/// The log, where the compiler counted the lines of the whole source though #line tells it the
/// user's texts and lines (NVIDIA's): places in a text ("<kernel>:7:10:") become those of the text
/// ("on_forward.load[0]:2:10:").
std::string in_lines_of_texts(const std::string& source, const std::string& log);

/// Throws InvalidArgument if the compiler complained about a text of the user, with the functions
/// that the text must define and the compiler's messages about it.
void blame_user_text(const Blueprint& blueprint, const DeviceError& error);

}  // namespace imago::engine
