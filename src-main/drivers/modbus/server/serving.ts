import type { AcceptedPeer } from '../../../transport/types.ts';
import type { ServedPeer } from '../../kit/served-connection.ts';
import type { FrameSink, ServerIo } from '../../spi/index.ts';
import type { AskedObjects } from './asked-objects.ts';
import type { RegisterImage } from './image.ts';
import type { ServedDevice } from './served-device.ts';

/** What is served, whatever the framing. */
export interface Serving {
  readonly io: Pick<ServerIo, 'clock' | 'health' | 'sink' | 'settings' | 'exceptionAt'>;
  readonly image: RegisterImage;
  readonly device: ServedDevice;
  /** What masters asked and nobody serves. */
  readonly asked: AskedObjects;
  /** Answer to a unit id without a point: none, or exception 11. */
  readonly unknownUnit: 'silent' | 'exception';
}

/** Makes what answers one connected client, or the line of a slave: its frames in, our answers out. */
export type PeerMaker = (peer: AcceptedPeer, frames: FrameSink, serving: Serving) => ServedPeer;
