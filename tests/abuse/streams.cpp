// This file attacks streams on out-of-order queues: blocks of random sizes, whose commands wait for
// events that the host completes later. Results must have the bits of the same stream in one block.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "attacks.hpp"

namespace imago::abuse {
namespace {

using catalogue::Random;

constexpr std::size_t kStreamSamples = 900;

/// A kind of streams: the description, and the numbers in its elements.
struct Flow {
  std::function<Stream(const cl::CommandQueue&, std::size_t most)> make;
  std::size_t each, each_result;  ///< elements of the arrays in an element of the stream
};

/// Streams of one kind on an out-of-order queue, their input, and the right results.
class Channel {
 public:
  Channel(const test::Device& device, const Flow& flow, std::size_t count, std::size_t most)
      : device_(device), flow_(flow), count_(count), queue_(device.out_of_order()) {
    const Stream whole = flow.make(device.queue, count);
    words_ = whole.result_bytes(1) / sizeof(float);
    std::vector<float> input(whole.input_bytes(count) / sizeof(float));
    Random random(count);
    for (float& number : input) number = static_cast<float>(random.uniform());
    from_ = device.upload(input);
    wanted_ = in_one_block(flow.make(device.queue, count));
    // Two, so that one can be used while the other's commands wait.
    for (int i = 0; i < 2; ++i) streams_.push_back(flow.make(queue_, most));
  }

  std::string strike(Random& random) {
    std::vector<cl::Buffer> results;
    std::vector<cl::UserEvent> gates;
    for (Stream& stream : streams_) {
      if (random.below(4) == 0) leave(stream, random, gates);
      results.push_back(device_.allocate((wanted_.size() + 64 * words_) * sizeof(float)));
    }
    if (random.below(2) == 0) {
      for (std::size_t i = 0; i < streams_.size(); ++i)
        feed(streams_[i], results[i], random, gates);
    } else {
      feed_in_turn(results, random, gates);
    }
    test::check_call(queue_.flush(), "clFlush");
    if (!gates.empty() && random.below(2) == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(random.below(2000)));
    // In any order.
    for (std::size_t i = gates.size(); i > 0; --i) {
      std::swap(gates[i - 1], gates[random.below(i)]);
      test::check_call(gates[i - 1].setStatus(CL_COMPLETE), "clSetUserEventStatus");
    }
    test::check_call(queue_.finish(), "clFinish");
    for (const cl::Buffer& buffer : results) {
      const auto found = device_.download<float>(buffer, wanted_.size());
      if (std::memcmp(found.data(), wanted_.data(), sizeof(float) * found.size()) != 0)
        return "a stream has other bits in blocks";
    }
    return {};
  }

 private:
  struct Place {
    std::size_t taken = 0, results = 0;
    bool ended = false;
  };

  std::vector<float> in_one_block(Stream stream) const {
    const auto to = device_.allocate(stream.result_bytes(stream.results(count_) + 200));
    std::size_t results = stream.push(from_, count_, to);
    results += stream.finish(Array(to, results * flow_.each_result));
    return device_.download<float>(to, results * words_);
  }
  Call call(Random& random, std::vector<cl::UserEvent>& gates) const {
    Call call;
    if (random.below(5) == 0) gates.emplace_back(device_.context);
    if (!gates.empty() && random.below(2) == 0) call.waits.push_back(gates.back());
    return call;
  }
  /// Pushes the next block of a stream, or ends it.
  void step(Stream& stream, Place& place, const cl::Buffer& to, Random& random,
            std::vector<cl::UserEvent>& gates) const {
    cl::Event done;
    Call with = call(random, gates);
    if (random.below(3) == 0) with.event = &done;
    const Array target(to, place.results * flow_.each_result);
    if (place.taken == count_) {
      place.results += stream.finish(target, with);
      place.ended = true;
      return;
    }
    const std::size_t block =
        std::min<std::size_t>(random.below(stream.most() + 1), count_ - place.taken);
    place.results += stream.push(Array(from_, place.taken * flow_.each), block, target, with);
    place.taken += block;
  }
  void feed(Stream& stream, const cl::Buffer& to, Random& random,
            std::vector<cl::UserEvent>& gates) const {
    for (Place place; !place.ended;) step(stream, place, to, random, gates);
  }
  void feed_in_turn(const std::vector<cl::Buffer>& results, Random& random,
                    std::vector<cl::UserEvent>& gates) {
    std::vector<Place> places(streams_.size());
    while (
        !std::all_of(places.begin(), places.end(), [](const Place& each) { return each.ended; })) {
      const std::size_t i = random.below(places.size());
      if (!places[i].ended) step(streams_[i], places[i], results[i], random, gates);
    }
  }
  /// Begins a stream, and leaves it.
  void leave(Stream& stream, Random& random, std::vector<cl::UserEvent>& gates) const {
    const auto to = device_.allocate(stream.result_bytes(stream.most_results() + 1));
    stream.push(from_, std::min(count_, stream.most()), to, call(random, gates));
    stream.reset();
  }

  const test::Device& device_;
  Flow flow_;
  std::size_t count_;
  cl::CommandQueue queue_;
  std::size_t words_ = 1;
  cl::Buffer from_;
  std::vector<float> wanted_;
  std::vector<Stream> streams_;
};

/// Returns the streams of a description, which has the samples of one element of a block.
template <class Description>
Flow flow_of(const Description& description, std::size_t each, std::size_t each_result) {
  return {[=](const cl::CommandQueue& queue, std::size_t most) {
            Description own = description;
            own.lengths[0] *= most;
            return Stream(queue, own);
          },
          each, each_result};
}

std::shared_ptr<Channel> make_channel(const test::Device& device, std::size_t which) {
  std::vector<std::complex<double>> window;
  for (std::size_t j = 0; j < 32; ++j) window.emplace_back(0.3 + 0.02 * static_cast<double>(j));
  ShortTimeTransform frames;
  frames.lengths = {which == 2 ? std::size_t{8} : 1}, frames.window = window, frames.hop = 8;
  frames.directions = which == 2 ? Directions::inverse : Directions::forward;
  FirFilter filter;
  filter.lengths = {1, 2}, filter.taps = window;
  const std::size_t bins = window.size() / 2 + 1;
  if (which == 0)
    return std::make_shared<Channel>(device, flow_of(filter, 2, 2), kStreamSamples, 100);
  if (which == 1)
    return std::make_shared<Channel>(device, flow_of(frames, 1, bins), kStreamSamples, 90);
  return std::make_shared<Channel>(device, flow_of(frames, bins, 1), 60, 10);
}

}  // namespace

Attack attack_streams(const test::Device& device) {
  return {"streams",
          [&device, channels = std::vector<std::shared_ptr<Channel>>(3)](Random& random) mutable {
            const std::size_t which = random.below(channels.size());
            if (!channels[which]) channels[which] = make_channel(device, which);
            return channels[which]->strike(random);
          }};
}

}  // namespace imago::abuse
