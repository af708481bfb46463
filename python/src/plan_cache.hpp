// This file keeps the plans that were used last. Safe from many threads: one thread makes a plan,
// the others that want the same wait for it, and who wants another does not.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>

#include <imago/host_plan.hpp>
#include <imago/plan.hpp>

namespace imago::python {

class PlanCache {
 public:
  /// Of arrays on the device, or of arrays in host memory.
  using Kept = std::variant<Plan, HostPlan>;
  using Shared = std::shared_ptr<const Kept>;
  struct Counts {
    std::size_t plans = 0, bytes = 0, hits = 0, misses = 0;
  };

  /// At most so many plans, whose workspaces hold at most so many bytes together; the plan that was
  /// used last is kept in any case.
  PlanCache(std::size_t plans, std::size_t bytes) : most_plans_(plans), most_bytes_(bytes) {}

  using Make = std::function<Kept()>;

  /// The plan of this key. Where there is none, `prepare` gives what makes it, whose exceptions go
  /// to all that wait for it; it needs nothing else, for it goes on where who waits is interrupted.
  /// What fails then is made anew by the next one that wants it.
  Shared get(const std::string& key, const std::function<Make()>& prepare);
  void clear();
  /// Changes the number of plans that are kept.
  void limit(std::size_t plans);
  Counts counts() const;

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<std::promise<Shared>> promise = std::make_shared<std::promise<Shared>>();
    std::shared_future<Shared> plan;
    /// Whether who began to make it was interrupted.
    std::shared_ptr<std::atomic<bool>> left_behind = std::make_shared<std::atomic<bool>>(false);
    std::size_t bytes = 0;
    bool counted = false;  ///< it is made, and its bytes are known
  };
  using Entries = std::list<Entry>;

  Entry insert(const std::string& key);
  Shared build(const Entry& entry, Make make);
  void count(const std::string& key);
  void trim();
  void forget(Entries::iterator entry);

  std::size_t most_plans_;
  const std::size_t most_bytes_;
  mutable std::mutex mutex_;
  Entries entries_;  ///< the one that was used last is first
  std::unordered_map<std::string, Entries::iterator> by_key_;
  std::size_t bytes_ = 0, hits_ = 0, misses_ = 0;
};

}  // namespace imago::python
