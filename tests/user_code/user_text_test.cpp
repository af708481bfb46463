// This file checks that invalid OpenCL C of a user is rejected with its line and the error, one
// text for each rule, and that typical texts of users pass.
#include "user_code/user_text.hpp"

#include <string>
#include <vector>

#include <imago/error.hpp>

#include "base/text.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

using test::ContainsSubstring;
using user_code::check_user_name;
using user_code::check_user_text;

const std::string kField = "on_forward.load[0].text";
/// Two lines; text after it is in line 3.
const std::string kLoad = "float2 load(float2 v, imago_at at) {\n  return v; }\n";

void check_passes(const std::string& text) {
  CAPTURE(text);
  CHECK_NOTHROW(check_user_text(kField, text, "load"));
}

/// Checks that the message is "<what> of on_forward.load[0].text is <value>; ...".
void check_refused(const std::string& text, const std::string& what, const std::string& value) {
  CAPTURE(text);
  const std::string front = what + " " + kField + " is " + value + "; ";
  CHECK_THROWS_AS(check_user_text(kField, text, "load"), InvalidArgument);
  CHECK_THROWS_WITH(check_user_text(kField, text, "load"), ContainsSubstring(front));
}

/// Checks a line after a text that passes.
void check_line_refused(const std::string& line, const std::string& what,
                        const std::string& value) {
  check_refused(kLoad + line, what + " in line 3 of", value);
}

TEST_CASE("texts that users write pass", "[user_code][user]") {
  check_passes(kLoad);
  check_passes(R"(
float2 load(float2 v, imago_at at) {
  // Hann's window (see "windows", 'of' {any} length) - für jede Länge?!
  const float t = 2.0f * M_PI_F * (float)at.index[0] / 1024;
  return v * (0.5f - 0.5f * cos(t));
})");
  check_passes(R"(
static inline float2 turned(float2 v, float angle) {
  float c, s = sincos(angle, &c);
  return (float2)(v.x * c - v.y * s, v.x * s + v.y * c);
}
float2 load(float2 v, imago_at at) { return turned(v, 1e-3f * at.index[1]); }
)");
  check_passes(R"(
#ifndef ORDER
#define ORDER 0x1p-3f
#endif
#define SQUARE(x) \
  ((x) * (x))
#if defined(cl_khr_fp64) && (ORDER > 1)
typedef double4 wide;
#elif 0
typedef half4 wide;
#else
typedef float4 wide;
#endif
#undef OTHER
constant float kWeights[3] = {.5f, 1.e+1f, 3};
struct pair { float a, b; };
float *nothing(global float *p) { return p; }
float2 load(float2 v, struct imago_at at) {
  struct pair p = {kWeights[0], SQUARE(ORDER)};
  wide w = (wide)(p.a);
  for (int i = 0; i < 3; ++i) { w.s0 += kWeights[i]; w.xy *= 2; }
  return at.index[0] % 2 ? v : v.yx * (float2)(w.x);
})");
}

TEST_CASE("brackets, quotes and words mean nothing in comments and strings", "[user_code][user]") {
  check_passes("/* ) } ] \" ' barrier(..) \n #include <x> ?\?= */ // ' \" ( /* goto\n" + kLoad);
  check_passes("float2 load(float2 v) { char c = '{', d = '\\'', e = '\"'; return v * (c - d); }");
  check_passes(kLoad + "constant char *text = \"} // /* \\\" ) barrier é\";");
  check_passes("/**/ /***/ /* // */" + kLoad);
}

TEST_CASE("texts that are too long are refused", "[user_code][user]") {
  const std::string blanks(user_code::kLongestUserText - kLoad.size(), ' ');
  check_passes(kLoad + blanks);
  check_refused(kLoad + blanks + " ", "the size of", std::to_string(64 * 1024 + 1));
}

