// This file reads and adapts PTX.
#include "cuda/ptx.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/errors.hpp"

namespace imago::cuda {
namespace {

constexpr std::string_view kTextures = ", texmode_independent";
constexpr std::string_view kEnvironment = "%envreg";
constexpr std::string_view kEntry = ".entry ";
constexpr std::string_view kSpace = " \t\r\n";
/// The launch's dynamic shared memory, and the register that holds its address.
constexpr std::string_view kShared = "imago_local_memory", kBase = "%imago_local_memory";

constexpr auto* kReport = "use OpenCL's buffers, and report this driver";

/// Returns what replaces a register. NVIDIA's compiler uses 0 to 2 for the offset of work-groups, 3
/// to 5 for that of work-items, 6 to 8 for the number of groups, and 9 for the number of
/// dimensions.
std::string_view in_place_of(int number) {
  if (number < 6) return "0";
  if (number == 6) return "%nctaid.x";
  if (number <= 8 || number == 9) return "1";
  base::unsupported("a kernel reads " + std::string(kEnvironment) + std::to_string(number) +
                        ", which CUDA's driver does not set",
                    kReport);
}

/// Splits a text at spaces.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0;;) {
    at = text.find_first_not_of(kSpace, at);
    if (at == text.npos) return words;
    const std::size_t end = std::min(text.find_first_of(kSpace, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
}

std::size_t number_in(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Returns the bytes of a type such as ".u64".
std::size_t bytes_of_type(std::string_view type) {
  const std::size_t digits = type.find_first_of("0123456789");
  return digits == type.npos ? 0 : number_in(type.substr(digits)) / 8;
}

/// Reads ".param .u64 .ptr .global .align 8 name", or ".param .align 16 .b8 name[16]".
PtxParameter read_parameter(std::string_view text) {
  PtxParameter parameter;
  bool points = false;
  const auto words = words_of(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == ".ptr") points = true, parameter.kind = PtxParameter::Kind::memory;
    if (word == ".shared") parameter.kind = PtxParameter::Kind::local;
    // Such an argument is an offset into memory that OpenCL's driver fills before the launch.
    if (word == ".const")
      base::unsupported("a kernel has an argument in constant memory", "use global memory");
    if (word == ".align" && i + 1 < words.size())
      parameter.alignment = number_in(words[++i]);
    else if (parameter.bytes == 0 && word != ".param" && word.starts_with('.'))
      parameter.bytes = bytes_of_type(word);
    if (const auto bracket = word.find('['); bracket != word.npos)
      parameter.bytes *= number_in(word.substr(bracket + 1));
  }
  if (!points && parameter.alignment == 1) parameter.alignment = parameter.bytes;
  return parameter;
}

/// The name of a parameter is its last word, without the size of an array.
std::string_view name_of_parameter(std::string_view text) {
  const std::string_view last = words_of(text).back();
  return last.substr(0, last.find('['));
}

/// Makes pointers to local memory plain numbers in the list of parameters that begins at `open`:
/// CUDA's driver refuses to load a kernel with such pointers.
void remove_local_pointers(std::string& text, std::size_t open) {
  constexpr std::string_view kPointer = " .ptr .shared .align ";
  for (std::size_t at = open;;) {
    const std::size_t close = text.find(')', open);
    at = text.find(kPointer, at);
    if (at >= close) return;
    text.erase(at, text.find(' ', at + kPointer.size()) - at);
  }
}

void replace_environment(std::string& text) {
  for (std::size_t at = 0; (at = text.find(kEnvironment, at)) != text.npos;) {
    std::size_t end = at + kEnvironment.size();
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    const auto number = number_in(std::string_view(text).substr(at + kEnvironment.size()));
    text.replace(at, end - at, in_place_of(static_cast<int>(number)));
  }
}

bool is_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// Makes the values of a parameter offsets into dynamic shared memory: adds its address wherever
/// the body of the kernel loads the parameter.
void add_base(std::string& text, std::size_t body, std::string_view parameter) {
  const std::string place = "[" + std::string(parameter) + "]";
  for (std::size_t at = body; (at = text.find(place, at)) != text.npos;) {
    const std::size_t end = text.find(';', at);
    const std::size_t line = text.find_last_of(";{\n", at) + 1;
    const auto words = words_of(std::string_view(text).substr(line, at - line));
    if (end == text.npos || words.size() < 2 || !words[0].starts_with("ld.param"))
      base::unsupported("a kernel's local memory is passed in a way that is not known", kReport);
    std::string reg(words[1]);
    reg.erase(std::remove(reg.begin(), reg.end(), ','), reg.end());
    const std::string base(kBase);
    const std::string added = "\n\tmov.u64 \t" + base + ", " + std::string(kShared) +
                              ";\n\tadd.s64 \t" + reg + ", " + reg + ", " + base + ";";
    text.insert(end + 1, added);
    at = end + added.size();
  }
  // Nothing else may read the parameter, or take its address.
  const std::size_t end = std::min(text.find("\n}", body), text.size());
  for (std::size_t at = body; (at = text.find(parameter, at)) < end; at += parameter.size()) {
    const std::size_t after = at + parameter.size();
    const bool whole =
        !is_in_name(text[at - 1]) && (after == text.size() || !is_in_name(text[after]));
    if (whole && (text[at - 1] != '[' || text[after] != ']'))
      base::unsupported("a kernel's local memory is passed in a way that is not known", kReport);
  }
}

/// Reads the kernel whose entry begins at `at`, and adapts its local memory in the text. Returns
/// the kernel, and true if it has local memory.
std::pair<PtxKernel, bool> adapt_kernel(std::string& text, std::size_t at) {
  const std::size_t open = text.find('(', at), close = text.find(')', at);
  const std::size_t body = text.find('{', at);
  if (body == text.npos) base::unsupported("a kernel's PTX has no body", kReport);
  // A kernel without parameters has no parentheses.
  const bool has_list = open != text.npos && open < body && close < body;
  PtxKernel kernel;
  const std::size_t name = at + kEntry.size();
  std::size_t name_end = name;
  while (name_end < text.size() && is_in_name(text[name_end])) ++name_end;
  kernel.name = text.substr(name, name_end - name);
  std::vector<std::string> local;
  for (std::size_t from = open + 1; has_list && from < close;) {
    const std::size_t to = std::min(text.find(',', from), close);
    const std::string_view one = std::string_view(text).substr(from, to - from);
    if (!words_of(one).empty()) {
      kernel.parameters.push_back(read_parameter(one));
      if (kernel.parameters.back().kind == PtxParameter::Kind::local)
        local.emplace_back(name_of_parameter(one));
    }
    from = to + 1;
  }
  if (!local.empty()) {
    for (const std::string& parameter : local) add_base(text, body, parameter);
    text.insert(body + 1, "\n\t.reg .b64 \t" + std::string(kBase) + ";");
    remove_local_pointers(text, open);
  }
  return {std::move(kernel), !local.empty()};
}

bool is_in_comment(std::string_view text, std::size_t at) {
  const std::size_t line = text.rfind('\n', at) + 1;
  return text.substr(line, at - line).find("//") != text.npos;
}

}  // namespace

bool is_ptx(std::string_view binary) {
  constexpr std::size_t kHead = 4096;  // a comment comes first
  const std::string_view head = binary.substr(0, kHead);
  return head.find(".version ") != head.npos && head.find(".target sm_") != head.npos;
}

Ptx adapt_ptx(std::string_view binary) {
  if (!is_ptx(binary))
    base::unsupported(
        "the OpenCL driver's binary of a kernel is not PTX, so that CUDA cannot use it", kReport);
  Ptx ptx;
  ptx.text = binary.substr(0, binary.find('\0'));
  std::string& text = ptx.text;
  if (const auto at = text.find(kTextures); at != text.npos) text.erase(at, kTextures.size());
  replace_environment(text);
  bool uses_shared = false;
  for (std::size_t at = 0; (at = text.find(kEntry, at)) != text.npos; at += kEntry.size()) {
    if (is_in_comment(text, at)) continue;
    auto [kernel, has_local] = adapt_kernel(text, at);
    ptx.kernels.push_back(std::move(kernel));
    uses_shared |= has_local;
  }
  if (uses_shared) {
    const std::size_t first = text.find(kEntry);
    text.insert(text.rfind('\n', first) + 1,
                ".extern .shared .align 16 .b8 " + std::string(kShared) + "[];\n");
  }
  return ptx;
}

}  // namespace imago::cuda
