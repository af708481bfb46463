// This file checks the cache of the most recently used values: its limits, failures, and threads
// that request the same value.
#include "base/lru_cache.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"

namespace imago {
namespace {

/// Values are texts; their size in bytes is their length.
using Texts = base::LruCache<int, std::string>;

std::size_t length(const std::string& text) { return text.size(); }

Texts::Shared made(Texts& texts, int key, const std::string& text) {
  return texts.get(key, [&] { return [text] { return text; }; });
}

TEST_CASE("values used last are kept within both limits", "[base][lru]") {
  Texts texts({3, 10}, length);
  const auto first = made(texts, 1, "aaaa");
  made(texts, 2, "bbbb");
  CHECK(made(texts, 1, "other") == first);
  made(texts, 3, "cccc");  // evicts 2, by bytes
  CHECK(texts.counts().values == 2);
  CHECK(texts.counts().bytes == 8);
  CHECK(made(texts, 1, "other") == first);
  for (const int key : {4, 5}) made(texts, key, "");
  CHECK(texts.counts().values == 3);  // 3 was evicted, by number
  CHECK(texts.counts().hits == 2);
  CHECK(texts.counts().misses == 5);
  CHECK(*made(texts, 6, "longer than all") == "longer than all");
  CHECK(texts.counts().values == 1);
  texts.clear();
  CHECK(texts.counts().bytes == 0);
  CHECK(*made(texts, 1, "new") == "new");
  made(texts, 2, "");
  texts.limit(1);
  CHECK(texts.counts().values == 1);
}

TEST_CASE("only the thread that made the value gets its exception, and others try again",
          "[base][lru]") {
  Texts texts({4, 100}, length);
  std::atomic<int> tries = 0, failures = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] {
        try {
          const auto text = texts.get(1, [&] {
            return [&]() -> std::string {
              std::this_thread::sleep_for(std::chrono::milliseconds(5));
              if (++tries == 1) throw std::runtime_error("the first one fails");
              return "made";
            };
          });
          if (*text != "made") ++failures;
        } catch (const std::runtime_error&) {
          ++failures;
        }
      });
  }
  CHECK(failures == 1);
  CHECK(tries == 2);
  CHECK(texts.counts().values == 1);
  CHECK_THROWS_AS(
      texts.get(2, []() { return []() -> std::string { throw std::runtime_error("never"); }; }),
      std::runtime_error);
  CHECK(texts.counts().values == 1);
}

std::vector<std::function<void()>>& jobs_left() {
  static std::vector<std::function<void()>> jobs;
  return jobs;
}

TEST_CASE("a caller may leave a value that is being made, and finds it later", "[base][lru]") {
  base::CacheWaiting waiting;
  waiting.work = [](std::function<void()> job) {
    jobs_left().push_back(std::move(job));
    throw std::runtime_error("interrupted");
  };
  waiting.wait = [](const std::function<bool(std::chrono::milliseconds)>& ready) {
    for (const auto& job : jobs_left()) job();
    CHECK(ready(std::chrono::milliseconds(0)));
  };
  Texts texts({4, 100}, length, waiting);
  CHECK_THROWS_WITH(made(texts, 1, "left"), "interrupted");
  CHECK(texts.counts().bytes == 0);
  CHECK(*made(texts, 1, "other") == "left");
  CHECK(texts.counts().bytes == 4);
  jobs_left().clear();
}

TEST_CASE("if the preparation of a value fails, nothing is kept", "[base][lru]") {
  Texts texts({4, 100}, length);
  const auto fails = []() -> std::string (*)() { throw std::runtime_error("no memory"); };
  CHECK_THROWS_WITH(texts.get(1, fails), "no memory");
  CHECK(*made(texts, 1, "later") == "later");
}

}  // namespace
}  // namespace imago
