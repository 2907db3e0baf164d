// Sets versionHistory, scanVersions, scanTable, eventExtent and propertyClasses; see src/native/tables.ts.
#pragma once

#include <napi.h>

namespace palimpsest::node {

void add_scans(Napi::Env env, Napi::Object tables);

}  // namespace palimpsest::node
