// This file writes a folder with functions of C.
#include <algorithm>

#include "ir/spelling.hpp"
#include "standalone/c_program.hpp"
#include "standalone/exported.hpp"
#include "standalone/spellings.hpp"

namespace imago::standalone {
namespace {

using ir::joined;

constexpr const char* kVectors = "imago_vectors.h";
constexpr const char* kHeader = "transforms.h";

/// A direction of a transform as a function of the user's program.
class CFunction {
 public:
  CFunction(const Exported& exported, bool inverse)
      : exported_(exported),
        problem_(exported.problem),
        inverse_(inverse),
        arguments_(exported.problem.arguments(inverse)),
        program_(c_program(*exported.programs[inverse], exported.problem.batch, name() + "_program",
                           of_program(arguments_))) {}

  const CProgram& program() const { return program_; }
  std::string name() const {
    return exported_.name + (problem_.filter ? "_apply" : inverse_ ? "_inverse" : "_forward");
  }
  std::string prototype() const {
    std::string text = joined({"void ", name(), "("});
    if (in_place()) {
      text += pointers(false, "data", "");
    } else {
      text += joined({pointers(false, "in", "const "), ", ", pointers(true, "out", "")});
    }
    for (const problem::HookArgument& each : arguments_)
      text += joined({", ", each.is_buffer() ? "const " : "",
                      each.type == problem::HookArgument::Type::integer
                          ? "int32_t"
                          : number_type(problem_.precision),
                      each.is_buffer() ? "* " : " ", each.name});
    return text.append(", void* scratch)");
  }
  /// Returns the words about the arrays and the arguments.
  std::string about() const {
    std::string text = joined({in_place() ? "data" : "in", ": ", sizes(false),
                               in_place() ? "" : "; out: " + sizes(true)});
    for (const problem::HookArgument& each : arguments_) {
      if (!each.is_buffer()) continue;
      const bool pairs = each.type == problem::HookArgument::Type::complex_buffer;
      text += joined(
          {"; ", each.name, ": ", std::to_string(each.numbers * (pairs ? 2 : 1)), " numbers"});
    }
    return text;
  }
  std::string definition() const {
    const auto given = [&](bool store, const char* plain) {
      const problem::Side& side = problem_.memory(inverse_, store);
      const std::string name = in_place() ? "data" : plain;
      const std::string pointer = planar(store) ? name + "_re" : name;
      const std::uint64_t first = side.offset * (side.real || planar(store) ? 1 : 2);
      const std::string offset = first == 0 ? "" : " + " + std::to_string(first);
      return joined({pointer, offset, ", ", planar(store) ? name + "_im" + offset : "0"});
    };
    std::string text =
        joined({prototype(), " {\n  ", program_.name, "(", given(false, "in"), ", ",
                given(true, "out"), ", scratch, ", std::to_string(problem_.batch), ", ",
                std::to_string(problem_.side(inverse_, false).distance), ", ",
                std::to_string(problem_.side(inverse_, true).distance), ", ", scale()});
    for (const problem::HookArgument& each : arguments_) text += joined({", ", each.name});
    return text.append(");\n}\n");
  }
  /// Returns the statement of imago_run() that calls it.
  std::string call() const {
    std::string text = joined({name(), "("});
    if (in_place())
      text += planar(false) ? "out, out_im" : "out";
    else
      text +=
          joined({planar(false) ? "in, in_im" : "in", planar(true) ? ", out, out_im" : ", out"});
    std::size_t factors = 0, numbers = 0;
    for (const problem::HookArgument& each : arguments_)
      text += each.is_buffer() ? joined({", factors[", std::to_string(factors++), "]"})
                               : joined({", (", number_type(problem_.precision), ")numbers[",
                                         std::to_string(numbers++), "]"});
    return text.append(", scratch)");
  }

 private:
  static std::vector<CArgument> of_program(const std::vector<problem::HookArgument>& arguments) {
    std::vector<CArgument> given;
    for (const problem::HookArgument& each : arguments)
      given.push_back({each.is_buffer(), each.type == problem::HookArgument::Type::integer});
    return given;
  }
  bool in_place() const { return problem_.placement == Placement::in_place; }
  bool planar(bool store) const {
    return problem_.memory(inverse_, store).storage == Storage::planar;
  }
  std::string stored_type(bool store) const {
    const auto& end = problem_.hooked[inverse_][store];
    constexpr const char* kIntegers[] = {"int8_t", "uint8_t", "int16_t", "uint16_t"};
    if (end && end->integers) return kIntegers[static_cast<int>(*end->integers)];
    return problem_.precision == Precision::f16 ? "uint16_t" : number_type(problem_.precision);
  }
  std::string pointers(bool store, const std::string& name, const std::string& qualifier) const {
    const std::string type = qualifier + stored_type(store) + "* ";
    if (!planar(store)) return type + name;
    return joined({type, name, "_re, ", type, name, "_im"});
  }
  std::string sizes(bool store) const {
    const problem::Side& side = problem_.memory(inverse_, store);
    std::uint64_t end = side.end;
    if (in_place()) {
      const problem::Side& other = problem_.memory(inverse_, !store);
      const std::uint64_t ours = side.end * (side.real ? 1 : 2),
                          theirs = other.end * (other.real ? 1 : 2);
      return joined({std::to_string(std::max(ours, theirs)), " numbers"});
    }
    if (side.real) return joined({std::to_string(end), " numbers"});
    return joined({std::to_string(end),
                   planar(store) ? " numbers, and as many imaginary parts" : " pairs of numbers"});
  }
  std::string scale() const {
    return literal(inverse_ ? problem_.inverse_scale : problem_.forward_scale, problem_.precision);
  }