TEST_CASE("characters that are not of OpenCL C are refused", "[user_code][user]") {
  check_line_refused("float \xc3\xa9;", "a character", "0xc3");
  check_line_refused("int a;\r\n", "a character", "0x0d");
  check_line_refused("int a\v;", "a character", "0x0b");
  check_line_refused(std::string("int a\0;", 7), "a character", "0x00");
  check_line_refused("int a\x7f;", "a character", "0x7f");
  check_line_refused("int $a;", "a character", "'$'");
  check_line_refused("int @a;", "a character", "'@'");
  check_line_refused("int `a;", "a character", "'`'");
  check_line_refused("int \\u0061;", "a character", "'\\'");
  // In comments: characters that some compilers treat as the end of a line, and invalid UTF-8.
  check_line_refused("// a\r#include <b>", "a character", "0x0d");
  check_line_refused("/* \xc3( */", "a character", "0xc3");
  check_line_refused("/* \xe2\x82", "a character", "0xe2");
  check_line_refused("/* \x80 */", "a character", "0x80");
  check_passes("/* \xe2\x82\xac \xf0\x9f\x98\x80 */" + kLoad);
}

TEST_CASE("comments and strings without an end are refused", "[user_code][user]") {
  check_line_refused("/* int a;\n\n", "a comment", "without an end");
  check_line_refused("/*/", "a comment", "without an end");
  check_line_refused("constant char *a = \"b;\n\"", "a string", "without an end");
  check_line_refused("constant char *a = \"b\\\"", "a string", "without an end");
  check_line_refused("int a = 'b;\n", "a character constant", "without an end");
  check_line_refused("int a = '", "a character constant", "without an end");
}

TEST_CASE("lines that are continued unseen are refused", "[user_code][user]") {
  check_passes(kLoad + "#define A(x) \\\n  (x)\n");
  check_line_refused("// a \\\nint b;", "a comment", "continued by '\\'");
  check_line_refused("/\\\n/ int b;", "a comment", "continued by '\\'");
  check_line_refused("// a \\ \nint b;", "a continued line", "'\\'");
  check_line_refused("#define A \\\t\n1\n", "a continued line", "'\\'");
  check_line_refused("// a \\", "a continued line", "'\\'");
  check_line_refused("#define A 1 \\\n", "a continued line", "'\\'");
  check_line_refused("#define A 1 \\  ", "a continued line", "'\\'");
  // The checks see the joined line.
  check_refused(kLoad + "int bar\\\nrier;", "a word in line 3 of", "'barrier'");
  check_refused(kLoad + "#inc\\\nlude <a>", "a directive in line 3 of", "'#include'");
}

TEST_CASE("trigraphs and digraphs are refused", "[user_code][user]") {
  check_line_refused("?\?=include <a>", "a trigraph", "'?\?='");
  check_line_refused("int a?\?(1?\?);", "a trigraph", "'?\?('");
  check_line_refused("// a ?\?/\nint b;", "a trigraph", "'?\?/'");
  check_line_refused("%:include <a>", "a digraph", "'%:'");
  check_line_refused("int a<:1:>;", "a digraph", "'<:'");
  check_line_refused("int a(int b) <% return b; %>", "a digraph", "'<%'");
  check_passes(kLoad + "// why?\?)\nint a(int b) { return b ? b ? 1 : 2 : 3 % 2; }");
}

TEST_CASE("brackets that do not balance are refused", "[user_code][user]") {
  check_line_refused("int a(int b) { return (b; }", "a bracket", "'}'");
  check_line_refused("int a(int b) { return b;", "a bracket", "'{'");
  check_line_refused("}", "a bracket", "'}'");
  check_line_refused("int a[2;", "a bracket", "'['");
  check_line_refused("int a[2);", "a bracket", "')'");
  check_line_refused("int a 2];", "a bracket", "']'");
  CHECK_THROWS_WITH(check_user_text(kField, kLoad + "int a[\n2);", "load"),
                    ContainsSubstring("line 4 of " + kField + " is ')'; '[' of line 3"));
  CHECK_THROWS_WITH(check_user_text(kField, kLoad + "#if A\n}\n#endif", "load"),
                    ContainsSubstring("'}'; it closes no open bracket"));
  // Each directive is checked separately, and all branches together.
  check_line_refused("#define BEGIN {", "a bracket", "'{'");
  check_line_refused("#define END }", "a bracket", "'}'");
  check_line_refused("#if (1\n#endif\n", "a bracket", "'('");
  check_refused(kLoad + "#if A\nint a(int b) {\n#else\nint a(long b) {\n#endif\n return b; }",
                "a bracket in line 4 of", "'{'");
}

