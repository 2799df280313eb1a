/** Where the octets of a stream go. */
export interface StreamSink {
  /** False: the reader has to take something before more is written. */
  write(octets: Uint8Array): boolean;
  /** The reader took what was written. */
  onDrained(call: () => void): void;
  /** The reader is gone. */
  onClosed(call: () => void): void;
  /** Ends the answer in order. */
  end(): void;
  /** Ends it at once. */
  destroy(): void;
}

/** An answer that goes on: `open` is called once, when its head has been written. */
export interface StreamAnswer {
  open(sink: StreamSink): void;
}
