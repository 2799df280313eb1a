/** How the frames of a channel go into a capture file, for programs that read those. */

/**
 * `tcp`, `udp`: each frame in a packet to or from `port`, the one that the protocol is known by. `line`: without a network, under the name of a dissector of Wireshark, which knows
 * requests by `port` where it needs that; `protocol` is what its list calls the frame, where the dissector does not say so.
 */
export type CaptureForm =
  | { readonly carrier: 'tcp' | 'udp'; readonly port: number }
  | { readonly carrier: 'line'; readonly dissector: string; readonly protocol?: string; readonly port?: number };

/** What a master read of a device, as a recorded conversation has it. */
export interface CapturedRead {
  readonly slaveId: number;
  readonly functionCode: number;
  /** Address of the first number, as it travels. */
  readonly start: number;
  /** One for each address. */
  readonly numbers: readonly number[];
}

/** Finds the reads in a recorded conversation, whose directions come in any pieces. Bounded. */
export interface ReadFinder {
  /** The reads that these octets complete. */
  push(isToDevice: boolean, bytes: Uint8Array): readonly CapturedRead[];
  /** Octets of a direction are missing here. */
  gap(isToDevice: boolean): void;
}
