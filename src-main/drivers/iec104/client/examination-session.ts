/** A connection of the examination: questions by hand under any sizes, and everything that came as octets. */
import type { AppError } from '#shared/domain/errors.ts';
import type { ExaminationContext, ExaminationLine } from '../../spi/examination.ts';
import { encodeAsdu } from '../codec/asdu.ts';
import { interrogation } from '../codec/make.ts';
import type { AsduSizes } from '../codec/sizes.ts';
import { APCI_LENGTH } from '../link/apci.ts';
import { ApduPort } from '../link/apdu-port.ts';
import type { LinkEnd, LinkLimits, OutgoingAsdu } from '../link/link-types.ts';

/** Between two looks at what came. */
const STEP_MS = 10;
/** Time an ordered end of data transfer gets. */
const STOP_MS = 500;
/** ASDUs that are kept for a look. */
const MOST_ASDUS = 500;

/** How the start of data transfer ended. `foreign`: what came back is no frame of this protocol. */
export type StartEnd = 'confirmed' | 'silent' | 'closed' | 'foreign';

export class ExaminationSession {
  /** ASDUs of the station as they came, the first ones. */
  readonly asdus: Uint8Array[] = [];
  readonly #context: ExaminationContext;
  readonly #line: ExaminationLine;
  readonly #port: ApduPort;
  readonly #out: OutgoingAsdu[] = [];
  #end: LinkEnd | null = null;
  /** The first octets that came. */
  #first: Uint8Array = new Uint8Array(0);

  constructor(context: ExaminationContext, line: ExaminationLine, limits: LinkLimits, writesApart: boolean) {
    this.#context = context;
    this.#line = line;
    this.#port = new ApduPort({
      role: 'controlling',
      clock: context.clock,
      limits,
      source: { next: () => this.#out.shift() ?? null },
      line,
      frames: context.frames,
      health: { fault: () => undefined },
      writesApart,
      events: {
        onData: (apdu) => {
          if (this.asdus.length < MOST_ASDUS) this.asdus.push(Uint8Array.from(apdu.subarray(APCI_LENGTH)));
        },
        onChunk: () => undefined,
        onStarted: () => undefined,
        onStopped: () => undefined,
        onEnd: (end) => {
          this.#end = end;
        },
      },
    });
  }

  /** True when the connection has ended. */
  get isOver(): boolean {
    return this.#end !== null;
  }

  /** The first octets that came, at most eight. */
  get firstOctets(): Uint8Array {
    return this.#first.subarray(0, 8);
  }

  /** Asks for the start of data transfer. Rejects with `CANCELLED`. */
  async start(t1Ms: number): Promise<StartEnd> {
    this.#line.start({
      onData: (chunk) => {
        if (this.#first.length === 0) this.#first = Uint8Array.from(chunk);
        this.#port.receive(chunk);
      },
      onClosed: (cause) => this.#port.lineEnded(cause),
    });
    this.#port.link.start();
    await this.wait(t1Ms + STEP_MS, () => this.#port.link.state === 'started');
    if (this.#port.link.state === 'started') return 'confirmed';
    if (this.#end?.kind !== 'protocol') return this.#end ? 'closed' : 'silent';
    return isForeign(this.#end.error) ? 'foreign' : 'silent';
  }

  /** Sends a station interrogation; answers its octets. */
  interrogate(commonAddress: number, originator: number, sizes: AsduSizes): Uint8Array {
    const asdu = encodeAsdu(interrogation({ commonAddress, originator: sizes.cause === 2 ? originator : 0 }), sizes);
    this.#out.push({ asdu });
    this.#port.link.wake();
    return asdu;
  }

  /** Waits until something holds, the connection ends, or the time is over. Rejects with `CANCELLED`. */
  async wait(ms: number, holds: () => boolean): Promise<void> {
    const { clock, signal } = this.#context;
    const until = clock.monotonicMs() + ms;
    while (!holds() && !this.isOver && clock.monotonicMs() < until) await this.#line.listen(STEP_MS, signal);
  }

  /** Stops data transfer in order where it is started. Never rejects. */
  async close(): Promise<void> {
    const { link } = this.#port;
    if (link.state === 'started') {
      link.stop();
      await this.wait(STOP_MS, () => link.state === 'stopped').catch(() => undefined);
    }
    link.lineEnded(null);
  }
}

function isForeign({ code }: AppError): boolean {
  return code.startsWith('FRAME_') || code === 'PROTOCOL_MALFORMED';
}
