/** A client of MMS on a line whose other end is a scripted server, all on a clock of the test. */
import { english } from '#shared/messages/index.ts';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import { MmsClient, type RequestOptions } from '../association/mms-client.ts';
import type { AssociationSettings, Negotiated } from '../association/negotiation.ts';
import { decodeMms, encodeMms } from '../mms/codec.ts';
import type { InformationReport, Initiate, MmsPdu, MmsRequest, MmsResponse } from '../mms/pdu.ts';
import { NO_END_POINT, OsiConnection, type OsiEnd } from '../osi/connection.ts';
import type { AssociationAnswer } from '../osi/establishment.ts';
import { octets } from './captures.ts';
import { LOCAL, REMOTE } from './osi-bench.ts';

export const SETTINGS: AssociationSettings = {
  local: LOCAL,
  remote: REMOTE,
  password: '',
  tpduSize: 8192,
  maxPduOctets: 65_000,
  maxOutstanding: 5,
  associateTimeoutMs: 10_000,
  releaseTimeoutMs: 2000,
  fragmentTimeoutMs: 10_000,
  requestTimeoutMs: 5000,
  keepAliveMs: 0,
};

/** What the server negotiates. */
export const NEGOTIATED: Initiate = {
  localDetail: 65_000,
  maxCalling: 5,
  maxCalled: 5,
  nesting: 10,
  version: 1,
  parameters: { size: 11, octets: octets('f100') },
  services: { size: 85, octets: octets('ee1c00000002000000ed18') },
};

/** An entry of the frame log. */
interface LoggedFrame {
  readonly seq: number;
  readonly kind: string;
  readonly bytes: Uint8Array;
  readonly link?: number;
  readonly text?: string;
}

export interface MmsBenchOptions {
  readonly settings?: Partial<AssociationSettings>;
  /** What differs in the answer of the server to the initiate. */
  readonly initiate?: Partial<Initiate>;
}

export class MmsBench {
  readonly clock = new ManualClock();
  readonly client: MmsClient;
  /** The other end; what it is told to do by `server` is the test. */
  readonly server: OsiConnection;
  /** PDUs the server got, without initiate. */
  readonly asked: MmsPdu[] = [];
  readonly reports: InformationReport[] = [];
  readonly losses: string[] = [];
  readonly log: LoggedFrame[] = [];
  readonly health = { request: 0, response: 0, timeout: 0, refusal: 0, fault: 0, late: 0 };
  /** Calls to close the line. */
  lineCloses = 0;
  /** When true, nothing reaches the server any more. */
  isServerDeaf = false;
  /** Called with each PDU that the server gets. */
  onAsked: (pdu: MmsPdu) => void = () => undefined;
  /** Answer to the association request. */
  answer: AssociationAnswer;
  password: string | null = null;
  serverEnd: OsiEnd | null = null;
  /** Most requests that were outstanding at the server at one time. */
  mostOutstanding = 0;
  #serverOutstanding = 0;

  constructor({ settings = {}, initiate = {} }: MmsBenchOptions = {}) {
    this.answer = { kind: 'accept', initiate: encodeMms({ kind: 'initiate-response', initiate: { ...NEGOTIATED, ...initiate } }) };
    this.client = this.#makeClient({ ...SETTINGS, ...settings });
    this.server = this.#makeServer();
    this.server.start(null);
  }

  /** An associated pair. */
  static async open(options: MmsBenchOptions = {}): Promise<MmsBench> {
    const bench = new MmsBench(options);
    await bench.associate();
    return bench;
  }

  async associate(signal?: AbortSignal): Promise<Negotiated> {
    const negotiated = this.client.associate(signal);
    negotiated.catch(() => undefined);
    await settle();
    return negotiated;
  }

