declare module 'pino-roll' {
  import type { EventEmitter } from 'node:events';

  /** What is used of the stream that rolls its files. */
  interface RollStream extends EventEmitter {
    write(line: string): boolean;
    end(): void;
  }

  interface RollOptions {
    readonly file: string;
    readonly extension?: string;
    readonly size?: string;
    readonly limit?: { readonly count: number; readonly removeOtherLogFiles?: boolean };
    readonly mkdir?: boolean;
  }

  export default function build(options: RollOptions): Promise<RollStream>;
}
