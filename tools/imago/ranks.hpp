// This file is `imago explain --ranks`: it predicts the time of a transform over many ranks.
#pragma once

#include <cstddef>
#include <string>

#include "options.hpp"

namespace imago::command {

/// The ranks and their rates, as the user specifies them.
struct Ranks {
  std::size_t count = 0;  ///< 0: one device, no ranks
  std::string network = "25GB/s";
  std::string link;    ///< empty: 50 GB/s, on a CPU none
  std::string memory;  ///< empty: the device's, as measured or estimated
  double message = 2;  ///< microseconds
};

/// Returns bytes per second for "25GB/s", "200Gbit/s", "9.5 TB/s"; 0 for "none". Throws Misuse with
/// the name of the option.
double parse_rate(const std::string& option, const std::string& text);

void add_ranks(CLI::App& app, Ranks& ranks);
/// Prints the predictions; plans and runs nothing. Throws Misuse if the ranks cannot share the
/// array.
int explain_ranks(const Problem& problem, const Ranks& ranks, const std::string& device,
                  const Options& options, bool json);

}  // namespace imago::command
