// This file checks what a call brings along, before anything is enqueued.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "problem/problem.hpp"
#include "runtime/executable.hpp"

namespace imago::api {

/// What every call of a plan must fit.
struct Home {
  cl_context context = nullptr;
  cl_device_id device = nullptr;
};

/// One side of a call: the array, where its data lies and what the kernels do with it.
struct Side {
  const char* name = "";
  const Array& array;
  std::uint64_t offset = 0;  ///< of the array, in the side's elements
  const problem::Side& layout;
  bool read = false, written = false;
};

/// The handles of `waits`; throws for null and foreign ones.
std::vector<cl_event> check_waits(const Home& home, const std::vector<cl::Event>& waits);
/// True where the queue runs in order; throws for a null or foreign queue.
bool check_queue(const Home& home, cl_command_queue queue);
/// Throws for a null or foreign buffer, for one that is too small or may not be used so.
void check_side(const Home& home, const Side& side);
/// Throws where the ranges of two sides share memory.
void check_apart(const Side& a, const Side& b);

}  // namespace imago::api
