// This file tests the contents of a report, and that it has no personal data.
#include "report_facts.hpp"

#include "support/catch.hpp"
#include "support/variable.hpp"

namespace imago::command {
namespace {

using test::ContainsSubstring;

const Names kNames{"/home/ann", {"ann"}, {"box.lab", "box"}};

TEST_CASE("names of people and machines are taken out of a report") {
  const auto clean = [](const char* text) { return without_names(std::string(text), kNames); };
  CHECK(clean("/home/ann/.cache/imago") == "~/.cache/imago");
  CHECK(clean("PATH=/home/ann:/bin") == "PATH=~:/bin");
  CHECK(clean("/home/anna/x") == "/home/anna/x");
  CHECK(clean("/scratch/ann/cache") == "/scratch/USER/cache");
  CHECK(clean("box.lab, box and boxes") == "HOST, HOST and boxes");
  CHECK(clean("annual") == "annual");
}

TEST_CASE("names are taken out of every text, however deep") {
  const Json json{{"a", {{"b", Json::array({"/home/ann", 3})}}}};
  CHECK(without_names(json, kNames).dump() == R"({"a":{"b":["~",3]}})");
}

TEST_CASE("a report has what a mistake needs") {
  const test::Variable debug("POCL_DEBUG", "off");
  const Json facts = report_facts();
  for (const char* part : {"imago", "machine", "loader", "drivers", "platforms", "devices",
                           "profile_folder", "cache", "environment"})
    CHECK(facts.contains(part));
  CHECK(facts["environment"]["POCL_DEBUG"] == "off");
  CHECK_FALSE(facts["environment"].contains("PATH"));
  CHECK_THAT(report_text(facts), ContainsSubstring("  version"));
}

}  // namespace
}  // namespace imago::command
