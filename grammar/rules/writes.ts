// Writes: INSERT, SET, REMOVE, DELETE, ERASE, with the portion of valid time they write over.
// The portion is optional here and demanded by the binder, so that its error can show both cures.
import type { Assignment, EraseWrite, Insert, Name, Portion, RemoveWrite, Write } from "../ast.js";
import type { Workshop } from "./table.js";

export function defineWrites(tools: Workshop): void {
  const { p, r, mark, word, name, anyName, text, choice } = tools;

  const because = (idx: number): Portion["because"] =>
    p.option(idx, () => {
      p.take(word.BECAUSE);
      return text();
    }) ?? null;
  /** FROM a [TO b], which may be open here. */
  const range = () => {
    p.take(word.FROM);
    const from = p.sub(r.point);
    const to = p.option(10, () => {
      p.take(word.TO);
      return p.sub(r.point);
    });
    return { from, to: to ?? null };
  };

  r.insert = p.rule("insert", (): Insert => {
    const first = p.take(word.INSERT);
    const chains = p.list(0, () => p.sub(r.chain));
    const time = p.option(0, (): Insert["time"] => {
      const begin = p.take(word.FOR);
      p.take(word.VALID_TIME);
      const read = p.or<NonNullable<Insert["time"]>>(0, [
        { ALT: () => ({ kind: "range", ...range() }) },
        {
          ALT: () => {
            p.take(word.AT);
            return { kind: "at", point: p.sub(r.point) };
          },
        },
        choice(word.ALL, { kind: "all" }),
      ]);
      return { ...read, at: p.since(begin) };
    });
    return { kind: "insert_chains", chains, time: time ?? null, because: because(1), at: p.since(first) };
  });

  const portion = p.rule("portion", (): Portion => {
    const first = p.next();
    const period = p.option(0, () => {
      p.take(word.FOR);
      p.take(word.PORTION);
      p.take(word.OF);
      p.take(word.VALID_TIME);
      return p.or<NonNullable<Portion["period"]>>(0, [{ ALT: range }, choice(word.ALL, "all")]);
    });
    const correction = p.option(1, () => {
      p.take(word.AS);
      p.take(word.CORRECTION);
      return true;
    });
    const reason = because(2);
    const isWritten = period !== undefined || correction !== undefined || reason !== null;
    const read = { period: period ?? null, correction: correction === true, because: reason };
    return isWritten ? { ...read, at: p.since(first) } : read;
  });

  const assignment = (): Assignment => {
    const variable = name("variable");
    const read = p.or<Assignment>(0, [
      {
        ALT: () => {
          p.take(mark.Dot);
          const property = anyName("property");
          p.take(mark.Equal);
          return { kind: "property", variable, property, value: p.sub(r.expr) };
        },
      },
      {
        ALT: () => {
          p.take(mark.Equal);
          return { kind: "content", variable, map: p.sub(r.map) };
        },
      },
      {
        ALT: () => {
          p.take(mark.Colon);
          return { kind: "label", variable, label: anyName("label_or_type") };
        },
      },
    ]);
    return { ...read, at: p.upTo(variable.at) };
  };
  const set = p.rule("set", (): Write => {
    const first = p.take(word.SET);
    const assignments = p.list(0, assignment);
    return { kind: "set", assignments, portion: p.sub(portion), at: p.since(first) };
  });

  const remove = p.rule("remove", (): RemoveWrite => {
    const first = p.take(word.REMOVE);
    const removals = p.list(0, () => {
      const variable = name("variable");
      const removed = p.or<{ readonly what: "property" | "label"; readonly name: Name }>(0, [
        {
          ALT: () => {
            p.take(mark.Dot);
            return { what: "property", name: anyName("property") };
          },
        },
        {
          ALT: () => {
            p.take(mark.Colon);
            return { what: "label", name: anyName("label_or_type") };
          },
        },
      ]);
      return { variable, ...removed, at: p.upTo(variable.at) };
    });
    return { kind: "remove", removals, portion: p.sub(portion), at: p.since(first) };
  });

  const deletion = p.rule("delete", (): Write => {
    const first = p.next();
    const detach = p.has(0, word.DETACH);
    p.take(word.DELETE);
    const variables = p.list(0, () => name("variable"));
    return { kind: "delete", detach, variables, portion: p.sub(portion), at: p.since(first) };
  });

  const erase = p.rule("erase", (): EraseWrite => {
    const first = p.take(word.ERASE);
    const variables = p.list(0, () => name("variable"));
    const reason = because(0);
    const dry = p.option(1, () => {
      p.take(word.DRY);
      p.take(word.RUN);
      return true;
    });
    return { kind: "erase", variables, because: reason, dryRun: dry === true, at: p.since(first) };
  });

  r.write = p.rule("write", () =>
    p.or<Write>(0, [
      { ALT: () => p.sub(set) },
      { ALT: () => p.sub(remove) },
      { ALT: () => p.sub(deletion) },
      { ALT: () => p.sub(erase) },
      { ALT: () => p.sub(r.insert) },
    ]),
  );
}
