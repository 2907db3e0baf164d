// The place where a session keeps its state, and the order in which statements come to it.
// Statements see the state that those before them leave; a read looks once and then runs beside the others.
import { TaskQueue } from "../../store/turns.js";
import { notNow } from "../statements/limits.js";
import { type SessionState, STATELESS } from "./state.js";

export class SessionCell {
  private readonly queue = new TaskQueue();
  private isClosed = false;

  constructor(
    private current: SessionState,
    readonly initial: SessionState,
    /** Whether statements may change it: those of a session may. */
    readonly isSession: boolean,
    readonly isReadOnly: boolean,
  ) {}

  get state(): SessionState {
    return this.current;
  }

  /** The state that a statement meets when its turn comes. */
  look(): Promise<SessionState> {
    return this.inTurn(async (state) => state);
  }

  /** Runs work that no other statement of the session overtakes; what it gives as `next` is the state after it. */
  change<T>(work: (state: SessionState) => Promise<{ readonly next: SessionState; readonly result: T }>): Promise<T> {
    return this.inTurn(async (state) => {
      const { next, result } = await work(state);
      this.current = next;
      return result;
    });
  }

  close(): void {
    this.isClosed = true;
    this.current = { ...this.current, block: null };
  }

  private inTurn<T>(work: (state: SessionState) => Promise<T>): Promise<T> {
    return this.queue.run(() => {
      if (this.isClosed) throw notNow("the session was closed", "make another one", "session_closed");
      return work(this.current);
    });
  }
}

/** Of `db.query`: nothing is kept between statements. */
export const noSession = (): SessionCell => new SessionCell(STATELESS, STATELESS, false, false);
