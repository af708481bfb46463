// This file plans, compiles and enqueues with imago.
#include "baked.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "shared.hpp"

namespace imago::clfft {
namespace {

/// Returns options from the environment variables that users set for clFFT.
Options options_of_clients() {
  Options options;
  options.scratch.per_call = true;
  if (const char* const folder = std::getenv("CLFFT_CACHE_PATH"); folder && *folder)
    options.cache_directory = folder;
  return options;
}

/// Returns a buffer of the caller; throws the matching code if it is invalid.
cl::Buffer checked(const cl::Context& context, cl_mem memory, std::size_t bytes) {
  require(memory, CLFFT_INVALID_MEM_OBJECT,
          "a buffer is null; give a buffer of the plan's context");
  cl_context of = nullptr;
  std::size_t size = 0;
  require_success(clGetMemObjectInfo(memory, CL_MEM_CONTEXT, sizeof of, &of, nullptr),
                  "clGetMemObjectInfo");
  require(of == context(), CLFFT_INVALID_CONTEXT,
          "a buffer is of another context; give one of the plan's context");
  require_success(clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof size, &size, nullptr),
                  "clGetMemObjectInfo");
  require(size >= bytes, CLFFT_INVALID_BUFFER_SIZE,
          "a buffer is too small for the plan's lengths, strides and batch");
  return shared<cl::Buffer>(memory);
}

template <class Value>
Value info_of(const cl::Buffer& buffer, cl_mem_info what) {
  Value value{};
  require_success(clGetMemObjectInfo(buffer(), what, sizeof value, &value, nullptr),
                  "clGetMemObjectInfo");
  return value;
}

/// The part of a parent buffer that a buffer covers.
struct Extent {
  explicit Extent(const cl::Buffer& buffer)
      : parent(info_of<cl_mem>(buffer, CL_MEM_ASSOCIATED_MEMOBJECT)),
        begin(parent ? info_of<std::size_t>(buffer, CL_MEM_OFFSET) : 0),
        end(begin + info_of<std::size_t>(buffer, CL_MEM_SIZE)) {
    if (!parent) parent = buffer();
  }
  cl_mem parent;
  std::size_t begin, end;
};

bool overlap(const std::vector<cl::Buffer>& from, const std::vector<cl::Buffer>& to) {
  for (const cl::Buffer& a : from) {
    for (const cl::Buffer& b : to) {
      const Extent x(a), y(b);
      if (x.parent == y.parent && x.begin < y.end && y.begin < x.end) return true;
    }
  }
  return false;
}

Array array_of(const std::vector<cl::Buffer>& buffers) {
  return buffers.size() == 2 ? Array::planar(buffers[0], buffers[1]) : Array(buffers[0]);
}

std::vector<cl::Buffer> checked_side(const cl::Context& context, const ClientSide& side,
                                     const cl_mem* memories, std::size_t bytes) {
  require(memories, CLFFT_INVALID_HOST_PTR, "the array of buffers is null; give one");
  std::vector<cl::Buffer> buffers;
  for (std::size_t i = 0; i < (side.is_planar() ? 2u : 1u); ++i)
    buffers.push_back(checked(context, memories[i], bytes));
  return buffers;
}

void transform(const Plan& plan, bool inverse, const cl::CommandQueue& queue, const Array& from,
               const Array& to, const Call& call) {
  if (inverse)
    plan.inverse(queue, from, to, call);
  else
    plan.forward(queue, from, to, call);
}

std::size_t input_bytes(const Plan& plan, bool inverse) {
  return inverse ? plan.spectrum_bytes() : plan.signal_bytes();
}

std::size_t output_bytes(const Plan& plan, bool inverse) {
  return inverse ? plan.signal_bytes() : plan.spectrum_bytes();
}

}  // namespace

Baked::Baked(const Description& description, const cl::Context& context, cl::Device device)
    : context_(shared<cl::Context>(context())),
      device_(std::move(device)),
      options_(options_of_clients()),
      input_(description.input),
      output_(description.output),
      in_place_(description.in_place()),
      reads_all_(description.before.has_value()) {
  for (const bool inverse : {false, true}) {
    if (description.is_real() && inverse != description.output.is_real()) continue;
    transform_[inverse] = transform_of(description, inverse);
    Estimate needs;
    with_misuse(CLFFT_INVALID_PLAN,
                [&] { needs = estimate(device_, *transform_[inverse], options_); });
    scratch_bytes_ = std::max(scratch_bytes_, needs.workspace_bytes);
  }
}

