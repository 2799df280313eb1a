/** A device with one control object and a client that commands it over a line with faults, on a clock of the test. */
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { TrialClock } from '../../../kit/testing/trial-clock.ts';
import type { ClientIo, Command, DriverMemory } from '../../../spi/index.ts';
import { exchangeContext } from '../../../testing/sinks.ts';
import { Iec61850Client } from '../../client.ts';
import { decodeMms, encodeMms } from '../../mms/codec.ts';
import type { InformationReport, MmsRequest, MmsResponse } from '../../mms/pdu.ts';
import type { MmsResult, MmsType, MmsValue } from '../../mms/types.ts';
import { NO_END_POINT, OsiConnection } from '../../osi/connection.ts';
import type { Iec61850Settings } from '../../settings.ts';
import { driverSettings, yk } from '../../testing/client-bench.ts';
import { NEGOTIATED } from '../../testing/mms-bench.ts';

/** What a command goes through; the one that a fault is about. */
export const SERVICES = ['type', 'state', 'SBO', 'SBOw', 'Oper'] as const;
export type Service = (typeof SERVICES)[number];

/** What becomes of a request and of its answer. */
export const FAULTS = ['late', 'silent', 'twice', 'refused', 'refused without cause', 'cut before', 'cut behind'] as const;
export type Fault = (typeof FAULTS)[number];

/** How the device ends a command with enhanced security. */
export const ENDINGS = ['prompt', 'late', 'never', 'twice', 'negative', 'of another', 'before the answer'] as const;
export type ControlEnding = (typeof ENDINGS)[number];

export interface Trouble {
  /** Null: none. */
  readonly fault: Fault | null;
  readonly at: Service;
  readonly ending: ControlEnding;
  /** A report of a data set comes between request and answer. */
  readonly hasReport: boolean;
}

export interface Limits {
  readonly timeoutMs: number;
  readonly terminationMs: number;
}

/** What the device made of the commands, by what their orIdent says. */
export class ControlCount {
  /** Oper requests that came. */
  readonly operated = new Map<string, number>();
  /** Commands that the device refused, or ended with a refusal. */
  readonly refused = new Set<string>();
}

const BOOLEAN: MmsType = { kind: 'boolean' };
const structure = (components: Readonly<Record<string, MmsType>>): MmsType => ({
  kind: 'structure',
  components: Object.entries(components).map(([name, type]) => ({ name, type })),
});
const CONTROL = structure({
  ctlVal: BOOLEAN,
  origin: structure({ orCat: { kind: 'integer', size: 8 }, orIdent: { kind: 'octet-string', size: -64 } }),
  ctlNum: { kind: 'unsigned', size: 8 },
  T: { kind: 'utc-time' },
  Test: BOOLEAN,
  Check: { kind: 'bit-string', size: -2 },
});
const OBJECT = 'CSWI1$CO$Pos';
const HOP_MS = 2;
const REFUSED = 3;
const text = (value: string): MmsValue => ({ kind: 'visible-string', text: value });
const integer = (value: number): MmsValue => ({ kind: 'integer', value });

export class FaultyControlDevice {
  readonly count = new ControlCount();
  trouble: Trouble = { fault: null, at: 'Oper', ending: 'prompt', hasReport: false };
  readonly #clock: TrialClock;
  readonly #model: number;
  readonly #limits: Limits;
  readonly #memory: DriverMemory = new Map();
  #client: Iec61850Client | null = null;
  /** Rises with each connection: what was said on another one does not come any more. */
  #connection = 0;
  #lose: () => void = () => undefined;
  #say: (mms: Uint8Array) => void = () => undefined;

  constructor(clock: TrialClock, model: number, limits: Limits) {
    this.#clock = clock;
    this.#model = model;
    this.#limits = limits;
  }

  /** Sends one step of a command whose orIdent is `serial`, over a new association where the last one is gone. */
  async run(serial: string, step: Command['step']) {
    const client = this.#client ?? (await this.#connect());
    const point = yk(1, 'LD/CSWI1.Pos[CO]');
    return client.execute({ point, step, value: 1, options: { originator_identifier: serial } }, exchangeContext());
  }

  async #connect(): Promise<Iec61850Client> {
    this.#connection += 1;
    const { timeoutMs, terminationMs } = this.#limits;
    const protocol = { learn_model: false, keep_alive_s: 0, command_termination_s: terminationMs / 1000 };
    const settings = { ...driverSettings(protocol), timeoutMs };
    const client = new Iec61850Client(this.#io(settings), settings.protocol as Iec61850Settings);
    await client.start(new AbortController().signal);
    this.#client = client;
    return client;
  }

