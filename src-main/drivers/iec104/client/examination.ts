/** The examination of a station for the connection doctor: start of data transfer, sizes of the fields, common addresses. It asks interrogations only. */

import type { DoctorCode } from '#shared/domain/doctor.ts';
import { asMessage, say } from '#shared/messages/index.ts';
import type { DriverExamination, ExaminationContext, LayerNote, LayerVerdict } from '../../spi/examination.ts';
import { fittingSizes, SIZES_IN_USE, sizesText } from '../codec/fitting-sizes.ts';
import { type AsduSizes, broadcastAddress } from '../codec/sizes.ts';
import { asduSizes, channelSettings, type Iec104Settings, isWindowWide, linkLimits } from '../settings.ts';
import { unreadableOf } from './client-memory.ts';
import { answersOf, evidenceOf, type StationAnswer } from './examination-answers.ts';
import { ExaminationSession, type StartEnd } from './examination-session.ts';

/** Common addresses that are asked at most. */
const MOST_STATIONS = 16;
/** Behind STARTDT: time for what a station says by itself. */
const GREETING_MS = 300;
/** TLS records of handshake alerts begin with this octet. */
const TLS_ALERT = 0x15;

export const iec104Examination: DriverExamination = {
  layers: ['startdt', 'sizes', 'station'],
  examine: (context) => (context.standing ? examineStanding(context) : new Examination(context).run()),
};

function settingsOf({ settings }: ExaminationContext): Iec104Settings {
  return channelSettings.parse(settings.protocol);
}

/** Common addresses of the question, else of the table. */
function wantedStations({ slaveIds, points }: ExaminationContext): readonly number[] {
  const all = slaveIds.length > 0 ? slaveIds : [...new Set(points.map((point) => point.slave_id))];
  return [...all].sort((a, b) => a - b).slice(0, MOST_STATIONS);
}

function notesOf(settings: Iec104Settings): readonly LayerNote[] {
  const { k, w } = settings;
  return isWindowWide(settings) ? [{ code: 'WINDOW_WIDE', params: { w, k, most: Math.max(1, Math.floor((k * 2) / 3)) } }] : [];
}

const START_CODES: Readonly<Record<Exclude<StartEnd, 'confirmed'>, DoctorCode>> = {
  silent: 'STARTDT_SILENT',
  closed: 'STARTDT_CLOSED',
  foreign: 'STARTDT_FOREIGN',
};

/** What the station answered for the common addresses. */
interface Asked {
  readonly answers: ReadonlyMap<number, StationAnswer>;
  /** Common addresses in messages of the station. */
  readonly seen: readonly number[];
}

class Examination {
  readonly #context: ExaminationContext;
  readonly #settings: Iec104Settings;
  readonly #sizes: AsduSizes;
  readonly #wanted: readonly number[];

  constructor(context: ExaminationContext) {
    this.#context = context;
    this.#settings = settingsOf(context);
    this.#sizes = asduSizes(this.#settings);
    this.#wanted = wantedStations(context);
  }

