// This file describes exported transforms for the program that checks them (files/check.h).
#include <algorithm>
#include <cmath>
#include <variant>

#include "base/errors.hpp"
#include "base/precision.hpp"
#include "ir/spelling.hpp"
#include "standalone/exported.hpp"
#include "standalone/spellings.hpp"

namespace imago::standalone {
namespace {

using ir::joined;

constexpr std::size_t kMostAxes = 8, kMostHooks = 4;

std::string list(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (const std::uint64_t number : numbers)
    text += joined({text.empty() ? "" : ", ", std::to_string(number)});
  return joined({"{", text, "}"});
}

std::string type_of(Precision precision) {
  return precision == Precision::f64   ? "IMAGO_F64"
         : precision == Precision::f32 ? "IMAGO_F32"
                                       : "IMAGO_F16";
}

std::string type_of(const std::optional<problem::HookedEnd>& end, Precision precision) {
  if (!end || !end->integers) return type_of(precision);
  constexpr const char* kTypes[] = {"IMAGO_I8", "IMAGO_U8", "IMAGO_I16", "IMAGO_U16"};
  return kTypes[static_cast<int>(*end->integers)];
}

std::string side_of(const problem::Side& side, const std::string& type) {
  return joined({"{", list(side.lengths), ", ", list(side.strides), ", ",
                 std::to_string(side.offset), ", ", std::to_string(side.distance), ", ",
                 std::to_string(side.end), ", ", side.real ? "1" : "0", ", ",
                 side.storage == Storage::planar ? "1" : "0", ", ", type, "}"});
}

std::string word_of(const Hook& hook) {
  if (const auto* multiply = std::get_if<hook::Multiply>(&hook))
    return multiply->real && multiply->axes ? "IMAGO_WINDOW" : "IMAGO_MULTIPLY";
  if (std::holds_alternative<hook::Conjugate>(hook)) return "IMAGO_CONJUGATE";
  const auto* const scale = std::get_if<hook::Scale>(&hook);
  if (scale != nullptr && !scale->argument.empty()) return "IMAGO_SCALE";
  if (std::holds_alternative<hook::Power>(hook)) return "IMAGO_POWER";
  if (std::holds_alternative<hook::Stored>(hook)) return "IMAGO_NOTHING";
  base::unsupported(
      "the program that checks exported transforms does not know a hook",
      "use window, multiply, scale with an argument, conjugate, power and types of integers");
}

std::string hooks_of(const std::optional<problem::HookedEnd>& end) {
  std::string text;
  std::size_t count = 0;
  if (end) {
    for (std::size_t i = end->before; i < end->hooks.size(); ++i, ++count)
      text += joined({text.empty() ? "" : ", ", word_of(end->hooks[i])});
  }
  if (count > kMostHooks)
    base::unsupported("an exported transform has at most four hooks at an end",
                      "multiply two arrays of factors beforehand");
  return joined({"{", text.empty() ? "IMAGO_NOTHING" : text, "}"});
}

/// Returns the largest relative error of a right result.
double tolerance_of(const Exported& exported) {
  const problem::Problem& problem = exported.problem;
  const auto& program = exported.programs[exported.programs[0] ? 0 : 1];
  const bool pairs = program && program->steps.at(0).pairs;
  double points = 2;
  for (const std::uint64_t length : problem.lengths) points *= static_cast<double>(length);
  if (problem.precision == Precision::f16) return 1e-3;
  const double rounding = problem.precision == Precision::f32 ? 6e-8 : pairs ? 1.5e-15 : 1.2e-16;
  return rounding * (3 + std::log2(points) / 2);
}

bool is_power(const Hook& hook) { return std::holds_alternative<hook::Power>(hook); }

std::string description(const Exported& exported) {
  const problem::Problem& p = exported.problem;
  if (p.lengths.size() > kMostAxes)
    base::unsupported("the program that checks exported transforms knows at most eight axes",
                      "join axes that are not transformed");
  std::vector<std::uint64_t> kinds;
  for (const Kind kind : p.kinds) kinds.push_back(static_cast<std::uint64_t>(kind));
  const bool forward = exported.programs[0].has_value();
  problem::Side signal = p.memory(false, false), spectrum = p.memory(false, true);
  if (p.filter) {
    spectrum.lengths = p.spectrum_lengths();
    spectrum.end = 0;
  }
  const auto& at_store = p.hooked[0][1];
  if (at_store && !p.filter)
    spectrum.real =
        spectrum.real || std::any_of(at_store->hooks.begin(), at_store->hooks.end(), is_power);
  const auto flag = [](bool is) { return is ? "1, " : "0, "; };
  return joined({"    {\"",
                 exported.name,
                 "\", ",
                 std::to_string(p.lengths.size()),
                 ", ",
                 list(kinds),
                 ", ",
                 std::to_string(p.batch),
                 ", ",
                 flag(p.placement == Placement::in_place),
                 flag(p.orthonormal),
                 flag(forward),
                 flag(exported.programs[1].has_value()),
                 flag(p.filter.has_value()),
                 literal(p.forward_scale, Precision::f64),
                 ", ",
                 literal(p.inverse_scale, Precision::f64),
                 ", ",
                 type_of(base::arithmetic_of(p.precision)),
                 ",\n     ",
                 side_of(signal, type_of(p.hooked[0][0], p.precision)),
                 ",\n     ",
                 side_of(spectrum, type_of(p.filter ? std::nullopt : at_store, p.precision)),
                 ",\n     ",
                 p.filter ? "{IMAGO_NOTHING}" : hooks_of(p.hooked[0][0]),
                 ", ",
                 p.filter ? "{IMAGO_NOTHING}" : hooks_of(at_store),
                 ", ",
                 literal(tolerance_of(exported), Precision::f64),
                 "},\n"});
}

}  // namespace

device::Facts plain_cpu(unsigned vector_bits) {
  device::Facts facts;
  facts.name = "a CPU with vectors of " + std::to_string(vector_bits) + " bits";
  facts.type = device::Type::cpu;
  facts.compute_units = 1;
  facts.max_work_group = 4096;
  facts.simd = 1;
  facts.vector_f32 = vector_bits / 32, facts.vector_f64 = vector_bits / 64;
  facts.local_bytes = std::size_t{32} << 10;
  facts.memory.bytes = std::size_t{64} << 30;
  facts.memory.largest_buffer = std::size_t{16} << 30;
  facts.memory.cache_bytes = std::size_t{1} << 20;
  facts.f64.native = true;
  return facts;
}

std::string licence() {
  return "/* Written by imago export. SPDX-License-Identifier: 0BSD: use, change and pass on this "
         "file as\n   you like. */\n";
}

File licensed(const std::string& name, std::string_view text) {
  return {name, licence().append(text)};
}

std::string descriptions(const std::vector<Exported>& all) {
  std::string text = "const imago_transform imago_transforms[] = {\n";
  for (const Exported& each : all) text += description(each);
  return joined(
      {text, "};\nconst int imago_transform_count = ", std::to_string(all.size()), ";\n"});
}

}  // namespace imago::standalone
