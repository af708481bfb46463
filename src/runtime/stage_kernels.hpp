// This file builds the hand-written kernels of a method, and describes their launches.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "kernel/handmade.hpp"
#include "runtime/program.hpp"
#include "runtime/sequence.hpp"

namespace imago::runtime {

/// A hand-written kernel that is built.
struct BuiltHandmade {
  kernel::Handmade code;
  ProgramPointer program;
  Handle<cl_kernel> kernel;  ///< for one call at a time, because calls set its arguments
};

/// Launches a kernel once, on temporary memory: KernelCode::rehearse.
using Rehearsal = std::function<void(const kernel::Handmade&, cl_kernel)>;

/// Builds kernels, in their order. The names of their programs differ. Throws as build().
std::vector<BuiltHandmade> build_handmade(const Target& target,
                                          std::vector<kernel::Handmade> kernels,
                                          const DiskCache& disk, const Rehearsal& rehearse = {});
/// Returns true if build_handmade() would compile nothing.
bool are_built(const Target& target, const std::vector<kernel::Handmade>& kernels,
               const DiskCache& disk);

/// The kernels of a method, by an enumeration of its stages. Stages that a method does not use are
/// missing.
template <class Stage>
class StageKernels {
 public:
  using Codes = std::map<Stage, kernel::Handmade>;

  StageKernels() = default;
  StageKernels(const Target& target, const Codes& codes, const DiskCache& disk,
               const Rehearsal& rehearse = {}) {
    std::vector<kernel::Handmade> kernels;
    for (const auto& [_, code] : codes) kernels.push_back(code);
    auto built = build_handmade(target, std::move(kernels), disk, rehearse);
    auto next = built.begin();
    for (const auto& [stage, _] : codes) built_.emplace(stage, std::move(*next++));
  }

  bool has(Stage stage) const { return built_.count(stage) > 0; }
  /// Returns the code of a stage that is not missing; so do all other functions.
  const kernel::Handmade& code(Stage stage) const { return built_.at(stage).code; }
  /// Returns the kernel object that all calls share.
  cl_kernel shared(Stage stage) const { return built_.at(stage).kernel.get(); }
  /// Returns a new kernel object, whose arguments no other call sets.
  Handle<cl_kernel> own(Stage stage) const {
    return built_.at(stage).program->make_kernel(code(stage).kernel_name());
  }

  /// Returns the launch of `groups` work-groups.
  KernelLaunch launch(Stage stage, cl_kernel kernel, std::size_t groups) const {
    return {kernel, code(stage).kernel_name().c_str(), groups, code(stage).items};
  }
  /// The launch owns the kernel object.
  KernelLaunch launch(Stage stage, Handle<cl_kernel> kernel, std::size_t groups) const {
    KernelLaunch made = launch(stage, kernel.get(), groups);
    made.own = std::make_shared<const Handle<cl_kernel>>(std::move(kernel));
    return made;
  }

  /// Calls `use` with each built kernel, in the order of the stages; for kernels of one program,
  /// with the first.
  template <class Use>
  void each(Use use) const {
    std::set<const LiveProgram*> used;
    for (const auto& [_, built] : built_) {
      if (used.insert(built.program.get()).second) use(built);
    }
  }

 private:
  std::map<Stage, BuiltHandmade> built_;
};

}  // namespace imago::runtime
