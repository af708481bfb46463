// This program runs when imago is built. It writes the passes of small transforms (src/passes) for
// one instruction set as a C++ file, with a table of their names.
//
//     imago_small_functions SYMBOL VECTOR_BYTES OUTPUT
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "ir/render.hpp"
#include "kernels/text.hpp"
#include "passes/ends.hpp"
#include "passes/flips.hpp"
#include "passes/passes.hpp"
#include "passes/reals.hpp"
#include "passes/turns.hpp"
#include "passes/wholes.hpp"

namespace {

using imago::ir::Base;

/// Definitions in place of those of vectors.h, for GCC with -ffp-contract=fast: it then computes a
/// sum with a product in one instruction, and may also fuse others. Its own way to keep products
/// apart splits vectors of 16 numbers (GCC 12).
constexpr const char* kContracted = R"(
#if !defined(__clang__)
#undef APART
#define APART(x) (x)
)";

class Writer {
 public:
  explicit Writer(const std::string& path) : out_(path) {
    out_ << "// Written by imago_small_functions. Do not edit.\n"
         << imago::kernels::text("vectors.h") << kContracted;
    for (const char* type :
         {"f32", "f32x2", "f32x4", "f32x8", "f32x16", "f64", "f64x2", "f64x4", "f64x8"})
      out_ << "#undef fma_" << type << "\n#define fma_" << type << "(a, b, c) ((a) * (b) + (c))\n";
    out_ << "#endif\n\n";
  }

  template <class Part>
  void add(const Part& part, Base real) {
    names_.push_back(imago::passes::name_of(part, real));
    out_ << imago::ir::render(imago::passes::emit(part, real), imago::ir::vector_c()) << "\n";
  }

  /// Returns false if the file cannot be written.
  bool finish(const std::string& symbol) {
    out_ << "#include \"small/generated.h\"\n\n"
         << "extern \"C\" {\nextern const imago_small_function " << symbol << "[];\n"
         << "const imago_small_function " << symbol << "[] = {\n";
    for (const std::string& name : names_)
      out_ << "    {\"" << name << "\", reinterpret_cast<void (*)()>(" << name << ")},\n";
    out_ << "    {nullptr, nullptr}};\n}\n";
    out_.close();
    return out_.good();
  }

 private:
  std::ofstream out_;
  std::vector<std::string> names_;
};

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() != 3) {
    std::cerr << "usage: imago_small_functions SYMBOL VECTOR_BYTES OUTPUT\n";
    return 2;
  }
  const auto bytes = static_cast<unsigned>(std::stoul(arguments[1]));
  Writer writer(arguments[2]);
  for (const Base real : {Base::f32, Base::f64}) {
    for (const auto& pass : imago::passes::all_passes(real, bytes)) writer.add(pass, real);
    for (const auto& whole : imago::passes::all_wholes(real, bytes)) writer.add(whole, real);
    for (const auto& reals : imago::passes::all_reals()) writer.add(reals, real);
    for (const auto& end : imago::passes::all_ends(real, bytes)) writer.add(end, real);
    for (const auto& turn : imago::passes::all_turns(real, bytes)) writer.add(turn, real);
    for (const auto& flip : imago::passes::all_flips(real, bytes)) writer.add(flip, real);
  }
  if (writer.finish(arguments[0])) return 0;
  std::cerr << "imago_small_functions: cannot write " << arguments[2] << "\n";
  return 1;
}

}  // namespace

int main(int count, char** values) {
  try {
    return run({values + 1, values + count});
  } catch (const std::exception& error) {
    std::cerr << "imago_small_functions: " << error.what() << "\n";
    return 1;
  }
}
