// This file writes a program as C.
#include "standalone/c_program.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/integers.hpp"
#include "blocks/emit.hpp"
#include "ir/render.hpp"
#include "ir/spelling.hpp"
#include "kernels/text.hpp"
#include "standalone/bound.hpp"
#include "standalone/spellings.hpp"

namespace imago::standalone {
namespace {

using ir::joined;
using Role = kernel::KernelParameter::Role;
using Of = kernel::KernelParameter::Of;

std::string text_of(std::uint64_t number) {
  return ir::long_literal(static_cast<std::int64_t>(number));
}

Definition table_of(const kernel::Table& table) {
  std::vector<std::string> numbers;
  std::string all;
  for (const double number : kernel::fill(table)) {
    numbers.push_back(literal(number, table.precision));
    all += numbers.back() + ",";
  }
  const std::string name = "table_" + base::digest(all).hex().substr(0, 16);
  return {name, array_text(joined({"ALIGNED(64) ", number_type(table.precision)}), name, numbers)};
}

/// Returns the work-groups of one batch element, before groups of `repeat` tiles are formed.
std::uint64_t tiles_of_member(const kernel::Step& step) {
  std::uint64_t tiles = base::ceil_divide(step.columns[0].extent, std::uint64_t{step.tile});
  for (std::size_t i = 1; i < step.columns.size(); ++i) tiles *= step.columns[i].extent;
  return tiles;
}

class Writer {
 public:
  Writer(const kernel::Program& program, std::uint64_t batch, const std::string& name,
         const std::vector<CArgument>& arguments)
      : program_(program), kernels_(kernel::kernels_of(program)) {
    written_.name = name;
    written_.arguments = arguments;
    written_.scratch_bytes = program.scratch_bytes;
    written_.any_batch = program.launches.size() == 1 && program.launches[0].batch == batch &&
                         hooks_of(step_of(0)) == 0;
    written_.any_distance = written_.any_batch && !step_of(0).in.packed && !step_of(0).out.packed;
    written_.scaled = std::any_of(program.steps.begin(), program.steps.end(),
                                  [](const kernel::Step& step) { return step.scaled; });
    for (const kernel::Kernel& code : kernels_)
      define({code.name(), ir::render(blocks::emit(code), ir::vector_c())});
    write_function();
  }

  CProgram take() { return std::move(written_); }

 private:
  static int hooks_of(const kernel::Step& step) {
    return (step.in.hooked ? 1 : 0) + (step.out.hooked ? 1 : 0) + (step.convolution.hooked ? 1 : 0);
  }
  const kernel::Step& step_of(std::size_t launch) const {
    return program_.steps.at(program_.launches[launch].step);
  }
  /// Adds a definition, or finds it. Returns its name.
  std::string define(const Definition& definition) {
    auto& known = written_.definitions;
    const auto same = [&](const Definition& each) { return each.name == definition.name; };
    if (std::none_of(known.begin(), known.end(), same)) known.push_back(definition);
    return definition.name;
  }

  std::string argument(const Bound& bound, const kernel::Launch& launch);
  std::string groups(const kernel::Launch& launch) const;
  void write_function();

  const kernel::Program& program_;
  const std::vector<kernel::Kernel> kernels_;
  CProgram written_;
};

/// Returns a kernel's argument in a launch.
std::string Writer::argument(const Bound& bound, const kernel::Launch& launch) {
  const Role role = bound.parameter.role;
  if (written_.any_batch && role == Role::batch) return "batch";
  if (written_.any_batch && role == Role::scale) return "scale";
  if (written_.any_distance && role == Role::distance)
    return bound.parameter.of == Of::in ? "in_distance" : "out_distance";
  switch (bound.what) {
    case Bound::What::memory: {
      if (bound.place == kernel::Memory::scratch) return "scratch";
      const char* const part = role == Role::imaginary ? "_im" : "";
      if (bound.place == kernel::Memory::output) return joined({"out", part});
      return joined({bound.stores ? "(void*)" : "", "in", part});  // in place, the input is written
    }
    case Bound::What::table:
      return define(table_of(program_.tables.at(static_cast<std::size_t>(bound.integer))));
    case Bound::What::narrow:
      return ir::int_literal(bound.integer);
    case Bound::What::wide:
      return ir::long_literal(bound.integer);
    case Bound::What::real:
      return literal(bound.number, program_.steps.at(launch.step).precision);
    case Bound::What::factors:
    case Bound::What::given:
      return "argument" + std::to_string(bound.integer);
  }
  base::internal_error("an argument has no spelling in C");
}

/// Returns the number of groups, for any batch if the function takes it.
std::string Writer::groups(const kernel::Launch& launch) const {
  if (!written_.any_batch) return text_of(launch.groups);
  const kernel::Step& step = program_.steps.at(launch.step);
  const std::uint64_t per_member = step.columns.empty() ? 1 : tiles_of_member(step),
                      in_group = step.repeat() * (step.columns.empty() ? step.tile : 1);
  const std::string tiles = per_member == 1 ? "batch" : joined({"batch * ", text_of(per_member)});
  if (in_group == 1) return tiles;
  return joined({"(", tiles, " + ", text_of(in_group - 1), ") / ", text_of(in_group)});
}

void Writer::write_function() {
  const Precision precision = program_.steps.at(0).precision;
  std::string body;
  for (const kernel::Command& command : kernel::commands_of(program_)) {
    const kernel::Launch& first = program_.launches[command.first];
    std::string arguments;
    for (std::size_t i = command.first; i < command.end; ++i) {
      for (const Bound& each : bound(program_, program_.launches[i]))
        arguments += argument(each, program_.launches[i]) + ", ";
    }
    body += joined({"  for (int64_t group = 0; group < ", groups(first), "; ++group)\n    ",
                    kernels_[command.kernel].name(), "(", arguments, "group);\n"});
  }
  std::string hooks, unused;
  for (std::size_t i = 0; i < written_.arguments.size(); ++i) {
    const CArgument& each = written_.arguments[i];
    const std::string number = std::to_string(i);
    hooks += joined({", ",
                     each.is_buffer                ? "const void* "
                     : each.is_integer             ? "int32_t "
                     : precision == Precision::f64 ? "double "
                                                   : "float ",
                     "argument", number});
    unused += joined({", (void)argument", number});
  }
  written_.function = joined(
      {"static void ", written_.name,
       "(const void* in, const void* in_im, void* out, void* out_im, void* scratch, int32_t batch, "
       "int64_t in_distance, int64_t out_distance, ",
       number_type(precision), " scale", hooks,
       ") {\n  (void)in_im, (void)out_im, (void)scratch, (void)batch, (void)in_distance, "
       "(void)out_distance, (void)scale",
       unused, ";\n", body, "}\n"});
}

}  // namespace

std::string_view c_definitions() { return kernels::text("vectors.h"); }

CProgram c_program(const kernel::Program& program, std::uint64_t batch, const std::string& name,
                   const std::vector<CArgument>& arguments) {
  return Writer(program, batch, name, arguments).take();
}

std::string c_text(const std::vector<CProgram>& programs) {
  std::set<std::string> known;
  std::string text;
  for (const CProgram& program : programs) {
    for (const Definition& definition : program.definitions) {
      if (known.insert(definition.name).second) text += definition.text + "\n";
    }
    text += program.function + "\n";
  }
  return text;
}

}  // namespace imago::standalone
