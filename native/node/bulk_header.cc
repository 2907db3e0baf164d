#include "node/bulk_header.h"

#include "node/values.h"

namespace palimpsest::node {

namespace {

std::string_view text_view(const std::optional<std::string>& text) {
  return text ? std::string_view(*text) : std::string_view();
}

}  // namespace

BulkHeader BulkHeader::from(const Napi::Value& value) {
  BulkHeader header;
  const Napi::Object object = object_arg(value);
  const Napi::Array labels = array_arg(object.Get("nodeLabels"));
  for (uint32_t i = 0; i < labels.Length(); ++i) header.labels.push_back(text_arg(labels.Get(i)));
  const auto text = [&](const char* name) -> std::optional<std::string> {
    const Napi::Value given = object.Get(name);
    return given.IsString() ? std::optional(given.As<Napi::String>().Utf8Value()) : std::nullopt;
  };
  header.source = text("source");
  header.provenance_ref = text("provenanceRef");
  header.reason = text("reason");
  return header;
}

EventsHeader BulkHeader::view() const {
  return {{labels.begin(), labels.end()}, text_view(source), text_view(provenance_ref), text_view(reason)};
}

}  // namespace palimpsest::node
