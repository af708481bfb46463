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
    const auto set = [&](What what, std::uint64_t value) {
      made.what = what;
      made.integer = static_cast<std::int64_t>(value);
    };
    switch (parameter.role) {
      case Role::memory:
      case Role::imaginary:
        made.what = What::memory;
        return made;
      case Role::table:
        set(What::table, static_cast<std::uint64_t>(launch_.table));
        return made;
      case Role::batch:
        set(What::narrow, launch_.batch);
        return made;
      case Role::offset:
        set(What::wide, offset_of(place, input));
        return made;
      case Role::distance:
        set(What::wide, place.distance);
        return made;
      case Role::scale:
        made.what = What::real;
        made.number = launch_.scale;
        return made;
      case Role::origin:
        set(What::wide, parameter.of == Of::spectrum ? launch_.spectrum : array_of(place));
        return made;
      case Role::buffer:
        set(What::factors, parameter.argument.number);
        return made;
      case Role::buffer_offset:
        set(What::wide, 0);
        return made;
      case Role::number:
        set(What::given, parameter.argument.number);
        return made;
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
