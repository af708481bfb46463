// This file implements Plans.
#include "host/plans.hpp"

#include <algorithm>
#include <utility>

#include "api/parts.hpp"

namespace imago::host {

Options options_of(const Shapes::Shape& shape, Options options) {
  if (shape.part) options.parameters = {};
  return options;
}

Plans::Plans(const Pool& pool, const Options& options, std::vector<Shapes::Shape> shapes)
    : pool_(pool),
      options_(options),
      shapes_(std::move(shapes)),
      plans_(pool.size() * shapes_.size()) {}

const Plan& Plans::get(std::size_t device, std::size_t shape) const {
  Lazy& lazy = plans_[device * shapes_.size() + shape];
  const std::lock_guard lock(lazy.mutex);
  if (!lazy.plan)
    lazy.plan.emplace(pool_.context(device), pool_.device(device), shapes_[shape].transform,
                      options_of(shapes_[shape], options_));
  return *lazy.plan;
}

bool Plans::takes_number(std::size_t shape) const {
  const Transform& t = shapes_[shape].transform;
  return shapes_[shape].part && !(t.on_forward.store.empty() && t.on_inverse.store.empty());
}

std::vector<const Plan*> Plans::made(std::size_t most) const {
  std::vector<const Plan*> made;
  for (std::size_t i = 0; i < most; ++i) {
    Lazy& lazy = plans_[i];
    const std::lock_guard lock(lazy.mutex);
    if (lazy.plan) made.push_back(&*lazy.plan);
  }
  return made;
}

bool Plans::ready() const {
  const auto all = made(plans_.size());
  return std::all_of(all.begin(), all.end(), [](const Plan* plan) { return plan->ready(); });
}

bool Plans::wait(std::chrono::milliseconds most) const {
  return api::wait_for_all(made(plans_.size()), most);
}

}  // namespace imago::host
