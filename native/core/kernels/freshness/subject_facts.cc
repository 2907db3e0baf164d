#include "core/kernels/freshness/subject_facts.h"

#include <numeric>
#include <tuple>

#include "core/kernels/stoppable_sort.h"

namespace palimpsest::freshness {

namespace {

struct Version {
  EdgeNumber edge;
  Micros from;
  Micros to;
  Row row;
  bool operator<(const Version& other) const {
    return std::tie(edge, from, row) < std::tie(other.edge, other.from, other.row);
  }
};

struct Piece {
  Micros from;
  Micros to;
};

class EdgeFacts {
 public:
  EdgeFacts(const Pin& pin, Micros at, std::vector<Fact>& facts)
      : pin_(pin), versions_(pin.tables().edge_versions), at_(at), facts_(facts) {}

  /// All versions of one edge by their beginning.
  void add(std::span<const Version> versions) {
    believed_.clear();
    closed_.clear();
    for (const Version& version : versions) {
      (pin_.is_believed_edge(version.row) ? believed_ : closed_).push_back(version);
    }
    add_spells();
    if (!closed_.empty()) add_retracted();
  }

 private:
  void add_spells() {
    const size_t first = facts_.size();
    for (const Version& version : believed_) {
      if (facts_.size() == first || facts_.back().to != version.from) {
        facts_.push_back({version.from, version.to, version.edge, version.row, kNone, false});
      }
      Fact& spell = facts_.back();
      spell.to = version.to;
      if (version.from <= at_) spell.begun = version.row;
    }
  }

  /// The maximal intervals that closed versions cover and no believed one does.
  void find_pieces() {
    pieces_.clear();
    size_t next = 0;
    for (size_t i = 0; i < closed_.size();) {
      Piece cover{closed_[i].from, closed_[i].to};
      for (++i; i < closed_.size() && closed_[i].from <= cover.to; ++i) cover.to = std::max(cover.to, closed_[i].to);
      while (next < believed_.size() && believed_[next].to <= cover.from) ++next;
      // One believed version may reach over several covers, so the last one looked at is looked at again.
      for (size_t k = next; k < believed_.size() && believed_[k].from < cover.to; ++k) {
        if (cover.from < believed_[k].from) pieces_.push_back({cover.from, believed_[k].from});
        cover.from = std::max(cover.from, believed_[k].to);
        next = k;
      }
      if (cover.from < cover.to) pieces_.push_back(cover);
    }
  }

  /// Gives each piece its content: closed versions come best first, and take the pieces that nobody took before.
  void add_retracted() {
    find_pieces();
    if (pieces_.empty()) return;
    std::sort(closed_.begin(), closed_.end(), [&](const Version& a, const Version& b) {
      const Tx tx_a = versions_.closed_tx(a.row);
      const Tx tx_b = versions_.closed_tx(b.row);
      return tx_a != tx_b ? tx_a > tx_b : a.from > b.from;
    });
    // next_[i]: a piece at or after i that is not taken, found by following the chain; the last one stands for none.
    next_.resize(pieces_.size() + 1);
    std::iota(next_.begin(), next_.end(), 0u);
    const size_t first_fact = facts_.size();
    for (const Piece& piece : pieces_)
      facts_.push_back({piece.from, piece.to, closed_.front().edge, kNone, kNone, true});
    for (const Version& version : closed_) {
      const auto found = std::partition_point(pieces_.begin(), pieces_.end(),
                                              [&](const Piece& piece) { return piece.to <= version.from; });
      for (uint32_t i = free_at(static_cast<uint32_t>(found - pieces_.begin()));
           i < pieces_.size() && pieces_[i].from < version.to; i = free_at(i)) {
        Fact& fact = facts_[first_fact + i];
        fact.content = version.row;
        if (version.from <= at_) fact.begun = version.row;
        next_[i] = i + 1;
      }
    }
  }

  uint32_t free_at(uint32_t i) {
    while (next_[i] != i) {
      next_[i] = next_[next_[i]];
      i = next_[i];
    }
    return i;
  }

  const Pin& pin_;
  const VersionTable& versions_;
  const Micros at_;
  std::vector<Fact>& facts_;
  std::vector<Version> believed_;
  std::vector<Version> closed_;
  std::vector<Piece> pieces_;
  std::vector<uint32_t> next_;
};

}  // namespace

Status read_facts(const Pin& pin, NodeNumber src, const std::function<bool(TypeNumber)>& passes_type, Micros at,
                  StepCounter& steps, std::vector<Fact>& facts) {
  const Tables& tables = pin.tables();
  std::vector<Version> versions;
  // A version makes no more than one spell, and closed ones one piece more than there are believed ones.
  const uint64_t most = tables.incidence.slot_count(src);
  if (!steps.hold(most * (sizeof(Version) + 2 * sizeof(Fact)))) return steps.status();
  bool goes_on = true;
  tables.incidence.each_chunk(src, [&](std::span<const Slot> slots, Micros) {
    goes_on = steps.add(slots.size() + 1);
    if (!goes_on) return false;
    for (const Slot& slot : slots) {
      if (slot.row >= pin.row_cut(Kind::kEdge) || (slot.is_incoming() && slot.other() != src)) continue;
      const EdgeNumber edge = tables.edge_versions.owner(slot.row);
      if (!passes_type(tables.edges.type(edge))) continue;
      versions.push_back({edge, slot.valid_from, tables.edge_versions.valid_to(slot.row), slot.row});
    }
    return true;
  });
  if (!goes_on || !sort_stoppable(versions, steps, std::less<>())) return steps.status();
  EdgeFacts edge_facts(pin, at, facts);
  for (size_t from = 0; from < versions.size();) {
    size_t to = from + 1;
    while (to < versions.size() && versions[to].edge == versions[from].edge) ++to;
    if (!steps.add(to - from)) return steps.status();
    edge_facts.add({versions.data() + from, to - from});
    from = to;
  }
  return Status::ok();
}

}  // namespace palimpsest::freshness
