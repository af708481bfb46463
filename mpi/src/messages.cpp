// This file implements exchanges by messages. Datatypes describe the strips of memory of a message,
// so nothing is packed by hand. Elements that a kernel stored for one rank are one strip.
#include <utility>

#include "exchange.hpp"

namespace imago::mpi {
namespace {

class Messages : public Exchange {
 public:
  Messages(ExchangeShape shape, const Communicator& group, const Patience& patience,
           std::string name)
      : shape_(std::move(shape)),
        group_(group),
        patience_(patience),
        name_(std::move(name)),
        pieces_(shape_.pieces) {
    for (std::size_t piece = 0; piece < shape_.pieces; ++piece) {
      for (std::size_t rank = 0; rank < shape_.near.size(); ++rank) {
        pieces_[piece].near.emplace_back(shape_.near_strips(rank, piece));
        pieces_[piece].far.emplace_back(shape_.far_strips(rank, piece));
      }
    }
  }

  Place near_place(std::size_t piece) const override {
    const Box box = shape_.piece(shape_.me, piece);
    Place found = place(shape_.order, box, box);
    found.offset = shape_.piece_begin(piece) / shape_.element_bytes;
    return found;
  }
  Place far_place() const override {
    const Box& box = shape_.far[shape_.me];
    return place(shape_.order, box, box);
  }

  void start(Way way, std::size_t piece, const Ends& ends) override {
    Piece& own = pieces_[piece];
    const bool forward = way == Way::forward;
    const Side near{own.near, ends.near}, far{own.far, ends.far};
    const Side &from = forward ? near : far, &to = forward ? far : near;
    // Each rank begins with its right neighbour, so that not all send to the same rank first.
    const std::size_t ranks = shape_.near.size();
    for (std::size_t i = 1; i <= ranks; ++i) receive(to, (shape_.me + ranks - i) % ranks, piece);
    for (std::size_t i = 1; i <= ranks; ++i) send(from, (shape_.me + i) % ranks, piece);
  }
  void wait(std::size_t piece) override {
    patience_.wait(pieces_[piece].requests, name_);
    pieces_[piece].requests.clear();
  }
  void poll() override {
    for (Piece& piece : pieces_) {
      int done = 0;
      if (!piece.requests.empty())
        require(MPI_Testall(static_cast<int>(piece.requests.size()), piece.requests.data(), &done,
                            MPI_STATUSES_IGNORE),
                "MPI_Testall");
    }
  }

 private:
  struct Piece {
    std::vector<Datatype> near, far;
    std::vector<MPI_Request> requests;
  };
  struct Side {
    const std::vector<Datatype>& types;
    std::byte* data;
  };

  void receive(const Side& to, std::size_t rank, std::size_t piece) {
    const Datatype& type = to.types[rank];
    if (type.empty()) return;
    MPI_Request& request = pieces_[piece].requests.emplace_back(MPI_REQUEST_NULL);
    require(MPI_Irecv(to.data + type.offset(), 1, type.get(), static_cast<int>(rank),
                      static_cast<int>(piece), group_.get(), &request),
            "MPI_Irecv");
  }
  void send(const Side& from, std::size_t rank, std::size_t piece) {
    const Datatype& type = from.types[rank];
    if (type.empty()) return;
    MPI_Request& request = pieces_[piece].requests.emplace_back(MPI_REQUEST_NULL);
    require(MPI_Isend(from.data + type.offset(), 1, type.get(), static_cast<int>(rank),
                      static_cast<int>(piece), group_.get(), &request),
            "MPI_Isend");
  }

  ExchangeShape shape_;
  const Communicator& group_;
  const Patience& patience_;
  std::string name_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::unique_ptr<Exchange> by_messages(ExchangeShape shape, const Communicator& group,
                                      const Patience& patience, std::string name) {
  return std::make_unique<Messages>(std::move(shape), group, patience, std::move(name));
}

}  // namespace imago::mpi
