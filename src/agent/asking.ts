// What all parts of one ask share: the question and what it names, the card of the store, fences, the budget, and the
// account of what was tried.
import type { JsonObject, JsonValue } from "../contract/values.js";
import { registryVersion } from "../operators/registry.js";
import { type Verification, type VerifyContext, verifyPlan, withStore } from "../plan/index.js";
import type { ReadableState } from "../query/index.js";
import { Budget } from "./budget.js";
import type { Front } from "./fronts/front.js";
import { frontOf } from "./fronts/fronts.js";
import type { Guided } from "./fronts/guided.js";
import { NO_NOTES, type NotesForQuestion } from "./memory/notes-for-question.js";
import { mentionsOf, type Named } from "./mentions/mentions.js";
import type { PlanContext } from "./plan-checks.js";
import { type Card, cardOf } from "./prompt/card.js";
import { Fences } from "./prompt/fence.js";
import type { FrontName } from "./prompt/systems.js";
import type { Provider } from "./provider/provider.js";
import { StoreNames } from "./store-names.js";
import type { AgentAnswer, AgentEvent, Limits, Mention, Mode } from "./types.js";
import type { Medium } from "./words/media.js";

export interface AskInput {
  readonly state: ReadableState;
  readonly provider: Provider;
  readonly question: string;
  readonly askTx: number;
  readonly entities: readonly string[];
  /** The zone that is in force: of times that name none. */
  readonly zone: string;
  readonly nameProps: readonly string[];
  readonly medium: Medium;
  readonly mode: Mode;
  readonly limits: Limits;
  readonly front: FrontName;
  readonly guided: Guided;
  readonly signal: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
  /** What is remembered of the windows that a question names; left out: nothing. */
  readonly notesOf?: (mentions: readonly Mention[]) => Promise<NotesForQuestion>;
}

type Attempt = AgentAnswer["attempts"][number];

export class Asking {
  readonly budget: Budget;
  readonly attempts: Attempt[] = [];
  readonly fences = Fences.fresh();
  readonly context: PlanContext;
  readonly mentions: readonly Mention[];
  readonly front: Front;
  readonly card: Card;
  /** What is remembered of the windows that the question names, and what of it could not be used. */
  readonly notes: readonly JsonValue[];
  readonly notices: readonly string[];
  /** Every uid that the question or the caller names. */
  readonly identifiers: ReadonlySet<string>;
  /** Whether the model was let call operators. */
  hasLooped = false;
  /** Whether it was told of mentions that it left out: once, however it is asked. */
  hasToldUnused = false;
  /** What decides an answer of the model beside its messages. */
  readonly versions: JsonObject = { registry: registryVersion() };

  private constructor(
    readonly input: AskInput,
    readonly names: StoreNames,
    /** What the question names. */
    readonly named: Named,
    remembered: NotesForQuestion,
  ) {
    const { state, question, askTx, entities, limits, nameProps } = input;
    const { mentions } = named;
    this.mentions = mentions;
    const askTimeUs = askTx === 0 ? null : state.engine.txTimeUs(askTx);
    const shownValues = (prop: string): readonly JsonValue[] => this.card.valuesOf(prop);
    this.context = { question, mentions, entities, askTx, askTimeUs, shownValues };
    this.identifiers = new Set([...mentions.flatMap(({ uid }) => uid ?? []), ...entities]);
    this.budget = new Budget(limits);
    this.front = frontOf({ ...input, mostSteps: limits.steps });
    this.tell("mentions", 0, mentions as unknown as JsonValue);
    this.card = cardOf(state.engine, state.catalogue, askTx, nameProps);
    this.tell("card", 0, { types: this.card.typeCount, labels: this.card.labelCount });
    this.notes = remembered.lines;
    this.notices = remembered.notices;
    if (remembered.digests.length > 0) this.tell("notes", 0, [...remembered.digests]);
  }

  static async begin(input: AskInput): Promise<Asking> {
    const { state, question, askTx, entities, zone, nameProps, signal } = input;
    const names = new StoreNames(state.engine, askTx, nameProps, signal);
    await names.checkEntities(entities);
    const labels = state.catalogue.at(askTx).names("labels");
    const named = await mentionsOf(question, names, { zone, entities, labels });
    const inForce = named.zone?.isIana === true ? named.zone.name : zone;
    const remembered = (await input.notesOf?.(named.mentions)) ?? NO_NOTES;
    return new Asking({ ...input, zone: inForce }, names, named, remembered);
  }

  tell(at: AgentEvent["at"], attempt: number, detail: JsonValue): void {
    this.input.onEvent({ at, attempt, detail });
  }

  readonly onRetry = (attempt: number, kind: string): void => this.tell("retry", attempt, { kind });

  /** The static verifier, over the store as it was at the commit of the question. */
  verify(plan: unknown, identifiers: VerifyContext["identifiers"] = this.identifiers): Verification {
    const { state, askTx } = this.input;
    return withStore(state.engine, askTx, {}, (store) => verifyPlan(plan, { identifiers, store }));
  }
}
