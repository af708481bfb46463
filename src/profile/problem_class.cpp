// This file makes keys of problem classes.
#include "profile/problem_class.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <numeric>

#include "profile/words.hpp"

namespace imago::profile {
namespace {

/// Removes and returns the text before the next separator.
std::string_view next_of(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view found = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return found;
}

/// Returns a number above 0; otherwise nothing.
std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return {};
  return number;
}

}  // namespace

std::string ProblemClass::shape() const {
  std::string text;
  for (const std::uint64_t length : lengths)
    text.append(text.empty() ? "" : "x").append(std::to_string(length));
  return text;
}

std::string_view ProblemClass::arithmetic() const {
  return word_of(kArithmetics, Arithmetic{precision, pairs});
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
  for (const auto word :
       {arithmetic(), word_of(kPlacements, placement), word_of(kLayouts, packed)}) {
    text.append("-").append(word);
  }
  return text.append("-batch_").append(std::to_string(batch));
}

std::optional<ProblemClass> class_of_key(std::string_view key) {
  const auto kind = base::value_of(kKinds, next_of(key, '-'));
  std::string_view shape = next_of(key, '-');
  const auto arithmetic = base::value_of(kArithmetics, next_of(key, '-'));
  const auto placement = base::value_of(kPlacements, next_of(key, '-'));
  const auto packed = base::value_of(kLayouts, next_of(key, '-'));
  constexpr std::string_view kBatch = "batch_";
  if (!kind || !arithmetic || !placement || !packed || !key.starts_with(kBatch)) return {};
  const auto batch = number_of(key.substr(kBatch.size()));
  if (!batch) return {};
  ProblemClass found{*kind,   {},     arithmetic->precision, *placement,
                     *packed, *batch, arithmetic->pairs};
  do {
    const auto length = number_of(next_of(shape, 'x'));
    if (!length) return {};
    found.lengths.push_back(*length);
  } while (!shape.empty());
  return found;
}

}  // namespace imago::profile
