/** What stands for the lasting store of a channel where there is none. */
import type { DriverLasting } from '../spi/index.ts';

/** Keeps a value as long as the process lives. */
export function unlasting(): DriverLasting {
  let kept: unknown;
  return {
    read: () => kept,
    write(value) {
      kept = value;
    },
  };
}
