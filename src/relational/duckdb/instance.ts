// The private DuckDB of this process: in memory, without files, network or extensions, its settings locked.
// Opened at the first statement, with few connections that statements take in turn.
import { totalmem } from "node:os";
import { LONGEST_TIMER_MS } from "../../contract/timers.js";
import { zoneFunctions } from "../functions/zones.js";
import { type Bindings, bindings, type DuckDatabase } from "./bindings.js";
import { DuckSession, type Stop } from "./connection.js";
import { cancelled, failure } from "./failures.js";

export interface InstanceOptions {
  /** Left out, and at most: a quarter of the machine's memory. */
  readonly memoryBytes?: number;
  /** Left out: 1. Sums of doubles are only the same every time on one thread. */
  readonly threads?: number;
}

/** Each holds a thread of the pool that reads files, too: so there are few. */
const SESSIONS = 2;

const MOST_MEMORY_BYTES = Math.floor(totalmem() / 4);
/** With less DuckDB cannot group a few rows. */
const LEAST_MEMORY_BYTES = 16 << 20;
const GIB = 2 ** 30;

/** Memory rounded down, so that there are few instances: to a power of two, from a GiB on to whole ones. */
function roundedMemory(bytes: number): number {
  const given = Math.max(LEAST_MEMORY_BYTES, Math.min(bytes, MOST_MEMORY_BYTES));
  return given < GIB ? 2 ** Math.floor(Math.log2(given)) : Math.floor(given / GIB) * GIB;
}

/** Interrupted work ends within this time, or DuckDB is where it takes no interrupt. */
const GRACE_MS = 200;

const SETTINGS = [
  "SET TimeZone = 'UTC'",
  // Division by zero gives NULL, not infinity.
  "SET ieee_floating_point_ops = false",
  "SET lock_configuration = true",
];

class DuckInstance {
  private readonly idle: DuckSession[] = [];
  private readonly waiting: (() => void)[] = [];
  private count = 0;
  private zonesDefined = 0;

  private constructor(
    readonly duck: Bindings,
    private readonly database: DuckDatabase,
  ) {}

  static async open(memoryBytes: number, threads: number): Promise<DuckInstance> {
    try {
      const duck = bindings();
      const config = duck.create_config();
      const options: Readonly<Record<string, string>> = {
        threads: String(threads),
        memory_limit: `${Math.ceil(memoryBytes / 1024)}KiB`,
        temp_directory: "",
        enable_external_access: "false",
        autoinstall_known_extensions: "false",
        autoload_known_extensions: "false",
        allow_community_extensions: "false",
      };
      for (const [name, value] of Object.entries(options)) duck.set_config(config, name, value);
      const instance = new DuckInstance(duck, await duck.open(":memory:", config));
      const session = await instance.connect();
      for (const setting of SETTINGS) await session.execute(setting);
      instance.idle.push(session);
      return instance;
    } catch (error) {
      throw failure(error);
    }
  }

  private async connect(): Promise<DuckSession> {
    const number = this.count;
    this.count += 1;
    return new DuckSession(this.duck, await this.duck.connect(this.database), number);
  }

  /**
   * Gives the work a connection of its own; it waits where all are taken. Work that is stopped while DuckDB takes no
   * interrupt, as when it plans, keeps its connection until it ends, and nobody waits for it.
   */
  async with<T>(stop: Stop, work: (session: DuckSession) => Promise<T>): Promise<T> {
    const session = await this.take(stop);
    return unlessStopped(this.worked(session, work), stop);
  }

  private async worked<T>(session: DuckSession, work: (session: DuckSession) => Promise<T>): Promise<T> {
    try {
      this.defineZones(session);
      return await work(session);
    } finally {
      session.forget();
      this.idle.push(session);
      this.waiting.shift()?.();
    }
  }

  private async take({ signal, deadlineMs }: Stop): Promise<DuckSession> {
    for (;;) {
      const session = this.idle.pop();
      if (session !== undefined) return session;
      if (this.count < SESSIONS) return this.connect();
      if (signal?.aborted === true || performance.now() >= deadlineMs) {
        // This turn was perhaps another's.
        this.waiting.shift()?.();
        throw cancelled();
      }
      await this.turn({ signal, deadlineMs });
    }
  }

  /** Until a connection is free, or the statement is given up. */
  private turn({ signal, deadlineMs }: Stop): Promise<void> {
    return new Promise((resolve) => {
      const leftMs = deadlineMs - performance.now();
      const timer = Number.isFinite(leftMs)
        ? setTimeout(() => wake(), Math.min(Math.max(0, leftMs), LONGEST_TIMER_MS))
        : undefined;
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", wake);
        const place = this.waiting.indexOf(wake);
        if (place >= 0) this.waiting.splice(place, 1);
        resolve();
      };
      this.waiting.push(wake);
      signal?.addEventListener("abort", wake);
    });
  }

  /** Functions of the zones that were asked for since, by whatever statement. */
  private defineZones(session: DuckSession): void {
    const all = zoneFunctions();
    for (; this.zonesDefined < all.length; this.zonesDefined += 1) session.addFunction(all[this.zonesDefined]!);
  }
}

/** What the work gives, or E_CANCELLED soon after it was stopped. */
function unlessStopped<T>(work: Promise<T>, { signal, deadlineMs }: Stop): Promise<T> {
  if (signal === undefined && deadlineMs === Number.POSITIVE_INFINITY) return work;
  return new Promise((resolve, reject) => {
    const timers: NodeJS.Timeout[] = [];
    const giveUpIn = (ms: number): void => {
      timers.push(setTimeout(() => reject(cancelled()), Math.min(ms, LONGEST_TIMER_MS)));
    };
    const aborted = (): void => giveUpIn(GRACE_MS);
    if (deadlineMs !== Number.POSITIVE_INFINITY) giveUpIn(Math.max(0, deadlineMs - performance.now()) + GRACE_MS);
    if (signal?.aborted === true) aborted();
    else signal?.addEventListener("abort", aborted);
    work.then(resolve, reject).finally(() => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
    });
  });
}

const opened = new Map<string, Promise<DuckInstance>>();

/** The instance of these options, opened when it is first asked for. */
export function duckInstance(options: InstanceOptions = {}): Promise<DuckInstance> {
  const memoryBytes = roundedMemory(options.memoryBytes ?? MOST_MEMORY_BYTES);
  const threads = options.threads ?? 1;
  const key = `${memoryBytes} ${threads}`;
  let instance = opened.get(key);
  if (instance === undefined) {
    instance = DuckInstance.open(memoryBytes, threads);
    opened.set(key, instance);
    instance.catch(() => opened.delete(key));
  }
  return instance;
}