  #io(settings: ClientIo['settings']): ClientIo {
    const nothing = () => undefined;
    const connection = this.#connection;
    const later = (run: () => void) =>
      void this.#clock.after(HOP_MS, () => {
        if (this.#connection === connection) run();
      });
    let server: OsiConnection | null = null;
    let isOver = false;
    return {
      clock: this.#clock,
      settings,
      points: [],
      memory: this.#memory,
      sink: {
        values: nothing,
        notice: nothing,
        lost: () => {
          this.#client = null;
        },
      },
      frames: { record: () => 1 },
      health: { request: nothing, response: nothing, timeout: nothing, refusal: nothing, fault: nothing, late: nothing },
      line: {
        label: 'line',
        write: async (bytes) => {
          if (isOver) throw new AppError('TRANSPORT_NOT_CONNECTED', quoted('The line is gone.'));
          const copy = Uint8Array.from(bytes);
          later(() => server?.push(copy));
        },
        start: ({ onData, onClosed }) => {
          this.#lose = () => {
            isOver = true;
            this.#connection += 1;
            this.#client = null;
            onClosed({ kind: 'peer' });
          };
          server = this.#server((tpkt) => later(() => onData(tpkt)));
          server.start(null);
          const said = server;
          this.#say = (mms) => void said.send(mms);
        },
        close: async () => {
          isOver = true;
          if (this.#connection === connection) this.#connection += 1;
        },
      },
    };
  }

  #server(send: (tpkt: Uint8Array) => void): OsiConnection {
    return new OsiConnection({
      role: 'responder',
      clock: this.#clock,
      local: NO_END_POINT,
      remote: NO_END_POINT,
      tpduSize: null,
      password: null,
      maxPduOctets: 1_000_000,
      associateTimeoutMs: 1_000_000_000,
      releaseTimeoutMs: 1000,
      fragmentTimeoutMs: 1_000_000_000,
      events: {
        send: (tpkt) => {
          send(Uint8Array.from(tpkt));
          return 0;
        },
        onFrame: () => undefined,
        onNoise: () => undefined,
        onIndication: () => ({ kind: 'accept', initiate: encodeMms({ kind: 'initiate-response', initiate: NEGOTIATED }) }),
        onMms: (octets) => {
          const pdu = decodeMms(Uint8Array.from(octets));
          if (pdu.kind === 'request') this.#asked(pdu.invokeId, pdu.request);
        },
        onEnd: () => undefined,
      },
    });
  }

  #asked(invokeId: number, request: MmsRequest): void {
    const service = serviceOf(request);
    const { at, hasReport } = this.trouble;
    const fault = at === service ? this.trouble.fault : null;
    if (fault === 'cut before') {
      this.#lose();
      return;
    }
    const fields = request.service === 'write' ? fieldsOf(request.values[0]) : null;
    const isRefused = fault === 'refused' || fault === 'refused without cause';
    if (service === 'Oper' && fields) this.#operate(fields, isRefused);
    if (hasReport) this.#report(dataReport());
    if (fault === 'refused' && fields) this.#report(refusal(service, fields));
    if (fault === 'cut behind') {
      this.#lose();
      return;
    }
    const answer = () => this.#say(encodeMms({ kind: 'response', invokeId, response: this.#answer(request, service, isRefused) }));
    if (fault === 'late') this.#later(this.#limits.timeoutMs * 1.2, answer);
    else if (fault !== 'silent') answer();
    if (fault === 'twice') answer();
    if (service === 'Oper' && fields && !isRefused && this.#model > 2) this.#end(fields);
  }

  #operate(fields: Fields, isRefused: boolean): void {
    const { operated, refused } = this.count;
    const { identifier } = fields;
    operated.set(identifier, (operated.get(identifier) ?? 0) + 1);
    const isEndedSo = this.#model > 2 && this.trouble.ending === 'negative';
    if (isRefused || isEndedSo) refused.add(identifier);
    if (!isRefused && this.#model > 2 && this.trouble.ending === 'before the answer') this.#report(termination(fields, null));
  }

  #end(fields: Fields): void {
    const { ending } = this.trouble;
    const done = () => this.#report(termination(fields, null));
    if (ending === 'prompt' || ending === 'twice') done();
    if (ending === 'twice') done();
    if (ending === 'late') this.#later(this.#limits.terminationMs * 1.2, done);
    if (ending === 'negative') this.#report(termination(fields, 2));
    if (ending === 'of another') {
      this.#report(termination({ ...fields, ...renumbered(fields, (fields.number + 7) % 256) }, 2));
      this.#later(10, done);
    }
  }

  #answer(request: MmsRequest, service: Service | 'other', isRefused: boolean): MmsResponse {
    if (request.service === 'get-variable-access-attributes') {
      const names = this.#model === 2 ? ['SBO', 'Oper', 'Cancel'] : this.#model === 4 ? ['SBOw', 'Oper', 'Cancel'] : ['Oper', 'Cancel'];
      const typeOf = (name: string): MmsType => (name === 'SBO' ? { kind: 'visible-string', size: -129 } : CONTROL);
      const type = structure(Object.fromEntries(names.map((name) => [name, typeOf(name)])));
      return { service: request.service, isDeletable: false, type };
    }
    const failure = { kind: 'failure', code: REFUSED } as const;
    if (request.service === 'write') return { service: 'write', results: [isRefused ? failure : null] };
    const values: MmsResult[] = service === 'state' ? [integer(this.#model)] : [isRefused ? text('') : text(`LD/${OBJECT}`)];
    return { service: 'read', spec: null, results: values };
  }

  #report(report: InformationReport): void {
    this.#say(encodeMms({ kind: 'information-report', report }));
  }

  #later(ms: number, run: () => void): void {
    const connection = this.#connection;
    this.#clock.after(ms, () => {
      if (this.#connection === connection) run();
    });
  }
}

