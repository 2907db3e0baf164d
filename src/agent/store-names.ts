// The names of a store at one commit, as questions and words ask for them: uids, and the texts under properties of names.
import { PalimpsestError } from "../contract/errors.js";
import type { JsonObject } from "../contract/values.js";
import { checkCancelled } from "../operators/cancellation.js";
import type { OperatorEngine } from "../operators/engine.js";
import { callOperator } from "../operators/pipeline.js";
import { notKnown } from "../operators/unknown-subjects.js";
import type { NameSource } from "./mentions/names.js";
import type { EntityNames } from "./words/render.js";

const LONGEST_NAME_BYTES = 1024;
/** Entities whose uid or name is the text of a uid; the uids come first. */
const MOST_NAMESAKES = 100;
const NO_CEILINGS = { deadlineMs: Number.POSITIVE_INFINITY, stepCeiling: Number.POSITIVE_INFINITY };

export class StoreNames implements NameSource, EntityNames {
  private readonly names = new Map<string, string>();

  constructor(
    private readonly engine: OperatorEngine,
    private readonly tx: number,
    private readonly nameProps: readonly string[],
    private readonly signal: AbortSignal | undefined = undefined,
  ) {}

  knownUids(texts: readonly string[]): ReadonlySet<string> {
    const view = this.engine.pin(this.tx);
    try {
      const unknown = new Set(view.unknownUids(texts));
      return new Set(texts.filter((text) => !unknown.has(text)));
    } finally {
      view.release();
    }
  }

  private async resolve(query: string, more: JsonObject = {}): Promise<readonly JsonObject[]> {
    if (Buffer.byteLength(query) > LONGEST_NAME_BYTES) return [];
    const args = {
      query,
      name_props: [...this.nameProps],
      min_tier: "exact",
      as_of_tt: `tx:${this.tx}`,
      limit: 2,
      ...more,
    };
    const { rows } = await callOperator(
      this.engine,
      "resolve_entities",
      args,
      this.signal === undefined ? {} : { signal: this.signal },
    );
    return rows ?? [];
  }

  /** The entities of a name, at most two. */
  async named(name: string): Promise<readonly string[]> {
    return (await this.resolve(name)).map(({ uid }) => uid as string);
  }

  /** Refuses what the caller names as an entity and is no uid here: no plan could speak of it. */
  async checkEntities(entities: readonly string[]): Promise<void> {
    const view = this.engine.pin(this.tx);
    try {
      const unknown = view.unknownUids(entities);
      if (unknown.length === 0) return;
      const { message, details, hint } = notKnown(unknown, view, this.tx);
      const [text] = unknown as readonly [string, ...string[]];
      const named = await this.named(text);
      throw new PalimpsestError("E_INVALID_ARG", `entities: ${message}`, {
        details: { ...details, path: "/entities", named },
        hint: named.length === 0 ? hint : `${JSON.stringify(text)} is a name: give the uid, ${named.join(" or ")}`,
      });
    } finally {
      view.release();
    }
  }

  /** Those of the texts that name an entity, however many. */
  async known(texts: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const asked = [...texts].filter((text) => text !== "" && Buffer.byteLength(text) <= LONGEST_NAME_BYTES);
    const { nameProps, signal } = this;
    checkCancelled(signal, Number.POSITIVE_INFINITY);
    const view = this.engine.pin(this.tx);
    try {
      return await view.knownNames(asked, nameProps, { ...NO_CEILINGS, signal });
    } finally {
      view.release();
    }
  }

  /** Takes in the names of those of the texts that are entities. */
  async load(texts: readonly string[]): Promise<void> {
    for (const uid of this.knownUids([...new Set(texts)])) {
      const name = await this.nameAt(uid);
      if (name !== null) this.names.set(uid, name);
    }
  }

  /** As a search shows it, so that what is printed is found: that of the version that begins last. */
  private async nameAt(uid: string): Promise<string | null> {
    const rows = await this.resolve(uid, { limit: MOST_NAMESAKES });
    const name = rows.find((row) => row.uid === uid)?.name;
    return typeof name === "string" ? name : null;
  }

  nameOf(uid: string): string | null {
    return this.names.get(uid) ?? null;
  }
}
