// metricSeries, burstSeries and eventExtent: see src/native/series.ts.
// Turns arguments into populations and buckets; what is counted is in core/kernels/series.
#include <napi.h>

#include <cmath>

#include "core/kernels/series/bursts.h"
#include "core/kernels/series/event_extent.h"
#include "core/kernels/series/series.h"
#include "node/budgeted_run.h"
#include "node/corner_args.h"
#include "node/kernel_args.h"
#include "node/values.h"
#include "node/view_handle.h"

namespace palimpsest::node {

namespace {

constexpr uint32_t kMostMetrics = static_cast<uint32_t>(series::Metric::kReciprocity);
constexpr uint32_t kMostHistory = 1000;

Napi::Error bad(Napi::Env env, const char* what) { return error_of(env, Status(Code::kInternal, what)); }

/// What a kernel of this family works on, whatever it counts.
struct Subject {
  Pin pin;
  Filter filter;
  bool has_node = false;
  NodeNumber node = kNone;
  series::NodeRole role = series::NodeRole::kEither;

  series::Population population() const { return {&filter, has_node, node, role}; }
  bool is_ready() const { return series::PassingEvents::is_ready(pin, population()); }
};

/// (view, stop, where, node, …): node is null or [uid, role]; a uid that is not known has no events.
Subject subject_arg(const Napi::CallbackInfo& info) {
  const Pin pin = pin_of(info[0]);
  Subject subject{pin, filter_arg(info[2], pin)};
  if (info[3].IsNull()) return subject;
  const Napi::Array node = array_arg(info[3]);
  subject.has_node = true;
  subject.node = pin.known_node(text_arg(node.Get(0u)));
  subject.role =
      static_cast<series::NodeRole>(number_arg(node.Get(1u), static_cast<uint32_t>(series::NodeRole::kEither)));
  return subject;
}

series::Buckets buckets_arg(const Napi::Value& value) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_bigint64_array) {
    throw bad(value.Env(), "a BigInt64Array is expected");
  }
  const auto array = value.As<Napi::BigInt64Array>();
  std::vector<Micros> boundaries(array.Data(), array.Data() + array.ElementLength());
  const bool is_legal =
      series::Buckets::is_legal(boundaries) && boundaries.front() >= kBeginning && boundaries.back() <= kCalendarEnd;
  if (!is_legal) throw bad(value.Env(), "boundaries do not ascend inside the calendar");
  return series::Buckets(std::move(boundaries));
}

std::vector<series::Metric> metrics_arg(const Napi::Value& value) {
  std::vector<series::Metric> metrics;
  for (const uint8_t metric : bytes_arg(value)) {
    if (metric > kMostMetrics || metrics.size() > kMostMetrics) throw bad(value.Env(), "no such metric");
    metrics.push_back(static_cast<series::Metric>(metric));
  }
  return metrics;
}

double number_field(const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  if (!value.IsNumber() || std::isnan(value.As<Napi::Number>().DoubleValue())) throw bad(object.Env(), name);
  return value.As<Napi::Number>().DoubleValue();
}

series::BurstRules rules_arg(const Napi::Value& value) {
  const Napi::Object object = object_arg(value);
  series::BurstRules rules;
  rules.is_ratio = object.Get("isRatio").ToBoolean();
  rules.wants_up = object.Get("up").ToBoolean();
  rules.wants_down = object.Get("down").ToBoolean();
  rules.history = std::max(1u, number_arg(object.Get("history"), kMostHistory));
  rules.min_history = std::max(1u, number_arg(object.Get("minHistory"), kMostHistory));
  rules.threshold = number_field(object, "threshold");
  const Micros min_change = micros_arg(object.Get("minChange"));
  rules.min_change = static_cast<uint64_t>(std::max(Micros{0}, min_change));
  rules.is_first_partial = object.Get("isFirstPartial").ToBoolean();
  rules.is_last_partial = object.Get("isLastPartial").ToBoolean();
  return rules;
}

