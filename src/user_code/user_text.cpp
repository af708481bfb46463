// This file checks the words, directives and brackets of a user's OpenCL C. Its lists of words are
// those of the specification of OpenCL C 3.0, 6.3 and 6.1.9, and of C99, 6.4.1.
#include "user_code/user_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/errors.hpp"
#include "user_code/tokens.hpp"
#include "user_code/user_calls.hpp"

namespace imago::user_code {
namespace {

using Tokens = std::vector<Token>;

constexpr std::string_view kKeywords[] = {
    "auto",     "break",      "case",       "const",          "continue",
    "default",  "do",         "else",       "enum",           "extern",
    "for",      "goto",       "if",         "inline",         "register",
    "restrict", "return",     "sizeof",     "static",         "struct",
    "switch",   "typedef",    "typeof",     "union",          "volatile",
    "while",    "asm",        "true",       "false",          "NULL",
    "_Alignas", "_Alignof",   "_Atomic",    "_Bool",          "_Complex",
    "_Generic", "_Imaginary", "_Noreturn",  "_Static_assert", "_Thread_local",
    "complex",  "imaginary",  "defined",    "kernel",         "global",
    "local",    "constant",   "private",    "generic",        "uniform",
    "pipe",     "read_only",  "write_only", "read_write",     "vec_step"};

constexpr std::string_view kTypes[] = {"void",         "signed",
                                       "unsigned",     "size_t",
                                       "ptrdiff_t",    "intptr_t",
                                       "uintptr_t",    "event_t",
                                       "clk_event_t",  "queue_t",
                                       "ndrange_t",    "reserve_id_t",
                                       "sampler_t",    "cl_mem_fence_flags",
                                       "memory_order", "memory_scope"};

/// Types that also exist as vectors, like float4.
constexpr std::string_view kNumbers[] = {"bool", "char",  "uchar", "short", "ushort", "int", "uint",
                                         "long", "ulong", "half",  "float", "double", "quad"};
constexpr std::string_view kVectorSizes[] = {"2", "3", "4", "8", "16"};

constexpr std::string_view kForKernels[] = {"kernel",
                                            "__kernel",
                                            "local",
                                            "__local",
                                            "barrier",
                                            "mem_fence",
                                            "read_mem_fence",
                                            "write_mem_fence",
                                            "wait_group_events",
                                            "enqueue_kernel",
                                            "printf",
                                            "goto",
                                            "asm",
                                            "__asm",
                                            "__asm__",
                                            "__attribute",
                                            "__attribute__",
                                            "_Pragma",
                                            "__pragma",
                                            "get_work_dim",
                                            "get_local_id",
                                            "get_group_id",
                                            "get_global_id",
                                            "get_global_size",
                                            "get_local_size",
                                            "get_num_groups",
                                            "get_global_offset",
                                            "get_enqueued_local_size",
                                            "get_global_linear_id",
                                            "get_local_linear_id",
                                            "get_num_sub_groups",
                                            "get_enqueued_num_sub_groups",
                                            "get_max_sub_group_size"};
constexpr std::string_view kForKernelsFront[] = {
    "atomic_", "atom_", "work_group_", "sub_group_", "get_sub_group_", "async_work_group_"};

constexpr std::string_view kFunctions[] = {"fma", "fmax", "fmin", "log2",     "max",
                                           "min", "rint", "NAN",  "INFINITY", "select"};
constexpr std::string_view kFunctionsFront[] = {"convert_", "vload", "vstore", "native_", "CLK_"};

template <std::size_t count>
bool has(const std::string_view (&words)[count], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// True for a keyword or type of OpenCL C, including float4 and the like.
bool is_keyword(std::string_view word) {
  if (has(kKeywords, word) || has(kTypes, word) || has(kNumbers, word)) return true;
  if (word.starts_with("image") && word.ends_with("_t")) return true;
  return std::any_of(std::begin(kNumbers), std::end(kNumbers), [&](std::string_view number) {
    return word.starts_with(number) && has(kVectorSizes, word.substr(number.size()));
  });
}

/// True for a word that a function of one point does not need: barriers, ids, local memory,
/// atomics, group functions, goto, and compilers' extensions of C.
bool is_for_kernels_only(std::string_view word) {
  return has(kForKernels, word) ||
         std::any_of(std::begin(kForKernelsFront), std::end(kForKernelsFront),
                     [&](std::string_view front) { return word.starts_with(front); });
}

/// True for a function or macro of OpenCL C that imago's part of a kernel may use. No macro may
/// hide it.
bool is_used_by_kernels(std::string_view word) {
  constexpr std::string_view kAs = "as_";
  return has(kFunctions, word) || (word.starts_with(kAs) && is_keyword(word.substr(kAs.size()))) ||
         std::any_of(std::begin(kFunctionsFront), std::end(kFunctionsFront),
                     [&](std::string_view front) { return word.starts_with(front); });
}

/// True for a type or macro that imago's part of a kernel defines without the prefix imago_.
bool is_helper_of_kernels(std::string_view word) {
  constexpr std::string_view kShuffle = "SHUFFLE_", kUnaligned = "_u";
  if (word == "HAS_SHUFFLEVECTOR") return true;
  if (word.starts_with(kShuffle) && is_keyword(word.substr(kShuffle.size()))) return true;
  return word.ends_with(kUnaligned) && is_keyword(word.substr(0, word.size() - kUnaligned.size()));
}

/// True for a word that imago reserves for its own part of a kernel.
bool is_kept_by_imago(std::string_view word) { return word.starts_with("imago_"); }

/// Number of characters of a name that C guarantees to compare.
constexpr std::size_t kLongestName = 63;
constexpr std::array<std::string_view, 8> kDirectives{"define", "undef", "if",   "ifdef",
                                                      "ifndef", "elif",  "else", "endif"};

/// Words of imago that texts may use; all except the first exist for lanes only.
constexpr std::array<std::string_view, 6> kOurWords{
    "imago_at", "imago_real", "imago_int", "imago_complex", "imago_gather", "imago_gather_complex"};

void check_word(const std::string& field, const Token& token) {
  if (is_for_kernels_only(token.text))
    base::invalid(in_line("a word", token.line, field), quoted(token.text),
                  "a hook cannot use kernels, local memory, barriers, ids, groups, atomics, "
                  "printf, goto, asm or attributes");
  if (is_helper_of_kernels(token.text))
    base::invalid(in_line("a word", token.line, field), quoted(token.text),
                  "use another name: imago's part of the kernel has this one");
  if (is_kept_by_imago(token.text) &&
      std::find(kOurWords.begin(), kOurWords.end(), token.text) == kOurWords.end())
    base::invalid(in_line("a word", token.line, field), quoted(token.text),
                  "the names that begin with imago_ and that a hook can use are imago_at, "
                  "imago_real, imago_int, imago_complex, imago_gather and imago_gather_complex");
}

/// Throws if brackets do not balance. Compilers would report such errors in lines outside the text,
/// and the functions of a text are found by their brackets.
void check_brackets(const std::string& field, const Tokens& tokens) {
  Tokens open;
  for (const Token& token : tokens) {
    if (token.is("(") || token.is("[") || token.is("{")) open.push_back(token);
    const char* const opening = token.is(")")   ? "("
                                : token.is("]") ? "["
                                : token.is("}") ? "{"
                                                : nullptr;
    if (!opening) continue;
    if (open.empty() || !open.back().is(opening))
      base::invalid(in_line("a bracket", token.line, field), quoted(token.text),
                    open.empty() ? "it closes no open bracket"
                                 : quoted(open.back().text) + " of line " +
                                       std::to_string(open.back().line) + " must be closed first");
    open.pop_back();
  }
  if (!open.empty())
    base::invalid(in_line("a bracket", open.back().line, field), quoted(open.back().text),
                  "close it in the same text or #define");
}

void check_hash(const std::string& field, const Tokens& line) {
  for (std::size_t i = 2; i < line.size(); ++i) {
    if (line[i].is("#") && line[i - 1].is("#"))
      base::invalid(in_line("an operator", line[i].line, field), "'##'",
                    "write words whole, so that imago can check them");
  }
}

void check_directive(const std::string& field, const Tokens& line, const std::string& function) {
  const std::string name = line.size() > 1 ? line[1].text : "";
  if (std::find(kDirectives.begin(), kDirectives.end(), name) == kDirectives.end())
    base::invalid(in_line("a directive", line[0].line, field), quoted("#" + name),
                  "use #define, #undef, #if, #ifdef, #ifndef, #elif, #else or #endif");
  check_hash(field, line);
  check_brackets(field, line);
  if ((name != "define" && name != "undef") || line.size() < 3) return;
  const std::string macro = in_line("a macro", line[0].line, field);
  check_user_name(macro, line[2].text);
  if (line[2].is(function))
    base::invalid(macro, quoted(function), "the hook must be a function, not a macro");
  if (is_used_by_kernels(line[2].text))
    base::invalid(macro, quoted(line[2].text),
                  "use another name: imago's part of the kernel calls this function of OpenCL C");
}

UserProgram split(Tokens tokens) {
  UserProgram program;
  bool in_directive = false;
  for (Token& token : tokens) {
    if (token.first) in_directive = token.is("#");
    if (token.first && in_directive) program.directives.emplace_back();
    (in_directive ? program.directives.back() : program.code).push_back(std::move(token));
  }
  return program;
}

}  // namespace

void check_user_text(const std::string& field, const std::string& text,
                     const std::string& function) {
  if (text.size() > kLongestUserText)
    base::invalid("the size of " + field, text.size(),
                  "it must be at most " + std::to_string(kLongestUserText) + " bytes");
  Tokens tokens = Tokenizer(field, text).tokens();
  for (const Token& token : tokens) {
    if (token.kind == Token::Kind::word) check_word(field, token);
  }
  const UserProgram program = split(std::move(tokens));
  for (const Tokens& line : program.directives) check_directive(field, line, function);
  check_brackets(field, program.code);
  check_functions(field, program, function);
}

std::vector<std::string> macros_of(const std::string& text) {
  std::vector<std::string> names;
  for (const Tokens& line : split(Tokenizer("", text).tokens()).directives) {
    if (line.size() < 3 || !line[1].is("define")) continue;
    if (std::find(names.begin(), names.end(), line[2].text) == names.end())
      names.push_back(line[2].text);
  }
  return names;
}

void check_user_name(const std::string& field, const std::string& name) {
  const bool made_of_letters =
      !name.empty() && is_letter(name.front()) &&
      std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
  if (!made_of_letters)
    base::invalid(field, quoted(name),
                  "it must consist of letters, digits and _, without a digit first");
  if (name.size() > kLongestName)
    base::invalid(field, quoted(name),
                  "it must have at most " + std::to_string(kLongestName) + " characters");
  if (is_keyword(name) || is_for_kernels_only(name))
    base::invalid(field, quoted(name),
                  "it must not be a keyword, type or kernel function of OpenCL C");
  if (is_kept_by_imago(name) || name.starts_with("__"))
    base::invalid(field, quoted(name), "it must not begin with imago_ or __");
}

}  // namespace imago::user_code
