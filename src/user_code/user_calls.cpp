// This file builds the graph of a text's functions and macros, and looks for cycles.
#include "user_code/user_calls.hpp"

#include <algorithm>
#include <map>

#include "base/errors.hpp"

namespace imago::user_code {
namespace {

using Tokens = std::vector<Token>;
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Returns for each opening bracket the index of its closing bracket.
std::vector<std::size_t> closings(const Tokens& code) {
  std::vector<std::size_t> result(code.size()), open;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].is("(") || code[i].is("[") || code[i].is("{")) open.push_back(i);
    if (code[i].is(")") || code[i].is("]") || code[i].is("}")) {
      result[open.back()] = i;
      open.pop_back();
    }
  }
  return result;
}

/// Graph of functions and macros; edges lead to those that each one uses.
class CallGraph {
 public:
  explicit CallGraph(const UserProgram& program) {
    find_functions(program.code);
    find_macros(program.directives);
    for (const Body& body : bodies_) find_uses(body);
  }
  bool defines(const std::string& function) const {
    const auto found = ids_.find(function);
    return found != ids_.end() && nodes_[found->second].function;
  }
  /// Returns the names of the functions for a message: "f, g", or "none".
  std::string functions() const;
  /// Returns the nodes of the shortest cycle through a function; empty if there is none.
  std::vector<std::size_t> cycle() const;
  std::string names(const std::vector<std::size_t>& way) const;
  std::size_t line(std::size_t node) const { return nodes_[node].line; }

 private:
  struct Node {
    std::string name;
    std::size_t line = 0;
    bool function = false, macro = false;
    std::vector<std::size_t> uses = {};
  };
  /// Tokens [begin, end) of a macro's replacement or a function's body.
  struct Body {
    std::size_t node;
    const Tokens& tokens;
    std::size_t begin, end;
  };

  Node& add(const Token& name, const Tokens& tokens, std::size_t begin, std::size_t end);
  void find_functions(const Tokens& code);
  void find_macros(const std::vector<Tokens>& directives);
  void find_uses(const Body& body);
  std::vector<std::size_t> way_back_to(std::size_t start, std::vector<std::size_t>& from) const;

  std::vector<Node> nodes_;
  std::map<std::string, std::size_t> ids_;
  std::vector<Body> bodies_;
};

CallGraph::Node& CallGraph::add(const Token& name, const Tokens& tokens, std::size_t begin,
                                std::size_t end) {
  const auto [known, is_new] = ids_.emplace(name.text, nodes_.size());
  if (is_new) nodes_.push_back({name.text, name.line});
  bodies_.push_back({known->second, tokens, begin, end});
  return nodes_[known->second];
}

/// Finds functions: "name(...) {...}" outside of all brackets defines one.
void CallGraph::find_functions(const Tokens& code) {
  const auto closing = closings(code);
  const auto is = [&](std::size_t i, const char* what) {
    return i < code.size() && code[i].is(what);
  };
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (is(i, "(") || is(i, "[") || is(i, "{")) i = closing[i];
    if (code[i].kind != Token::Kind::word || !is(i + 1, "(")) continue;
    const std::size_t body = closing[i + 1] + 1;
    if (is(body, "{")) add(code[i], code, body, closing[body]).function = true;
  }
}

void CallGraph::find_macros(const std::vector<Tokens>& directives) {
  for (const Tokens& line : directives) {
    if (line.size() > 2 && line[1].is("define")) add(line[2], line, 3, line.size()).macro = true;
  }
}

/// Finds the uses of functions and macros. A function is used if ( follows; in a macro the ( may
/// come later. A macro is used wherever its name is.
void CallGraph::find_uses(const Body& body) {
  Node& user = nodes_[body.node];
  for (std::size_t i = body.begin; i < body.end; ++i) {
    if (body.tokens[i].kind != Token::Kind::word) continue;
    const auto used = ids_.find(body.tokens[i].text);
    if (used == ids_.end()) continue;
    const bool called = i + 1 < body.end ? body.tokens[i + 1].is("(") : user.macro;
    if (called || nodes_[used->second].macro) user.uses.push_back(used->second);
  }
  std::sort(user.uses.begin(), user.uses.end());
  user.uses.erase(std::unique(user.uses.begin(), user.uses.end()), user.uses.end());
}

std::string CallGraph::functions() const {
  std::string text;
  for (const Node& node : nodes_) {
    if (node.function) text += (text.empty() ? "" : ", ") + node.name;
  }
  return text.empty() ? "none" : text;
}

std::vector<std::size_t> CallGraph::cycle() const {
  std::vector<std::size_t> from(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].function) continue;
    auto way = way_back_to(i, from);
    if (!way.empty()) return way;
  }
  return {};
}

/// Searches breadth first. `from` is scratch memory for the predecessor of each node.
std::vector<std::size_t> CallGraph::way_back_to(std::size_t start,
                                                std::vector<std::size_t>& from) const {
  std::fill(from.begin(), from.end(), kNone);
  std::vector<std::size_t> found{start};
  for (std::size_t i = 0; i < found.size() && from[start] == kNone; ++i) {
    for (const std::size_t next : nodes_[found[i]].uses) {
      if (from[next] != kNone) continue;
      from[next] = found[i];
      if (next != start) found.push_back(next);
    }
  }
  if (from[start] == kNone) return {};
  std::vector<std::size_t> way{start};
  do way.push_back(from[way.back()]);
  while (way.back() != start);
  std::reverse(way.begin(), way.end());
  return way;
}

std::string CallGraph::names(const std::vector<std::size_t>& way) const {
  std::string text;
  for (const std::size_t node : way) text += (text.empty() ? "" : " -> ") + nodes_[node].name;
  return text;
}

}  // namespace

void check_functions(const std::string& field, const UserProgram& program,
                     const std::string& function) {
  const CallGraph graph(program);
  if (!graph.defines(function))
    base::invalid("the list of functions in " + field, quoted(graph.functions()),
                  "it must define " + quoted(function) + " outside of all brackets");
  const auto cycle = graph.cycle();
  if (!cycle.empty())
    base::invalid(in_line("a cycle of calls", graph.line(cycle.front()), field),
                  quoted(graph.names(cycle)), "OpenCL C does not allow recursion");
}

}  // namespace imago::user_code
