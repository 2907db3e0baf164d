#include "core/kernels/corners/content_difference.h"

#include <algorithm>

namespace palimpsest {

namespace {

bool has_same_props(const Properties& properties, Row before, Row after) {
  const ShapeNumber shape = properties.shape(before);
  if (shape != properties.shape(after)) return false;
  for (const uint32_t column : properties.columns(shape)) {
    if (properties.bits(column, before) != properties.bits(column, after)) return false;
  }
  return true;
}

}  // namespace

bool differs(const Tables& tables, Kind kind, Row before, Row after, Compared compared) {
  const VersionTable& versions = kind == Kind::kEdge ? tables.edge_versions : tables.node_versions;
  if (compared == Compared::kContentAndInterval && (versions.valid_from(before) != versions.valid_from(after) ||
                                                    versions.valid_to(before) != versions.valid_to(after))) {
    return true;
  }
  if (kind == Kind::kNode && versions.label_set(before) != versions.label_set(after)) return true;
  return !has_same_props(versions.properties(), before, after);
}

std::vector<std::string> names_of_differences(const Tables& tables, Kind kind, Row before, Row after,
                                              Compared compared) {
  const VersionTable& versions = kind == Kind::kEdge ? tables.edge_versions : tables.node_versions;
  std::vector<std::string> names;
  if (kind == Kind::kNode && versions.label_set(before) != versions.label_set(after)) names.emplace_back("labels");
  if (compared == Compared::kContentAndInterval) {
    if (versions.valid_from(before) != versions.valid_from(after)) names.emplace_back("valid_from");
    if (versions.valid_to(before) != versions.valid_to(after)) names.emplace_back("valid_to");
  }
  std::vector<PropValue> values[2];
  versions.properties().collect(before, values[0]);
  versions.properties().collect(after, values[1]);
  const auto lacks = [](const std::vector<PropValue>& among, const PropValue& value) {
    return std::none_of(among.begin(), among.end(), [&](const PropValue& other) {
      return other.name == value.name && other.kind == value.kind && other.bits == value.bits;
    });
  };
  for (int side = 0; side < 2; ++side) {
    for (const PropValue& value : values[side]) {
      if (lacks(values[1 - side], value)) names.push_back("props." + std::string(tables.prop_names.get(value.name)));
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace palimpsest
