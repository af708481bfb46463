// This file generates the code around a user's function.
#include "blocks/user_functions.hpp"

#include "base/hash.hpp"
#include "user_code/user_text.hpp"

namespace imago::blocks {
namespace {

std::string number_name(const UserElements& elements) {
  return elements.number.base == ir::Base::f64 ? "double" : "float";
}

std::string lanes_of(unsigned width) { return width == 1 ? "" : std::to_string(width); }

/// Lines before and after a user's text that limit the text's macros to it. Macros that were
/// defined before the text stay defined, because the text may define them only in an #if branch
/// that is not taken.
struct MacroGuards {
  explicit MacroGuards(const std::string& text) {
    for (const std::string& name : user_code::macros_of(text)) {
      const std::string mark = "imago_had_" + name + "\n";
      before += "#ifdef " + name + "\n#define " + mark + "#endif\n";
      behind += "#ifdef " + mark + "#undef " + mark + "#else\n#undef " + name + "\n#endif\n";
    }
  }
  std::string before = {}, behind = {};
};

/// Returns the user's text between `before` and `behind`. Line numbers in compiler messages count
/// the text's own lines.
std::string framed(const kernel::Snippet& snippet, const std::string& before,
                   const std::string& behind) {
  const MacroGuards guards(snippet.text);
  std::string text = before + guards.before + "#line 1 \"" + snippet.field + "\"\n" + snippet.text;
  if (text.back() != '\n') text += '\n';
  return text + guards.behind + behind + "#line 1 \"imago\"\n";
}

/// Returns a declaration of the text's function with the type of the call, so that compilers reject
/// a definition of another type. `static` fits definitions with and without it.
std::string prototype(const kernel::Snippet& snippet, const std::string& result,
                      const std::string& parameters) {
  return "#line 1 \"" + prototype_label(snippet.field) + "\"\nstatic " + result + " " +
         snippet.function + "(" + parameters + ");\n#line 1 \"imago\"\n";
}

/// The parts of the generated code that pass the hook's arguments to the user's function. `types`
/// is for the function's prototype. `parameters` is for the generated function that calls it, and
/// `arguments` for that call. Each is empty or begins with a comma, since other parts precede it.
struct Passed {
  std::string types, parameters, arguments;
};

Passed passed(const UserElements& elements, const kernel::Hooked& hooked,
              const kernel::Snippet& snippet) {
  using Type = kernel::KernelArgument::Type;
  Passed passed;
  for (const std::uint32_t number : snippet.arguments) {
    const kernel::KernelArgument& argument = hooked.arguments[number];
    const std::string name = "a" + std::to_string(number);
    std::string type = argument.type == Type::integer ? "int" : number_name(elements);
    if (argument.type == Type::complex_buffer) type += "2";
    if (argument.is_buffer()) type = "__global const " + type + "*";
    passed.types += ", " + type;
    passed.parameters += ", " + type + " " + name;
    passed.arguments += ", " + name;
  }
  return passed;
}

/// Returns the expression for a field of `at` in all lanes. `first` is the expression for lane 0,
/// and `apart` the distance from lane to lane.
using Lane = std::string(const UserLanes& lanes, const std::string& first, std::uint64_t apart);

/// Returns the statements that fill `at`, the element's indices, from `number` and `place` of
/// user_function(). They compute with unsigned integers, because division by constants is then
/// cheaper.
std::string finding(const kernel::Hooked& hooked, const UserLanes& lanes, Lane* lane) {
  const std::string index = hooked.wide ? "ulong" : "uint";
  const auto literal = [&](std::uint64_t n) {
    return std::to_string(n) + (hooked.wide ? "ul" : "u");
  };
  const std::string member = "(" + index + ")(number - place) / " + literal(hooked.size());
  std::string body = "  at.element = " + lane(lanes, "number", lanes.element) +
                     ";\n  at.member = " + lane(lanes, member, lanes.member) + ";\n";
  const std::size_t dimensions = hooked.lengths.size();
  if (dimensions > 1) body += "  " + index + " rest = place;\n";
  for (std::size_t d = dimensions; d-- > 0;) {
    const std::string extent = literal(hooked.lengths[d]);
    const std::string own = dimensions == 1 ? "place" : d > 0 ? "rest % " + extent : "rest";
    const std::uint64_t apart = lanes.indices.empty() ? 0 : lanes.indices[d];
    body += "  at.index[" + std::to_string(d) + "] = " + lane(lanes, own, apart) + ";\n";
    if (d > 0) body += "  rest /= " + extent + ";\n";
  }
  return body;
}

std::string lone(const UserLanes&, const std::string& first, std::uint64_t) { return first; }

std::string with_lanes(const UserLanes& lanes, const std::string& first, std::uint64_t apart) {
  std::string one = "(imago_index)(" + first + ")";
  if (lanes.width == 1) return one;
  std::string all = "(imago_indices)(" + one + ")";
  if (apart == 0) return all;
  const char* separator = " + (imago_indices)(";
  for (unsigned l = 0; l < lanes.width; ++l, separator = ", ")
    all += separator + std::to_string(l % lanes.lanes * apart);
  return all + ")";
}

std::string hook_name(const std::string& text) { return "imago_hook_" + base::digest(text).hex(); }

/// Returns an expression that loads, lane by lane, a pointer's elements at the given indices.
std::string gathered(unsigned width, const std::string& pointer, const std::string& part) {
  if (width == 1) return pointer + "[i]" + part;
  std::string all = "(imago_reals)(";
  for (unsigned l = 0; l < width; ++l) {
    if (l > 0) all += ", ";
    all += pointer + "[i.s" + "0123456789abcdef"[l] + "]" + part;
  }
  return all + ")";
}

/// Returns the types that a text for lanes uses, and the functions that read buffers for it.
std::string lane_types(const UserElements& elements, const kernel::Hooked& hooked, unsigned width) {
  const std::string number = number_name(elements), index = hooked.wide ? "long" : "int";
  return "typedef " + index + " imago_index;\ntypedef " + index + lanes_of(width) +
         " imago_indices;\ntypedef " + number + lanes_of(width) +
         " imago_reals;\ntypedef struct {\n  imago_reals re, im;\n} imago_complexes;\n"
         "typedef struct {\n  imago_indices element, member, index[" +
         std::to_string(hooked.lengths.size()) +
         "];\n} imago_lanes_at;\nimago_reals imago_gather_reals(__global const " + number +
         "* p, imago_indices i) {\n  return " + gathered(width, "p", "") +
         ";\n}\nimago_complexes imago_gather_complexes(__global const " + number +
         "2* p, imago_indices i) {\n  imago_complexes x;\n  x.re = " + gathered(width, "p", ".x") +
         ";\n  x.im = " + gathered(width, "p", ".y") + ";\n  return x;\n}\n";
}

constexpr const char *kWords =
                         "#define imago_real imago_reals\n#define imago_int imago_indices\n"
                         "#define imago_complex imago_complexes\n#define imago_at imago_lanes_at\n"
                         "#define imago_gather imago_gather_reals\n"
                         "#define imago_gather_complex imago_gather_complexes\n",
                     *kNoWords =
                         "#undef imago_real\n#undef imago_int\n#undef imago_complex\n"
                         "#undef imago_at\n#undef imago_gather\n#undef imago_gather_complex\n";

}  // namespace

std::string prototype_label(const std::string& field) { return field + ".prototype"; }

UserFunction user_function(const UserElements& elements, const kernel::Hooked& hooked,
                           const kernel::Snippet& snippet) {
  const std::string at = "typedef struct {\n  long element, member, index[" +
                         std::to_string(hooked.lengths.size()) + "];\n} imago_at;\n";
  const std::string value = number_name(elements) + (elements.real ? "" : "2");
  const Passed with = passed(elements, hooked, snippet);
  const std::string definition = "(" + value + " x, long number, long place" + with.parameters +
                                 ") {\n  imago_at at;\n" + finding(hooked, {}, lone) + "  return " +
                                 snippet.function + "(x, &at" + with.arguments + ");\n}\n";
  const std::string name = hook_name(snippet.text + snippet.function + definition);
  const std::string declared =
      prototype(snippet, value, value + " x, const imago_at* at" + with.types);
  return {name, {at, declared, framed(snippet, "", ""), value + " " + name + definition}};
}

UserFunction user_function_of_lanes(const UserElements& elements, const kernel::Hooked& hooked,
                                    const kernel::Snippet& snippet, const UserLanes& lanes) {
  const Passed with = passed(elements, hooked, snippet);
  const std::string call = snippet.function + "(x, &at" + with.arguments + ")";
  const std::string find =
      "  const long number = first.x, place = first.y;\n  imago_lanes_at at;\n" +
      finding(hooked, lanes, with_lanes);
  const std::string result = elements.real ? "imago_reals" : "imago_complexes";
  const std::string definition =
      (elements.real ? "(imago_reals x" : "(imago_reals re, imago_reals im") +
      std::string(", long2 first") + with.parameters + ") {\n" +
      (elements.real ? "" : "  imago_complexes x;\n  x.re = re;\n  x.im = im;\n") + find +
      "  return " + call + ";\n}\n";
  const std::string name = hook_name(snippet.text + snippet.function + result + definition);
  const std::string type = elements.real ? "imago_real" : "imago_complex";
  const std::string declared =
      kWords + prototype(snippet, type, type + " x, const imago_at* at" + with.types) + kNoWords;
  return {name,
          {lane_types(elements, hooked, lanes.width), declared, framed(snippet, kWords, kNoWords),
           result + " " + name + definition}};
}

UserFunction user_access(const UserElements& elements, const kernel::Snippet& snippet, bool planar,
                         bool store) {
  const std::string value = number_name(elements) + (elements.real ? "" : "2");
  const std::string memory =
      planar ? "__global void* re, __global void* im" : "__global void* memory";
  const std::string call =
      snippet.function + (planar ? "(re, im" : "(memory") + ", (uint)offset, userdata";
  const std::string x = planar ? ", x.x, x.y" : ", x";
  const std::string definition =
      std::string("(") + (store ? value + " x, " : "") + "long offset, " + memory +
      ", __global void* userdata) {\n" +
      (store ? "  " + call + x + ");\n  return x;\n" : "  return " + call + ");\n") + "}\n";
  const std::string name = hook_name(snippet.text + snippet.function + definition);
  const std::string parts = number_name(elements) + " x_re, " + number_name(elements) + " x_im";
  const std::string parameters = memory + ", uint offset, __global void* userdata" +
                                 (!store ? "" : ", " + (planar ? parts : value + " x"));
  return {name,
          {prototype(snippet, store ? "void" : value, parameters), framed(snippet, "", ""),
           value + " " + name + definition}};
}

}  // namespace imago::blocks
