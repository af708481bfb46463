// This file checks where profiles are looked for on Windows.
#include "profile/ladder.hpp"
#include "support/catch.hpp"
#include "support/variable.hpp"

namespace imago {
namespace {

namespace fs = std::filesystem;

TEST_CASE("the usual places", "[profile][ladder]") {
  const test::Variable variable("IMAGO_PROFILE_DIR", "C:\\by\\variable"),
      none("XDG_CONFIG_HOME", ""), local("LOCALAPPDATA", "C:\\Users\\me"),
      machine("PROGRAMDATA", "C:\\Data");
  const profile::Sources sources = profile::usual_sources("C:\\own");
  CHECK(sources.folders ==
        std::vector<fs::path>{"C:\\own", "C:\\by\\variable", "C:\\Users\\me\\imago\\profiles"});
  CHECK(sources.system == std::vector<fs::path>{"C:\\Data\\imago\\profiles"});
  CHECK(profile::home_folder() == "C:\\by\\variable");
  const test::Variable bare("IMAGO_PROFILE_DIR", ""), homeless("LOCALAPPDATA", "");
  CHECK(profile::home_folder().empty());
}

}  // namespace
}  // namespace imago
