// What a store holds after a list of batches, written from docs/contract.md as plainly as can be: every version in one
// list, every question a walk over it. The oracle of stage_test.cc; shares nothing with the stage but the shape of an
// op.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/types.h"
#include "test/op_buffer_writer.h"

namespace palimpsest::test {

using Identity = std::vector<std::string>;  // uid, or src, type, dst, key

struct ModelVersion {
  Identity identity;
  Micros from;
  Micros to;
  std::set<std::string> labels;
  std::map<std::string, std::string> props;  // kind and value as text
  std::string source, reason;                // "-" where not given
  Tx tx_from;
  Tx tx_to = kNeverTx;
  EndedBy ended_by = EndedBy::kNotEnded;
  std::string ended_reason = "-";
  auto operator<=>(const ModelVersion&) const = default;
};

inline std::string text_of(const Prop& prop) {
  return std::to_string(prop.kind) + ":" +
         (prop.kind >= static_cast<uint8_t>(PropKind::kString) ? prop.text : std::to_string(prop.number));
}

struct BulkEvent {
  std::string src, type, dst;
  std::optional<std::string> key;
  Micros from, to;
};

class Model {
 public:
  std::vector<ModelVersion> versions;
  std::vector<std::string> uids;  // by number
  std::vector<Identity> edges;    // by number, from 1
  Tx tx = 0;

  /// False: the operation finds no overlap, and the batch is to be undone.
  bool apply(const Op& op) {
    const bool is_assert = op.kind == OpKind::kAssertNode || op.kind == OpKind::kAssertEdge;
    const bool is_retract = op.kind == OpKind::kRetractNode || op.kind == OpKind::kRetractEdge;
    const bool is_patch = op.kind == OpKind::kPatchNode || op.kind == OpKind::kPatchEdge;
    if (is_assert) name(op.names);
    const EndedBy ended_by = is_assert ? EndedBy::kOverwritten : is_retract ? EndedBy::kRetracted : EndedBy::kCorrected;
    const auto overlaps = carve(op.names, op.from, op.to, ended_by, op.reason.value_or("-"));
    if (!is_assert && overlaps.empty()) return false;
    if (is_retract) return true;
    ModelVersion written{op.names,
                         op.from,
                         op.to,
                         {op.labels.begin(), op.labels.end()},
                         {},
                         op.source.value_or("-"),
                         op.reason.value_or("-"),
                         tx + 1,
                         kNeverTx,
                         EndedBy::kNotEnded,
                         "-"};
    for (const Prop& prop : op.props) written.props[prop.name] = text_of(prop);
    if (!is_patch) {
      versions.push_back(written);
      return true;
    }
    for (ModelVersion patched : overlaps) {
      patched.source = written.source;
      patched.reason = written.reason;
      patched.labels.insert(op.labels.begin(), op.labels.end());
      for (const std::string& label : op.labels_removed) patched.labels.erase(label);
      for (const Prop& prop : op.props) {
        if (prop.kind == kRemoveProp)
          patched.props.erase(prop.name);
        else
          patched.props[prop.name] = text_of(prop);
      }
      versions.push_back(patched);
    }
    return true;
  }

  void ingest(const std::vector<BulkEvent>& events, const std::set<std::string>& labels, const std::string& source) {
    std::vector<std::pair<std::string, Micros>> ends;
    const auto meet = [&](const std::string& uid, Micros at) {
      for (auto& [known, least] : ends) {
        if (known != uid) continue;
        least = std::min(least, at);
        return;
      }
      ends.emplace_back(uid, at);
    };
    for (const BulkEvent& event : events) {
      name_uid(event.src);
      name_uid(event.dst);
      meet(event.src, event.from);
      meet(event.dst, event.from);
    }
    for (const BulkEvent& event : events) {
      Identity edge = {event.src, event.type, event.dst, event.key.value_or("")};
      if (!event.key) {
        size_t number = edges.size() + 1;
        do {
          edge[3] = "#" + std::to_string(number++);
        } while (std::find(edges.begin(), edges.end(), edge) != edges.end());
      }
      name(edge);
      carve(edge, event.from, event.to, EndedBy::kOverwritten, "-");
      versions.push_back({edge, event.from, event.to, {}, {}, source, "-", tx + 1, kNeverTx, EndedBy::kNotEnded, "-"});
    }
    for (const auto& [uid, least] : ends) {
      if (!believed({uid}, kNeverTx - 1).empty()) continue;
      versions.push_back({{uid}, least, kOpenEnd, labels, {}, source, "-", tx + 1, kNeverTx, EndedBy::kNotEnded, "-"});
    }
  }

  void commit() { ++tx; }

  /// Versions of an identity believed at a pin, by valid_from.
  std::vector<ModelVersion> believed(const Identity& identity, Tx pin) const {
    std::vector<ModelVersion> out;
    for (const ModelVersion& version : versions) {
      if (version.identity == identity && version.tx_from <= pin && pin < version.tx_to) out.push_back(version);
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
    return out;
  }

 private:
  void name_uid(const std::string& uid) {
    if (std::find(uids.begin(), uids.end(), uid) == uids.end()) uids.push_back(uid);
  }
  void name(const Identity& identity) {
    name_uid(identity[0]);
    if (identity.size() == 1) return;
    name_uid(identity[2]);
    if (std::find(edges.begin(), edges.end(), identity) == edges.end()) edges.push_back(identity);
  }

  /// What the interval covered, cut to it.
  std::vector<ModelVersion> carve(const Identity& identity, Micros from, Micros to, EndedBy ended_by,
                                  const std::string& reason) {
    std::vector<ModelVersion> overlaps;
    std::vector<ModelVersion> after;
    for (ModelVersion version : versions) {
      if (version.identity != identity || version.tx_to != kNeverTx || version.to <= from || version.from >= to) {
        after.push_back(version);
        continue;
      }
      const auto part = [&](Micros begin, Micros end) {
        ModelVersion fragment = version;
        fragment.from = begin;
        fragment.to = end;
        fragment.tx_from = tx + 1;
        return fragment;
      };
      if (version.from < from) after.push_back(part(version.from, from));
      if (version.to > to) after.push_back(part(to, version.to));
      overlaps.push_back(part(std::max(version.from, from), std::min(version.to, to)));
      if (version.tx_from == tx + 1) continue;  // written by this batch: it never was
      version.tx_to = tx + 1;
      version.ended_by = ended_by;
      version.ended_reason = reason;
      after.push_back(version);
    }
    versions = std::move(after);
    return overlaps;
  }
};

}  // namespace palimpsest::test
