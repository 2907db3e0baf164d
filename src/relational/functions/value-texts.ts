// Numbers and times as the texts that answers have for them, in SQL.
// Used where they are CAST to texts and where they stand in JSON.
import { once } from "./sql.js";

export const doubleText = (x: string): string => {
  const short = `regexp_replace(regexp_replace(${x}::VARCHAR, '[.]0$', ''), 'e([+-])0+', 'e\\1')`;
  return `CASE WHEN ${x} = trunc(${x}) AND abs(${x}) < 1e15 THEN ${x}::BIGINT::VARCHAR ELSE ${short} END`;
};

export function instantText(x: string): string {
  const t = `make_timestamp(${x})`;
  const year = `CASE WHEN year(${t}) < 0 THEN '-' ELSE '' END || lpad(abs(year(${t}))::VARCHAR, 4, '0')`;
  const fraction = `CASE WHEN ${x} % 1000000 <> 0 THEN strftime(${t}, '.%f') ELSE '' END`;
  return `(${year} || strftime(${t}, '-%m-%dT%H:%M:%S') || ${fraction} || 'Z')`;
}

export function durationText(x: string): string {
  return once([`abs(${x})`], ([d]) => {
    const micros = `(${d} % 60000000)`;
    const seconds =
      `CASE WHEN ${micros} % 1000000 <> 0 THEN (${micros} // 1000000)::VARCHAR || '.' || lpad((${micros} % 1000000)::VARCHAR, 6, '0') || 'S' ` +
      `WHEN ${micros} <> 0 THEN (${micros} // 1000000)::VARCHAR || 'S' ELSE '' END`;
    const hours = `CASE WHEN ${d} >= 3600000000 THEN (${d} // 3600000000)::VARCHAR || 'H' ELSE '' END`;
    const minutes = `CASE WHEN ${d} // 60000000 % 60 <> 0 THEN (${d} // 60000000 % 60)::VARCHAR || 'M' ELSE '' END`;
    return `CASE WHEN ${x} = 0 THEN 'PT0S' ELSE CASE WHEN ${x} < 0 THEN '-PT' ELSE 'PT' END || ${hours} || ${minutes} || ${seconds} END`;
  });
}
