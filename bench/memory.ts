/** Octets in use after everything unused was collected; buffers are freed some turns later. Needs --expose-gc. */
export async function settledBytes(): Promise<number> {
  if (!globalThis.gc) throw new Error('memory can be measured only with node --expose-gc');
  for (let turn = 0; turn < 6; turn++) {
    globalThis.gc();
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