TEST_CASE("directives that are not for texts are refused", "[user_code][user]") {
  for (const std::string name :
       {"include", "include_next", "import", "pragma", "line", "error", "warning", "33", ""}) {
    check_line_refused("#" + name, "a directive", "'#" + name + "'");
    check_line_refused(" /* a */ # /* b */ " + name + " \"c\"", "a directive",
                       name.empty() ? "'#\"c\"'" : "'#" + name + "'");
  }
  check_line_refused("int a _Pragma(\"b\");", "a word", "'_Pragma'");
  check_line_refused("#define A(a, b) a##b", "an operator", "'##'");
  check_passes(kLoad + "#define A(a) #a\n");
  check_line_refused("#define float half", "a macro", "'float'");
  check_line_refused("#undef __OPENCL_VERSION__", "a macro", "'__OPENCL_VERSION__'");
  check_line_refused("#define load(v, at) v", "a macro", "'load'");
}

TEST_CASE("words of kernels and of imago are refused", "[user_code][user]") {
  for (const std::string word : {"kernel",
                                 "__kernel",
                                 "barrier",
                                 "work_group_barrier",
                                 "local",
                                 "__local",
                                 "get_local_id",
                                 "get_group_id",
                                 "get_global_id",
                                 "get_global_size",
                                 "get_local_size",
                                 "get_num_groups",
                                 "async_work_group_copy",
                                 "wait_group_events",
                                 "printf",
                                 "atomic_add",
                                 "atom_inc",
                                 "goto",
                                 "asm",
                                 "__attribute__",
                                 "imago_lane",
                                 "imago_",
                                 "imago_at_"}) {
    check_line_refused("int a = " + word + ";", "a word", "'" + word + "'");
    check_line_refused("#define A " + word + "\n", "a word", "'" + word + "'");
    check_line_refused("#if " + word + "\n#endif", "a word", "'" + word + "'");
  }
  check_passes(kLoad + "int locals, kernels, my_imago_, barrier2, printfs, at;");
}

TEST_CASE("words that imago's part of a kernel has are refused", "[user_code][user]") {
  for (const std::string macro : {"fma", "max", "rint", "convert_float8", "as_int", "vload4"}) {
    check_line_refused("#define " + macro + "(a) a", "a macro", "'" + macro + "'");
    check_line_refused("#undef " + macro, "a macro", "'" + macro + "'");
  }
  for (const std::string word : {"SHUFFLE_float8", "HAS_SHUFFLEVECTOR", "float8_u", "int_u"}) {
    check_line_refused("#undef " + word, "a word", "'" + word + "'");
    check_line_refused("typedef int " + word + ";", "a word", "'" + word + "'");
  }
  check_passes(kLoad + "// #define fma\n/*\n#define fma\n*/\ntypedef int n_u, SHUFFLE_n;\n");
}

TEST_CASE("a text's macros are found as C sees them", "[user_code][user]") {
  CHECK(
      user_code::macros_of("/* */#define A(x) x\n#/**/define B 1\n#def\\\nine C\n  # define D\n") ==
      std::vector<std::string>{"A", "B", "C", "D"});
  CHECK(user_code::macros_of("// #define A\n/*\n#define B\n*/\n#undef C\n#if 0\n#define D\n#endif\n"
                             "#define D 2\nint x;\n") == std::vector<std::string>{"D"});
  CHECK(user_code::macros_of(std::string(60000, ' ') + "#" + std::string(3000, ' ') +
                             "define A\n") == std::vector<std::string>{"A"});
}

TEST_CASE("a text that does not define its function is refused", "[user_code][user]") {
  const auto check_missing = [](const std::string& text, const std::string& functions) {
    check_refused(text, "the list of functions in", "'" + functions + "'");
  };
  check_missing("", "none");
  check_missing(" ", "none");
  check_missing("// float2 load(float2 v) { return v; }", "none");
  check_missing("float2 load(float2 v);", "none");
  check_missing("float2 store(float2 v) { return v; }", "store");
  check_missing("float2 loaded(float2 v) { return v; } int a(int b) {}", "loaded, a");
  check_missing("struct s { float load(float v) { return v; } };", "none");
  check_missing("int a(int b) { int load(int c) { return c; } }", "a");
  check_missing("int load = 1;", "none");
  check_missing("#define A float2 load(float2 v) { return v; }\n", "none");
}

