// Within a suite: one store of payments for all of its tests, and for each test a scripted server, which ends with it.
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Database } from "../../src/index.js";
import { type Asked, ModelServer, type Reply } from "./model-server.js";
import { planServer } from "./payees.js";
import { paymentsStore } from "./payments.js";

export class PaymentsSuite {
  db!: Database;
  private started: ModelServer | null = null;

  /** Declares what the suite, or one that extends it, does before and after its tests. */
  static begin<Suite extends PaymentsSuite>(this: new () => Suite): Suite {
    const suite = new this();
    beforeAll(async () => {
      suite.db = await paymentsStore();
    });
    afterAll(() => suite.db.close());
    afterEach(() => suite.stop());
    return suite;
  }

  private async stop(): Promise<void> {
    await this.started?.stop();
    this.started = null;
  }

  get server(): ModelServer {
    return this.started!;
  }

  /** The server of the test from now on; the one before it ends. */
  private async with(start: () => Promise<ModelServer>): Promise<ModelServer> {
    await this.stop();
    this.started = await start();
    return this.started;
  }

  /** One that answers as it is told. */
  serve(reply: (asked: Asked, position: number) => Reply): Promise<ModelServer> {
    return this.with(() => ModelServer.start(reply));
  }

  /** One that plays plans and reports. */
  play(plans: readonly unknown[], reports: readonly unknown[]): Promise<ModelServer> {
    return this.with(() => planServer(plans, reports));
  }
}
