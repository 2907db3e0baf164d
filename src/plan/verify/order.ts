// The order of steps: after everything they refer to, else as they stand; and the circles where there is none.
// Iterative, as a plan may be a long chain.

interface OrderedStep {
  readonly id: string;
  /** Ids of steps that must run before; all known. */
  readonly needs: ReadonlySet<string>;
}

interface StepOrder<Step> {
  readonly order: readonly Step[];
  /** Steps that no order can hold: on a circle, or behind one. */
  readonly stuck: readonly Step[];
}

export function orderSteps<Step extends OrderedStep>(steps: readonly Step[]): StepOrder<Step> {
  const waiting = new Map(steps.map((step) => [step.id, step.needs.size]));
  const behind = new Map<string, Step[]>(steps.map((step) => [step.id, []]));
  for (const step of steps) for (const id of step.needs) behind.get(id)!.push(step);
  const positions = new Map(steps.map((step, i) => [step.id, i]));
  const ready = steps.filter((step) => step.needs.size === 0);
  const order: Step[] = [];
  while (ready.length > 0) {
    // The first in the plan among those that are ready, so that the order is that of the plan where it can be.
    let least = 0;
    for (let i = 1; i < ready.length; i += 1) {
      if (positions.get(ready[i]!.id)! < positions.get(ready[least]!.id)!) least = i;
    }
    const [step] = ready.splice(least, 1);
    order.push(step!);
    for (const next of behind.get(step!.id)!) {
      const left = waiting.get(next.id)! - 1;
      waiting.set(next.id, left);
      if (left === 0) ready.push(next);
    }
  }
  const done = new Set(order);
  return { order, stuck: steps.filter((step) => !done.has(step)) };
}

/** The circle that a stuck step is on, from itself to itself; undefined where it only waits for one. */
export function circleOf<Step extends OrderedStep>(step: Step, stuck: readonly Step[]): string[] | undefined {
  const byId = new Map(stuck.map((each) => [each.id, each]));
  const cameFrom = new Map<string, string>();
  const queue = [step.id];
  for (let i = 0; i < queue.length; i += 1) {
    for (const id of byId.get(queue[i]!)!.needs) {
      if (id === step.id) {
        const circle = [queue[i]!];
        while (circle[0] !== step.id) circle.unshift(cameFrom.get(circle[0]!)!);
        return [...circle, step.id];
      }
      if (!byId.has(id) || cameFrom.has(id)) continue;
      cameFrom.set(id, queue[i]!);
      queue.push(id);
    }
  }
  return undefined;
}