  const Exported& exported_;
  const problem::Problem& problem_;
  const bool inverse_;
  const std::vector<problem::HookArgument> arguments_;
  const CProgram program_;
};

std::vector<CFunction> functions_of(const Exported& exported) {
  std::vector<CFunction> functions;
  for (const bool inverse : {false, true}) {
    if (exported.programs[inverse]) functions.emplace_back(exported, inverse);
  }
  return functions;
}

std::string scratch_name(const Exported& exported) {
  std::string name = exported.name + "_SCRATCH";
  std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  });
  return name;
}

std::size_t scratch_bytes(const std::vector<CFunction>& functions) {
  std::size_t most = 0;
  for (const CFunction& each : functions) most = std::max(most, each.program().scratch_bytes);
  return most;
}

std::string source(const Exported& exported, const std::vector<CFunction>& functions) {
  std::vector<CProgram> programs;
  for (const CFunction& each : functions) programs.push_back(each.program());
  const bool halves = exported.problem.precision == Precision::f16;
  std::string text = joined({halves ? "#define IMAGO_HALVES\n" : "", "#include \"", kVectors,
                             "\"\n#include \"", kHeader, "\"\n\n", c_text(programs)});
  for (const CFunction& each : functions) text += each.definition();
  return text;
}

constexpr const char* kAbout =
    R"(/* Transforms as functions. They need no library and keep no state, so that
   threads may call them. `scratch` is memory of as many bytes as the macro before the function says,
   NULL if it is 0; calls at the same time need different scratch. Complex numbers are pairs, real
   part first, as float complex and std::complex<float>. */
)";

constexpr const char* kCMake = R"(# Written by imago export. SPDX-License-Identifier: 0BSD
cmake_minimum_required(VERSION 3.16)
project(transforms C)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
include(CheckCCompilerFlag)

# The processor that the functions are for: this machine's, unless you name another one.
check_c_compiler_flag(-march=native has_native)
if(has_native AND NOT CMAKE_CROSSCOMPILING)
  set(native -march=native)
endif()
set(TRANSFORMS_PROCESSOR "${native}" CACHE STRING "The compiler's option for the processor")

add_library(transforms STATIC @SOURCES@)
target_include_directories(transforms PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_options(transforms PRIVATE -ffp-contract=off ${TRANSFORMS_PROCESSOR})
target_link_libraries(transforms PUBLIC m)

add_executable(check check.c run.c)
target_link_libraries(check transforms)
enable_testing()
add_test(NAME check COMMAND check)
)";

}  // namespace

std::vector<File> c_folder(const std::vector<Exported>& all) {
  std::vector<File> files;
  std::string declarations, sources, cases;
  std::size_t scratch = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto functions = functions_of(all[i]);
    const std::size_t bytes = scratch_bytes(functions);
    scratch = std::max(scratch, bytes);
    declarations += joined({"\n/* ", all[i].about, " */\n#define ", scratch_name(all[i]), " ",
                            std::to_string(bytes), "\n"});
    for (const CFunction& each : functions) {
      declarations += joined({"/* ", each.about(), " */\n", each.prototype(), ";\n"});
      const bool inverse = &each != &functions.front() || !all[i].programs[0];
      cases += joined({"    case ", std::to_string(2 * i + (inverse ? 1 : 0)), ":\n      ",
                       each.call(), ";\n      return 0;\n"});
    }
    files.push_back(licensed(all[i].name + ".c", source(all[i], functions)));
    sources += joined({sources.empty() ? "" : "\n  ", all[i].name, ".c"});
  }
  files.push_back(licensed(kHeader, header_text(kAbout, "<stdint.h>", declarations)));
  files.push_back(licensed(kVectors, c_definitions()));
  files.push_back(licensed("check.h", file_text("check.h")));
  files.push_back(licensed("check.c", file_text("check.c")));
  files.push_back(licensed(
      "run.c", joined({"#include \"check.h\"\n#include \"transforms.h\"\n\n", descriptions(all),
                       "\nstatic double scratch[", std::to_string(scratch / 8 + 1),
                       "];\n\nint imago_start(void) { return 0; }\n\nint imago_run(int number, int "
                       "is_inverse, const void* in, const void* in_im, void* out,\n              "
                       "void* out_im, const void* const* factors, const double* numbers) {\n  "
                       "(void)in, (void)in_im, (void)out_im, (void)factors, (void)numbers;\n  "
                       "switch (2 * number + is_inverse) {\n",
                       cases, "    default:\n      return 1;\n  }\n}\n"})));
  std::string cmake = kCMake;
  cmake.replace(cmake.find("@SOURCES@"), 9, sources);
  files.push_back({"CMakeLists.txt", cmake});
  return files;
}

}  // namespace imago::standalone
