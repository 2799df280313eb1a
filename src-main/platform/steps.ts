/** Pure work in steps: whoever runs it may do something else between them. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does the work at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does the work with `breathe` between the steps; what that throws ends the work where it stands, as if the work had thrown it. */
export async function runInTurns<Result>(steps: Steps<Result>, breathe: () => Promise<void>): Promise<Result> {
  let step = steps.next();
  while (!step.done) {
    try {
      await breathe();
    } catch (thrown) {
      step = steps.throw(thrown);
      continue;
    }
    step = steps.next();
  }
  return step.value;
}
