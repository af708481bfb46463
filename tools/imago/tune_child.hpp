// This file is the tuner's process boundary: a Judge whose child processes build and time
// candidates, and the code of these children.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "child.hpp"
#include "tuner/judge.hpp"

namespace imago::command {

/// Settings of child processes: `imago tune --child` on the same device, with the same cache.
struct ChildSettings {
  std::string device, cache;
  unsigned builders = 1;  ///< number of children that compile ahead
  double patience = 60;   ///< seconds until a candidate counts as hanging
};

class ChildJudge final : public tuner::Judge {
 public:
  explicit ChildJudge(const ChildSettings& settings);

  std::vector<bool> build(const std::vector<tuner::Candidate>& candidates, double seconds,
                          const Watch& watch) override;
  double time(const tuner::Candidate& candidate, const tuner::Timing& timing) override;

 private:
  struct Builder {
    Child child;
    std::size_t building = kIdle;  ///< index of its candidate
    double since = 0;
  };
  static constexpr std::size_t kIdle = std::numeric_limits<std::size_t>::max();
  Child start() const;

  ChildSettings settings_;
  Child runner_;
  std::vector<Builder> builders_;
};

/// Serves a ChildJudge until that ends.
int tune_child(const std::string& device, const std::string& cache);

}  // namespace imago::command
