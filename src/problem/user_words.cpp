// This file lists words of OpenCL C (the specification of 3.0, 6.3 and 6.1.9, and C99, 6.4.1).
#include "problem/user_words.hpp"

#include <algorithm>
#include <array>

namespace imago::problem {
namespace {

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

}  // namespace

bool is_keyword(std::string_view word) {
  if (has(kKeywords, word) || has(kTypes, word) || has(kNumbers, word)) return true;
  if (word.starts_with("image") && word.ends_with("_t")) return true;
  return std::any_of(std::begin(kNumbers), std::end(kNumbers), [&](std::string_view number) {
    return word.starts_with(number) && has(kVectorSizes, word.substr(number.size()));
  });
}

bool is_for_kernels_only(std::string_view word) {
  return has(kForKernels, word) ||
         std::any_of(std::begin(kForKernelsFront), std::end(kForKernelsFront),
                     [&](std::string_view front) { return word.starts_with(front); });
}

bool is_used_by_kernels(std::string_view word) {
  constexpr std::string_view kAs = "as_";
  return has(kFunctions, word) || (word.starts_with(kAs) && is_keyword(word.substr(kAs.size()))) ||
         std::any_of(std::begin(kFunctionsFront), std::end(kFunctionsFront),
                     [&](std::string_view front) { return word.starts_with(front); });
}

bool is_helper_of_kernels(std::string_view word) {
  constexpr std::string_view kShuffle = "SHUFFLE_", kUnaligned = "_u";
  if (word == "HAS_SHUFFLEVECTOR") return true;
  if (word.starts_with(kShuffle) && is_keyword(word.substr(kShuffle.size()))) return true;
  return word.ends_with(kUnaligned) && is_keyword(word.substr(0, word.size() - kUnaligned.size()));
}

bool is_kept_by_imago(std::string_view word) { return word.starts_with("imago_"); }

}  // namespace imago::problem