TEST_CASE("functions that call each other in a cycle are refused", "[user_code][user]") {
  const std::string one = "int a(int n);\nint b(int n) { return a(n); }\n";
  check_refused(kLoad + "int a(int n) {\n return n ? a(n - 1) : 0; }",
                "a cycle of calls in line 3 of", "'a -> a'");
  check_refused(one + "int a(int n) { return b (n); }" + kLoad, "a cycle of calls in line 2 of",
                "'b -> a -> b'");
  check_refused(one + "int c(int n) { return b(n); }\nint a(int n) { return c(n); }" + kLoad,
                "a cycle of calls in line 2 of", "'b -> a -> c -> b'");
  check_refused("#define AGAIN(v) load(v)\nfloat2 load(float2 v) { return AGAIN(v); }",
                "a cycle of calls in line 2 of", "'load -> AGAIN -> load'");
  check_refused("#define AGAIN load\nfloat2 load(float2 v) { return AGAIN(v); }",
                "a cycle of calls in line 2 of", "'load -> AGAIN -> load'");
  check_refused("#define AGAIN load(1)\nfloat load(float v) { return AGAIN; }",
                "a cycle of calls in line 2 of", "'load -> AGAIN -> load'");
  check_refused(kLoad + "global int *a(int n) { return a(n); }", "a cycle of calls in line 3 of",
                "'a -> a'");
  // Names that are not calls, and macros, which are not replaced in themselves.
  check_passes(one + "int a(int n) { int b = n; return b; }" + kLoad);
  check_passes(
      "#define sin(x) native_sin(x)\n#define A B\n#define B A\n#define cos(x) cos(2 * (x))\n"
      "float load(float v) { return sin(v) + cos(v) * A; }");
}

TEST_CASE("messages stay short and name the field, the line and what is allowed",
          "[user_code][user]") {
  const std::string word = "imago_" + std::string(1000, 'x');
  CHECK_THROWS_WITH(
      check_user_text(kField, kLoad + word, "load"),
      ContainsSubstring(
          "a word in line 3 of " + kField + " is 'imago_" + std::string(54, 'x') +
          "..'; the names that begin with imago_ and that a hook can use are imago_at"));
}

TEST_CASE("names that users may choose", "[user_code][user]") {
  for (const std::string& name :
       std::vector<std::string>{"load", "_a", "A1", "x", "hann_window", "floating", "float5",
                                "int32", "kernels", "imago", "t", std::string(63, 'x')}) {
    CAPTURE(name);
    CHECK_NOTHROW(check_user_name("name", name));
  }
}

TEST_CASE("The words of lanes are for texts", "[user_code][user_text]") {
  const std::string lanes =
      "imago_complex load(imago_complex x, const imago_at* at, __global const float* w) {\n"
      "  imago_int i = at->index[0];\n  imago_real r = imago_gather(w, i);\n"
      "  x.re *= r;\n  return x;\n}\n";
  check_passes(lanes);
  check_refused(lanes + "int imago_own;", "a word in line 7 of", "'imago_own'");
}

TEST_CASE("names that users may not choose", "[user_code][user]") {
  for (const std::string& name : std::vector<std::string>{"",
                                                          "1a",
                                                          "a b",
                                                          "a-b",
                                                          "a;",
                                                          "\xc3\xa9",
                                                          "a\n",
                                                          "float",
                                                          "float2",
                                                          "uchar16",
                                                          "half",
                                                          "bool4",
                                                          "size_t",
                                                          "image2d_t",
                                                          "image1d_array_t",
                                                          "sampler_t",
                                                          "while",
                                                          "kernel",
                                                          "local",
                                                          "constant",
                                                          "barrier",
                                                          "get_global_id",
                                                          "goto",
                                                          "NULL",
                                                          "imago_x",
                                                          "imago_at",
                                                          "__x",
                                                          std::string(64, 'x')}) {
    CAPTURE(name);
    CHECK_THROWS_AS(check_user_name("hook.name", name), InvalidArgument);
    const std::string shown = name.size() < 64 ? "'" + base::printable(name) + "'; " : "'xxx";
    CHECK_THROWS_WITH(check_user_name("hook.name", name),
                      ContainsSubstring("hook.name is " + shown.substr(0, 60)));
  }
}

}  // namespace
}  // namespace imago
