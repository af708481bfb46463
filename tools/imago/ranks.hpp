// This file is `imago explain --ranks`: what a transform over many ranks is predicted to take.
#pragma once

#include <cstddef>
#include <string>

#include "options.hpp"

namespace imago::command {

/// The ranks and what they have, as the user names it.
struct Ranks {
  std::size_t count = 0;  ///< 0: one device, no ranks
  std::string network = "25GB/s";
  std::string link;    ///< empty: 50 GB/s, on a CPU none
  std::string memory;  ///< empty: the device's, as measured or guessed
  double message = 2;  ///< microseconds
};

/// Bytes per second of "25GB/s", "200Gbit/s", "9.5 TB/s"; 0 of "none". Throws Misuse, which names
/// the option.
double parse_rate(const std::string& option, const std::string& text);

void add_ranks(CLI::App& app, Ranks& ranks);
/// Prints the predictions; plans and runs nothing. Throws Misuse for what cannot be shared.
int explain_ranks(const Problem& problem, const Ranks& ranks, const std::string& device,
                  const Options& options, bool json);

}  // namespace imago::command
