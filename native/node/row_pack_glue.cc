#include "node/row_pack_glue.h"

#include <cstring>

namespace palimpsest::node {

Napi::Value row_pack_value(Napi::Env env, const RowPack& pack) {
  napi_value text;
  // ASCII is Latin-1, which is copied without being decoded.
  const napi_status status = pack.is_ascii()
                                 ? napi_create_string_latin1(env, pack.text().data(), pack.text().size(), &text)
                                 : napi_create_string_utf8(env, pack.text().data(), pack.text().size(), &text);
  if (status != napi_ok) throw Napi::Error::New(env);
  Napi::Int32Array cells = Napi::Int32Array::New(env, pack.cells().size());
  if (!pack.cells().empty()) std::memcpy(cells.Data(), pack.cells().data(), pack.cells().size() * sizeof(int32_t));
  Napi::Array out = Napi::Array::New(env, 3);
  out.Set(0u, Napi::Value(env, text));
  out.Set(1u, cells);
  if (pack.doubles().empty()) {
    out.Set(2u, env.Null());
  } else {
    Napi::Float64Array doubles = Napi::Float64Array::New(env, pack.doubles().size());
    std::memcpy(doubles.Data(), pack.doubles().data(), pack.doubles().size() * sizeof(double));
    out.Set(2u, doubles);
  }
  return out;
}

}  // namespace palimpsest::node
