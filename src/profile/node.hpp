// This file reads typed values from a JSON tree. A value of another type throws ProfileError with
// its JSON pointer, which is composed only then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace imago::profile {

/// A place in a tree. A child must not outlive its parent.
class Node {
 public:
  Node(const nlohmann::json& root, const std::string& origin) : value_(root), origin_(origin) {}

  /// Throws if the value is no object or has a member that is not listed.
  void only(const std::vector<std::string_view>& members) const;
  Node member(std::string_view name) const;  ///< throws if it is missing
  std::optional<Node> optional(std::string_view name) const;
  /// Sets `value` to the result of `read` for the member `name` of this JSON object. Leaves `value`
  /// unchanged if the object has no such member.
  template <class Value, class Read>
  void set(std::string_view name, Value& value, Read read) const {
    if (const auto found = optional(name)) value = static_cast<Value>(read(*found));
  }
  /// Returns the size of an array. Throws if the value is no array or the size is out of range.
  std::size_t size(std::size_t least, std::size_t most) const;
  Node element(std::size_t i) const;

  std::vector<std::string> names() const;  ///< names of an object's members; throws if it is no
                                           ///< object

  std::string text() const;
  bool truth() const;
  std::uint64_t whole(std::uint64_t least, std::uint64_t most) const;
  double real(double least, double most) const;
  template <class Words>
  auto word(const Words& words) const {
    std::string allowed;
    for (const auto& word : words) {
      if (value_.is_string() && value_.get_ref<const std::string&>() == word.text)
        return word.value;
      allowed += (allowed.empty() ? "" : ", ") + std::string(word.text);
    }
    fail("one of " + allowed);
  }
  /// Throws "<file>: <pointer>: <expected> is expected, and it is <value>".
  [[noreturn]] void fail(const std::string& expected) const;
  std::string place() const;

 private:
  Node(const nlohmann::json& value, const Node& parent, std::string_view name, std::size_t index)
      : value_(value), origin_(parent.origin_), parent_(&parent), name_(name), index_(index) {}
  std::string pointer() const;

  const nlohmann::json& value_;
  const std::string& origin_;
  const Node* parent_ = nullptr;
  std::string_view name_;  ///< in an object; empty in an array
  std::size_t index_ = 0;  ///< in an array
};

}  // namespace imago::profile
