// This file names a case, reads names back and translates a case for the library. The words of a
// name are separated by `-`: length x batch, precision, placement, direction, norm, then whatever
// is not the default: source and target spacing (offset+gap), mapping, algorithm and a word per
// kernel.
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/errors.hpp"
#include "catalogue/catalogue.hpp"

namespace imago::catalogue {
namespace {

template <class Value>
using Words = std::vector<std::pair<Value, std::string_view>>;

const Words<Precision> kPrecisions{{Precision::f32, "f32"}, {Precision::f64, "f64"}};
const Words<Placement> kPlacements{{Placement::out_of_place, "out"}, {Placement::in_place, "in"}};
const Words<Direction> kDirections{{Direction::forward, "forward"},
                                   {Direction::inverse, "inverse"}};
const Words<Norm> kNorms{{Norm::none, "none"},
                         {Norm::backward, "backward"},
                         {Norm::ortho, "ortho"},
                         {Norm::forward, "forward"}};
const Words<Mapping> kMappings{{Mapping::work_group, "work_group"}, {Mapping::vector, "vector"}};
const Words<Algorithm> kAlgorithms{{Algorithm::single, "single"},
                                   {Algorithm::hierarchy, "hierarchy"},
                                   {Algorithm::global, "global"}};
const Words<LaneAxis> kAxes{{LaneAxis::columns, "columns"}, {LaneAxis::points, "points"}};
const Words<Exchange> kExchanges{{Exchange::together, "together"}, {Exchange::in_turn, "in_turn"}};
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

template <class Value>
void append(std::string& name, char separator, const Words<Value>& words, Value value) {
  const auto word = word_of(words, value);
  if (!word.empty()) (name += separator) += word;
}

std::string kernel_word(const KernelParameters& kernel) {
  // Names every member, so that a new one does not compile until it has a word here and below.
  const auto& [length, radices, items, columns, lanes, axis, exchange, twiddles, between] = kernel;
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
  if (between != Twiddles::automatic) (word += ":b") += word_of(kTwiddles, between);
  return word;
}

bool read_radices(std::string_view text, std::vector<unsigned>& radices) {
  for (const auto part : split(text, '.')) {
    radices.push_back(0);
    if (!read_number(part, radices.back())) return false;
  }
  return true;
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
      return read_radices(rest, kernel.radices);
    case 'i':
      return read_number(rest, kernel.items);
    case 'c':
      return read_number(rest, kernel.columns);
    case 'l':
      return read_number(rest, kernel.lanes);
    case 'b':
      return read(kTwiddles, rest, kernel.between);
    default:
      return false;
  }
}

bool read_spacing(std::string_view text, Spacing& spacing) {
  const auto parts = split(text, '+');
  return parts.size() == 2 && read_number(parts[0], spacing.offset) &&
         read_number(parts[1], spacing.gap);
}

/// A word after the first five.
bool read_optional(std::string_view word, Case& problem) {
  if (word.empty()) return false;
  if (read(kMappings, word, problem.parameters.mapping) ||
      read(kAlgorithms, word, problem.parameters.algorithm)) {
    return true;
  }
  if (word.front() == 's') return read_spacing(word.substr(1), problem.source);
  if (word.front() == 't') return read_spacing(word.substr(1), problem.target);
  if (word.front() != 'k') return false;
  KernelParameters kernel;
  for (const auto part : split(word, ':')) {
    if (!read_kernel_part(part, kernel)) return false;
  }
  problem.parameters.kernels.push_back(std::move(kernel));
  return true;
}

bool read_case(std::string_view name, Case& problem) {
  const auto words = split(name, '-');
  if (words.size() < 5) return false;
  const auto sizes = split(words[0], 'x');
  if (sizes.size() != 2 || !read_number(sizes[0], problem.length) ||
      !read_number(sizes[1], problem.batch) || !read(kPrecisions, words[1], problem.precision) ||
      !read(kPlacements, words[2], problem.placement) ||
      !read(kDirections, words[3], problem.direction) || !read(kNorms, words[4], problem.norm)) {
    return false;
  }
  for (std::size_t i = 5; i < words.size(); ++i) {
    if (!read_optional(words[i], problem)) return false;
  }
  if (problem.placement == Placement::in_place) problem.target = problem.source;
  return true;
}

Layout layout_of(const Case& problem, const Spacing& spacing) {
  Layout layout;
  layout.offset = spacing.offset;
  layout.distance = spacing.gap == 0 ? 0 : problem.length + spacing.gap;
  return layout;
}

}  // namespace

std::string Case::name() const {
  std::string name = std::to_string(length);
  (name += "x") += std::to_string(batch);
  append(name, '-', kPrecisions, precision);
  append(name, '-', kPlacements, placement);
  append(name, '-', kDirections, direction);
  append(name, '-', kNorms, norm);
  const auto spacing_word = [&](char side, const Spacing& spacing) {
    if (spacing == Spacing{}) return;
    name += std::string("-") + side + std::to_string(spacing.offset) + "+" +
            std::to_string(spacing.gap);
  };
  spacing_word('s', source);
  if (placement == Placement::out_of_place) spacing_word('t', target);
  append(name, '-', kMappings, parameters.mapping);
  append(name, '-', kAlgorithms, parameters.algorithm);
  for (const auto& kernel : parameters.kernels) name += "-" + kernel_word(kernel);
  return name;
}

Case parse(const std::string& name) {
  Case problem;
  if (!read_case(name, problem)) {
    base::invalid(
        "case", name,
        "expected a name that selftest prints, such as 360x17-f32-out-forward-ortho-s3+2-vector");
  }
  return problem;
}

Transform Case::transform() const {
  Transform transform;
  transform.precision = precision;
  transform.lengths = {static_cast<std::size_t>(length)};
  transform.batch = static_cast<std::size_t>(batch);
  transform.placement = placement;
  const bool forward = direction == Direction::forward;
  transform.directions = forward ? Directions::forward : Directions::inverse;
  transform.norm = norm;
  const Layout reads = layout_of(*this, source);
  const Layout writes = layout_of(*this, placement == Placement::in_place ? source : target);
  transform.signal = forward ? reads : writes;
  transform.spectrum = forward ? writes : reads;
  return transform;
}

plan::Request Case::request() const {
  plan::Request request;
  request.length = length;
  request.batch = batch;
  request.precision = precision;
  request.placement = placement;
  request.inverse = direction == Direction::inverse;
  request.scale = scale();
  request.in_distance = length + source.gap;
  request.out_distance = length + (placement == Placement::in_place ? source.gap : target.gap);
  return request;
}

double Case::scale() const {
  const auto n = static_cast<double>(length);
  switch (norm) {
    case Norm::none:
      return 1;
    case Norm::backward:
      return direction == Direction::inverse ? 1 / n : 1;
    case Norm::ortho:
      return 1 / std::sqrt(n);
    case Norm::forward:
      return direction == Direction::forward ? 1 / n : 1;
  }
  return 1;
}

}  // namespace imago::catalogue
