import type { AcceptedPeer } from '../../../transport/types.ts';
import type { FrameSink, ServerIo } from '../../spi/index.ts';
import type { RegisterImage } from './image.ts';
import type { Identity } from './server-answers.ts';

/** What is served, whatever the framing. */
export interface Serving {
  readonly io: Pick<ServerIo, 'clock' | 'health' | 'sink' | 'settings'>;
  readonly image: RegisterImage;
  readonly identity: Identity;
  /** Answer to a unit id without a point: none, or exception 11. */
  readonly unknownUnit: 'silent' | 'exception';
}

/** One connected client, or the line of a slave: its frames in, our answers out. */
export interface ServedLine {
  /** Lets requests come in; `onClosed` is called once when the client has gone. */
  start(onClosed: () => void): void;
  /** Answers nothing any more. */
  close(): void;
}

export type PeerMaker = (peer: AcceptedPeer, frames: FrameSink, serving: Serving) => ServedLine;