  /** Sends a request; its outcome is the response, or the code of the error. */
  ask(request: MmsRequest = { service: 'identify' }, options: RequestOptions = {}): Asked {
    const asked: { outcome: Asked['outcome']; message: string } = { outcome: null, message: '' };
    this.client.request(request, options).then(
      (response) => {
        asked.outcome = response;
      },
      (error: { code: string; message: string }) => {
        asked.outcome = error.code;
        asked.message = error.message;
      },
    );
    return asked;
  }

  /** Sends a PDU from the server. */
  async say(pdu: MmsPdu | Uint8Array): Promise<void> {
    if (!(pdu instanceof Uint8Array) && 'invokeId' in pdu && pdu.kind !== 'request') this.#serverOutstanding -= 1;
    this.server.send(pdu instanceof Uint8Array ? pdu : encodeMms(pdu));
    await settle();
  }

  /** Answers an identify. */
  async identify(invokeId: number): Promise<void> {
    await this.say({ kind: 'response', invokeId, response: IDENTITY });
  }

  /** Octets to the client, as they are. */
  async receive(bytes: Uint8Array | string): Promise<void> {
    this.client.receive(typeof bytes === 'string' ? octets(bytes) : bytes);
    await settle();
  }

  /** invokeIDs of the requests the server got. */
  get invokeIds(): number[] {
    return this.asked.flatMap((pdu) => (pdu.kind === 'request' ? [pdu.invokeId] : []));
  }

  #makeClient(settings: AssociationSettings): MmsClient {
    const count = (name: keyof MmsBench['health']) => () => {
      this.health[name] += 1;
    };
    return new MmsClient({
      clock: this.clock,
      settings,
      line: {
        write: async (bytes) => {
          const copy = Uint8Array.from(bytes);
          await Promise.resolve();
          if (!this.isServerDeaf) this.server.push(copy);
        },
        close: async () => {
          this.lineCloses += 1;
        },
      },
      frames: {
        record: (entry) => {
          const seq = this.log.length + 1;
          this.log.push({ ...entry, text: english(entry.text ?? ''), seq });
          return seq;
        },
      },
      health: {
        request: count('request'),
        response: count('response'),
        timeout: count('timeout'),
        refusal: count('refusal'),
        fault: count('fault'),
        late: count('late'),
      },
      events: {
        onReport: (report) => this.reports.push(report),
        onLost: (error) => this.losses.push(`${error.code}: ${error.message}`),
      },
    });
  }

  #makeServer(): OsiConnection {
    return new OsiConnection({
      role: 'responder',
      clock: this.clock,
      local: NO_END_POINT,
      remote: NO_END_POINT,
      tpduSize: null,
      password: null,
      maxPduOctets: 1_000_000,
      associateTimeoutMs: 1_000_000,
      releaseTimeoutMs: 1000,
      fragmentTimeoutMs: 1_000_000,
      events: {
        send: (tpkt) => {
          const copy = Uint8Array.from(tpkt);
          queueMicrotask(() => this.client.receive(copy));
          return 0;
        },
        onFrame: () => undefined,
        onNoise: () => undefined,
        onIndication: ({ password }) => {
          this.password = password && Buffer.from(password).toString();
          return this.answer;
        },
        onMms: (octetsOf) => this.#onAsked(decodeMms(Uint8Array.from(octetsOf))),
        onEnd: (end) => {
          this.serverEnd = end;
        },
      },
    });
  }

  #onAsked(pdu: MmsPdu): void {
    this.asked.push(pdu);
    if (pdu.kind === 'request') this.#serverOutstanding += 1;
    this.mostOutstanding = Math.max(this.mostOutstanding, this.#serverOutstanding);
    this.onAsked(pdu);
  }
}

/** What became of a request: null while it is open, its response, or the code of its error. */
export interface Asked {
  readonly outcome: MmsResponse | string | null;
  readonly message: string;
}

export const IDENTITY = { service: 'identify', vendor: 'ACME', model: 'GoldenIED', revision: '1.0.7' } as const;
