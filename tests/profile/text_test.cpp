// This file checks that a profile's text restores what was written, and that all other texts are
// rejected.
#include "profile/read.hpp"
#include "profile/write.hpp"

#include <functional>
#include <limits>
#include <set>

#include <imago/error.hpp>
#include <nlohmann/json.hpp>

#include "profile/support.hpp"
#include "profile/words.hpp"
#include "support/catch.hpp"
#include "support/message.hpp"

namespace imago {
namespace {

using Json = nlohmann::json;
using profile::parse;
using profile::to_text;
using test::ContainsSubstring;
using test::full_profile;

std::string complaint_about(const std::string& text) {
  return test::message_of<ProfileError>([&] { parse(text, "p.json"); });
}

/// Returns the message of parse() about the full profile after `change`.
std::string complaint(const std::function<void(Json&)>& change) {
  Json json = Json::parse(to_text(full_profile()));
  change(json);
  return complaint_about(json.dump());
}

TEST_CASE("every member of a profile is read back as it was written", "[profile]") {
  const auto all = full_profile();
  CHECK(parse(to_text(all), "p") == all);
  const profile::Profile empty = test::profile_of(test::tuned_device());
  CHECK(parse(to_text(empty), "p") == empty);
  auto extreme = all;
  extreme.entries[0].seconds = std::numeric_limits<double>::min();
  extreme.entries[0].problem.batch = std::uint64_t{1} << 60;
  extreme.rates.copy_bytes = 0.1 + 0.2;
  CHECK(parse(to_text(extreme), "p") == extreme);
}

TEST_CASE("an entry is a line", "[profile]") {
  const std::string text = to_text(full_profile());
  CHECK_THAT(text, ContainsSubstring("\n    {\"problem\":{\"kinds\":\"complex\",\"lengths\":[1024],"
                                     "\"batch\":128,\"precision\":\"f32\","
                                     "\"placement\":\"out_of_place\",\"layout\":\"packed\"},"
                                     "\"parameters\":{\"kernels\":[{\"items\":64}]},"
                                     "\"seconds\":2e-05}\n"));
}

TEST_CASE("a text that is cut off anywhere is refused", "[profile][hostile]") {
  std::string text = to_text(full_profile());
  text.pop_back();  // the line end after the last brace
  for (std::size_t size = 0; size < text.size(); ++size) {
    INFO("cut at byte " << size);
    REQUIRE_THROWS_AS(parse(text.substr(0, size), "p"), ProfileError);
  }
  CHECK_NOTHROW(parse(text, "p"));
}

TEST_CASE("a byte that is changed anywhere does no harm", "[profile][hostile]") {
  const std::string text = to_text(full_profile());
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char byte : {'\0', '\xff', '"', '[', '{', '}', '9', '-'}) {
      std::string changed = text;
      changed[i] = byte;
      try {
        parse(changed, "p");
      } catch (const ProfileError&) {  // any other exception fails the test
      }
    }
  }
}

TEST_CASE("a message names the file, the place and what was expected", "[profile][hostile]") {
  CHECK(complaint([](Json& j) { j["entries"][0]["problem"]["batch"] = -3; }) ==
        "p.json: /entries/0/problem/batch: it is -3; it must be a whole number from 1 to "
        "1152921504606846976");
  CHECK(complaint([](Json& j) { j["entries"][0]["parameters"]["kernels"][1]["axis"] = "rows"; }) ==
        "p.json: /entries/0/parameters/kernels/1/axis: it is \"rows\"; it must be one of "
        "automatic, columns, points");
  CHECK(complaint([](Json& j) { j["device"].erase("driver"); }) ==
        "p.json: /device: the member driver is missing");
  CHECK(complaint([](Json& j) { j["entries"][1]["speed"] = 1; }) ==
        "p.json: /entries/1: the member speed is unknown");
  CHECK(complaint([](Json& j) { j["entries"] = "many"; }) ==
        "p.json: /entries: it is \"many\"; it must be an array of 0 to 100000 elements");
  CHECK(complaint([](Json& j) { j["entries"].push_back(j["entries"][1]); }) ==
        "p.json: /entries/2: the class complex-1024-f32-out_of_place-packed-batch_128 appears "
        "twice");
  CHECK_THAT(complaint_about("{\"schema\": 1, \"schema\": 1}"),
             ContainsSubstring("p.json: the document: the member schema appears twice"));
  CHECK_THAT(complaint_about("{\"schema\": 1,"),
             ContainsSubstring("p.json: byte 14: it must be JSON"));
}

TEST_CASE("a profile of another schema is rejected", "[profile][hostile]") {
  CHECK(complaint([](Json& j) {
          j["schema"] = 2;
          j["entries"] = "in some other form";
        }) == "p.json: /schema: it is 2; it must be a whole number from 1 to 1");
  CHECK(complaint([](Json& j) { j.erase("schema"); }) ==
        "p.json: the document: the member schema is missing");
  for (const char* text :
       {"[]", "7", "null", "\"profile\"", "{}", "", " ", "\xef\xbb\xbf", "nul"}) {
    INFO(text);
    CHECK(complaint_about(text) != "");
  }
}

