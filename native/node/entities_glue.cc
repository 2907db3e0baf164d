// resolveEntities(view, stop, question, ordinal, limit), knownNames(view, stop, names, texts): see
// src/native/entities.ts. Turns arguments into a question and matches into rows; the search is in
// core/kernels/entities.
#include <napi.h>

#include "core/kernels/entities/resolve.h"
#include "core/kernels/rows/row_pack.h"
#include "node/async.h"
#include "node/kernel_args.h"
#include "node/row_pack_glue.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

constexpr uint32_t kMostNames = 8;
constexpr uint32_t kMostEdits = 3;

std::vector<PropNumber> names_arg(const Napi::Value& value, const Tables& tables) {
  const Napi::Array names = array_arg(value);
  if (names.Length() > kMostNames) throw error_of(value.Env(), Status(Code::kInternal, "up to 8 names are expected"));
  std::vector<PropNumber> numbers;
  for (uint32_t i = 0; i < names.Length(); ++i) numbers.push_back(tables.prop_names.find(text_arg(names.Get(i))));
  return numbers;
}

entities::Question question_arg(const Napi::Value& value, const Pin& pin) {
  const Napi::Object given = object_arg(value);
  const Tables& tables = pin.tables();
  entities::Question question{.query = text_arg(given.Get("query")), .names = {}};
  if (question.query.empty()) throw error_of(value.Env(), Status(Code::kInternal, "a query is expected"));
  question.names = names_arg(given.Get("names"), tables);
  const Napi::Array labels = array_arg(given.Get("labels"));
  for (uint32_t i = 0; i < labels.Length(); ++i) {
    question.labels.push_back(tables.labels.find(text_arg(labels.Get(i))));
    question.has_unknown_label |= question.labels.back() == kNone;
  }
  if (given.Get("at").IsBigInt()) question.at = micros_arg(given.Get("at"));
  question.min_tier = static_cast<entities::Tier>(number_arg(given.Get("minTier"), entities::kTierCount - 1));
  if (given.Get("maxDistance").IsNumber()) question.max_distance = number_arg(given.Get("maxDistance"), kMostEdits);
  return question;
}

struct EntitiesRun {
  Pin pin;
  entities::Question question;
  PageSpan page;
  entities::Answer answer = {};
  RowPack pack = {};

  Status run(StopToken& stop) {
    answer = {};
    pack = {};
    StepCounter steps(stop);
    Status status = entities::resolve_entities(pin, question, page, steps, answer);
    for (const entities::Match& match : answer.rows) add_row(match);
    return status;
  }

  bool add_text_of(Row row, PropNumber name) {
    PropValue value;
    if (row == kNone || name == kNone || !pin.tables().node_versions.properties().find(row, name, value) ||
        value.kind != PropKind::kString) {
      return false;
    }
    pack.add_text(pin.tables().texts.get(static_cast<TextNumber>(value.bits)));
    return true;
  }

  void add_labels(Row state) {
    const Tables& tables = pin.tables();
    const auto set =
        state == kNone ? std::span<const TextNumber>() : tables.label_set(tables.node_versions.label_set(state));
    pack.add_number(static_cast<uint32_t>(set.size()));
    for (const TextNumber label : set) pack.add_text(tables.labels.get(label));
  }

  void add_row(const entities::Match& match) {
    const VersionTable& versions = pin.tables().node_versions;
    const std::string_view uid = pin.tables().uids.get(match.node);
    pack.add_text(uid);
    add_labels(match.state);
    bool has_name = false;
    for (size_t i = 0; i < question.names.size() && !has_name; ++i) {
      has_name = add_text_of(match.state, question.names[i]);
    }
    if (!has_name) pack.add_null();
    pack.add_number(static_cast<uint32_t>(match.tier()));
    if (match.row == kNone) {
      pack.add_null();
      pack.add_text(uid);
    } else {
      pack.add_number(match.name);
      add_text_of(match.row, question.names[match.name]);
    }
    pack.add_number(match.meeting.distance);
    pack.add_number(static_cast<uint32_t>(match.kind));
    if (match.kind == entities::NameKind::kCurrent) return;
    pack.add_number(static_cast<uint32_t>(match.meeting.how));
    pack.add_instant(versions.valid_from(match.row));
    pack.add_end(versions.valid_to(match.row));
  }

  /// [pack, total, counts by tier]
  Napi::Value value(Napi::Env env) const {
    Napi::Array tiers = Napi::Array::New(env, answer.tiers.size());
    for (uint32_t i = 0; i < answer.tiers.size(); ++i) tiers.Set(i, static_cast<double>(answer.tiers[i]));
    Napi::Array out = Napi::Array::New(env, 3);
    out.Set(0u, row_pack_value(env, pack));
    out.Set(1u, static_cast<double>(answer.row_count));
    out.Set(2u, tiers);
    return out;
  }
};

struct KnownRun {
  Pin pin;
  std::vector<PropNumber> names;
  std::vector<std::string> texts;
  std::vector<uint8_t> known = {};

  Status run(StopToken& stop) {
    known.clear();
    StepCounter steps(stop);
    return entities::known_names(pin, names, texts, steps, known);
  }
  /// A byte for each text.
  Napi::Value value(Napi::Env env) const {
    Napi::Uint8Array out = Napi::Uint8Array::New(env, known.size());
    std::copy(known.begin(), known.end(), out.Data());
    return out;
  }
};

Napi::Value run_known_names(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  auto stop = stop_of(info[1]);
  auto run = std::make_shared<KnownRun>(KnownRun{pin, names_arg(info[2], pin.tables()), {}});
  const Napi::Array texts = array_arg(info[3]);
  for (uint32_t i = 0; i < texts.Length(); ++i) run->texts.push_back(text_arg(texts.Get(i)));
  const RunMode mode = entities::is_small(pin, run->names, run->texts) ? RunMode::kInline : RunMode::kPool;
  return run_kernel(
      info.Env(), mode, std::move(stop), [run](StopToken& token) { return run->run(token); },
      [run](Napi::Env env) { return run->value(env); }, info[0]);
}

Napi::Value run_entities(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  auto stop = stop_of(info[1]);
  auto run = std::make_shared<EntitiesRun>(EntitiesRun{pin, question_arg(info[2], pin), page_arg(info[3], info[4])});
  const RunMode mode = entities::is_small(pin, run->question) ? RunMode::kInline : RunMode::kPool;
  return run_kernel(
      info.Env(), mode, std::move(stop), [run](StopToken& token) { return run->run(token); },
      [run](Napi::Env env) { return run->value(env); }, info[0]);
}

}  // namespace

void register_entities(Napi::Env env, Napi::Object exports) {
  exports.Set("knownNames", Napi::Function::New(env, run_known_names, "knownNames"));
  exports.Set("resolveEntities", Napi::Function::New(env, run_entities, "resolveEntities"));
}

}  // namespace palimpsest::node
