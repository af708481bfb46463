// This file writes and reads the names of cases (case.hpp describes their parts).
#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/errors.hpp"
#include "catalogue/case.hpp"
#include "problem/words.hpp"

namespace imago::catalogue {
namespace {

// The catalogue has its own words, shorter than the library's: every name contains one of each, and
// logs and baselines are full of names.
constexpr auto kPlacements = std::to_array<base::Word<Placement>>(
    {{"out", Placement::out_of_place}, {"in", Placement::in_place}});
constexpr auto kDirections = std::to_array<base::Word<Direction>>(
    {{"forward", Direction::forward}, {"inverse", Direction::inverse}});

template <class Words, class Value>
bool read(const Words& words, std::string_view word, Value& value) {
  const auto found = base::value_of(words, word);
  if (found) value = *found;
  return found.has_value();
}

template <class Integer>
bool read_number(std::string_view text, Integer& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string joined(const std::vector<std::uint64_t>& numbers, char separator) {
  std::string text;
  for (const auto number : numbers) {
    if (!text.empty()) text += separator;
    text += std::to_string(number);
  }
  return text;
}

template <class Integer>
bool read_numbers(std::string_view text, char separator, std::vector<Integer>& numbers) {
  for (const auto part : split(text, separator)) {
    numbers.push_back(0);
    if (!read_number(part, numbers.back())) return false;
  }
  return true;
}

template <class Words, class Value>
void append(std::string& name, char separator, const Words& words, Value value) {
  (name += separator) += base::word_of(words, value);
}

/// Values that the planner chooses have no word in a name.
template <class Words, class Value>
void append_chosen(std::string& name, char separator, const Words& words, Value value) {
  if (value != Value::automatic) append(name, separator, words, value);
}

std::string kernel_word(const KernelParameters& kernel) {
  // This names every member, so that a new one does not compile until it has a word here and below.
  const auto& [length, radices, items, columns, lanes, axis, exchange, twiddles, four_step] =
      kernel;
  std::string word("k");
  word += std::to_string(length);
  for (std::size_t i = 0; i < radices.size(); ++i) {
    word += i == 0 ? ":r" : ".";
    word += std::to_string(radices[i]);
  }
  const auto number = [&](const char* letter, unsigned value) {
    if (value != 0) (word += letter) += std::to_string(value);
  };
  number(":i", items);
  number(":c", columns);
  number(":l", lanes);
  append_chosen(word, ':', problem::kLaneAxes, axis);
  append_chosen(word, ':', problem::kExchanges, exchange);
  append_chosen(word, ':', problem::kTwiddles, twiddles);
  if (four_step != Twiddles::automatic)
    (word += ":f") += base::word_of(problem::kTwiddles, four_step);
  return word;
}

bool read_kernel_part(std::string_view part, KernelParameters& kernel) {
  if (part.empty()) return false;
  if (read(problem::kLaneAxes, part, kernel.axis) ||
      read(problem::kExchanges, part, kernel.exchange) ||
      read(problem::kTwiddles, part, kernel.twiddles)) {
    return true;
  }
  const auto rest = part.substr(1);
  switch (part.front()) {
    case 'k':
      return read_number(rest, kernel.length);
    case 'r':
      return read_numbers(rest, '.', kernel.radices);
    case 'i':
      return read_number(rest, kernel.items);
    case 'c':
      return read_number(rest, kernel.columns);
    case 'l':
      return read_number(rest, kernel.lanes);
    case 'f':
      return read(problem::kTwiddles, rest, kernel.four_step);
    default:
      return false;
  }
}

std::string layout_word(const Layout& layout, std::uint64_t packed) {
  std::string word = std::to_string(layout.offset);
  if (!layout.strides.empty()) {
    (word += ':') += joined({layout.strides.begin(), layout.strides.end()}, '.');
    if (layout.distance != 0) (word += '/') += std::to_string(layout.distance);
  } else if (layout.distance == 0 || layout.distance > packed) {
    (word += '+') += std::to_string(layout.distance == 0 ? 0 : layout.distance - packed);
  } else {
    (word += '/') += std::to_string(layout.distance);
  }
  return layout.storage == Storage::planar ? word + ":planar" : word;
}

/// Reads "3+2", "3/160" or, with strides, "3".
bool read_start(std::string_view text, bool strides, std::uint64_t packed, Layout& layout) {
  if (strides) return read_number(text, layout.offset);
  const auto at = text.find_first_of("+/");
  if (at == std::string_view::npos || !read_number(text.substr(0, at), layout.offset) ||
      !read_number(text.substr(at + 1), layout.distance)) {
    return false;
  }
  if (text[at] == '+' && layout.distance != 0) layout.distance += packed;
  return true;
}

bool read_layout(std::string_view text, std::uint64_t packed, Layout& layout) {
  auto parts = split(text, ':');
  if (parts.size() > 1 && parts.back() == base::word_of(problem::kStorages, Storage::planar)) {
    layout.storage = Storage::planar;
    parts.pop_back();
  }
  if (parts.size() > 2 || !read_start(parts[0], parts.size() == 2, packed, layout)) return false;
  if (parts.size() == 1) return true;
  const auto numbers = split(parts[1], '/');
  return numbers.size() <= 2 && read_numbers(numbers[0], '.', layout.strides) &&
         (numbers.size() == 1 || read_number(numbers[1], layout.distance));
}

std::string kind_word(const Case& problem) {
  std::string word;
  if (problem.axes.empty()) {
    if (problem.kind != Kind::complex) append(word, '-', problem::kKinds, problem.kind);
    return word;
  }
  word = "-axes_";
  for (const Kind kind : problem.axes) word += base::word_of(problem::kKindLetters, kind);
  return word;
}

bool read_axes(std::string_view letters, std::vector<Kind>& axes) {
  while (!letters.empty()) {
    axes.push_back(Kind::complex);
    const std::size_t count = letters.front() == 'C' || letters.front() == 'S' ? 2 : 1;
    if (!read(problem::kKindLetters, letters.substr(0, count), axes.back())) return false;
    letters.remove_prefix(count);
  }
  return true;
}

bool read_kind(std::string_view word, Case& problem) {
  constexpr std::string_view kAxesWord = "axes_";
  if (read(problem::kKinds, word, problem.kind)) return true;
  return word.starts_with(kAxesWord) && read_axes(word.substr(kAxesWord.size()), problem.axes) &&
         problem.axes.size() == problem.lengths.size();
}

/// Reads a part after the first five.
bool read_optional(std::string_view word, Case& problem) {
  if (word.empty()) return false;
  if (read(problem::kMappings, word, problem.parameters.mapping) ||
      read(problem::kAlgorithms, word, problem.parameters.algorithm) ||
      read(problem::kLaunches, word, problem.parameters.launches)) {
    return true;
  }
  if (read_kind(word, problem)) return true;
  const bool source = word.front() == 's';
  if (source || word.front() == 't')
    return read_layout(word.substr(1), packed_size(problem, source),
                       source ? problem.source : problem.target);
  if (word.front() != 'k') return false;
  KernelParameters kernel;
  for (const auto part : split(word, ':')) {
    if (!read_kernel_part(part, kernel)) return false;
  }
  problem.parameters.kernels.push_back(std::move(kernel));
  return true;
}

bool read_sizes(std::string_view word, Case& problem) {
  const auto parts = split(word, '*');
  problem.lengths.clear();
  return parts.size() == 2 && read_numbers(parts[0], 'x', problem.lengths) &&
         read_number(parts[1], problem.batch);
}

bool read_case(std::string_view name, Case& problem) {
  const auto words = split(name, '-');
  if (words.size() < 5 || !read_sizes(words[0], problem) ||
      !read(problem::kPrecisions, words[1], problem.precision) ||
      !read(kPlacements, words[2], problem.placement) ||
      !read(kDirections, words[3], problem.direction) ||
      !read(problem::kNorms, words[4], problem.norm)) {
    return false;
  }
  for (std::size_t i = 5; i < words.size(); ++i) {
    if (!read_optional(words[i], problem)) return false;
  }
  return true;
}

/// Converts the sizes of a name in the older form of one dimension, "360x17", to the form of
/// name().
std::string with_new_sizes(std::string name) {
  const auto sizes = std::string_view(name).substr(0, name.find('-'));
  const auto at = sizes.find('x');
  if (at != std::string_view::npos && at == sizes.rfind('x') &&
      sizes.find('*') == std::string_view::npos) {
    name[at] = '*';
  }
  return name;
}

}  // namespace

std::string Case::name() const {
  std::string name = joined(lengths, 'x');
  (name += "*") += std::to_string(batch);
  append(name, '-', problem::kPrecisions, precision);
  append(name, '-', kPlacements, placement);
  append(name, '-', kDirections, direction);
  append(name, '-', problem::kNorms, norm);
  name += kind_word(*this);
  if (source != Layout{}) (name += "-s") += layout_word(source, packed_size(*this, true));
  if (target != Layout{}) (name += "-t") += layout_word(target, packed_size(*this, false));
  append_chosen(name, '-', problem::kMappings, parameters.mapping);
  append_chosen(name, '-', problem::kAlgorithms, parameters.algorithm);
  append_chosen(name, '-', problem::kLaunches, parameters.launches);
  for (const auto& kernel : parameters.kernels) (name += '-') += kernel_word(kernel);
  return name;
}

Case parse(const std::string& name) {
  Case problem;
  const std::string text = with_new_sizes(name);
  if (!read_case(text, problem) || problem.name() != text) {
    base::invalid("case", name,
                  "expected a name that selftest prints, such as "
                  "64x48*3-f32-out-forward-ortho-s3+2-vector");
  }
  return problem;
}

}  // namespace imago::catalogue
