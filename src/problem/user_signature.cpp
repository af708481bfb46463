// This file reads the types in the definition of a user's function.
#include "problem/user_signature.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/errors.hpp"
#include "problem/user_words.hpp"

namespace imago::problem {
namespace {

using Tokens = std::vector<Token>;

/// Say where a value is and what is done with it, not what it is.
constexpr std::string_view kQualifiers[] = {"const",      "volatile", "restrict",  "__restrict",
                                            "register",   "static",   "inline",    "__global",
                                            "global",     "private",  "__private", "constant",
                                            "__constant", "generic",  "__generic"};

bool is_qualifier(const Token& token) {
  return std::find(std::begin(kQualifiers), std::end(kQualifiers), token.text) !=
         std::end(kQualifiers);
}

/// A type that needs no look at the text's own: one word of OpenCL C or of imago, and stars.
struct KnownType {
  std::string word;
  std::size_t pointers = 0;
  friend bool operator==(const KnownType&, const KnownType&) = default;
};

/// None where it takes more than this file knows.
std::optional<KnownType> known_type(const Token* begin, const Token* end) {
  KnownType type;
  for (; begin != end; ++begin) {
    if (begin->is("*")) {
      ++type.pointers;
      continue;
    }
    if (begin->kind == Token::Kind::word && is_qualifier(*begin)) continue;
    const bool known = is_keyword(begin->text) || is_kept_by_imago(begin->text);
    if (begin->kind != Token::Kind::word || !known || !type.word.empty()) return std::nullopt;
    type.word = begin->text;
  }
  if (type.word.empty()) return std::nullopt;
  return type;
}

KnownType known_type(const std::string& type) {
  const Tokens tokens = Tokenizer(type, type).tokens();
  return *known_type(tokens.data(), tokens.data() + tokens.size());
}

/// Where one parameter's tokens begin and end.
struct Span {
  const Token *begin, *end;
};

std::vector<Span> parameters_of(const Tokens& code, const Definition& definition) {
  const Token* const end = code.data() + definition.parameters_end;
  std::vector<Span> parameters{{code.data() + definition.name + 2, end}};
  std::size_t depth = 0;
  for (const Token* at = parameters[0].begin; at != end; ++at) {
    if (at->is("(") || at->is("[")) ++depth;
    if (at->is(")") || at->is("]")) --depth;
    if (depth > 0 || !at->is(",")) continue;
    parameters.back().end = at;
    parameters.push_back({at + 1, end});
  }
  const Span& first = parameters[0];
  const bool none =
      first.begin == first.end || (first.end - first.begin == 1 && first.begin->is("void"));
  if (parameters.size() == 1 && none) parameters.clear();
  return parameters;
}

bool is_as_wanted(const KnownType& type, const SignatureValue& wanted) {
  using Kind = SignatureValue::Kind;
  if (wanted.kind == Kind::memory) return type.pointers == 1;
  if (wanted.kind == Kind::number)
    return type.pointers == 0 && !is_digit(type.word.back()) && !is_kept_by_imago(type.word);
  return type == known_type(wanted.type);
}

/// The words of a definition before its body, as one writes them.
std::string declared(const Tokens& code, const Definition& definition) {
  std::string text;
  for (std::size_t i = definition.begin; i <= definition.parameters_end; ++i) {
    const bool tight = code[i].is("(") || code[i].is(")") || code[i].is(",") || code[i].is("*") ||
                       code[i].is("[") || code[i].is("]") || (i > 0 && code[i - 1].is("("));
    text += (text.empty() || tight ? "" : " ") + code[i].text;
  }
  return text;
}

bool uses_macros(const UserProgram& program, const Definition& definition) {
  const auto names = [&](const Tokens& line, std::size_t i) {
    return line.size() > 2 && line[1].is("define") && line[2].is(program.code[i].text);
  };
  for (std::size_t i = definition.begin; i <= definition.parameters_end; ++i) {
    for (const Tokens& line : program.directives) {
      if (names(line, i)) return true;
    }
  }
  return false;
}

bool has_signature(const UserProgram& program, const Definition& definition,
                   const Signature& wanted) {
  const Tokens& code = program.code;
  if (uses_macros(program, definition)) return true;
  const auto result = known_type(code.data() + definition.begin, code.data() + definition.name);
  // What is not used may be anything: gpyfft's test has a store's function that returns an element.
  const bool used = wanted.result != "void";
  if (used && result && *result != known_type(wanted.result)) return false;
  const std::vector<Span> parameters = parameters_of(code, definition);
  if (parameters.size() != wanted.parameters.size()) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& [begin, end] = parameters[i];
    // The last word is the parameter's name.
    const auto type = begin == end ? std::nullopt : known_type(begin, end - 1);
    if (type && !is_as_wanted(*type, wanted.parameters[i])) return false;
  }
  return true;
}

std::string number_type(const HookElement& element) { return element.f64 ? "double" : "float"; }

std::string element_type(const HookElement& element) {
  return number_type(element) + (element.real ? "" : "2");
}

SignatureValue parameter_of(const hook::Parameter& parameter, const std::string& number) {
  using Kind = SignatureValue::Kind;
  switch (parameter.type) {
    case hook::Parameter::Type::real_buffer:
      return {Kind::exact, "__global const " + number + "*", parameter.name};
    case hook::Parameter::Type::complex_buffer:
      return {Kind::exact, "__global const " + number + "2*", parameter.name};
    case hook::Parameter::Type::integer:
      return {Kind::number, "int", parameter.name};
    default:
      return {Kind::number, number, parameter.name};
  }
}

}  // namespace

