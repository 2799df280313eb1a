/** A device with report control blocks, and the reports of a client that talk to it, on a clock of the test. */
import { AppError } from '#shared/domain/errors.ts';
import { english, quoted } from '#shared/messages/index.ts';
import { cancelled } from '../../../../platform/clock.ts';
import { ManualClock, settle } from '../../../../platform/manual-clock.ts';
import type { DriverAudit, DriverIo, DriverLasting, PointConfig, PointValue } from '../../../spi/index.ts';
import { exchangeContext } from '../../../testing/sinks.ts';
import type { MmsClient, RequestOptions } from '../../association/mms-client.ts';
import { BoundTable } from '../../bound-table.ts';
import { ChannelMemory } from '../../channel-memory.ts';
import type { MmsRequest, VariableSpec } from '../../mms/pdu.ts';
import type { MmsFailure, MmsResult, MmsType, MmsValue } from '../../mms/types.ts';
import { shown } from '../../testing/client-bench.ts';
import { bitsOf, OPTION, OPTION_BITS, TRIGGER } from '../bits.ts';
import { markOfMembers } from '../members-mark.ts';
import type { REPORT_PARAMS } from '../params.ts';
import type { Report } from '../report.ts';
import type { LastEntry } from '../report-memory.ts';
import { Reports } from '../reports.ts';
import { boolean, informationReport, text, unsigned } from './report-results.ts';

export const structure = (components: Readonly<Record<string, MmsType>>): MmsType => ({
  kind: 'structure',
  components: Object.entries(components).map(([name, type]) => ({ name, type })),
});
const BOOLEAN: MmsType = { kind: 'boolean' };
export const STATUS = structure({ stVal: BOOLEAN, q: { kind: 'bit-string', size: 13 }, t: { kind: 'utc-time' } });
const FLOAT = structure({ f: { kind: 'float', width: 32, exponentWidth: 8 } });
const MEASURED = structure({ instMag: FLOAT, mag: FLOAT, q: { kind: 'bit-string', size: 13 }, t: { kind: 'utc-time' } });
const ID: MmsType = { kind: 'visible-string', size: -129 };
const COMMON = {
  RptID: ID,
  RptEna: BOOLEAN,
  DatSet: ID,
  ConfRev: { kind: 'unsigned', size: 32 },
  OptFlds: { kind: 'bit-string', size: -10 },
  BufTm: { kind: 'unsigned', size: 32 },
  TrgOps: { kind: 'bit-string', size: -6 },
  IntgPd: { kind: 'unsigned', size: 32 },
  GI: BOOLEAN,
} as const satisfies Record<string, MmsType>;
const OWNER: MmsType = { kind: 'octet-string', size: -64 };
const UNBUFFERED = structure({ ...COMMON, Resv: BOOLEAN, SqNum: { kind: 'unsigned', size: 8 }, Owner: OWNER });
const BUFFERED = structure({
  ...COMMON,
  SqNum: { kind: 'unsigned', size: 16 },
  PurgeBuf: BOOLEAN,
  EntryID: { kind: 'octet-string', size: 8 },
  TimeofEntry: { kind: 'binary-time', hasDate: true },
  ResvTms: { kind: 'integer', size: 16 },
  Owner: OWNER,
});

/** The last entry of the buffered block as the channel keeps it. */
export const lastEntry = (number: number, revision = 1): LastEntry => ({
  reportId: 'buffered',
  dataSet: 'LD/LLN0$set',
  revision,
  members: markOfMembers(MEMBERS),
  entryId: entry(number),
});

/** Octets of an EntryID that ends in this number. */
export const entry = (number: number): Uint8Array => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, number);
const octetString = (octets: Uint8Array): MmsValue => ({ kind: 'octet-string', octets });

const COMMON_VALUES: Readonly<Record<string, MmsValue>> = {
  RptID: text(''),
  RptEna: boolean(false),
  DatSet: text('LD/LLN0$set'),
  ConfRev: unsigned(1),
  OptFlds: bitsOf(OPTION, ['sequence_number', 'reason', 'data_set', 'buffer_overflow', 'entry_id'], OPTION_BITS),
  BufTm: unsigned(50),
  TrgOps: bitsOf(TRIGGER, ['data_change', 'quality_change', 'general_interrogation'], 6),
  IntgPd: unsigned(0),
  GI: boolean(false),
  SqNum: unsigned(0),
  Owner: octetString(new Uint8Array(0)),
};

