// This file makes keys of plain structs: a text of all their fields (kernel/fields.hpp).
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "kernel/fields.hpp"

namespace imago::kernel {

/// Appends fields to a text that differs where any field does: integers end in a comma, lists begin
/// with their size, variants with the number of their alternative. Numbers with fractions have no
/// text that is sure to differ, and do not compile.
class KeyText {
 public:
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (add(fields), ...);
  }
  const std::string& text() const { return text_; }

 private:
  template <class Field>
  void add(const Field& field) {
    if constexpr (std::is_enum_v<Field>)
      add(static_cast<std::underlying_type_t<Field>>(field));
    else if constexpr (std::is_integral_v<Field>)
      (text_ += std::to_string(field)) += ',';
    else
      each_field(field, *this);
  }
  template <class Field>
  void add(const std::vector<Field>& fields) {
    add(fields.size());
    for (const Field& field : fields) add(field);
  }
  /// Nothing for nothing: no other field begins as what is there does.
  template <class Field>
  void add(const std::optional<Field>& field) {
    if (!field) return;
    text_ += '?';
    add(*field);
  }
  void add(const std::string& field) {
    add(field.size());
    text_ += field;
  }
  template <class... Fields>
  void add(const std::variant<Fields...>& field) {
    add(field.index());
    std::visit([this](const auto& held) { add(held); }, field);
  }

  std::string text_;
};

/// Names the kernel and is the key of its code in caches: length, precision and the mapping's
/// sizes for people, then a digest of all fields. Different steps have different names.
std::string name_of(const Step& step);

}  // namespace imago::kernel
