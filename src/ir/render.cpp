// This file renders a kernel: the arrays, and a line for each statement and for each named value.
#include "ir/render.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "ir/accesses.hpp"
#include "ir/counters.hpp"
#include "ir/expressions.hpp"
#include "ir/pairs.hpp"
#include "ir/spelling.hpp"

namespace imago::ir {
namespace {

/// Returns the local and private memories that the kernel uses.
std::string arrays(const Kernel& kernel, const Language& language) {
  std::string text;
  std::set<std::uint32_t> used;
  for (const Instruction& x : kernel.code) used.insert(x.memory);
  for (std::uint32_t i = 0; i < kernel.memories.size(); ++i) {
    const Memory& memory = kernel.memories[i];
    if (memory.space == Space::global || used.count(i) == 0) continue;
    if (memory.space == Space::local && kernel.is_function) continue;
    for (const Memory& array : arrays_of(memory)) text += language.array(array);
  }
  return text.append(ticket_declaration(kernel));
}

bool has_barriers(const Kernel& kernel) {
  return std::any_of(kernel.code.begin(), kernel.code.end(),
                     [](const Instruction& x) { return is_barrier(x.op); });
}

class Statements {
 public:
  Statements(const Kernel& kernel, const Language& language)
      : kernel_(kernel),
        language_(language),
        values_(kernel, language),
        volatile_item_(kernel.volatile_item && has_barriers(kernel)) {
    for (std::uint32_t i = 0; i < kernel.code.size(); ++i) add(i);
  }

  const std::string& text() const { return text_; }

 private:
  void add(std::uint32_t index);
  void define(std::uint32_t index, const std::string& value);
  void store_strided(const Instruction& instruction);
  void open(const std::string& head);
  void close();
  void line(const std::string& text) { text_.append(indent_, ' ').append(text).append("\n"); }

  const Kernel& kernel_;
  const Language& language_;
  const Expressions values_;
  const bool volatile_item_;
  std::string text_;
  unsigned indent_ = 2;
};

void Statements::add(std::uint32_t index) {
  const Instruction& x = kernel_.code[index];
  const std::string type = language_.type(x.type);
  switch (x.op) {
    case Op::store:
      return line(
          values_.access_of(x).store(kernel_.code[x.args[1]].type, values_.bare(x.args[1])));
    case Op::store_strided:
      return store_strided(x);
    case Op::loop_begin: {
      const std::string counter = values_.name(index), end = values_.operand(x.args[0]);
      return open(joined(
          {"for (", type, " ", counter, " = 0; ", counter, " < ", end, "; ++", counter, ")"}));
    }
    case Op::when_begin:
      return open(joined({"if (", values_.bare(x.args[0]), ")"}));
    case Op::loop_end:
    case Op::when_end:
      return close();
    case Op::barrier:
      return line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    case Op::fence:
      // The kind that waits for least.
      return line("read_mem_fence(CLK_LOCAL_MEM_FENCE);");
    case Op::await_groups:
    case Op::finish_group:
      return line(groups_counted(kernel_, x, values_.bare(x.args[0])));
    case Op::local_id:
      if (values_.is_inlined(index)) return;
      if (!volatile_item_) return define(index, values_.definition(index));
      line("volatile int kept_item = " + values_.definition(index) + ";");
      return define(index, "kept_item");
    default:
      if (!values_.is_inlined(index)) define(index, values_.definition(index));
  }
}

void Statements::define(std::uint32_t index, const std::string& value) {
  const std::string type = language_.type(kernel_.code[index].type);
  line(joined({"const ", type, " ", values_.name(index), " = ", value, ";"}));
}

void Statements::store_strided(const Instruction& x) {
  const Access access = values_.access_of(x);
  const unsigned lanes = kernel_.code[x.args[1]].type.lanes;
  for (unsigned lane = 0; lane < lanes; ++lane)
    line(access.store_lane(lane, values_.lane(x.args[1], lane)));
}

void Statements::open(const std::string& head) {
  line(head + " {");
  indent_ += 2;
}

void Statements::close() {
  indent_ -= 2;
  line("}");
}

}  // namespace

std::string render(const Kernel& kernel, const Language& language) {
  const Statements statements(kernel, language);
  return joined({language.head(kernel), arrays(kernel, language), statements.text(), "}\n"});
}

}  // namespace imago::ir
