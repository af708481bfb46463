// This file removes the names of people and machines from a report.
#include <cctype>

#include "report_facts.hpp"

namespace imago::command {
namespace {

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
}

/// Replaces `name` if it is a whole word.
void replace_word(std::string& text, const std::string& name, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;) {
    const std::size_t end = at + name.size();
    const bool whole =
        (at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end]));
    if (whole) text.replace(at, name.size(), by);
    at += whole ? by.size() : 1;
  }
}

/// Replaces a folder at the start of paths; "/home/ann" is no part of "/home/anna" or
/// "/mnt/home/ann".
void replace_folder(std::string& text, const std::string& folder) {
  for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos; ++at) {
    const std::size_t end = at + folder.size();
    const bool begins =
        at == 0 || (!in_word(text[at - 1]) && text[at - 1] != '/' && text[at - 1] != '\\');
    if (begins && (end == text.size() || !in_word(text[end]))) text.replace(at, folder.size(), "~");
  }
}

}  // namespace

std::string without_names(std::string text, const Names& names) {
  if (!names.home.empty()) replace_folder(text, names.home);
  for (const std::string& user : names.users) replace_word(text, user, "USER");
  for (const std::string& host : names.hosts) replace_word(text, host, "HOST");
  return text;
}

Json without_names(Json json, const Names& names) {
  if (json.is_string()) return without_names(json.get<std::string>(), names);
  if (json.is_structured())
    for (auto& each : json) each = without_names(std::move(each), names);
  return json;
}

}  // namespace imago::command
