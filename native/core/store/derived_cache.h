// What a kernel made of all the events of a commit and will be asked for again: the last two, within a bound of bytes.
// A cache: everything in it follows from the tables, and no write touches what is in it. Knows no kernel.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "core/base/stop.h"
#include "core/store/store_view.h"

namespace palimpsest {

class DerivedCache {
 public:
  class Item {
   public:
    virtual ~Item() = default;
    virtual uint64_t bytes() const = 0;
  };
  using Make = std::function<Status(std::shared_ptr<const Item>& out)>;

  /// The item of the events that the pin has. Where there is none one caller makes it and the others wait; one that is
  /// too large to keep is made for its caller alone.
  Status get(const Pin& pin, const StopToken& stop, const Make& make, std::shared_ptr<const Item>& out);
  uint64_t bytes() const;

 private:
  /// Commits that agree in these have the same events.
  struct Key {
    Row row_cut;
    uint32_t toggle_cut;
    bool operator==(const Key&) const = default;
  };
  struct Entry {
    Key key;
    std::shared_ptr<const Item> item;
  };
  std::shared_ptr<const Item> find(Key key) const;
  void keep(Key key, const std::shared_ptr<const Item>& item);

  mutable std::mutex mutex_;  // guards `kept_`; never held during work
  std::deque<Entry> kept_;    // most recent first
  std::timed_mutex making_;   // held while an item is made
};

}  // namespace palimpsest
