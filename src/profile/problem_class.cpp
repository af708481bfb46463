// This file makes keys of problem classes.
#include "profile/problem_class.hpp"

#include <functional>
#include <limits>
#include <numeric>

#include "profile/words.hpp"

namespace imago::profile {

std::string ProblemClass::shape() const {
  std::string text;
  for (const std::uint64_t length : lengths)
    text.append(text.empty() ? "" : "x").append(std::to_string(length));
  return text;
}

std::uint64_t ProblemClass::points() const {
  return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{1}, std::multiplies<>());
}

std::uint64_t ProblemClass::work() const {
  const std::uint64_t one = points(), most = std::numeric_limits<std::uint64_t>::max();
  return one != 0 && batch > most / one ? most : one * batch;
}

std::string ProblemClass::key() const {
  std::string text = std::string(word_of(kKinds, kind)) + '-' + shape();
  for (const auto word : {word_of(kPrecisions, precision), word_of(kPlacements, placement),
                          word_of(kLayouts, packed)}) {
    text.append("-").append(word);
  }
  return text.append("-batch_").append(std::to_string(batch));
}

}  // namespace imago::profile
