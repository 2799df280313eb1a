/** How the frames of a channel go into a capture file, for programs that read those. */

/**
 * `tcp`, `udp`: each frame in a packet to or from `port`, the one that the protocol is known by. `line`: without a network, under the name of a dissector of Wireshark, which knows
 * requests by `port` where it needs that; `protocol` is what its list calls the frame, where the dissector does not say so.
 */
export type CaptureForm =
  | { readonly carrier: 'tcp' | 'udp'; readonly port: number }
  | { readonly carrier: 'line'; readonly dissector: string; readonly protocol?: string; readonly port?: number };
