// This file checks the order of the look-up, that changed files are read again, and that an invalid
// file costs only one line in the log.
#include "profile/ladder.hpp"

#include <chrono>

#include "profile/file.hpp"
#include "profile/read.hpp"
#include "profile/support.hpp"
#include "profile/write.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/log_lines.hpp"

namespace imago::test {
const std::vector<profile::Shipped>& shipped();  // profiles of tests/profile/shipped
}

namespace imago {
namespace {

namespace fs = std::filesystem;
using profile::Ladder;
using profile::Sources;
using test::entry;
using test::problem_class;
using test::profile_of;
using test::tuned_device;

/// Returns the device of tuned_device() with a change.
template <class Change>
device::Facts like(Change change) {
  device::Facts facts = tuned_device();
  change(facts);
  return facts;
}
device::Facts other_driver() {
  return like([](auto& f) { f.driver = "0.9"; });
}
device::Facts other_model() {
  return like([](auto& f) { f.name = "Small GPU", f.vendor = "Board maker"; });
}
device::Facts kindred() {
  return like([](auto& f) { f.name = "Large GPU"; });
}
device::Facts other_architecture() {
  return like([](auto& f) { f.name = "Old GPU", f.architecture = "big_8"; });
}

/// Returns "<items> <match level>": the entry that was found, and how; or "none".
std::string found(const Sources& sources, std::uint64_t length = 8, std::uint64_t batch = 1) {
  const auto it = Ladder(tuned_device(), sources).find(problem_class(length, batch));
  return it ? std::to_string(it->parameters.kernels.at(0).items) + " " + words(it->rung) : "none";
}

/// Three folders, and a file in each for each match level, in the order in which they must be
/// found.
TEST_CASE("rungs come before sources, sources before batches", "[profile][ladder]") {
  const test::Folder folder;
  const Sources sources{{folder.path() / "a", folder.path() / "b", folder.path() / "none"},
                        nullptr};
  const auto& a = sources.folders[0];
  const auto& b = sources.folders[1];
  struct Step {
    fs::path path;
    profile::Profile profile;
    const char* expected;
  };
  const std::vector<Step> worst_first{
      {b / "1.json", profile_of(other_architecture(), {entry(8, 64, 1)}), "1 vendor"},
      {b / "2.json", profile_of(other_architecture(), {entry(8, 1, 2)}), "2 vendor"},
      {a / "3.json", profile_of(other_architecture(), {entry(8, 64, 3)}), "3 vendor"},
      {b / "4.json", profile_of(other_model(), {entry(8, 1, 4)}), "4 architecture"},
      {a / "5.json", profile_of(other_model(), {entry(8, 64, 5)}), "5 architecture"},
      {b / "k.json", profile_of(kindred(), {entry(8, 1, 11)}), "11 vendor and architecture"},
      {b / "6.json", profile_of(other_driver(), {entry(8, 1, 6)}), "6 device"},
      {a / "7.json", profile_of(other_driver(), {entry(8, 64, 7)}), "7 device"},
      {b / "8.json", profile_of(tuned_device(), {entry(8, 64, 8)}), "8 device and driver"},
      {b / "9.json", profile_of(tuned_device(), {entry(8, 1, 9)}), "9 device and driver"},
      {a / "0.json", profile_of(tuned_device(), {entry(8, 64, 10)}), "10 device and driver"}};
  CHECK(found(sources) == "none");
  for (const Step& step : worst_first) {
    profile::save(step.path, step.profile);
    CHECK(found(sources) == step.expected);
    CHECK(found(sources, 16) == "none");
  }
}

TEST_CASE("each profile is listed with its nearest match level", "[profile][ladder]") {
  const test::Folder folder;
  profile::save(folder.path() / "1.json", profile_of(tuned_device(), {entry(8, 1, 1)}));
  profile::save(folder.path() / "2.json", profile_of(other_driver(), {entry(8, 1, 1)}));
  profile::save(folder.path() / "3.json", profile_of(other_architecture(), {entry(8, 1, 1)}));
  const auto cpu = like([](auto& f) { f.type = device::Type::cpu; });
  profile::save(folder.path() / "4.json", profile_of(cpu, {entry(8, 1, 1)}));
  std::string told;
  for (const auto& [source, rung] : Ladder(tuned_device(), {{folder.path()}, nullptr}).usable())
    told += source->file() + " " + words(rung) + "; ";
  CHECK(told == "1.json device and driver; 2.json device; 3.json vendor; ");
}

TEST_CASE("entries do not fit another device type, another class or an unknown architecture",
          "[profile][ladder]") {
  const test::Folder folder;
  const Sources sources{{folder.path()}, nullptr};
  const auto path = folder.path() / "p.json";
  const auto is_found = [&](const device::Facts& facts, const profile::Entry& each) {
    profile::save(path, profile_of(facts, {each}));
    return found(sources) != "none";
  };
  CHECK(is_found(tuned_device(), entry(8, 1, 1)));
  CHECK(!is_found(like([](auto& f) { f.type = device::Type::cpu; }), entry(8, 1, 1)));
  const auto stranger = like([](auto& f) { f.vendor = f.architecture = f.name = ""; });
  CHECK(!is_found(stranger, entry(8, 1, 1)));
  CHECK(!Ladder(stranger, {{folder.path() / "empty"}, nullptr}).find(problem_class(8)));
  for (const auto& change : std::vector<void (*)(profile::ProblemClass&)>{
           [](auto& c) {
             c.lengths = {8, 1};
           },
           [](auto& c) { c.precision = Precision::f64; }, [](auto& c) { c.packed = false; },
           [](auto& c) { c.kind = Kind::dct2; }}) {
    auto each = entry(8, 1, 1);
    change(each.problem);
    CHECK(!is_found(tuned_device(), each));
  }
}

TEST_CASE("a CPU with other vectors takes nothing from its vendor's", "[profile][ladder]") {
  const test::Folder folder;
  const auto cpu = [](const char* name, const char* architecture) {
    return like([&](auto& f) {
      f.type = device::Type::cpu;
      f.name = name, f.architecture = architecture;
    });
  };
  profile::save(folder.path() / "p.json", profile_of(cpu("wide", "cpu-512"), {entry(8, 1, 1)}));
  const auto is_found = [&](const device::Facts& facts) {
    return Ladder(facts, {{folder.path()}, nullptr}).find(problem_class(8)).has_value();
  };
  CHECK(is_found(cpu("another", "cpu-512")));
  CHECK(!is_found(cpu("narrow", "cpu-256")));
}

TEST_CASE("an entry for the other placement is used if no better one exists", "[profile][ladder]") {
  const test::Folder folder;
  const Sources sources{{folder.path()}, nullptr};
  auto in_place = entry(8, 1, 1);
  in_place.problem.placement = Placement::in_place;
  profile::save(folder.path() / "p.json", profile_of(tuned_device(), {in_place}));
  CHECK(found(sources) == "1 device and driver");
  // A lower match level with the right placement comes first.
  profile::save(folder.path() / "q.json", profile_of(other_model(), {entry(8, 64, 2)}));
  CHECK(found(sources) == "2 architecture");
}

TEST_CASE("the nearest batch is the one with the smallest ratio", "[profile][ladder]") {
  const test::Folder folder;
  const Sources sources{{folder.path()}, nullptr};
  profile::save(folder.path() / "p.json",
                profile_of(tuned_device(), {entry(8, 4, 1), entry(8, 16, 2), entry(8, 1000, 3)}));
  const auto nearest = [&](std::uint64_t batch) { return found(sources, 8, batch).substr(0, 1); };
  CHECK(nearest(1) == "1");
  CHECK(nearest(7) == "1");
  CHECK(nearest(8) == "1");  // as far from 4 as from 16: the smaller
  CHECK(nearest(9) == "2");
  CHECK(nearest(126) == "2");
  CHECK(nearest(127) == "3");
}

TEST_CASE("an entry for much more or much less work is not used", "[profile][ladder]") {
  const test::Folder folder;
  const Sources sources{{folder.path()}, nullptr};
  const auto facts = tuned_device();
  const std::uint64_t full = device::filling_points(facts) / 8, few = full / 64 - 1;
  REQUIRE(device::work_of(8 * few, facts) == device::Work::few);
  const auto nearest = [&](std::uint64_t batch) { return found(sources, 8, batch).substr(0, 1); };
  profile::save(folder.path() / "p.json", profile_of(tuned_device(), {entry(8, full, 1)}));
  CHECK(nearest(1) == "n");
  CHECK(nearest(full - 1) == "n");
  CHECK(nearest(full) == "1");
  CHECK(nearest(std::uint64_t{1} << 40) == "1");
  CHECK(nearest(~std::uint64_t{0}) == "1");  // the number of points overflows
  profile::save(folder.path() / "p.json",
                profile_of(tuned_device(), {entry(8, full, 1), entry(8, 1, 2)}));
  CHECK(nearest(1) == "2");
  CHECK(nearest(few) == "2");
  CHECK(nearest(few + 2) == "n");
  CHECK(nearest(full) == "1");
  // Two large transforms, each of which fills the device.
  profile::save(folder.path() / "p.json", profile_of(tuned_device(), {entry(8 * full, 64, 3)}));
  CHECK(found(sources, 8 * full, 1).substr(0, 1) == "3");
}

TEST_CASE("an entry of another driver is a rung lower", "[profile][ladder]") {
  const test::Folder folder;
  auto old = entry(8, 1, 1);
  old.driver = "0.9";
  profile::save(folder.path() / "p.json", profile_of(tuned_device(), {old, entry(8, 64, 2)}));
  CHECK(found({{folder.path()}, nullptr}) == "2 device and driver");
  profile::save(folder.path() / "p.json", profile_of(tuned_device(), {old}));
  CHECK(found({{folder.path()}, nullptr}) == "1 device");
}

TEST_CASE("a file is read again when it changes, and only then", "[profile][ladder]") {
  const test::Folder folder;
  const Sources sources{{folder.path()}, nullptr};
  const auto path = folder.path() / "p.json";
  profile::save(path, profile_of(tuned_device(), {entry(8, 1, 1)}));
  CHECK(found(sources) == "1 device and driver");
  const auto first = profile::read_folder(folder.path());
  CHECK(profile::read_folder(folder.path()) == first);  // cached objects
  profile::save(path, profile_of(tuned_device(), {entry(8, 1, 2)}));
  CHECK(found(sources) == "2 device and driver");
  test::write_file(path, profile::to_text(profile_of(tuned_device(), {entry(8, 1, 33)})));
  CHECK(found(sources) == "33 device and driver");
  fs::remove(path);
  CHECK(found(sources) == "none");
}

TEST_CASE("a look-up that finds nothing changed is cheap", "[profile][ladder]") {
  const test::Folder folder;
  std::vector<profile::Entry> entries;
  for (std::uint64_t i = 1; i <= 20000; ++i) entries.push_back(entry(i % 100 + 1, i, 1));
  profile::save(folder.path() / "p.json", profile_of(tuned_device(), entries));
  const Sources sources{{folder.path()}, nullptr};
  CHECK(found(sources, 8, 7) == "1 device and driver");
  double best = 1;
  for (int i = 0; i < 20; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    found(sources, 8, 7);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count());
  }
  CHECK(best < 1e-3);
}

TEST_CASE("a file that cannot be used costs one line, and no plan", "[profile][ladder]") {
  const test::Folder folder;
  const Sources sources{{folder.path()}, nullptr};
  const auto path = folder.path() / "p.json";
  const auto other = folder.path() / "good.json";
  profile::save(other, profile_of(tuned_device(), {entry(8, 1, 1)}));
  const auto lines = [&](const std::string& text, const std::string& reason) {
    const test::LogLines log;
    test::write_file(path, text);
    for (int i = 0; i < 3; ++i) CHECK(found(sources) == "1 device and driver");
    CHECK(log.count(reason) == 1);
    return log.count("profile " + path.string() + " is ignored: ");
  };
  CHECK(lines("{", "it must be JSON") == 1);
  CHECK(lines("{}", "schema is missing") == 1);
  CHECK(lines("", "byte 1") == 1);
  auto stale = profile_of(tuned_device(), {entry(8, 1, 9)});
  stale.generator = "0";
  CHECK(lines(profile::to_text(stale), "it is from generator \"0\"") == 1);
  const auto foreign = profile_of(test::wide_cpu(), {entry(8, 1, 9)});
  CHECK(lines(profile::to_text(foreign), "it is for the device a CPU") == 1);
  CHECK(lines("{", "it must be JSON") == 1);  // changed, so reported again
}

TEST_CASE("the file of another device causes no log line", "[profile][ladder]") {
  const test::Folder folder;
  const test::LogLines log;
  profile::save(folder.path() / profile::file_name(test::wide_cpu()),
                profile_of(test::wide_cpu(), {entry(8, 1, 9)}));
  CHECK(found({{folder.path()}, nullptr}) == "none");
  CHECK(log.count("") == 0);
}

TEST_CASE("a shipped profile of another device causes no log line", "[profile][ladder]") {
  static const std::string text = profile::to_text(profile_of(test::wide_cpu(), {entry(8, 1, 9)}));
  static const std::vector<profile::Shipped> shipped{
      {profile::file_name(profile::device_of(test::wide_cpu())), text}};
  const test::LogLines log;
  CHECK(found({{}, &shipped}) == "none");
  INFO(log.text());
  CHECK(log.count("") == 0);
}

TEST_CASE("folders, broken links and files without a profile's name are not read",
          "[profile][ladder]") {
  const test::Folder folder;
  const test::LogLines log;
  fs::create_directory(folder.path() / "folder.json");
  std::error_code no_links;  // Windows has none for users
  fs::create_symlink(folder.path() / "nowhere", folder.path() / "broken.json", no_links);
  test::write_file(folder.path() / "p.json.lock", "");
  test::write_file(folder.path() / "p.json.1-2.tmp", "{");
  CHECK(found({{folder.path()}, nullptr}) == "none");
  CHECK(log.count("folder.json is ignored") == 1);
  CHECK(log.count("") == 1);
}

TEST_CASE("rates come from the device's own profile", "[profile][ladder]") {
  const test::Folder folder;
  const Sources sources{{folder.path() / "a", folder.path() / "b"}, nullptr};
  const auto rates = [&] {
    const auto it = Ladder(tuned_device(), sources).rates();
    return it ? it->copy_bytes : 0;
  };
  const auto put = [&](const char* file, const device::Facts& facts, double copy) {
    auto made = profile_of(facts);
    made.rates.copy_bytes = copy;
    profile::save(folder.path() / file, made);
  };
  put("a/1.json", other_model(), 1);
  CHECK(rates() == 0);
  put("a/2.json", other_driver(), 2);
  CHECK(rates() == 2);
  put("b/3.json", tuned_device(), 3);
  CHECK(rates() == 3);
  put("a/0.json", tuned_device(), 0);  // measured nothing
  CHECK(rates() == 3);
}

TEST_CASE("profiles are built into a library", "[profile][ladder]") {
  REQUIRE(test::shipped().size() == 2);
  const Sources sources{{}, &test::shipped()};
  CHECK(found(sources, 1024, 64) == "128 device and driver");
  const auto it = Ladder(tuned_device(), sources).find(problem_class(1024, 64));
  REQUIRE(it);
  CHECK(it->text() ==
        "profile shipped big-gpu-9000-big-opencl.json, rung device and driver, class "
        "complex-1024-f32-out_of_place-packed-batch_64");
  const test::Folder folder;
  profile::save(folder.path() / "p.json", profile_of(tuned_device(), {entry(1024, 64, 7)}));
  CHECK(found({{folder.path()}, &test::shipped()}, 1024, 64) == "7 device and driver");
}

TEST_CASE("the profiles that come with imago are good", "[profile][ladder]") {
  for (const auto& file : profile::shipped()) {
    INFO(file.name);
    CHECK(profile::file_name(profile::parse(file.text, file.name).device) == file.name);
    CHECK(profile::parse(file.text, file.name).generator == profile::kGenerator);
  }
}

TEST_CASE("the system's profiles come after the user's", "[profile][ladder]") {
  const test::Folder user, system;
  const Sources sources{{user.path()}, nullptr, {system.path()}};
  profile::save(system.path() / "p.json", profile_of(tuned_device(), {entry(8, 1, 1)}));
  CHECK(found(sources) == "1 device and driver");
  profile::save(user.path() / "p.json", profile_of(tuned_device(), {entry(8, 1, 2)}));
  CHECK(found(sources) == "2 device and driver");
}

}  // namespace
}  // namespace imago
