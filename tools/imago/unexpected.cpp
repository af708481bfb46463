// This file compares words of a command line with the known words.
#include "unexpected.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace imago::command {
namespace {

/// Returns Levenshtein's distance: the number of changed, added or removed letters.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

bool is_option(const std::string& word) { return word.starts_with("-"); }

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // internal
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  std::string found;
  std::size_t least = std::min<std::size_t>(3, word.size() / 2);  // a short word is similar to many
  for (const std::string& each : known) {
    const std::size_t away = distance(word, each);
    if (away < least) least = away, found = each;
  }
  return found;
}

std::string unexpected(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  const CLI::App& asked = parsed.empty() ? app : *parsed.front();
  const auto words = asked.remaining();
  // The value of an unknown option is also left over, so this looks for an option first.
  const auto option = std::find_if(words.begin(), words.end(), is_option);
  const std::string& word = option != words.end() ? *option : words.at(0);
  const std::string meant = is_option(word)
                                ? nearest(word.substr(0, word.find('=')), options_of(asked))
                            : parsed.empty() ? nearest(word, commands_of(app))
                                             : std::string();
  return fmt::format("{} was not expected{}", word,
                     meant.empty() ? "" : fmt::format("; did you mean {}?", meant));
}

}  // namespace imago::command