bool Baked::inverse_of(clfftDirection direction) const {
  if (!transform_[true]) return false;
  if (!transform_[false]) return true;
  require(direction == CLFFT_FORWARD || direction == CLFFT_BACKWARD, CLFFT_INVALID_ARG_VALUE,
          "the direction must be CLFFT_FORWARD or CLFFT_BACKWARD");
  return direction == CLFFT_BACKWARD;
}

void Baked::compile(bool inverse) {
  if (plan_[inverse]) return;
  with_misuse(CLFFT_INVALID_PLAN,
              [&] { plan_[inverse].emplace(context_, device_, *transform_[inverse], options_); });
}

void Baked::compile_all() {
  for (const bool inverse : {false, true}) {
    if (transform_[inverse]) compile(inverse);
  }
}

std::vector<KernelSource> Baked::sources(bool inverse) const {
  return plan_[inverse] ? plan_[inverse]->sources() : std::vector<KernelSource>();
}

Scratch* Baked::scratch_for(cl_mem temporary) {
  if (scratch_bytes_ == 0) return nullptr;
  std::optional<Scratch>& place = temporary ? given_ : own_;
  if (temporary) {
    if (!place || !place->is_in(temporary))
      place.emplace(checked(context_, temporary, scratch_bytes_));
  } else if (!place) {
    place.emplace(allocate(context_, scratch_bytes_));
  }
  return &*place;
}

void Baked::run(bool inverse, const Request& request, Call& call) {
  const Plan& plan = *plan_[inverse];
  const std::size_t in_bytes = input_bytes(plan, inverse), out_bytes = output_bytes(plan, inverse);
  if (transform_[inverse]->placement == Placement::in_place) {
    const Array data = array_of(checked_side(context_, input_, request.input, in_bytes));
    if (inverse)
      plan.inverse(request.queue, data, call);
    else
      plan.forward(request.queue, data, call);
    return;
  }
  const auto from = checked_side(context_, input_, request.input, in_bytes);
  const auto to =
      checked_side(context_, output_, in_place_ ? request.input : request.output, out_bytes);
  if (overlap(from, to))
    run_copied(inverse, request, call, {from, to});
  else
    transform(plan, inverse, request.queue, array_of(from), array_of(to), call);
}

/// Transforms a copy of the contents of `from`.
void Baked::run_copied(bool inverse, const Request& request, Call& call, const Sides& sides) {
  std::size_t bytes = input_bytes(*plan_[inverse], inverse);
  for (const cl::Buffer& buffer : sides.from) {
    if (reads_all_) bytes = std::max(bytes, info_of<std::size_t>(buffer, CL_MEM_SIZE));
  }
  if (!copies_ || copies_->bytes < bytes) copies_.emplace(context_, sides.from.size(), bytes);
  std::vector<cl_event> waits;
  for (const cl::Event& event : call.waits) waits.push_back(event());
  if (copies_->last()) waits.push_back(copies_->last());
  std::vector<cl::Event> copied;
  for (std::size_t i = 0; i < sides.from.size(); ++i) {
    cl_event event = nullptr;
    const std::size_t own = reads_all_ ? info_of<std::size_t>(sides.from[i], CL_MEM_SIZE) : bytes;
    require_success(clEnqueueCopyBuffer(request.queue(), sides.from[i](), copies_->buffers[i](), 0,
                                        0, own, static_cast<cl_uint>(waits.size()),
                                        waits.empty() ? nullptr : waits.data(), &event),
                    "clEnqueueCopyBuffer");
    copied.emplace_back(event);
  }
  cl::Event done;
  copies_->last = std::move(copied.back());  // also after an exception
  copied.back() = shared<cl::Event>(copies_->last());
  call.waits = std::move(copied);
  call.event = &done;
  transform(*plan_[inverse], inverse, request.queue, array_of(copies_->buffers), array_of(sides.to),
            call);
  copies_->last = std::move(done);
  // Another queue may wait for it.
  require_success(clFlush(request.queue()), "clFlush");
  if (request.event) *request.event = shared<cl::Event>(copies_->last());
}

void Baked::enqueue(const Description& description, bool inverse, Request request) {
  compile(inverse);
  Scratch* const scratch = scratch_for(request.temporary);
  Call call;
  call.waits = std::move(request.waits);
  call.event = request.event;
  call.workspace = scratch ? scratch->workspace() : nullptr;
  call.arguments = arguments_of(description.before, description.after);
  run(inverse, request, call);
}

}  // namespace imago::clfft
