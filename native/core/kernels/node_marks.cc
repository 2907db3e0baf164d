#include "core/kernels/node_marks.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

namespace palimpsest {

struct NodeMarks::Scratch {
  uint64_t* words = nullptr;
  NodeNumber capacity = 0;
  uint32_t stamp = 0;

  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::free(words); }

  void prepare(NodeNumber node_count) {
    if (node_count <= capacity && stamp != UINT32_MAX) {
      ++stamp;
      return;
    }
    std::free(words);
    words = nullptr;
    capacity = std::max(node_count + node_count / 4, capacity);
    // calloc: pages that no query touches are never made.
    words = static_cast<uint64_t*>(std::calloc(std::max<NodeNumber>(capacity, 1), sizeof(uint64_t)));
    if (words == nullptr) {
      capacity = 0;
      throw std::bad_alloc();
    }
    stamp = 1;
  }
};

namespace {
thread_local std::vector<std::unique_ptr<NodeMarks::Scratch>> free_scratch;
}

NodeMarks::NodeMarks(NodeNumber node_count) {
  if (free_scratch.empty()) {
    scratch_ = std::make_unique<Scratch>();
  } else {
    scratch_ = std::move(free_scratch.back());
    free_scratch.pop_back();
  }
  scratch_->prepare(node_count);
  words_ = scratch_->words;
  stamp_ = scratch_->stamp;
}

NodeMarks::~NodeMarks() { free_scratch.push_back(std::move(scratch_)); }

}  // namespace palimpsest
