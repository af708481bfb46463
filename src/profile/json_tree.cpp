// This file builds the tree of a JSON text from the parser's events.
#include "profile/json_tree.hpp"

#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace imago::profile {
namespace {

using Json = nlohmann::json;

class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(const std::string& origin) : origin_(origin) {}
  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(Json::binary_t&) override { return add(nullptr); }  // text has no binary values
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override;
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override;

 private:
  struct Open {
    Json* value;
    std::string member;  ///< name of the next member of an object
  };
  bool add(Json value);
  bool open(Json value);
  bool close();
  /// Returns the JSON pointer of the innermost open value.
  std::string place() const;

  const std::string& origin_;
  Json root_;
  Json* last_ = nullptr;  ///< last added value
  std::vector<Open> open_;
  std::size_t values_ = 0;
};

bool Builder::add(Json value) {
  if (++values_ > kMostValues) {
    base::profile_error(origin_, place(),
                        "it must have at most " + std::to_string(kMostValues) + " values");
  }
  if (open_.empty()) {
    root_ = std::move(value);
    last_ = &root_;
    return true;
  }
  Open& in = open_.back();
  if (in.value->is_object()) {
    last_ = &((*in.value)[in.member] = std::move(value));
    return true;
  }
  if (in.value->size() == kMostElements) {
    base::profile_error(origin_, place(),
                        "it must have at most " + std::to_string(kMostElements) + " elements");
  }
  in.value->push_back(std::move(value));
  last_ = &in.value->back();
  return true;
}

bool Builder::open(Json value) {
  if (open_.size() == kDeepest) {
    base::profile_error(origin_, place(),
                        "it must be nested at most " + std::to_string(kDeepest) + " deep");
  }
  add(std::move(value));
  open_.push_back({last_, {}});
  return true;
}

bool Builder::close() {
  open_.pop_back();
  return true;
}

bool Builder::key(std::string& name) {
  Open& in = open_.back();
  if (in.value->size() == kMostMembers) {
    base::profile_error(origin_, place(),
                        "it must have at most " + std::to_string(kMostMembers) + " members");
  }
  if (in.value->contains(name)) {
    base::profile_error(origin_, place(), "the member " + shown(name) + " appears twice");
  }
  in.member = name;
  return true;
}

bool Builder::parse_error(std::size_t position, const std::string&,
                          const nlohmann::detail::exception& error) {
  std::string_view text = error.what();  // "[json.exception.parse_error.101] parse error at ..."
  text.remove_prefix(std::min(text.size(), text.find(']') + 1));
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
  base::profile_error(origin_, "byte " + std::to_string(position),
                      "it must be JSON: " + shown(text));
}

std::string Builder::place() const {
  std::string pointer;
  for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
    const Open& in = open_[i];
    pointer += '/';
    pointer += in.value->is_object() ? shown(in.member) : std::to_string(in.value->size() - 1);
  }
  return pointer.empty() ? "the document" : pointer;
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 160;
  const std::string start = base::printable(text.substr(0, kLongest));
  return text.size() > kLongest ? start + "..." : start;
}

nlohmann::json parse_tree(std::string_view text, const std::string& origin) {
  if (text.size() > kMostBytes) {
    base::profile_error(origin, "the file",
                        "it has " + std::to_string(text.size()) + " bytes; it must have at most " +
                            std::to_string(kMostBytes));
  }
  Builder builder(origin);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

}  // namespace imago::profile