Signature signature_of(const hook::Code& code, const HookElement& element) {
  using Kind = SignatureValue::Kind;
  const std::string lanes = element.real ? "imago_real" : "imago_complex";
  const std::string type = code.lanes ? lanes : element_type(element);
  Signature wanted{type, {{Kind::exact, type, "x"}, {Kind::exact, "const imago_at*", "at"}}};
  for (const hook::Parameter& parameter : code.parameters)
    wanted.parameters.push_back(parameter_of(parameter, number_type(element)));
  return wanted;
}

Signature signature_of(const hook::Access&, const HookElement& element) {
  using Kind = SignatureValue::Kind;
  const auto memory = [](const char* name) {
    return SignatureValue{Kind::memory, "__global void*", name};
  };
  const auto part = [&](const char* name) {
    return SignatureValue{Kind::exact, number_type(element), name};
  };
  Signature wanted{!element.stored ? element_type(element) : "void",
                   {memory(!element.stored ? "in" : "out")}};
  if (element.planar) wanted.parameters = {memory("re"), memory("im")};
  wanted.parameters.push_back({Kind::number, "uint", "offset"});
  wanted.parameters.push_back(memory("userdata"));
  if (!element.stored) return wanted;
  const std::vector<SignatureValue> written =
      element.planar ? std::vector{part("x_re"), part("x_im")}
                     : std::vector{SignatureValue{Kind::exact, element_type(element), "x"}};
  wanted.parameters.insert(wanted.parameters.end(), written.begin(), written.end());
  return wanted;
}

std::string Signature::text(const std::string& function) const {
  std::string list;
  for (const SignatureValue& parameter : parameters)
    list += (list.empty() ? "" : ", ") + parameter.type + " " + parameter.name;
  return result + " " + function + "(" + list + ")";
}

void check_signature(const std::string& field, const UserProgram& program,
                     const std::string& function, const Signature& wanted) {
  const Definition* other = nullptr;
  const std::vector<Definition> definitions = definitions_in(program.code);
  for (const Definition& definition : definitions) {
    if (!program.code[definition.name].is(function)) continue;
    // Branches of an #if may have one each: which of them is compiled is not known here.
    if (has_signature(program, definition, wanted)) return;
    if (other == nullptr) other = &definition;
  }
  if (other != nullptr)
    base::invalid(in_line("the signature", program.code[other->name].line, field),
                  quoted(declared(program.code, *other)),
                  "it is called as '" + wanted.text(function) + "'");
}

}  // namespace imago::problem
