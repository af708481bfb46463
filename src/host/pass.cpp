// This file counts the bytes of passes.
#include "host/pass.hpp"

#include <algorithm>

namespace imago::host {

PassBytes bytes_of(const std::vector<Piece>& pieces) {
  PassBytes found;
  for (const Piece& piece : pieces) {
    const std::size_t from = piece.from.bytes(), to = piece.to.bytes();
    found.from = std::max(found.from, from);
    found.to = std::max(found.to, to);
    found.all += from + (piece.has_gaps ? 2 * to : to);
  }
  return found;
}

}  // namespace imago::host
