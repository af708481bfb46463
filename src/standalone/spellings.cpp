// This file spells numbers, arrays and headers.
#include "standalone/spellings.hpp"

#include <cstddef>

#include "ir/spelling.hpp"

namespace imago::standalone {

const char* number_type(Precision precision) {
  return precision == Precision::f64 ? "double" : "float";
}

std::string literal(double number, Precision precision) {
  ir::Instruction constant;
  constant.type = {precision == Precision::f64 ? ir::Base::f64 : ir::Base::f32, 1};
  constant.number = number;
  return ir::scalar_literal(constant);
}

std::string array_text(const std::string& type, const std::string& name,
                       const std::vector<std::string>& numbers) {
  constexpr std::size_t kColumns = 96;
  std::string text = ir::joined({"static const ", type, " ", name, "[] = {\n "});
  std::size_t line = text.size();
  for (const std::string& number : numbers) {
    if (text.size() - line + number.size() > kColumns) {
      line = text.size();
      text += "\n ";
    }
    text += ir::joined({" ", number, ","});
  }
  return text.append("\n};\n");
}

std::string header_text(const std::string& comment, const std::string& included,
                        const std::string& declarations) {
  const auto for_cpp = [](const char* line) {
    return ir::joined({"\n#if defined(__cplusplus)\n", line, "\n#endif\n"});
  };
  return ir::joined({comment, "#ifndef IMAGO_TRANSFORMS_H\n#define IMAGO_TRANSFORMS_H\n\n#include ",
                     included, "\n", for_cpp("extern \"C\" {"), declarations, for_cpp("}"),
                     "\n#endif\n"});
}

}  // namespace imago::standalone
