// This file is the inside of a Pool: a device, its context and its lanes.
#pragma once

#include <memory>
#include <vector>

#include <imago/pool.hpp>

#include "host/lanes.hpp"

namespace imago {

// The class is exported, its inside is not.
struct [[gnu::visibility("hidden")]] Pool::State {
  struct Member {
    cl::Device device;
    cl::Context context;
    bool in_callers_memory = false;
    host::Lanes lanes = {};

    host::Lanes::Loan borrow() { return {lanes, context(), device()}; }
  };

  void add(cl_context context, cl_device_id device, const PoolOptions& options);
  Member& member(std::size_t i) const;

  std::vector<std::unique_ptr<Member>> members;
};

}  // namespace imago
