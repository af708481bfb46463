// This file writes a folder with kernels in OpenCL C, the programs that launch them as data, and a
// host in C.
#include <algorithm>
#include <set>

#include "base/errors.hpp"
#include "base/float_pair.hpp"
#include "base/precision.hpp"
#include "ir/spelling.hpp"
#include "standalone/bound.hpp"
#include "standalone/exported.hpp"
#include "standalone/spellings.hpp"

namespace imago::standalone {
namespace {

using ir::joined;
using What = Bound::What;

/// Writes the data of one direction.
class Data {
 public:
  Data(const Exported& exported, bool inverse, const std::string& ending)
      : exported_(exported),
        problem_(exported.problem),
        inverse_(inverse),
        ending_(ending),
        program_(*exported.programs[inverse]),
        arguments_(exported.problem.arguments(inverse)) {
    for (const problem::HookArgument& each : arguments_) {
      if (each.type == problem::HookArgument::Type::integer)
        base::unsupported("an exported program has no integers as arguments of hooks",
                          "use hooks with constants");
    }
  }

  std::string name() const {
    return exported_.name + (problem_.filter ? "_apply" : inverse_ ? "_inverse" : "_forward");
  }

  std::string definition() const {
    return joined({kernels(), tables(), launches(), factors(), program()});
  }

 private:
  std::string prefix() const { return name() + "_"; }

  std::string kernels() const {
    std::string text = joined({"static const imago_kernel ", prefix(), "kernels[] = {\n"});
    for (const std::size_t index : exported_.kernels_of[inverse_]) {
      const KernelText& kernel = exported_.kernels.at(index);
      text += joined({"    {\"", kernel.name, "\", \"", kernel.name, ending_, "\", \"",
                      kernel.options, "\", ", std::to_string(kernel.group_size), ", ",
                      std::to_string(kernel.local_bytes), "},\n"});
    }
    return text.append("};\n");
  }

  std::string tables() const {
    std::string text, list;
    for (std::size_t i = 0; i < program_.tables.size(); ++i) {
      const kernel::Table& table = program_.tables[i];
      const std::string name = prefix() + "table" + std::to_string(i);
      std::vector<std::string> numbers;
      for (const double value : kernel::fill(table))
        numbers.push_back(table.pairs ? std::to_string(base::float_pair(value)) + "u"
                                      : literal(value, table.precision));
      text += array_text(table.pairs ? "unsigned long long" : number_type(table.precision), name,
                         numbers);
      list += joined({"    {", name, ", sizeof ", name, "},\n"});
    }
    return joined({text, "static const imago_table ", prefix(), "tables[] = {\n", list,
                   list.empty() ? "    {0, 0},\n" : "", "};\n"});
  }

  std::string argument(const Bound& bound, const kernel::Step& step) const {
    const auto written = [](const std::string& type, std::int64_t integer,
                            const std::string& real) {
      return joined(
          {"    {IMAGO_ARGUMENT_", type, ", ", ir::long_literal(integer), ", ", real, "},\n"});
    };
    switch (bound.what) {
      case What::memory: {
        if (bound.place == kernel::Memory::scratch) return written("SCRATCH", 0, "0");
        const std::string part =
            bound.parameter.role == kernel::KernelParameter::Role::imaginary ? "_IM" : "";
        return written((bound.place == kernel::Memory::input ? "IN" : "OUT") + part, 0, "0");
      }
      case What::table:
        return written("TABLE", bound.integer, "0");
      case What::factors:
        return written("FACTORS", place_of(bound), "0");
      case What::narrow:
        return written("INT", bound.integer, "0");
      case What::wide:
        return written("LONG", bound.integer, "0");
      case What::real: {
        if (step.pairs)
          return written(
              "LONG",
              static_cast<std::int64_t>(static_cast<std::uint64_t>(base::float_pair(bound.number))),
              "0");
        const bool doubles = step.precision == Precision::f64;
        return written(
            doubles ? "DOUBLE" : "FLOAT", 0,
            literal(doubles ? bound.number : static_cast<float>(bound.number), Precision::f64));
      }
      case What::given:
        return written(step.pairs                         ? "GIVEN_PAIR"
                       : step.precision == Precision::f64 ? "GIVEN_DOUBLE"
                                                          : "GIVEN_FLOAT",
                       place_of(bound), "0");
    }
    base::internal_error("an exported program has an argument of no type");
  }

  /// Returns the place of a hook's argument among the buffers of the call, or among its numbers.
  std::int64_t place_of(const Bound& bound) const {
    const auto at = arguments_.begin() + bound.integer;
    return std::count_if(arguments_.begin(), at, [&](const problem::HookArgument& each) {
      return each.is_buffer() == at->is_buffer();
    });
  }

  std::string launches() const {
    const problem::Side& in = problem_.memory(inverse_, false);
    const problem::Side& out = problem_.memory(inverse_, true);
    std::string arguments, launches;
    std::size_t count = 0;
    for (const kernel::Command& command : kernel::commands_of(program_)) {
      const std::size_t first = count;
      for (std::size_t i = command.first; i < command.end; ++i) {
        const kernel::Launch& launch = program_.launches[i];
        for (const Bound& each : bound(program_, launch, {in.offset, out.offset})) {
          arguments += argument(each, program_.steps.at(launch.step));
          ++count;
        }
      }
      launches += joined({"    {", std::to_string(command.kernel), ", ",
                          std::to_string(program_.launches[command.first].groups), ", ",
                          std::to_string(first), ", ", std::to_string(count - first), "},\n"});
    }
    return joined({"static const imago_argument ", prefix(), "arguments[] = {\n", arguments,
                   "};\nstatic const imago_launch ", prefix(), "launches[] = {\n", launches,
                   "};\n"});
  }

