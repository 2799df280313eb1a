/** A served device with points, and clients that take its reports, on a clock of the test. */
import { FrameType, type QualityFlag } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../../../spi/index.ts';
import type { MmsClient } from '../../../association/mms-client.ts';
import type { MmsValue } from '../../../mms/types.ts';
import { bitsOf, OPTION, OPTION_BITS, type Option, reasonName, TRIGGER, type Trigger } from '../../../reports/bits.ts';
import { decodeReport, type Report } from '../../../reports/report.ts';
import { context, point, value, write } from '../../testing/asking.ts';
import { type ClientSide, ServedChannel, type ServedChannelOptions } from '../../testing/served-channel.ts';

const { yc, yt, yx } = FrameType;

/** Three indications, two measurements and a setting; data sets `LD/LLN0$dsStat` and `LD/LLN0$dsMeas`. */
export const POINTS: readonly PointConfig[] = [
  point(1, yx, 'LD/GGIO1.Ind1.stVal[ST]'),
  point(2, yx, 'LD/GGIO1.Ind2.stVal[ST]'),
  point(3, yx, 'LD/GGIO1.Ind3.stVal[ST]'),
  point(4, yc, 'LD/MMXU1.TotW.mag.f[MX]'),
  point(5, yc, 'LD/MMXU1.TotVAr.mag.f[MX]'),
  point(6, yt, 'LD/PTOC1.StrVal.setMag.f[SP]'),
];
export const URCB = 'LD/LLN0$RP$urcbStat01';
export const BRCB = 'LD/LLN0$BR$brcbStat01';
export const MEASURED = 'LD/LLN0$RP$urcbMeas01';

export const TRUE: MmsValue = { kind: 'boolean', value: true };
export const FALSE: MmsValue = { kind: 'boolean', value: false };
export const text = (value: string): MmsValue => ({ kind: 'visible-string', text: value });
export const unsigned = (value: number): MmsValue => ({ kind: 'unsigned', value });
export const seconds = (value: number): MmsValue => ({ kind: 'integer', value });
export const octets = (value: Uint8Array): MmsValue => ({ kind: 'octet-string', octets: value });
export const triggers = (...words: readonly Trigger[]): MmsValue => bitsOf(TRIGGER, words, 6);
export const options = (...words: readonly Option[]): MmsValue => bitsOf(OPTION, words, OPTION_BITS);

/** A client, and the reports that came. */
export class Reader {
  readonly reports: Report[];
  readonly client: MmsClient;

  constructor(client: MmsClient, reports: Report[]) {
    this.client = client;
    this.reports = reports;
  }

  /** Writes an attribute, `LD/LN$FC$block$name`; the DataAccessError, or null. */
  write(block: string, name: string, to: MmsValue): Promise<number | null> {
    return write(this.client, `${block}$${name}`, to);
  }

  /** Value of an attribute, without its kind. */
  async read(block: string, name: string): Promise<unknown> {
    const found = (await value(this.client, `${block}$${name}`)) as MmsValue;
    if ('text' in found) return found.text;
    return 'value' in found ? found.value : 'octets' in found ? Buffer.from(found.octets).toString('hex') : found;
  }

  /** Reports as `SqNum: place=value reason …`, since this was asked last. */
  told(): string[] {
    return this.reports.splice(0).map(({ sequence, members, hasOverflow, segment }) => {
      const words = members.map(({ place, value, reasons }) => `${place}=${shown(value)} ${reasonName(reasons ?? [])}`);
      const marks = [hasOverflow ? 'overflow' : '', segment ? `part ${segment.number}${segment.isLast ? ' last' : ''}` : ''];
      return [`${sequence}:`, ...marks.filter((mark) => mark !== ''), ...words].join(' ');
    });
  }
}

/** The value of a member: the first leaf of a structure. */
function shown(result: Report['members'][number]['value']): string {
  if (result.kind === 'failure') return `error ${result.code}`;
  if (result.kind === 'structure') return shown(result.items[0] ?? { kind: 'failure', code: -1 });
  return 'value' in result ? String(result.value) : result.kind;
}

export class Reporting {
  readonly channel: ServedChannel;

  constructor(options: ServedChannelOptions = {}) {
    this.channel = new ServedChannel({ points: POINTS, ...options });
  }

  /** An associated client, at `address` with PDUs of so many octets. */
  async reader({ address, maxPduOctets = 65_000 }: Pick<ClientSide, 'address'> & { readonly maxPduOctets?: number } = {}): Promise<Reader> {
    const reports: Report[] = [];
    const side: ClientSide = {
      onReport: (report) => void reports.push(copied(decodeReport(report))),
      ...(address === undefined ? {} : { address }),
    };
    return new Reader(await this.channel.associated({ maxPduOctets }, side), reports);
  }

  /** A person sets a point. */
  async set(id: number, to: number, flags: readonly QualityFlag[] = []): Promise<void> {
    const found = POINTS.find((each) => each.id === id);
    if (!found) throw new Error(`no point ${id}`);
    await this.channel.connection.execute({ point: found, step: 'operate', value: to, options: { flags } }, context());
  }

  pass(ms: number): Promise<void> {
    return this.channel.clock.advance(ms);
  }
}

/** Octets of a report are views on what came. */
function copied(report: Report): Report {
  return { ...report, entryId: report.entryId && new Uint8Array(report.entryId) };
}
