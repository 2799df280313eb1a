/** Pure work in steps: whoever runs it may do something else between them. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does the work at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does the work with `breathe` between the steps. */
export async function runInTurns<Result>(steps: Steps<Result>, breathe: () => Promise<void>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await breathe();
  }
}