TEST_CASE("wrong types and numbers are refused", "[profile][hostile]") {
  const std::vector<Json> wrong_whole{
      -1, 1.5, 1e300, "7", nullptr, true, Json::array(), Json::object(), std::uint64_t{1} << 61};
  for (const Json& wrong : wrong_whole) {
    INFO(wrong);
    for (const char* member : {"length", "items", "columns", "lanes"}) {
      CHECK(complaint([&](Json& j) {
              j["entries"][0]["parameters"]["kernels"][0][member] = wrong;
            }) != "");
    }
    CHECK(complaint([&](Json& j) { j["entries"][0]["problem"]["batch"] = wrong; }) != "");
    CHECK(complaint([&](Json& j) { j["entries"][0]["problem"]["lengths"][0] = wrong; }) != "");
    CHECK(complaint([&](Json& j) {
            j["entries"][0]["parameters"]["kernels"][0]["radices"][0] = wrong;
          }) != "");
  }
  for (const Json& wrong : std::vector<Json>{-1, 0, 1e10, "1", nullptr, true}) {
    INFO(wrong);
    CHECK(complaint([&](Json& j) { j["entries"][0]["seconds"] = wrong; }) != "");
    if (wrong != 0 && wrong != 1e10)
      CHECK(complaint([&](Json& j) { j["rates"]["flops"] = wrong; }) != "");
  }
  CHECK(complaint([](Json& j) { j["rates"]["segments"].push_back(1); }) != "");
  CHECK(complaint([](Json& j) { j["entries"][0]["problem"]["lengths"] = Json::array(); }) != "");
  CHECK(complaint([](Json& j) { j["entries"][0]["problem"]["kinds"] = "fractal"; }) != "");
  CHECK(complaint([](Json& j) { j["device"]["name"] = std::string(1001, 'x'); }) != "");
  std::string huge = to_text(full_profile());
  huge.replace(huge.find("2e-05"), 5, "1e400");
  CHECK_THAT(complaint_about(huge), ContainsSubstring("number overflow"));
}

TEST_CASE("fast and inexact twiddles are for callers, not for profiles", "[profile][hostile]") {
  CHECK_THAT(complaint([](Json& j) {
               j["entries"][0]["parameters"]["kernels"][0]["twiddles"] = "native";
             }),
             ContainsSubstring("it is \"native\""));
  auto native = full_profile();
  native.entries[0].parameters.kernels[0].twiddles = Twiddles::native;
  CHECK_THROWS_AS(to_text(native), ProfileError);
}

TEST_CASE("deep, wide and long texts are refused early", "[profile][hostile]") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '['); };
  CHECK_THAT(complaint_about(nested(100000)), ContainsSubstring("nested at most 10"));
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  CHECK_THAT(complaint_about(objects), ContainsSubstring("nested at most 10"));
  std::string million = "{\"schema\":1,\"entries\":[{}";
  for (int i = 1; i < 1000000; ++i) million += ",{}";
  CHECK_THAT(complaint_about(million + "]}"),
             ContainsSubstring("p.json: /entries: it must have at most 100000 elements"));
  std::string members = "{\"a\":0";
  for (int i = 1; i < 100; ++i) members += ",\"a" + std::to_string(i) + "\":0";
  CHECK_THAT(complaint_about(members + "}"), ContainsSubstring("at most 64 members"));
  CHECK_THAT(complaint_about(std::string((16 << 20) + 1, ' ')),
             ContainsSubstring("at most 16777216"));
  CHECK(complaint_about("\"" + std::string(1 << 20, 'x')).size() < 400);
}

/// Returns all words of an enumeration in the schema.
template <class Words>
std::set<std::string> texts(const Words& words) {
  std::set<std::string> found;
  for (const auto& word : words) found.emplace(word.text);
  return found;
}

/// Checks that every member of `value` is a property of `schema`.
void check_properties(const Json& root, Json schema, const Json& value) {
  if (schema.contains("$ref"))
    schema = root.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1)));
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) {
      INFO(name);
      REQUIRE(schema.at("properties").contains(name));
      check_properties(root, schema["properties"][name], member);
    }
  }
  if (value.is_array()) {
    for (const auto& element : value) check_properties(root, schema.at("items"), element);
  }
}

TEST_CASE("the schema in tuning/ knows the same members and words", "[profile]") {
  const Json schema = Json::parse(test::read_file(IMAGO_PROFILE_SCHEMA));
  check_properties(schema, schema, Json::parse(to_text(full_profile())));
  CHECK(schema["properties"]["schema"]["const"] == profile::kSchema);
  const auto words = [&](const char* pointer) {
    return schema.at(Json::json_pointer(pointer)).at("enum").get<std::set<std::string>>();
  };
  CHECK(words("/properties/device/properties/type") == texts(profile::kTypes));
  const std::string entry = "/$defs/entry/properties", kernel = "/$defs/kernel/properties";
  CHECK(words((entry + "/problem/properties/precision").c_str()) == texts(profile::kArithmetics));
  CHECK(words((entry + "/problem/properties/placement").c_str()) == texts(profile::kPlacements));
  CHECK(words((entry + "/problem/properties/layout").c_str()) == texts(profile::kLayouts));
  CHECK(words((entry + "/parameters/properties/mapping").c_str()) == texts(profile::kMappings));
  CHECK(words((entry + "/parameters/properties/algorithm").c_str()) == texts(profile::kAlgorithms));
  CHECK(words((kernel + "/axis").c_str()) == texts(profile::kLaneAxes));
  CHECK(words((kernel + "/exchange").c_str()) == texts(profile::kExchanges));
  CHECK(words("/$defs/twiddles") == texts(profile::kTwiddles));
}

}  // namespace
}  // namespace imago
