// This file makes keys of plain structs: a text of all their fields (kernel/fields.hpp).
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "kernel/fields.hpp"

namespace imago::kernel {

/// Appends fields to a text that differs if any field does. Integers end in a comma, lists begin
/// with their size, and variants with the index of their alternative. Floating-point fields do not
/// compile, because their text might not differ.
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
  /// Appends nothing for an empty optional: no other field begins with '?'.
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
    std::visit([this](const auto& held) { this->add(held); }, field);
  }

  std::string text_;
};

/// Returns the name of the kernel, which is also its key in caches: length, precision and the
/// mapping's sizes for people, then a digest of all fields. Different steps have different names.
std::string name_of(const Step& step);

}  // namespace imago::kernel
