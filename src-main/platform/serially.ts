/** Makes a runner of pieces of work: one after the other, in the order in which they come, also behind one that failed. */
export function serially(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
