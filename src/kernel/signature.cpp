// This file lists the parameters of kernels.
#include "kernel/signature.hpp"

namespace imago::kernel {
namespace {

using Role = KernelParameter::Role;
using Of = KernelParameter::Of;

void add_hooks(std::vector<KernelParameter>& parameters, Of of, const Hooked& hooked) {
  parameters.push_back({Role::origin, of});
  for (const KernelArgument& argument : hooked.arguments) {
    if (argument.is_buffer()) {
      parameters.push_back({Role::buffer, of, argument});
      parameters.push_back({Role::buffer_offset, of, argument});
    } else {
      parameters.push_back({Role::number, of, argument});
    }
  }
}

std::vector<KernelParameter> generic_hooks_signature() {
  std::vector<KernelParameter> parameters;
  for (const Of of : {Of::in, Of::out}) {
    parameters.push_back({Role::memory, of});
    parameters.push_back({Role::imaginary, of});
    for (int type = 1; type < kInMemoryTypes; ++type)
      parameters.push_back({Role::stored, of, {}, static_cast<InMemory>(type)});
  }
  parameters.insert(parameters.end(), {{Role::table},
                                       {Role::numbers},
                                       {Role::first_number},
                                       {Role::batch},
                                       {Role::offset, Of::in},
                                       {Role::offset, Of::out}});
  using Type = KernelArgument::Type;
  std::uint32_t number = 0;
  for (int i = 0; i < kHookBuffers; ++i, ++number) {
    parameters.push_back({Role::buffer, Of::in, {Type::real_buffer, number}});
    parameters.push_back({Role::buffer_offset, Of::in, {Type::real_buffer, number}});
  }
  for (int i = 0; i < kHookReals; ++i, ++number)
    parameters.push_back({Role::number, Of::in, {Type::real, number}});
  for (int i = 0; i < kHookIntegers; ++i, ++number)
    parameters.push_back({Role::number, Of::in, {Type::integer, number}});
  return parameters;
}

}  // namespace

std::vector<KernelParameter> signature_of(const Step& step) {
  if (step.generic_hooks()) return generic_hooks_signature();
  std::vector<KernelParameter> parameters;
  parameters.push_back({Role::memory, Of::in});
  if (step.in.planar) parameters.push_back({Role::imaginary, Of::in});
  parameters.push_back({Role::memory, Of::out});
  if (step.out.planar) parameters.push_back({Role::imaginary, Of::out});
  if (step.has_table) parameters.push_back({Role::table});
  if (step.generic()) {
    parameters.insert(parameters.end(), {{Role::numbers},
                                         {Role::first_number},
                                         {Role::offset, Of::in},
                                         {Role::offset, Of::out},
                                         {Role::scale}});
    return parameters;
  }
  parameters.push_back({Role::batch});
  for (const Of of : {Of::in, Of::out}) {
    parameters.push_back({Role::offset, of});
    parameters.push_back({Role::distance, of});
  }
  if (step.scaled) parameters.push_back({Role::scale});
  if (step.in.hooked) add_hooks(parameters, Of::in, *step.in.hooked);
  if (step.out.hooked) add_hooks(parameters, Of::out, *step.out.hooked);
  if (step.convolution.hooked) add_hooks(parameters, Of::spectrum, *step.convolution.hooked);
  return parameters;
}

}  // namespace imago::kernel