/// A run that JavaScript waits for at once where it is small and all that it reads is there.
template <typename Run>
Napi::Value start(const Napi::CallbackInfo& info, std::shared_ptr<Run> run) {
  auto stop = stop_of(info[1]);
  const auto work = [run](StopToken& token) {
    StepCounter steps(token);
    return run->run(steps);
  };
  const auto finish = [run](Napi::Env env) { return run->value(env); };
  if (!run->subject.is_ready()) {
    return run_kernel(info.Env(), RunMode::kPool, std::move(stop), work, finish, info[0]);
  }
  return run_within_budget(info.Env(), std::move(stop), work, finish, info[0]);
}

Napi::Value doubles_value(Napi::Env env, const std::vector<double>& doubles) {
  Napi::Float64Array array = Napi::Float64Array::New(env, doubles.size());
  std::copy(doubles.begin(), doubles.end(), array.Data());
  return array;
}

struct MetricRun {
  Subject subject;
  series::Buckets buckets;
  std::vector<series::Metric> metrics;
  std::vector<double> values = {};

  Status run(StepCounter& steps) {
    return series::metric_series(subject.pin, subject.population(), buckets, metrics, steps, values);
  }
  Napi::Value value(Napi::Env env) const { return doubles_value(env, values); }
};

struct BurstRun {
  Subject subject;
  series::Buckets buckets;
  series::BurstRules rules;
  PageSpan page;
  series::BurstAnswer answer = {};

  Status run(StepCounter& steps) {
    answer = {};
    return series::bursts(subject.pin, subject.population(), buckets, rules, page, steps, answer);
  }
  /// [seven numbers a row: bucket, value, baseline, spread, score, is up, history; total; judged]
  Napi::Value value(Napi::Env env) const {
    std::vector<double> cells;
    cells.reserve(answer.rows.size() * 7);
    for (const series::Burst& burst : answer.rows) {
      cells.insert(cells.end(),
                   {static_cast<double>(burst.bucket), static_cast<double>(burst.value), burst.baseline, burst.spread,
                    burst.score, burst.is_up ? 1.0 : 0.0, static_cast<double>(burst.history)});
    }
    Napi::Array out = Napi::Array::New(env, 3);
    out.Set(0u, doubles_value(env, cells));
    out.Set(1u, static_cast<double>(answer.total));
    out.Set(2u, static_cast<double>(answer.judged));
    return out;
  }
};

struct ExtentRun {
  Subject subject;
  std::optional<series::EventExtent> extent = {};

  Status run(StepCounter& steps) {
    extent.reset();
    return series::event_extent(subject.pin, subject.population(), steps, extent);
  }
  Napi::Value value(Napi::Env env) const {
    if (!extent) return env.Null();
    Napi::Array out = Napi::Array::New(env, 2);
    out.Set(0u, Napi::BigInt::New(env, extent->first));
    out.Set(1u, Napi::BigInt::New(env, extent->last));
    return out;
  }
};

Napi::Value metric_series(const Napi::CallbackInfo& info) {
  return start(info,
               std::make_shared<MetricRun>(MetricRun{subject_arg(info), buckets_arg(info[4]), metrics_arg(info[5])}));
}

Napi::Value burst_series(const Napi::CallbackInfo& info) {
  return start(info, std::make_shared<BurstRun>(BurstRun{subject_arg(info), buckets_arg(info[4]), rules_arg(info[5]),
                                                         page_arg(info[6], info[7])}));
}

Napi::Value event_extent(const Napi::CallbackInfo& info) {
  return start(info, std::make_shared<ExtentRun>(ExtentRun{subject_arg(info)}));
}

}  // namespace

void register_series(Napi::Env env, Napi::Object exports) {
  exports.Set("metricSeries", Napi::Function::New(env, metric_series, "metricSeries"));
  exports.Set("burstSeries", Napi::Function::New(env, burst_series, "burstSeries"));
  exports.Set("eventExtent", Napi::Function::New(env, event_extent, "eventExtent"));
}

}  // namespace palimpsest::node