/** `LD/GGIO1$ST$Ind1` as a whole, the value and the quality of Ind2 as members of their own. */
export const MEMBERS = ['LD/GGIO1$ST$Ind1', 'LD/GGIO1$ST$Ind2$stVal', 'LD/GGIO1$ST$Ind2$q'] as const;
export const URCB = 'LD/LLN0.urcb[RP]';
export const OTHER = 'LD/LLN0.other[RP]';
export const BRCB = 'LD/LLN0.brcb[BR]';

/** Value, quality and time of an indication. */
export function status(value: boolean, seconds = 0x65e1cb71, validity = 0x00): MmsValue {
  const time = new Uint8Array(8);
  new DataView(time.buffer).setUint32(0, seconds);
  time[7] = 0x0a;
  return {
    kind: 'structure',
    items: [boolean(value), { kind: 'bit-string', size: 13, octets: Uint8Array.of(validity, 0) }, { kind: 'utc-time', octets: time }],
  };
}

type Refusals = Readonly<Record<string, number>>;

/** A device that obeys the standard, and what the test makes of it. */
export class ReportDevice {
  readonly clock = new ManualClock();
  /** False where the channel is read-only. */
  mayWrite = true;
  /** Attributes of the blocks by their MMS names: `LLN0$RP$urcb`. */
  readonly blocks = new Map<string, Map<string, MmsValue>>([
    ['LLN0$RP$urcb', new Map(Object.entries({ ...COMMON_VALUES, Resv: boolean(false) }))],
    ['LLN0$RP$other', new Map(Object.entries({ ...COMMON_VALUES, Resv: boolean(false) }))],
    [
      'LLN0$BR$brcb',
      new Map(
        Object.entries({
          ...COMMON_VALUES,
          RptID: text('buffered'),
          PurgeBuf: boolean(false),
          EntryID: octetString(entry(0)),
          TimeofEntry: { kind: 'binary-time', octets: new Uint8Array(6) } as MmsValue,
          ResvTms: { kind: 'integer', value: 0 } as MmsValue,
        }),
      ),
    ],
  ]);
  /** `urcb.Resv`, in the order of the Writes. */
  readonly writes: string[] = [];
  readonly written: MmsValue[] = [];
  /** Data access errors by `urcb.Resv`. */
  refusals: Refusals = {};
  /** Entries that a buffered block still has, by their last octet. */
  entries = new Set<number>();
  members: readonly string[] = MEMBERS;
  /** Whether a client may make the data set anew. */
  isDeletable = false;
  /** Names of all requests. */
  readonly asked: string[] = [];
  /** Called before a Write is answered. */
  onWrite: (name: string) => void = () => undefined;
  isLost = false;
  /** Answers nothing any more. */
  isSilent = false;

  get client(): Pick<MmsClient, 'request'> {
    const ask = (request: MmsRequest, options?: RequestOptions) => {
      // as the client: what waits for its turn is not sent any more
      if (options?.signal?.aborted) return Promise.reject(cancelled());
      return this.#request(request);
    };
    return { request: ask } as Pick<MmsClient, 'request'>;
  }

  set(block: string, name: string, value: MmsValue): void {
    this.blocks.get(block)?.set(name, value);
  }

  value(block: string, name: string): MmsValue | undefined {
    return this.blocks.get(block)?.get(name);
  }

  /** Tells the structure of a member; throws what the device refuses. */
  onType: (item: string) => MmsType = () => STATUS;