interface Fields {
  readonly identifier: string;
  readonly number: number;
  readonly value: MmsValue;
}

function serviceOf(request: MmsRequest): Service | 'other' {
  if (request.service === 'get-variable-access-attributes') return 'type';
  if ((request.service !== 'read' && request.service !== 'write') || request.spec.kind !== 'variables') return 'other';
  const item = request.spec.items[0]?.name.item ?? '';
  const part = item.startsWith(`${OBJECT}$`) ? item.slice(OBJECT.length + 1) : '';
  if (part === '') return 'state';
  return SERVICES.find((each) => each === part) ?? 'other';
}

function fieldsOf(value: MmsValue | undefined): Fields | null {
  if (value?.kind !== 'structure') return null;
  const [, origin, number] = value.items;
  const identifier = origin?.kind === 'structure' ? origin.items[1] : undefined;
  if (identifier?.kind !== 'octet-string' || number?.kind !== 'unsigned') return null;
  return { identifier: Buffer.from(identifier.octets).toString(), number: Number(number.value), value };
}

function renumbered({ value }: Fields, number: number): Pick<Fields, 'number' | 'value'> {
  if (value.kind !== 'structure') return { number, value };
  const items = value.items.map((item, at): MmsValue => (at === 2 ? { kind: 'unsigned', value: number } : item));
  return { number, value: { kind: 'structure', items } };
}

const vmd = (item: string) => ({ name: { scope: 'vmd', item } as const, access: null });

function lastApplError(service: string, number: number): MmsValue {
  const origin: MmsValue = { kind: 'structure', items: [integer(2), { kind: 'octet-string', octets: new Uint8Array(0) }] };
  return { kind: 'structure', items: [text(`LD/${OBJECT}$${service}`), integer(0), origin, integer(number), integer(10)] };
}

function refusal(service: string, { number }: Fields): InformationReport {
  return { spec: { kind: 'variables', items: [vmd('LastApplError')] }, results: [lastApplError(service, number)] };
}

function termination({ number, value }: Fields, addCause: number | null): InformationReport {
  const oper = { name: { scope: 'domain', domain: 'LD', item: `${OBJECT}$Oper` } as const, access: null };
  return addCause === null
    ? { spec: { kind: 'variables', items: [oper] }, results: [value] }
    : { spec: { kind: 'variables', items: [vmd('LastApplError'), oper] }, results: [lastApplError('Oper', number), value] };
}

/** A report of a data set that nobody enabled here. */
function dataReport(): InformationReport {
  const bits: MmsValue = { kind: 'bit-string', size: 10, octets: Uint8Array.of(0, 0) };
  const inclusion: MmsValue = { kind: 'bit-string', size: 1, octets: Uint8Array.of(0x80) };
  const results = [text('LD/LLN0$RP$urcb'), bits, inclusion, { kind: 'boolean', value: true } as const];
  return { spec: { kind: 'list', name: { scope: 'vmd', item: 'RPT' } }, results };
}
