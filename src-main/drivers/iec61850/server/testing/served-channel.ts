/** A serving channel with its runtime played by a test, and clients of our own on lines in memory. */

import { ConnType } from '#shared/domain/enums.ts';
import { english } from '#shared/messages/index.ts';
import { ManualClock, settle } from '../../../../platform/manual-clock.ts';
import type { Steps } from '../../../../platform/steps.ts';
import type { AcceptedPeer, TransportEvents } from '../../../../transport/types.ts';
import type { DriverConnection, DriverLasting, DriverMemory, FrameSink, PointConfig, PointReading, ServerIo } from '../../../spi/index.ts';
import type { DriverDocument } from '../../../spi/model.ts';
import { clientSettings } from '../../../testing/settings.ts';
import { MmsClient } from '../../association/mms-client.ts';
import type { AssociationSettings } from '../../association/negotiation.ts';
import type { InformationReport, MmsRequest } from '../../mms/pdu.ts';
import { SETTINGS } from '../../testing/mms-bench.ts';
import { type ServeOptions, serveSteps } from '../server.ts';

/** Table, file and settings of the channel, and what the server is to do wrong. */
export interface ServedChannelOptions extends ServeOptions {
  readonly points?: readonly PointConfig[];
  readonly document?: DriverDocument | null;
  readonly protocol?: Readonly<Record<string, unknown>>;
  readonly password?: string;
  readonly before?: ReadonlyMap<number, Uint8Array>;
  readonly lasting?: DriverLasting;
  readonly memory?: DriverMemory;
  /** It is made by calls of `step`; left out: at once. */
  readonly inSteps?: boolean;
}

/** Where a client comes from, and what it does with reports. */
export interface ClientSide {
  /** Is shown what comes to the client. */
  readonly onData?: (chunk: Uint8Array) => void;
  readonly address?: string;
  onReport?(report: InformationReport): void;
}

const NO_FRAMES: FrameSink = { record: () => 1 };

/** The channel; clients come with `client`, `associated` or `dial`. */
export class ServedChannel {
  readonly clock = new ManualClock();
  readonly notices: string[] = [];
  /** What the server passed on by itself: readings, and whether they are events. */
  readonly passed: { readonly readings: readonly PointReading[]; readonly event: boolean | 'only' }[] = [];
  readonly counts = { request: 0, response: 0, refusal: 0, fault: 0 };
  /** Sizes of what the server wrote. */
  readonly writes: number[] = [];
  /** The line takes what the server writes when this is fulfilled. */
  stalled: Promise<void> = Promise.resolve();
  /** The making of what is served. */
  readonly steps: Steps<DriverConnection>;
  #connection: DriverConnection | null = null;
  #accept: ((peer: AcceptedPeer, frames: FrameSink) => void) | null = null;

  constructor(given: ServedChannelOptions = {}) {
    const { points = [], document = null, protocol = {}, password, before, lasting, memory, inSteps = false, ...options } = given;
    const io: ServerIo = {
      clock: this.clock,
      settings: clientSettings({ connType: ConnType.tcpServer, protocol }),
      points,
      document,
      secrets: password === undefined ? {} : { association_password: password },
      sink: {
        values: (readings, event) => void this.passed.push({ readings: [...readings], event }),
        notice: (text) => void this.notices.push(english(text)),
        lost: () => undefined,
      },
      frames: NO_FRAMES,
      health: {
        request: () => void this.counts.request++,
        response: () => void this.counts.response++,
        timeout: () => undefined,
        refusal: () => void this.counts.refusal++,
        fault: () => void this.counts.fault++,
        late: () => undefined,
      },
      onPeer: (accept) => {
        this.#accept = accept;
      },
      serialLine: null,
      servedBefore: (id) => before?.get(id) ?? null,
      ...(lasting ? { lasting } : {}),
      ...(memory ? { memory } : {}),
    };
    this.steps = serveSteps(io, options);
    if (!inSteps) while (this.step());
  }

  /** Makes a step; false behind the last one. */
  step(): boolean {
    const { done, value } = this.steps.next();
    if (done) this.#connection = value;
    return !done;
  }

  get connection(): DriverConnection {
    if (!this.#connection) throw new Error('Nothing is served yet.');
    return this.#connection;
  }

  /** True when clients are taken. */
  get isListening(): boolean {
    return this.#accept !== null;
  }

  /** A raw line to the server: octets to it, and what comes back goes to `onData`. */
  dial(events: TransportEvents, address = '127.0.0.1'): { write(bytes: Uint8Array): Promise<void>; close(): Promise<void> } {
    let server: TransportEvents | null = null;
    let isOpen = true;
    const end = (cause: 'server' | 'client') => {
      if (!isOpen) return;
      isOpen = false;
      queueMicrotask(() => {
        events.onClosed({ kind: cause === 'client' ? 'local' : 'peer' });
        server?.onClosed({ kind: cause === 'server' ? 'local' : 'peer' });
      });
    };
    this.#accept?.(
      {
        label: `${address}:50112 → 127.0.0.1:102`,
        start: (given) => {
          server = given;
        },
        write: async (bytes) => {
          this.writes.push(bytes.length);
          if (isOpen) events.onData(new Uint8Array(bytes));
          await this.stalled;
        },
        close: async () => end('server'),
      },
      NO_FRAMES,
    );
    return {
      write: async (bytes) => {
        if (isOpen) server?.onData(new Uint8Array(bytes));
      },
      close: async () => end('client'),
    };
  }

  /** A client of our own that is not associated yet. */
  client(settings: Partial<AssociationSettings> = {}, { address, onReport, onData }: ClientSide = {}): MmsClient {
    const late: { client: MmsClient | null } = { client: null };
    const line = this.dial(
      {
        onData: (chunk) => {
          onData?.(chunk);
          late.client?.receive(chunk);
        },
        onClosed: (cause) => late.client?.lineEnded(cause),
      },
      address,
    );
    const nothing = () => undefined;
    late.client = new MmsClient({
      clock: this.clock,
      line,
      frames: NO_FRAMES,
      health: { request: nothing, response: nothing, timeout: nothing, refusal: nothing, fault: nothing, late: nothing },
      settings: { ...SETTINGS, ...settings },
      events: { onReport: onReport ?? nothing, onLost: nothing },
    });
    return late.client;
  }

  /** A client that is associated. */
  async associated(settings: Partial<AssociationSettings> = {}, side: ClientSide = {}): Promise<MmsClient> {
    const client = this.client(settings, side);
    await client.associate();
    return client;
  }
}

/** Outcome of a request: the response, or code and message of the error. */
export async function outcome(client: MmsClient, request: MmsRequest): Promise<unknown> {
  const asked = client.request(request).catch((error: { code: string; message: string }) => `${error.code} ${error.message}`);
  await settle();
  return asked;
}

/** A name in a domain: `LD/LN$FC$DO`. */
export function named(key: string) {
  const slash = key.indexOf('/');
  return { scope: 'domain', domain: key.slice(0, slash), item: key.slice(slash + 1) } as const;
}

/** A Read of variables. */
export function reading(...keys: readonly string[]): MmsRequest {
  return {
    service: 'read',
    spec: { kind: 'variables', items: keys.map((key) => ({ name: named(key), access: null })) },
    withSpecification: false,
  };
}