  async #request(request: MmsRequest): Promise<unknown> {
    await settle();
    if (this.isLost) throw new AppError('TRANSPORT_NOT_CONNECTED', quoted('There is no association.'));
    if (this.isSilent) return new Promise(() => undefined);
    this.asked.push(request.service);
    switch (request.service) {
      case 'get-named-variable-list-attributes':
        return { service: request.service, isDeletable: this.isDeletable, items: this.members.map(variable) };
      case 'get-variable-access-attributes':
        return { service: request.service, isDeletable: false, type: this.#typeOf(request.name.item) };
      case 'read':
        return { service: 'read', spec: null, results: this.#names(request).map((name) => this.#read(name)) };
      case 'write':
        return {
          service: 'write',
          results: this.#names(request).map((name, at) => this.#write(name, request.values[at] as MmsValue)),
        };
      default:
        throw new Error(request.service);
    }
  }

  #typeOf(item: string): MmsType {
    if (item.includes('$RP$')) return UNBUFFERED;
    return item.includes('$BR$') ? BUFFERED : this.onType(item);
  }

  #names(request: Extract<MmsRequest, { readonly spec: unknown }>): string[] {
    const { spec } = request;
    return spec.kind === 'variables' ? spec.items.map(({ name }) => name.item) : this.members.map((member) => member.split('/')[1] ?? '');
  }

  /** Values of the members by their MMS names, as a read gets them. */
  readonly values = new Map<string, MmsValue>([
    ['GGIO1$ST$Ind1', status(false)],
    ['GGIO1$ST$Ind2$stVal', boolean(false)],
    ['GGIO1$ST$Ind2$q', { kind: 'bit-string', size: 13, octets: Uint8Array.of(0, 0) }],
  ]);
  /** Called before a Read of members is answered. */
  onRead: () => void = () => undefined;

  #read(name: string): MmsResult {
    const value = this.values.get(name);
    if (value) {
      this.onRead();
      return value;
    }
    const block = this.blocks.get(name);
    const type = name.includes('$RP$') ? UNBUFFERED : BUFFERED;
    if (!block || type.kind !== 'structure') return { kind: 'failure', code: 10 };
    return { kind: 'structure', items: type.components.map((part) => block.get(part.name) ?? boolean(false)) };
  }

  #write(name: string, value: MmsValue): MmsFailure | null {
    const [node, constraint, blockName, attribute = ''] = name.split('$');
    const key = `${node}$${constraint}$${blockName}`;
    const short = `${blockName}.${attribute}`;
    this.writes.push(short);
    this.written.push(value);
    this.onWrite(short);
    const refusal = this.refusals[short] ?? this.#rule(key, attribute, value);
    if (refusal !== null) return { kind: 'failure', code: refusal };
    this.set(key, attribute, value);
    if (attribute === 'DatSet') this.set(key, 'ConfRev', unsigned(2));
    return null;
  }

  /** Settings of an enabled block do not change; an entry that the block does not have is no place to go on from. */
  #rule(key: string, attribute: string, value: MmsValue): number | null {
    const enabled = this.value(key, 'RptEna');
    const isEnabled = enabled?.kind === 'boolean' && enabled.value;
    if (isEnabled && !['RptEna', 'GI'].includes(attribute)) return 2;
    if (attribute !== 'EntryID' || value.kind !== 'octet-string') return null;
    const number = value.octets.at(-1) ?? 0;
    return number === 0 || this.entries.has(number) ? null : 11;
  }
}

function variable(member: string): VariableSpec {
  const [domain = '', item = ''] = member.split('/');
  return { name: { scope: 'domain', domain, item }, access: null };
}

/** What a channel knows of the device. */
export function reportMemory(members: readonly string[] = MEMBERS): ChannelMemory {
  const memory = new ChannelMemory();
  const nodes = [
    {
      name: 'LLN0',
      type: structure({ RP: structure({ urcb: UNBUFFERED, other: UNBUFFERED }), BR: structure({ brcb: BUFFERED }) }),
      notes: null,
    },
    { name: 'GGIO1', type: structure({ ST: structure({ Ind1: STATUS, Ind2: STATUS }) }), notes: null },
    { name: 'MMXU1', type: structure({ MX: structure({ TotW: MEASURED }) }), notes: null },
  ];
  const dataSets = [{ item: 'LLN0$set', members: [...members], isDeletable: false }];
  const devices = [{ name: 'LD', instance: '', description: '', nodes, dataSets }];
  memory.model.use({ name: '', devices, identity: null, configurationRevision: '' }, 'device', 0);
  // as after it was learnt over this association
  memory.proven = null;
  return memory;
}

