// This file names cases and reads names back (the words are described in case.hpp).
#include <charconv>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/errors.hpp"
#include "catalogue/case.hpp"

namespace imago::catalogue {
namespace {

template <class Value>
using Words = std::vector<std::pair<Value, std::string_view>>;

const Words<Precision> kPrecisions{
    {Precision::f16, "f16"}, {Precision::f32, "f32"}, {Precision::f64, "f64"}};
const Words<Placement> kPlacements{{Placement::out_of_place, "out"}, {Placement::in_place, "in"}};
const Words<Direction> kDirections{{Direction::forward, "forward"},
                                   {Direction::inverse, "inverse"}};
const Words<Norm> kNorms{{Norm::none, "none"},
                         {Norm::backward, "backward"},
                         {Norm::ortho, "ortho"},
                         {Norm::forward, "forward"}};
const Words<Kind> kKinds{{Kind::real, "real"}, {Kind::dct1, "dct1"}, {Kind::dct2, "dct2"},
                         {Kind::dct3, "dct3"}, {Kind::dct4, "dct4"}, {Kind::dst1, "dst1"},
                         {Kind::dst2, "dst2"}, {Kind::dst3, "dst3"}, {Kind::dst4, "dst4"}};
const Words<Kind> kLetters{{Kind::complex, "c"}, {Kind::real, "r"},  {Kind::identity, "i"},
                           {Kind::dct1, "C1"},   {Kind::dct2, "C2"}, {Kind::dct3, "C3"},
                           {Kind::dct4, "C4"},   {Kind::dst1, "S1"}, {Kind::dst2, "S2"},
                           {Kind::dst3, "S3"},   {Kind::dst4, "S4"}};
const Words<Mapping> kMappings{{Mapping::work_group, "work_group"}, {Mapping::vector, "vector"}};
const Words<Algorithm> kAlgorithms{{Algorithm::single, "single"},
                                   {Algorithm::hierarchy, "hierarchy"},
                                   {Algorithm::global, "global"},
                                   {Algorithm::rader, "rader"},
                                   {Algorithm::bluestein, "bluestein"}};
const Words<LaneAxis> kAxes{{LaneAxis::columns, "columns"}, {LaneAxis::points, "points"}};
const Words<Exchange> kExchanges{{Exchange::interleaved, "interleaved"},
                                 {Exchange::split, "split"}};
const Words<Twiddles> kTwiddles{{Twiddles::table, "table"},
                                {Twiddles::product, "product"},
                                {Twiddles::polynomial, "polynomial"},
                                {Twiddles::native, "native"}};

template <class Value>
std::string_view word_of(const Words<Value>& words, Value value) {
  for (const auto& [known, word] : words) {
    if (known == value) return word;
  }
  return {};
}

template <class Value>
bool read(const Words<Value>& words, std::string_view word, Value& value) {
  for (const auto& [known, name] : words) {
    if (name == word) {
      value = known;
      return true;
    }
  }
  return false;
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

template <class Value>
void append(std::string& name, char separator, const Words<Value>& words, Value value) {
  const auto word = word_of(words, value);
  if (!word.empty()) (name += separator) += word;
}

std::string kernel_word(const KernelParameters& kernel) {
  // Names every member, so that a new one does not compile until it has a word here and below.
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
  append(word, ':', kAxes, axis);
  append(word, ':', kExchanges, exchange);
  append(word, ':', kTwiddles, twiddles);
  if (four_step != Twiddles::automatic) (word += ":f") += word_of(kTwiddles, four_step);
  return word;
}

bool read_kernel_part(std::string_view part, KernelParameters& kernel) {
  if (part.empty()) return false;
  if (read(kAxes, part, kernel.axis) || read(kExchanges, part, kernel.exchange) ||
      read(kTwiddles, part, kernel.twiddles)) {
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
      return read(kTwiddles, rest, kernel.four_step);
    default:
      return false;
  }
}

std::string layout_word(const Layout& layout, std::uint64_t packed) {
  std::string word = std::to_string(layout.offset);
  if (!layout.strides.empty()) {
    word += ":" + joined({layout.strides.begin(), layout.strides.end()}, '.');
    if (layout.distance != 0) word += "/" + std::to_string(layout.distance);
  } else if (layout.distance == 0 || layout.distance > packed) {
    word += "+" + std::to_string(layout.distance == 0 ? 0 : layout.distance - packed);
  } else {
    word += "/" + std::to_string(layout.distance);
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
  if (parts.size() > 1 && parts.back() == "planar") {
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
    append(word, '-', kKinds, problem.kind);
    return word;
  }
  word = "-axes_";
  for (const Kind kind : problem.axes) word += word_of(kLetters, kind);
  return word;
}

bool read_axes(std::string_view letters, std::vector<Kind>& axes) {
  while (!letters.empty()) {
    axes.push_back(Kind::complex);
    const std::size_t count = letters.front() == 'C' || letters.front() == 'S' ? 2 : 1;
    if (!read(kLetters, letters.substr(0, count), axes.back())) return false;
    letters.remove_prefix(count);
  }
  return true;
}

bool read_kind(std::string_view word, Case& problem) {
  constexpr std::string_view kAxesWord = "axes_";
  if (read(kKinds, word, problem.kind)) return true;
  return word.starts_with(kAxesWord) && read_axes(word.substr(kAxesWord.size()), problem.axes) &&
         problem.axes.size() == problem.lengths.size();
}

/// A word after the first five.
bool read_optional(std::string_view word, Case& problem) {
  if (word.empty()) return false;
  if (read(kMappings, word, problem.parameters.mapping) ||
      read(kAlgorithms, word, problem.parameters.algorithm)) {
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
      !read(kPrecisions, words[1], problem.precision) ||
      !read(kPlacements, words[2], problem.placement) ||
      !read(kDirections, words[3], problem.direction) || !read(kNorms, words[4], problem.norm)) {
    return false;
  }
  for (std::size_t i = 5; i < words.size(); ++i) {
    if (!read_optional(words[i], problem)) return false;
  }
  return true;
}

/// With the sizes of a name in the older form of one dimension, "360x17", as name() writes them.
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
  append(name, '-', kPrecisions, precision);
  append(name, '-', kPlacements, placement);
  append(name, '-', kDirections, direction);
  append(name, '-', kNorms, norm);
  name += kind_word(*this);
  if (source != Layout{}) name += "-s" + layout_word(source, packed_size(*this, true));
  if (target != Layout{}) name += "-t" + layout_word(target, packed_size(*this, false));
  append(name, '-', kMappings, parameters.mapping);
  append(name, '-', kAlgorithms, parameters.algorithm);
  for (const auto& kernel : parameters.kernels) name += "-" + kernel_word(kernel);
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
