/** One client at our controlled station. */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { AcceptedPeer } from '../../../transport/types.ts';
import type { ServedPeer } from '../../kit/served-connection.ts';
import type { FrameSink, ServerIo } from '../../spi/index.ts';
import { encodeAsdu, openAsdu } from '../codec/asdu.ts';
import { Cause } from '../codec/causes.ts';
import { makeAsdu } from '../codec/make.ts';
import { TypeId } from '../codec/types.ts';
import { APCI_LENGTH } from '../link/apci.ts';
import { ApduPort } from '../link/apdu-port.ts';
import type { LinkEnd, LinkLimits } from '../link/link-types.ts';
import type { GroupMember, StationGroup } from './station-group.ts';
import { eventsOf, type Job, StationOutbox } from './station-outbox.ts';
import { answerRequest, type StationContext } from './station-requests.ts';

export interface StationPeerOptions {
  readonly io: Pick<ServerIo, 'clock' | 'health' | 'sink'>;
  readonly frames: FrameSink;
  readonly limits: LinkLimits;
  /** As in `PortOptions`. */
  readonly writesApart: boolean;
  readonly group: StationGroup;
  readonly context: StationContext;
  /** The client has gone: its place in the group is free. */
  release(): void;
}

export class StationPeer implements GroupMember, ServedPeer {
  readonly group: StationGroup;
  readonly #peer: AcceptedPeer;
  readonly #options: StationPeerOptions;
  readonly #outbox: StationOutbox;
  readonly #port: ApduPort;
  #isGone = false;
  #onClosed: () => void = () => undefined;

  constructor(peer: AcceptedPeer, options: StationPeerOptions) {
    this.#peer = peer;
    this.#options = options;
    this.group = options.group;
    const { context, io, frames, limits, group, writesApart } = options;
    this.#outbox = new StationOutbox(context.sizes, context.rules, group.events, () => this.wake());
    this.#port = new ApduPort({
      role: 'controlled',
      clock: io.clock,
      limits,
      source: this.#outbox,
      line: peer,
      frames,
      health: io.health,
      writesApart,
      events: {
        onData: (apdu) => this.#onData(apdu),
        onChunk: () => undefined,
        onStarted: () => this.#onStarted(),
        onStopped: () => this.group.stopped(this, []),
        onEnd: (end) => this.#onEnd(end),
      },
    });
    group.join(this);
  }

  start(onClosed: () => void): void {
    this.#onClosed = onClosed;
    this.#peer.start({
      onData: (chunk) => this.#port.receive(chunk),
      onClosed: (cause) => this.#port.lineEnded(cause),
    });
  }

  wake(): void {
    this.#port.link.wake();
  }

  tell(commonAddress: number, cause: number): void {
    const object = { kind: 'endOfInit', address: 0, value: cause, hasChangedParameters: false, time: null } as const;
    const asdu = makeAsdu({ typeId: TypeId.M_EI_NA_1, cause: Cause.initialized, commonAddress, objects: [object] });
    this.#outbox.answerLater(encodeAsdu(asdu, this.#options.context.sizes), -1);
  }

  supersede(): void {
    const { io } = this.#options;
    io.sink.notice(say('iec104.group_switched', { peer: this.#peer.label }));
    this.close();
    this.#peer.close().catch(() => {});
  }

  /** Adds data to send, unless data of this name are under way. */
  addJob(job: Job): void {
    if (this.#port.link.state !== 'started' || this.#outbox.hasJob(job.name)) return;
    this.#outbox.addJob(job);
    this.wake();
  }

  /** Takes and sends nothing any more. */
  close(): void {
    this.#port.link.lineEnded(null);
  }

  #onStarted(): void {
    this.group.started(this);
    this.#options.io.sink.notice(say('iec104.transfer_started', { peer: this.#peer.label }));
  }

  #onData(apdu: Uint8Array): void {
    const { context, io } = this.#options;
    const begin = io.clock.monotonicMs();
    const view = openAsdu(apdu, context.sizes, APCI_LENGTH);
    io.health.request();
    const result = answerRequest(view, this, this.#outbox, context);
    io.health.response(io.clock.monotonicMs() - begin);
    if (result.isRefused) io.health.refusal();
    if (this.#outbox.isFlooded) throw new AppError('PROTOCOL_MISMATCH', say('iec104.client_unread'));
  }

  #onEnd(end: LinkEnd): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const { io, context, release } = this.#options;
    context.commands.leave(this);
    this.group.leave(this, eventsOf(this.#port.link.unacknowledged));
    this.#outbox.clear();
    if (end.kind === 'protocol') io.sink.notice(say('iec104.peer_ended', { peer: this.#peer.label, reason: end.error.said }));
    this.#onClosed();
    release();
  }
}
