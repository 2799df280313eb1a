/** What one packet carries of a conversation. */
export type Carriage =
  | {
      readonly kind: 'tcp';
      /** `192.0.2.1:502`, `[2001:db8::1]:502`. */
      readonly from: string;
      readonly to: string;
      readonly seq: number;
      /** Number of the octet that it waits for from the other end; null: it acknowledges nothing. */
      readonly ack: number | null;
      readonly isSyn: boolean;
      /** SYN without ACK: sent by the end that asks for the connection. */
      readonly isOpening: boolean;
      /** FIN or RST. */
      readonly isEnd: boolean;
      readonly payload: Uint8Array;
      /** Octets that it had; more than `payload` where the packet was cut. */
      readonly length: number;
    }
  | { readonly kind: 'udp'; readonly from: string; readonly to: string; readonly payload: Uint8Array; readonly length: number }
  /** A frame of a line without a network, as this program exports it. */
  | {
      readonly kind: 'line';
      readonly dissector: string;
      readonly protocol: string;
      readonly isRequest: boolean | null;
      readonly payload: Uint8Array;
      readonly length: number;
    }
  /** Nothing that could be replayed. `link`: a link type that is not known; `cut`: the headers are not whole. */
  | { readonly kind: 'none'; readonly why: 'link' | 'protocol' | 'fragment' | 'cut' };