export interface ReportBenchOptions {
  readonly atStart?: readonly string[];
  readonly checkMs?: number;
  readonly peer?: string;
  readonly lasting?: DriverLasting;
  readonly audit?: DriverIo['audit'];
}

/** The reports of one association with the device. */
export class ReportBench {
  readonly device: ReportDevice;
  readonly memory: ChannelMemory;
  readonly reports: Reports;
  readonly table: BoundTable;
  #points: readonly PointConfig[];
  /** Between two steps of a work about the points. */
  breathe: () => Promise<void> = async () => undefined;
  readonly notices: string[] = [];
  /** Values in the order in which they came, with whether they are events. */
  readonly came: { readonly point: number; readonly isEvent: boolean | 'only'; readonly reading: PointValue }[] = [];
  /** Readings that are no values: id of the point and why. */
  readonly failed: string[] = [];
  isStopping = false;

  /** What the audit has: operation, parameters, outcome and words. */
  readonly audited: { operation: string; blocks: unknown; outcome: string; detail: string }[] = [];
  /** Points of each comparison with a read, and how many differed. */
  readonly compared: [points: number, differing: number][] = [];

  constructor(
    points: readonly PointConfig[] = [],
    device = new ReportDevice(),
    memory = reportMemory(),
    { atStart = [], checkMs = 0, peer = '10.0.0.7:102', lasting, audit }: ReportBenchOptions = {},
  ) {
    this.device = device;
    this.memory = memory;
    this.#points = points;
    this.table = new BoundTable({ memory, points: () => this.#points, turns: () => ({ breathe: () => this.breathe() }) });
    this.reports = new Reports({
      client: device.client,
      clock: device.clock,
      memory,
      timeoutMs: 1000,
      table: this.table,
      mayWrite: () => device.mayWrite,
      atStart,
      checkMs,
      peer,
      lasting,
      audit: audit ?? ((operation, { blocks }) => this.#audit(operation, blocks)),
      health: { compared: (count, differing) => void this.compared.push([count, differing]) },
      sink: {
        notice: (said) => void this.notices.push(english(said)),
        values: (readings, isEvent) => {
          for (const reading of readings) {
            if (reading.kind === 'value') this.came.push({ point: reading.pointId, isEvent, reading });
            else this.failed.push(`${reading.pointId}: ${reading.error.message}`);
          }
        },
      },
    });
  }

  #audit(operation: string, blocks: unknown): DriverAudit {
    const entry = { operation, blocks, outcome: 'open', detail: '' };
    this.audited.push(entry);
    return { close: (outcome, detail) => void Object.assign(entry, { outcome, detail: english(detail) }) };
  }

  async run(
    name: keyof typeof REPORT_PARAMS,
    params: Readonly<Record<string, unknown>> = {},
    signal: AbortSignal = new AbortController().signal,
  ) {
    const done = await this.reports.run(name, params, exchangeContext({ isStopping: () => this.isStopping, signal }));
    return { ...done, detail: english(done.detail) };
  }

  /** The table of the channel is another. */
  change(points: readonly PointConfig[]): void {
    this.#points = points;
    this.table.changed();
    this.reports.changed();
  }

  /** Enables a block without general interrogation. */
  enable(block: string, more: Readonly<Record<string, unknown>> = {}) {
    return this.run('enable_report', { block, interrogate: false, ...more });
  }

  /** The device sends a report of the unbuffered block. */
  send(fields: Partial<Report> = {}): void {
    this.reports.onReport(informationReport({ ...REPORT, ...fields }));
  }

  /** Value, quality, flags and time of what came, with its cause. */
  values() {
    return this.came.map(({ point, isEvent, reading }) => ({ point, isEvent, ...shown(reading), cause: reading.detail?.cause?.name }));
  }
}

/** The first report of the unbuffered block. */
export const REPORT: Report = {
  id: 'LD/LLN0$RP$urcb',
  sequence: 0,
  entryTime: null,
  dataSet: 'LD/LLN0$set',
  hasOverflow: null,
  entryId: null,
  revision: null,
  segment: null,
  memberCount: 3,
  members: [{ place: 0, reference: null, value: status(true), reasons: [TRIGGER.data_change] }],
};
