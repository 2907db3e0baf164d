// Sets versionHistory, scanVersions, scanTable, propertyClasses, propertiesInUse, scanTableColumns,
// scanVersionsColumns, surveyVersions, versionPieces and sortColumns; see src/native/tables.ts and
// src/native/columns.ts.
#pragma once

#include <napi.h>

namespace palimpsest::node {

void add_scans(Napi::Env env, Napi::Object tables);
void add_column_scans(Napi::Env env, Napi::Object tables);
void add_version_streams(Napi::Env env, Napi::Object tables);
void add_column_sorts(Napi::Env env, Napi::Object tables);

}  // namespace palimpsest::node
