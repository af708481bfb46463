// This file implements the functions of Problem.
#include "problem/problem.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "base/errors.hpp"
#include "problem/kinds.hpp"
#include "problem/words.hpp"

namespace imago::problem {

std::optional<std::size_t> Problem::real_axis() const {
  const auto found = std::find(kinds.begin(), kinds.end(), Kind::real);
  if (found == kinds.end()) return {};
  return static_cast<std::size_t>(found - kinds.begin());
}

std::vector<std::uint64_t> Problem::spectrum_lengths() const {
  std::vector<std::uint64_t> found = lengths;
  if (const auto axis = real_axis()) found[*axis] = lengths[*axis] / 2 + 1;
  return found;
}

bool Problem::only_real() const {
  const bool any = std::any_of(kinds.begin(), kinds.end(), is_trigonometric);
  return any && std::none_of(kinds.begin(), kinds.end(),
                             [](Kind kind) { return kind == Kind::complex || kind == Kind::real; });
}

std::size_t Problem::bytes(bool spectrum) const {
  std::size_t most = 0;
  for (const bool inverse : {false, true}) {
    if (!(inverse ? has_inverse() : has_forward())) continue;
    most = std::max(most, memory(inverse, spectrum != inverse).bytes());
    if (placement == Placement::in_place)
      most = std::max(most, memory(inverse, spectrum == inverse).bytes());
  }
  return most;
}

Kind Problem::kind(std::size_t axis, bool inverse) const {
  return inverse ? inverse_of(kinds[axis]) : kinds[axis];
}

std::string Problem::key() const {
  std::string text = (filter ? "filter-" : "") + word_of(kinds);
  for (std::size_t i = 0; i < lengths.size(); ++i)
    text.append(i == 0 ? "-" : "x").append(std::to_string(lengths[i]));
  for (const auto word :
       {base::word_of(kPrecisions, precision), base::word_of(kPlacements, placement)}) {
    text.append("-").append(word);
  }
  return text;
}

std::vector<HookArgument> Problem::arguments(bool inverse) const {
  std::vector<HookArgument> all;
  std::vector<const HookedEnd*> ends;
  for (const auto& end : hooked[inverse]) {
    if (end) ends.push_back(&*end);
  }
  if (filter && !inverse) ends.push_back(&*filter);
  for (const HookedEnd* end : ends) {
    for (const HookArgument& argument : end->arguments) {
      const auto known = std::find_if(all.begin(), all.end(), [&](const HookArgument& other) {
        return other.name == argument.name;
      });
      if (known == all.end()) {
        all.push_back(argument);
        continue;
      }
      if (known->type != argument.type)
        base::invalid(end->field, argument.name,
                      "use another name: an argument of another type has this one");
      known->numbers = std::max(known->numbers, argument.numbers);
    }
  }
  return all;
}

}  // namespace imago::problem
