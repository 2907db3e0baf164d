// What a search for names reads: the folded uids of one store, and the folded texts that its nodes ever had under the
// properties that were asked for. A cache: everything in it follows from the tables. Any thread; one extends, others
// wait.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <span>

#include "core/base/stop.h"
#include "core/store/name_segments.h"
#include "core/store/store_view.h"

namespace palimpsest {

class NameCache {
 public:
  /// All that the pin's view holds, uids first, then each property; there may be entries of later commits, and an entry
  /// twice. Folds what is new; that is no step of a call, whose ceiling must not depend on what was asked before.
  Status get(const Pin& pin, std::span<const PropNumber> names, const StopToken& stop,
             std::vector<std::shared_ptr<const NameList>>& out);
  /// True when `get` has nothing to fold.
  bool is_ready(const Pin& pin, std::span<const PropNumber> names) const;
  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  struct Index {
    uint32_t next = 0;  // nodes of the uids, rows of a property: read up to here
    NameSegments segments;
    std::vector<TextNumber> last_text;  // per node: what it was called last, which is not taken twice
    std::shared_ptr<const NameList> list = std::make_shared<NameList>();
  };
  bool extend_uids(const Pin& pin, Index& index, const StopToken& stop);
  bool extend_names(const Pin& pin, PropNumber name, Index& index, const StopToken& stop);

  mutable std::mutex mutex_;  // held while texts are folded
  Index uids_;
  std::map<PropNumber, Index> names_;
  std::atomic<uint64_t> bytes_{0};
};

}  // namespace palimpsest