  async *run(): AsyncGenerator<LayerVerdict, void> {
    const { clock, show } = this.#context;
    show(say('iec104.ask_startdt'));
    const session = await this.#open();
    try {
      const begin = clock.monotonicMs();
      const end = await session.start(this.#settings.t1_s * 1000);
      if (end !== 'confirmed') {
        yield this.#notStarted(end, session);
        return;
      }
      const ms = Math.round(clock.monotonicMs() - begin);
      yield { layer: 'startdt', state: 'good', code: 'STARTDT_CONFIRMED', params: { ms }, notes: notesOf(this.#settings) };
      await session.wait(GREETING_MS, () => false);
      show(say('iec104.ask_stations'));
      const asked = await this.#askAll(session, this.#sizes);
      const sizes = this.#judgeSizes(session, asked) ?? (await this.#trySizes(session));
      yield sizes;
      if (sizes.state !== 'bad') yield this.#judgeStations(asked);
    } finally {
      await session.close();
    }
  }

  async #open(): Promise<ExaminationSession> {
    const line = await this.#context.open();
    return new ExaminationSession(this.#context, line, linkLimits(this.#settings), this.#settings.tls);
  }

  #notStarted(end: Exclude<StartEnd, 'confirmed'>, session: ExaminationSession): LayerVerdict {
    const { firstOctets } = session;
    const isTls = end === 'foreign' && firstOctets[0] === TLS_ALERT && firstOctets[1] === 3;
    const octets = Buffer.from(firstOctets)
      .toString('hex')
      .toUpperCase()
      .replace(/(..)(?=.)/g, '$1 ');
    const params = { ms: this.#settings.t1_s * 1000, octets };
    return { layer: 'startdt', state: 'bad', code: isTls ? 'STARTDT_TLS' : START_CODES[end], params, notes: notesOf(this.#settings) };
  }

  /** Interrogates each common address, then all at once where none of them is known. */
  async #askAll(session: ExaminationSession, sizes: AsduSizes): Promise<Asked> {
    const answers = new Map<number, StationAnswer>();
    for (const station of this.#wanted) answers.set(station, await this.#ask(session, station, sizes));
    const everyone = broadcastAddress(sizes);
    const isKnown = [...answers.values()].some((answer) => answer.kind === 'confirmed');
    if (!isKnown && !session.isOver) await this.#ask(session, everyone, sizes);
    const seen = new Set<number>();
    for (const { commonAddress } of evidenceOf(session.asdus, sizes)) if (commonAddress !== everyone) seen.add(commonAddress);
    return { answers, seen: [...seen].sort((a, b) => a - b) };
  }

  async #ask(session: ExaminationSession, commonAddress: number, sizes: AsduSizes): Promise<StationAnswer> {
    const { timeoutMs } = this.#context.settings;
    const from = session.asdus.length;
    const asdu = session.interrogate(commonAddress, this.#settings.originator_address, sizes);
    const answer = () => answersOf(session.asdus.slice(from), asdu, sizes);
    await session.wait(timeoutMs, () => answer().kind !== 'silent');
    const found = answer();
    // the data that follow are what the sizes are judged by
    if (found.kind === 'confirmed') await session.wait(timeoutMs, () => answersOf(session.asdus.slice(from), asdu, sizes).isTerminated);
    return answer();
  }

  /** What the messages of the station say; null where they say nothing. */
  #judgeSizes(session: ExaminationSession, asked: Asked): LayerVerdict | null {
    const { asdus } = session;
    const own = asdus.filter((asdu) => (asdu[0] ?? 0) <= 40 || asdu[0] === 70);
    const fits = own.filter((asdu) => fittingSizes(asdu).some((sizes) => sizesText(sizes) === sizesText(this.#sizes)));
    const isConfirmed = [...asked.answers.values()].some((answer) => answer.kind === 'confirmed');
    if (own.length > 0 && fits.length < own.length) {
      const common = SIZES_IN_USE.filter((sizes) =>
        own.every((asdu) => fittingSizes(asdu).some((item) => sizesText(item) === sizesText(sizes))),
      );
      const [found] = common;
      if (found) return this.#otherSizes(found);
      return {
        layer: 'sizes',
        state: 'bad',
        code: 'SIZES_UNREADABLE',
        params: { count: own.length - fits.length, sizes: sizesText(this.#sizes) },
      };
    }
    if (own.length === 0 && !isConfirmed && asked.seen.length === 0) return null;
    return { layer: 'sizes', state: 'good', code: 'SIZES_GOOD', params: { sizes: sizesText(this.#sizes), count: asdus.length } };
  }

  #otherSizes(found: AsduSizes): LayerVerdict {
    return { layer: 'sizes', state: 'bad', code: 'SIZES_OTHER', params: { sizes: sizesText(this.#sizes), found: sizesText(found) } };
  }

  /** A station that sends nothing of its own is asked under other sizes, each on a connection of its own: only the right ones are confirmed. */
  async #trySizes(session: ExaminationSession): Promise<LayerVerdict> {
    await session.close();
    for (const sizes of SIZES_IN_USE) {
      if (sizesText(sizes) === sizesText(this.#sizes)) continue;
      this.#context.show(say('iec104.ask_sizes', { sizes: sizesText(sizes) }));
      if (await this.#isUnderstood(sizes)) return this.#otherSizes(sizes);
    }
    return { layer: 'sizes', state: 'warning', code: 'SIZES_UNPROVED', params: { sizes: sizesText(this.#sizes) } };
  }

  async #isUnderstood(sizes: AsduSizes): Promise<boolean> {
    const session = await this.#open();
    try {
      if ((await session.start(this.#settings.t1_s * 1000)) !== 'confirmed') return false;
      for (const station of [...this.#wanted.slice(0, 1).filter((item) => item < broadcastAddress(sizes)), broadcastAddress(sizes)]) {
        if ((await this.#ask(session, station, sizes)).kind === 'confirmed') return true;
        if (session.isOver) return false;
      }
      return false;
    } finally {
      await session.close();
    }
  }

  #judgeStations({ answers, seen }: Asked): LayerVerdict {
    return judgeStations(answers, seen, this.#context.settings.timeoutMs);
  }
}

function judgeStations(answers: ReadonlyMap<number, StationAnswer>, seen: readonly number[], ms: number): LayerVerdict {
  const of = (kind: StationAnswer['kind']) => [...answers].filter(([, answer]) => answer.kind === kind).map(([station]) => station);
  const good = of('confirmed').join(', ');
  const missing = [...of('refused'), ...of('silent')].sort((a, b) => a - b).join(', ');
  const found = seen.join(', ');
  const layer = 'station' as const;
  if (answers.size === 0) {
    if (seen.length > 0) return { layer, state: 'good', code: 'STATION_SEEN', params: { found } };
    return { layer, state: 'warning', code: 'STATION_NOT_ASKED' };
  }
  if (missing === '') return { layer, state: 'good', code: 'STATION_GOOD', params: { addresses: good } };
  if (good !== '') return { layer, state: 'warning', code: 'STATION_PART', params: { addresses: good, missing } };
  if (seen.length > 0) return { layer, state: 'bad', code: 'STATION_OTHER', params: { addresses: missing, found } };
  if (of('silent').length === answers.size) return { layer, state: 'bad', code: 'STATION_SILENT', params: { addresses: missing, ms } };
  const [reason] = [...answers.values()].flatMap((answer) => (answer.kind === 'refused' ? [answer.detail] : []));
  return { layer, state: 'bad', code: 'STATION_UNKNOWN', params: { addresses: missing, detail: reason ?? '' } };
}

/** Over the connection of a running channel, by its own interrogations. */
async function* examineStanding(context: ExaminationContext): AsyncGenerator<LayerVerdict, void> {
  const { standing, settings } = context;
  if (!standing) return;
  const protocol = settingsOf(context);
  const sizes = asduSizes(protocol);
  yield { layer: 'startdt', state: 'good', code: 'STARTDT_STANDS', notes: notesOf(protocol) };
  const answers = new Map<number, StationAnswer>();
  for (const station of wantedStations(context)) {
    context.show(say('iec104.ask_station', { address: station }));
    answers.set(station, await standing.ask(async (connection, exchange) => askStanding(connection, station, exchange)));
  }
  const unreadable = unreadableOf(standing.memory);
  const [found] = unreadable ? fittingSizes(unreadable) : [];
  const isUnderstood = [...answers.values()].some((answer) => answer.kind === 'confirmed');
  const params = { sizes: sizesText(sizes) };
  if (unreadable && found) yield { layer: 'sizes', state: 'bad', code: 'SIZES_OTHER', params: { ...params, found: sizesText(found) } };
  else if (unreadable) yield { layer: 'sizes', state: 'bad', code: 'SIZES_UNREADABLE', params: { ...params, count: 1 } };
  else if (isUnderstood) yield { layer: 'sizes', state: 'good', code: 'SIZES_GOOD', params: { ...params, count: answers.size } };
  else yield { layer: 'sizes', state: 'warning', code: 'SIZES_UNPROVED', params };
  if (!unreadable) yield judgeStations(answers, [], settings.timeoutMs);
}

async function askStanding(
  connection: Parameters<Parameters<NonNullable<ExaminationContext['standing']>['ask']>[0]>[0],
  station: number,
  exchange: Parameters<Parameters<NonNullable<ExaminationContext['standing']>['ask']>[0]>[1],
): Promise<StationAnswer> {
  const result = await connection.operate?.('general_interrogation', { common_address: station, group: 0 }, exchange);
  if (result?.outcome === 'accepted') return { kind: 'confirmed', isTerminated: true };
  const detail = asMessage(result?.stages.at(-1)?.detail ?? '');
  return result?.outcome === 'rejected' ? { kind: 'refused', isTerminated: true, detail } : { kind: 'silent', isTerminated: false };
}
