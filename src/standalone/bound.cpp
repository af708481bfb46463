// This file lists the arguments of a launch with their values.
#include "standalone/bound.hpp"

#include "base/errors.hpp"

namespace imago::standalone {
namespace {

using Role = kernel::KernelParameter::Role;
using Of = kernel::KernelParameter::Of;
using What = Bound::What;

class Binder {
 public:
  Binder(const kernel::Step& step, const kernel::Launch& launch, const Offsets& offsets)
      : step_(step), launch_(launch), offsets_(offsets) {}

  Bound bind(const kernel::KernelParameter& parameter) const {
    Bound made;
    made.parameter = parameter;
    const bool input = parameter.of == Of::in;
    const kernel::Place& place = input ? launch_.in : launch_.out;
    made.place = place.memory;
    made.stores = !input;
    const auto with = [&](What what, std::uint64_t value) {
      made.what = what;
      made.integer = static_cast<std::int64_t>(value);
      return made;
    };
    switch (parameter.role) {
      case Role::memory:
      case Role::imaginary:
        return with(What::memory, 0);
      case Role::table:
        return with(What::table, static_cast<std::uint64_t>(launch_.table));
      case Role::batch:
        return with(What::narrow, launch_.batch);
      case Role::offset:
        return with(What::wide, offset_of(place, input));
      case Role::distance:
        return with(What::wide, place.distance);
      case Role::scale:
        made.number = launch_.scale;
        return with(What::real, 0);
      case Role::origin:
        return with(What::wide, parameter.of == Of::spectrum ? launch_.spectrum : array_of(place));
      case Role::buffer:
        return with(What::factors, parameter.argument.number);
      case Role::buffer_offset:
        return with(What::wide, 0);
      case Role::number:
        return with(What::given, parameter.argument.number);
      case Role::stored:
      case Role::numbers:
      case Role::first_number:
        break;
    }
    base::unsupported("generic kernels have no exported form", "plan without FirstCall::generic");
  }

 private:
  /// Returns where an array begins. The workspace begins with the chunk's first element, whose
  /// number hooks need.
  std::uint64_t array_of(const kernel::Place& place) const {
    if (place.memory == kernel::Memory::scratch) return 0 - launch_.chunk;
    return place.memory == kernel::Memory::input ? offsets_.in : offsets_.out;
  }
  /// For an array with hooks, the offset counts elements of the packed array.
  std::uint64_t offset_of(const kernel::Place& place, bool input) const {
    const bool hooked = (input ? step_.in.hooked : step_.out.hooked).has_value();
    const bool scratch = place.memory == kernel::Memory::scratch;
    return place.offset + (scratch ? launch_.chunk : 0) + (hooked ? 0 : array_of(place));
  }

  const kernel::Step& step_;
  const kernel::Launch& launch_;
  const Offsets& offsets_;
};

}  // namespace

std::vector<Bound> bound(const kernel::Program& program, const kernel::Launch& launch,
                         const Offsets& offsets) {
  const kernel::Step& step = program.steps.at(launch.step);
  const Binder binder(step, launch, offsets);
  std::vector<Bound> arguments;
  for (const kernel::KernelParameter& parameter : kernel::signature_of(step))
    arguments.push_back(binder.bind(parameter));
  return arguments;
}

}  // namespace imago::standalone
