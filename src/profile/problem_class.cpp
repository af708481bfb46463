// This file makes problem classes and their names.
#include "profile/problem_class.hpp"

#include "profile/words.hpp"

namespace imago::profile {

std::string ProblemClass::key() const {
  std::string text = std::string(word_of(kKinds, kind)) + '-';
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (i > 0) text += 'x';
    text += std::to_string(lengths[i]);
  }
  for (const auto word : {word_of(kPrecisions, precision), word_of(kPlacements, placement),
                          word_of(kLayouts, packed)}) {
    text.append("-").append(word);
  }
  return text.append("-batch_").append(std::to_string(batch));
}

}  // namespace imago::profile
