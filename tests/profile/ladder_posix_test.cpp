// This file checks where profiles are looked for on POSIX systems.
#include "profile/file.hpp"
#include "profile/ladder.hpp"
#include "profile/support.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/log_lines.hpp"
#include "support/variable.hpp"

namespace imago {
namespace {

namespace fs = std::filesystem;
using profile::Ladder;
using profile::Sources;
using test::entry;
using test::profile_of;
using test::tuned_device;

TEST_CASE("the usual places", "[profile][ladder]") {
  const test::Variable profiles("IMAGO_PROFILE_DIR", "/by/variable"),
      config("XDG_CONFIG_HOME", "/config"), home("HOME", "/home/me");
  const auto folders = [](const fs::path& directory) {
    return profile::usual_sources(directory).folders;
  };
  CHECK(folders("/own") == std::vector<fs::path>{"/own", "/by/variable", "/config/imago"});
  CHECK(profile::home_folder() == "/by/variable");
  const test::Variable none("IMAGO_PROFILE_DIR", "");
  CHECK(folders("") == std::vector<fs::path>{"/config/imago"});
  CHECK(profile::home_folder() == "/config/imago");
  const test::Variable bare("XDG_CONFIG_HOME", "");
  CHECK(folders("") == std::vector<fs::path>{"/home/me/.config/imago"});
  const test::Variable homeless("HOME", "");
  CHECK(folders("").empty());
  CHECK(profile::home_folder().empty());
  CHECK(profile::usual_sources({}).shipped == &profile::shipped());
}

TEST_CASE("the system's places", "[profile][ladder]") {
  const auto system = [] { return profile::usual_sources({}).system; };
  {
    const test::Variable config("XDG_CONFIG_DIRS", ""), data("XDG_DATA_DIRS", "");
    CHECK(system() == std::vector<fs::path>{"/etc/xdg/imago", "/usr/local/share/imago/profiles",
                                            "/usr/share/imago/profiles"});
  }
  const test::Variable config("XDG_CONFIG_DIRS", "/a:relative:/b"), data("XDG_DATA_DIRS", "/c");
  CHECK(system() == std::vector<fs::path>{"/a/imago", "/b/imago", "/c/imago/profiles"});
}

TEST_CASE("the system's profiles are not read if others can write them", "[profile][ladder]") {
  const test::Folder system;
  const Sources sources{{}, nullptr, {system.path()}};
  profile::save(system.path() / "p.json", profile_of(tuned_device(), {entry(8, 1, 1)}));
  const auto usable = [&] { return Ladder(tuned_device(), sources).usable().size(); };
  CHECK(usable() == 1);
  fs::permissions(system.path(), fs::perms::others_write, fs::perm_options::add);
  const test::LogLines log;
  CHECK(usable() == 0);
  CHECK(usable() == 0);
  CHECK(log.count("can be written by others") == 1);
}

}  // namespace
}  // namespace imago
