// This file checks the values of a JSON tree.
#include "profile/node.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "profile/json_tree.hpp"

namespace imago::profile {
namespace {

constexpr std::size_t kLongestText = 1000;

std::string number(double value) { return nlohmann::json(value).dump(); }

/// Returns a value for a message.
std::string seen(const nlohmann::json& value) {
  if (value.is_string()) return "\"" + shown(value.get_ref<const std::string&>()) + "\"";
  if (value.is_number() || value.is_boolean() || value.is_null()) return value.dump();
  return std::string("an ") + value.type_name() + " of " + std::to_string(value.size());
}

}  // namespace

std::string Node::pointer() const {
  if (!parent_) return {};
  return parent_->pointer() + "/" + (name_.empty() ? std::to_string(index_) : std::string(name_));
}

std::string Node::place() const {
  const std::string text = pointer();
  return text.empty() ? "the document" : text;
}

void Node::fail(const std::string& expected) const {
  base::profile_error(origin_, place(), "it is " + seen(value_) + "; it must be " + expected);
}

void Node::only(const std::vector<std::string_view>& members) const {
  if (!value_.is_object()) fail("an object");
  for (const auto& item : value_.items()) {
    if (std::find(members.begin(), members.end(), item.key()) == members.end()) {
      base::profile_error(origin_, place(), "the member " + shown(item.key()) + " is unknown");
    }
  }
}

Node Node::member(std::string_view name) const {
  const auto found = optional(name);
  if (!found)
    base::profile_error(origin_, place(), "the member " + std::string(name) + " is missing");
  return *found;
}

std::optional<Node> Node::optional(std::string_view name) const {
  if (!value_.is_object()) fail("an object");
  const auto found = value_.find(std::string(name));
  if (found == value_.end()) return std::nullopt;
  return Node(*found, *this, name, 0);
}

std::size_t Node::size(std::size_t least, std::size_t most) const {
  if (!value_.is_array() || value_.size() < least || value_.size() > most) {
    fail("an array of " + std::to_string(least) + " to " + std::to_string(most) + " elements");
  }
  return value_.size();
}

Node Node::element(std::size_t i) const { return {value_.at(i), *this, {}, i}; }

std::vector<std::string> Node::names() const {
  if (!value_.is_object()) fail("an object");
  std::vector<std::string> names;
  for (const auto& item : value_.items()) names.push_back(item.key());
  return names;
}

std::string Node::text() const {
  if (!value_.is_string() || value_.get_ref<const std::string&>().size() > kLongestText) {
    fail("a string of at most " + std::to_string(kLongestText) + " bytes");
  }
  return value_.get<std::string>();
}

bool Node::truth() const {
  if (!value_.is_boolean()) fail("true or false");
  return value_.get<bool>();
}

std::uint64_t Node::whole(std::uint64_t least, std::uint64_t most) const {
  const bool whole = value_.is_number_unsigned();
  const auto value = whole ? value_.get<std::uint64_t>() : 0;
  if (!whole || value < least || value > most) {
    fail("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value;
}

double Node::real(double least, double most) const {
  const double value = value_.is_number() ? value_.get<double>() : -1;
  if (!value_.is_number() || !(value >= least && value <= most)) {
    fail("a number from " + number(least) + " to " + number(most));
  }
  return value;
}

}  // namespace imago::profile