  std::string factors() const {
    const std::size_t bytes = base::bytes_of(base::arithmetic_of(problem_.precision));
    std::string sizes;
    for (const problem::HookArgument& each : arguments_) {
      if (!each.is_buffer()) continue;
      const bool pairs = each.type == problem::HookArgument::Type::complex_buffer;
      sizes += joined({std::to_string(each.numbers * (pairs ? 2 : 1) * bytes), ", "});
    }
    return joined({"static const size_t ", prefix(), "factors[] = {", sizes, "0};\n"});
  }

  std::uint64_t bytes(bool store) const {
    const problem::Side& side = problem_.memory(inverse_, store);
    return side.bytes();
  }

  std::string program() const {
    const bool in_place = problem_.placement == Placement::in_place;
    std::uint64_t in = bytes(false), out = bytes(true);
    if (in_place) in = out = std::max(in, out);
    const auto planar = [&](bool store) {
      return problem_.memory(inverse_, store).storage == Storage::planar ? "1" : "0";
    };
    const auto size = [](std::size_t count) { return std::to_string(count); };
    return joined({"const imago_program ",
                   name(),
                   " = {\n    \"",
                   name(),
                   "\", ",
                   prefix(),
                   "kernels, ",
                   size(exported_.kernels_of[inverse_].size()),
                   ", ",
                   prefix(),
                   "tables, ",
                   size(program_.tables.size()),
                   ", ",
                   prefix(),
                   "arguments, ",
                   prefix(),
                   "launches, ",
                   size(kernel::commands_of(program_).size()),
                   ", ",
                   size(program_.scratch_bytes),
                   ", ",
                   size(in),
                   ", ",
                   size(out),
                   ", ",
                   planar(false),
                   ", ",
                   planar(true),
                   ", ",
                   in_place ? "1" : "0",
                   ", ",
                   prefix(),
                   "factors, ",
                   size(static_cast<std::size_t>(
                       std::count_if(arguments_.begin(), arguments_.end(),
                                     [](const auto& each) { return each.is_buffer(); }))),
                   "};\n\n"});
  }

  const Exported& exported_;
  const problem::Problem& problem_;
  const bool inverse_;
  const std::string ending_;
  const kernel::Program& program_;
  const std::vector<problem::HookArgument> arguments_;
};

constexpr const char* kCMakeOfPrograms = R"(# Written by imago export. SPDX-License-Identifier: 0BSD
cmake_minimum_required(VERSION 3.16)
project(transforms C)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_package(@PACKAGE@ REQUIRED)

add_library(transforms STATIC transforms.c imago_@HOST@.c)
target_include_directories(transforms PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(transforms PUBLIC @PACKAGE@::@PACKAGE@)

add_executable(check check.c check_transforms.c run_@HOST@.c)
target_compile_definitions(check PRIVATE TRANSFORMS_FOLDER="${CMAKE_CURRENT_SOURCE_DIR}")
target_link_libraries(check transforms m)
enable_testing()
add_test(NAME check COMMAND check)
)";

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
    text.replace(at, from.size(), to);
}

}  // namespace

std::vector<File> device_folder(const std::vector<Exported>& all, DeviceHost host) {
  const bool vulkan = host == DeviceHost::vulkan;
  const std::string word = vulkan ? "vulkan" : "opencl", ending = vulkan ? ".spv" : ".cl";
  std::vector<File> files;
  std::set<std::string> known;
  std::string declarations, data, list;
  for (const Exported& each : all) {
    declarations += joined({"\n/* ", each.about, " */\n"});
    std::string both;
    for (const bool inverse : {false, true}) {
      both += joined({inverse ? ", " : "", each.programs[inverse] ? "&" : "0"});
      if (!each.programs[inverse]) continue;
      const Data direction(each, inverse, ending);
      declarations += joined({"extern const imago_program ", direction.name(), ";\n"});
      data += direction.definition();
      both += direction.name();
    }
    list += joined({"    {", both, "},\n"});
    for (const KernelText& kernel : each.kernels) {
      if (known.insert(kernel.name).second)
        files.push_back(licensed(kernel.name + ".cl", kernel.text));
    }
  }
  declarations +=
      "\n/* All of them, forward and inverse. */\nextern const imago_program* const "
      "imago_programs[][2];\n";
  files.push_back(licensed("transforms.h", header_text("/* Transforms as programs of kernels. */\n",
                                                       "\"imago_program.h\"", declarations)));
  files.push_back(
      licensed("transforms.c",
               joined({"#include \"transforms.h\"\n\n", data,
                       "const imago_program* const imago_programs[][2] = {\n", list, "};\n"})));
  files.push_back(
      licensed("check_transforms.c", joined({"#include \"check.h\"\n\n", descriptions(all)})));
  for (const std::string& name :
       {std::string("imago_program.h"), "imago_" + word + ".h", "imago_" + word + ".c",
        std::string("check.h"), std::string("check.c"), "run_" + word + ".c"})
    files.push_back(licensed(name, file_text(name)));
  if (vulkan)
    files.push_back(
        {"compile.py", std::string("# Written by imago export. SPDX-License-Identifier: "
                                   "0BSD\n")
                           .append(file_text("compile.py"))});
  std::string cmake = kCMakeOfPrograms;
  replace_all(cmake, "@HOST@", word);
  replace_all(cmake, "@PACKAGE@", vulkan ? "Vulkan" : "OpenCL");
  files.push_back({"CMakeLists.txt", cmake});
  return files;
}

}  // namespace imago::standalone
