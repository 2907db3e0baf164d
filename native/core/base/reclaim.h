// Memory that readers may still look at: collected by the writer, freed with the last view that could reach it.
// What is replaced while commit n + 1 is staged hangs on view n, and a view keeps all later views alive.
#pragma once

#include <utility>
#include <vector>

namespace palimpsest {

struct Retired {
  void* memory;
  void (*free)(void*);
};

class Garbage {
 public:
  Garbage() = default;
  Garbage(Garbage&& other) noexcept : items_(std::exchange(other.items_, {})) {}
  Garbage& operator=(Garbage&& other) noexcept {
    std::swap(items_, other.items_);
    return *this;
  }
  ~Garbage() {
    for (auto& item : items_) item.free(item.memory);
  }
  void retire(void* memory, void (*free)(void*)) { items_.push_back({memory, free}); }
  void take(Garbage& other) {
    items_.insert(items_.end(), other.items_.begin(), other.items_.end());
    other.items_.clear();
  }
  bool is_empty() const { return items_.empty(); }

 private:
  std::vector<Retired> items_;
};

}  // namespace palimpsest
