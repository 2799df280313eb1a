/** Logs of the simulated device: what enters them, what clients read of them, and how their blocks are set (IEC 61850-7-2, 17.3 and 17.4). */
import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../../spi/index.ts';
import type { MmsClient } from '../../association/mms-client.ts';
import type { JournalEntry, MmsRequest, MmsResponse } from '../../mms/pdu.ts';
import { binaryTimeOctets } from '../../mms/times.ts';
import type { MmsValue } from '../../mms/types.ts';
import { sclText } from '../../model/testing/files.ts';
import { utcMs } from '../../model/time.ts';
import { reasonBits, reasonName } from '../../reports/bits.ts';
import { ask, context, names, point, value, write } from '../testing/asking.ts';
import { named, outcome, ServedChannel, type ServedChannelOptions } from '../testing/served-channel.ts';

const LOG_CONTROL =
  '<LogControl name="lcb" datSet="dsStat" logName="EventLog" intgPd="60000"><TrgOps dchg="true" qchg="true" period="true"/></LogControl>';
const MEASURED =
  '<LogControl name="slow" datSet="dsMeas" logName="Values" ldInst="MEAS" logEna="false"><TrgOps dchg="true"/></LogControl><Log name="EventLog"/>';
const FILE = { name: 'bay.cid', text: sclText('bay.cid').replace('<SettingControl', `${LOG_CONTROL}${MEASURED}<SettingControl`) };
const LCB = 'BAY1LD0/LLN0$LG$lcb';
const SLOW = 'BAY1LD0/LLN0$LG$slow';
const LOG = 'BAY1LD0/LLN0$EventLog';
const VALUES = 'BAY1MEAS/LLN0$Values';
const INDICATION = 'BAY1LD0/GGIO1$ST$Ind1';
const POINTS: readonly PointConfig[] = [
  point(1, FrameType.yx, 'BAY1LD0/GGIO1.Ind1.stVal[ST]'),
  point(2, FrameType.yx, 'BAY1LD0/GGIO1.Ind2.stVal[ST]'),
  point(3, FrameType.yc, 'BAY1MEAS/MMXU1.TotW.mag.f[MX]'),
];
const [TEMPORARILY, DENIED, INCONSISTENT, INVALID] = [2, 3, 8, 11];

type Query = Partial<Omit<Extract<MmsRequest, { service: 'read-journal' }>, 'service' | 'name'>>;
const text = (to: string): MmsValue => ({ kind: 'visible-string', text: to });
const boolean = (to: boolean): MmsValue => ({ kind: 'boolean', value: to });
const unsigned = (to: number): MmsValue => ({ kind: 'unsigned', value: to });
const at = (ms: number) => ({ kind: 'time', time: binaryTimeOctets(ms) }) as const;

class Logging {
  readonly channel: ServedChannel;

  constructor(options: ServedChannelOptions = {}) {
    this.channel = new ServedChannel({ points: POINTS, document: FILE, ...options });
  }

  get now(): number {
    return this.channel.clock.wallMs();
  }

  async set(id: number, to: number, flags: readonly string[] = []): Promise<void> {
    const found = POINTS[id - 1] as PointConfig;
    await this.channel.connection.execute({ point: found, step: 'operate', value: to, options: { flags } }, context());
    await this.channel.clock.advance(1);
  }

  /** Sets an indication on and off, so many times, one each millisecond. */
  async toggle(times: number): Promise<void> {
    for (let time = 0; time < times; time++) await this.set(1, time % 2 === 0 ? 0 : 1);
  }
}

const request = (log: string, query: Query = {}): MmsRequest => ({
  service: 'read-journal',
  name: named(log),
  start: null,
  stop: null,
  variables: null,
  after: null,
  ...query,
});

async function read(client: MmsClient, log: string, query: Query = {}) {
  return ask(client, request(log, query) as Extract<MmsRequest, { service: 'read-journal' }>);
}

/** `tag=value reason` of each variable. */
function said(entry: JournalEntry | undefined): string {
  const words: string[] = [];
  for (const { tag, value: held } of entry?.variables ?? []) {
    if (tag === 'ReasonCode' && held.kind === 'bit-string') words.push(reasonName(reasonBits(held.octets)));
    else {
      const first = held.kind === 'structure' ? held.items[0] : held;
      words.push(`${tag}=${first && 'value' in first ? first.value : first?.kind}`);
    }
  }
  return words.join(' ');
}

/** What the project keeps of the device. */
class Project {
  kept: unknown;
  writes = 0;

  read(): unknown {
    return this.kept;
  }

  write(to: unknown): void {
    this.writes += 1;
    this.kept = JSON.parse(JSON.stringify(to));
  }
}

describe('a log of the file', () => {
  it('is listed where it lies, with its block', async () => {
    const client = await new Logging().channel.associated();
    expect(await names(client, 8, 'BAY1LD0')).toEqual(['LLN0$EventLog']);
    expect(await names(client, 8, 'BAY1MEAS')).toEqual(['LLN0$Values']);
    expect(
      await outcome(client, { service: 'get-name-list', objectClass: 8, scope: { scope: 'domain', domain: 'none' }, continueAfter: null }),
    ).toContain('object-non-existent');
    const block = async (key: string) =>
      Promise.all(['LogEna', 'LogRef', 'DatSet', 'TrgOps', 'IntgPd'].map((name) => value(client, `${key}$${name}`)));
    expect(await block(LCB)).toMatchObject([
      { value: true },
      { text: LOG },
      { text: 'BAY1LD0/LLN0$dsStat' },
      { octets: Uint8Array.of(0x6c) },
      { value: 60_000 },
    ]);
    expect(await block(SLOW)).toMatchObject([{ value: false }, { text: VALUES }, {}, {}, { value: 0 }]);
  });

  it('takes changes of values and qualities with their time and reason, and tells its ends', async () => {
    const logging = new Logging();
    const client = await logging.channel.associated();
    expect((await read(client, LOG)).entries).toEqual([]);
    const begin = logging.now;
    await logging.set(1, 0);
    await logging.set(1, 0);
    await logging.set(2, 1, ['IV']);
    const { entries, moreFollows } = await read(client, LOG);
    expect(moreFollows).toBe(false);
    expect(entries.map(said)).toEqual([`${INDICATION}=false data-change`, 'BAY1LD0/GGIO1$ST$Ind2=true data-change+quality-change']);
    expect(entries.map(({ time }) => utcMs({ kind: 'binary-time', octets: time }))).toEqual([begin, begin + 2]);
    const [oldest, newest] = entries;
    expect(await value(client, `${LCB}$OldEntr`)).toEqual({ kind: 'octet-string', octets: oldest?.id });
    expect(await value(client, `${LCB}$NewEntr`)).toEqual({ kind: 'octet-string', octets: newest?.id });
    expect(utcMs((await value(client, `${LCB}$OldEntrTm`)) as MmsValue)).toBe(begin);
    expect(utcMs((await value(client, `${LCB}$NewEntrTm`)) as MmsValue)).toBe(begin + 2);
    // another log has nothing of it
    expect((await read(client, VALUES)).entries).toEqual([]);
  });

  it('takes all members each IntgPd', async () => {
    const logging = new Logging();
    const client = await logging.channel.associated();
    await logging.channel.clock.advance(120_000);
    const { entries } = await read(client, LOG);
    expect(entries).toHaveLength(2);
    expect(said(entries[0]).match(/integrity/g)).toHaveLength(4);
  });

  it('is read by times, from and behind an entry, by number, and for some variables', async () => {
    const logging = new Logging();
    const client = await logging.channel.associated();
    const begin = logging.now;
    await logging.toggle(10);
    const { entries } = await read(client, LOG);
    expect(entries).toHaveLength(10);
    const ids = async (query: Query) =>
      (await read(client, LOG, query)).entries.map(({ id }) => entries.findIndex((each) => Buffer.compare(each.id, id) === 0));
    expect(await ids({ start: at(begin + 7) })).toEqual([7, 8, 9]);
    expect(await ids({ start: at(begin + 3), stop: at(begin + 5) })).toEqual([3, 4, 5]);
    expect(await ids({ start: at(0), stop: at(begin) })).toEqual([0]);
    expect(await ids({ start: at(begin + 9), stop: at(begin + 3) })).toEqual([]);
    const seventh = entries[7] as JournalEntry;
    expect(await ids({ after: { time: seventh.time, entry: seventh.id } })).toEqual([8, 9]);
    expect(await ids({ start: { kind: 'entry', entry: seventh.id }, stop: { kind: 'count', count: 2 } })).toEqual([7, 8]);
    expect(await ids({ stop: { kind: 'count', count: -3 } })).toEqual([7, 8, 9]);
    // backwards from where it begins
    const fifth = entries[5] as JournalEntry;
    expect(await ids({ start: { kind: 'entry', entry: fifth.id }, stop: { kind: 'count', count: -2 } })).toEqual([4, 5]);
    expect(await ids({ start: { kind: 'entry', entry: fifth.id }, stop: { kind: 'count', count: -20 } })).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await ids({ start: at(begin + 3), stop: { kind: 'count', count: -2 } })).toEqual([2, 3]);
    expect(await ids({ start: at(0), stop: { kind: 'count', count: -2 } })).toEqual([]);
    // an entry that has gone: its time tells where to go on
    const gone = { time: seventh.time, entry: Uint8Array.of(1, 2, 3) };
    expect(await ids({ after: gone })).toEqual([7, 8, 9]);
    const some = await read(client, LOG, { variables: [INDICATION] });
    expect(some.entries[0]?.variables.map(({ tag }) => tag)).toEqual([INDICATION, 'ReasonCode']);
    expect((await read(client, LOG, { variables: ['none'] })).entries[0]?.variables).toEqual([]);
  });

  it('comes in parts where an answer is too small, and is gone through behind the last entry', async () => {
    const logging = new Logging();
    const client = await logging.channel.associated({ maxPduOctets: 400 });
    await logging.toggle(20);
    const found: JournalEntry[] = [];
    let parts = 0;
    for (let more = true; more; parts++) {
      const last = found.at(-1);
      const page: Extract<MmsResponse, { service: 'read-journal' }> = await read(
        client,
        LOG,
        last ? { after: { time: last.time, entry: last.id } } : {},
      );
      found.push(...page.entries);
      more = page.moreFollows;
    }
    expect(parts).toBeGreaterThan(5);
    expect(new Set(found.map(({ id }) => Buffer.from(id).toString('hex'))).size).toBe(20);
    const tiny = await logging.channel.associated({ maxPduOctets: 100 });
    expect(await outcome(tiny, request(LOG))).toContain('resource');
  });

  it('is bounded: the oldest entries go', async () => {
    const logging = new Logging();
    const client = await logging.channel.associated();
    const begin = logging.now;
    await logging.toggle(6000);
    expect(utcMs((await value(client, `${LCB}$OldEntrTm`)) as MmsValue)).toBeGreaterThan(begin + 100);
    let count = 0;
    let last: JournalEntry | undefined;
    for (let more = true; more; ) {
      const page: Extract<MmsResponse, { service: 'read-journal' }> = await read(
        client,
        LOG,
        last ? { after: { time: last.time, entry: last.id } } : {},
      );
      count += page.entries.length;
      last = page.entries.at(-1);
      more = page.moreFollows;
    }
    expect(count).toBeGreaterThan(2000);
    expect(count).toBeLessThan(6000);
  }, 30_000);

  it('is emptied by InitializeJournal, up to a time or an entry', async () => {
    const logging = new Logging();
    const client = await logging.channel.associated();
    const begin = logging.now;
    await logging.toggle(10);
    const { entries } = await read(client, LOG);
    const deleted = async (limit: Extract<MmsRequest, { service: 'initialize-journal' }>['limit']) =>
      (await ask(client, { service: 'initialize-journal', name: named(LOG), limit })).deleted;
    const left = async () => (await read(client, LOG)).entries.length;
    expect(await deleted({ time: binaryTimeOctets(begin + 1), entry: null })).toBe(2);
    expect(await deleted({ time: binaryTimeOctets(0), entry: entries[4]?.id ?? null })).toBe(3);
    expect(await left()).toBe(5);
    expect(await value(client, `${LCB}$OldEntr`)).toEqual({ kind: 'octet-string', octets: entries[5]?.id });
    expect(await deleted(null)).toBe(5);
    expect(await value(client, `${LCB}$NewEntr`)).toEqual({ kind: 'octet-string', octets: new Uint8Array(8) });
    await logging.toggle(1);
    expect(await left()).toBe(1);
  });

  it.each<[string, MmsRequest]>([
    ['of another name', request('BAY1LD0/LLN0$None')],
    ['of no domain', { ...request(LOG), name: { scope: 'vmd', item: 'EventLog' } } as MmsRequest],
    ['from an entry that is not there', request(LOG, { start: { kind: 'entry', entry: Uint8Array.of(9) } })],
    ['from a time without its day', request(LOG, { start: { kind: 'time', time: new Uint8Array(4) } })],
    ['to a time without its day', request(LOG, { stop: { kind: 'time', time: new Uint8Array(4) } })],
    ['emptied, of another name', { service: 'initialize-journal', name: named('BAY1LD0/LLN0$None'), limit: null }],
    [
      'emptied to an entry that is not there',
      { service: 'initialize-journal', name: named(LOG), limit: { time: new Uint8Array(6), entry: Uint8Array.of(9) } },
    ],
  ])('%s is an error of the service', async (_, asked) => {
    const client = await new Logging().channel.associated();
    expect(String(await outcome(client, asked))).toContain('DEVICE_');
    expect(client.isOpen).toBe(true);
  });
});

describe('a log control block', () => {
  it('is set while it is disabled, with values that mean something', async () => {
    const logging = new Logging();
    const client = await logging.channel.associated();
    const set = (name: string, to: MmsValue, block = LCB) => write(client, `${block}$${name}`, to);
    expect(await set('IntgPd', unsigned(0))).toBe(TEMPORARILY);
    expect(await set('NewEntr', { kind: 'octet-string', octets: new Uint8Array(8) })).toBe(DENIED);
    expect(await set('LogEna', boolean(false))).toBeNull();
    await logging.toggle(2);
    expect((await read(client, LOG)).entries).toEqual([]);
    expect(await set('IntgPd', unsigned(1))).toBe(INVALID);
    expect(await set('DatSet', text('BAY1LD0/LLN0$none'))).toBe(INVALID);
    expect(await set('LogRef', text('BAY1LD0/LLN0$none'))).toBe(INVALID);
    expect(await set('LogEna', unsigned(1))).toBe(7);
    expect(await set('DatSet', text(''))).toBeNull();
    expect(await set('LogEna', boolean(true))).toBe(INCONSISTENT);
    expect(await set('DatSet', text('BAY1LD0/LLN0$dsMeas'))).toBeNull();
    expect(await set('TrgOps', { kind: 'bit-string', size: 6, octets: Uint8Array.of(0x40) })).toBeNull();
    expect(await set('LogRef', text(VALUES))).toBeNull();
    expect(await set('LogEna', boolean(true))).toBeNull();
    await logging.set(3, 7);
    expect((await read(client, VALUES)).entries.map(said)).toEqual([expect.stringContaining('BAY1MEAS/MMXU1$MX$TotW=')]);
    await ask(client, { service: 'delete-named-variable-list', scope: 0, names: [named('BAY1LD0/LLN0$dsMeas')] });
    expect(await names(client, 2, 'BAY1LD0')).toContain('LLN0$dsMeas');
  });

  it('outlasts a restart as a client has set it', async () => {
    const lasting = new Project();
    const before = new Logging({ lasting });
    const client = await before.channel.associated();
    expect(await write(client, `${LCB}$LogEna`, boolean(false))).toBeNull();
    expect(await write(client, `${SLOW}$LogEna`, boolean(true))).toBeNull();
    await before.channel.connection.close();
    const after = new Logging({ lasting });
    const again = await after.channel.associated();
    await after.set(1, 0);
    await after.set(3, 7);
    expect((await read(again, LOG)).entries).toEqual([]);
    expect((await read(again, VALUES)).entries).toHaveLength(1);
  });

  it.each([true, false])('enters nothing of what is restored at a start, LogEna %s in the project', async (isEnabled) => {
    const lasting = new Project();
    const first = new Logging({ lasting });
    await first.set(1, 0);
    await first.set(2, 1, ['IV']);
    const octetsOf = (id: number) => first.channel.passed.flatMap(({ readings }) => readings).findLast(({ pointId }) => pointId === id);
    const before = new Map<number, Uint8Array>();
    for (const id of [1, 2]) {
      const reading = octetsOf(id);
      if (reading?.kind === 'value' && reading.raw) before.set(id, reading.raw);
    }
    expect(before.size).toBe(2);
    expect(await write(await first.channel.associated(), `${LCB}$LogEna`, boolean(isEnabled))).toBeNull();
    await first.channel.connection.close();
    const again = new Logging({ lasting, before });
    await again.channel.clock.advance(10);
    const client = await again.channel.associated();
    expect(await value(client, INDICATION)).toMatchObject({ items: [{ value: false }, {}, {}] });
    const { entries } = await read(client, LOG);
    expect(entries.map(said)).toEqual([`${INDICATION}=false data-change`, 'BAY1LD0/GGIO1$ST$Ind2=true data-change+quality-change']);
    expect(await value(client, `${LCB}$NewEntr`)).toEqual({ kind: 'octet-string', octets: entries[1]?.id });
    await again.set(1, 1);
    expect((await read(client, LOG)).entries).toHaveLength(isEnabled ? 3 : 2);
  });

  it('of a file whose log or data set is not there is disabled', async () => {
    const text = FILE.text
      .replace('datSet="dsStat" logName', 'datSet="none" logName')
      .replace('ldInst="MEAS" logEna="false"', 'ldInst="NONE"');
    const client = await new Logging({ document: { name: 'bay.cid', text } }).channel.associated();
    expect(await value(client, `${LCB}$LogEna`)).toEqual(boolean(false));
    expect(await value(client, `${SLOW}$LogEna`)).toEqual(boolean(false));
    expect(await names(client, 8, 'BAY1LD0')).toEqual(['LLN0$EventLog']);
  });
});

describe('entries of a log', () => {
  it('outlast a restart, and a client goes on behind the last it has', async () => {
    const project = new Project();
    const before = new Logging({ lasting: project });
    await before.toggle(5);
    const { entries } = await read(await before.channel.associated(), LOG);
    await before.channel.connection.close();
    // the clock of a computer may stand before that of the last run
    const after = new Logging({ lasting: project });
    const client = await after.channel.associated();
    expect((await read(client, LOG)).entries).toEqual(entries);
    expect(await value(client, `${LCB}$OldEntr`)).toEqual({ kind: 'octet-string', octets: entries[0]?.id });
    await after.set(2, 1);
    const last = entries[4] as JournalEntry;
    const next = (await read(client, LOG, { after: { time: last.time, entry: last.id } })).entries;
    expect(next.map(said)).toEqual(['BAY1LD0/GGIO1$ST$Ind2=true data-change']);
    expect(Buffer.compare(next[0]?.id ?? new Uint8Array(), last.id)).toBe(1);
    expect((await read(client, VALUES)).entries).toEqual([]);
  });

  it('are kept soon, and every 5 s while they come, so that a kill loses no more; the newest stay', async () => {
    const project = new Project();
    const logging = new Logging({ lasting: project });
    await logging.toggle(4000);
    expect(project.writes).toBe(1);
    await logging.channel.clock.advance(1500);
    expect(project.writes).toBe(2);
    const { logs } = project.kept as { logs: unknown };
    expect(JSON.stringify(logs).length).toBeGreaterThan(100_000);
    expect(JSON.stringify(logs).length).toBeLessThan(260_000);
    const all = (await read(await logging.channel.associated(), LOG, { stop: { kind: 'count', count: -1 } })).entries;
    const killed = new Logging({ lasting: project });
    const kept = (await read(await killed.channel.associated(), LOG, { stop: { kind: 'count', count: -1 } })).entries;
    expect(kept).toEqual(all);
  });

  it('that a client deleted stay gone', async () => {
    const project = new Project();
    const before = new Logging({ lasting: project });
    await before.toggle(5);
    await before.channel.clock.advance(5000);
    const client = await before.channel.associated();
    expect(await ask(client, { service: 'initialize-journal', name: named(LOG), limit: null })).toMatchObject({ deleted: 5 });
    await before.channel.connection.close();
    const after = await new Logging({ lasting: project }).channel.associated();
    expect((await read(after, LOG)).entries).toEqual([]);
  });

  it('of what the device has no more, or has otherwise, are left out; damaged ones as well', async () => {
    const project = new Project();
    const before = new Logging({ lasting: project });
    await before.set(1, 0);
    await before.set(2, 1, ['IV']);
    await before.channel.connection.close();
    const other = new Logging({ lasting: project, document: { ...FILE, text: FILE.text.replaceAll('Ind2', 'Ind9') } });
    expect((await read(await other.channel.associated(), LOG)).entries.map(said)).toEqual([`${INDICATION}=false data-change`]);
    const { logs } = project.kept as { logs: { log: string; entries: [number, string][] }[] };
    const [kept] = logs;
    const [first, second] = kept?.entries ?? [];
    if (!kept || !first || !second) throw new Error('nothing was kept');
    const restored = async (to: unknown) => {
      project.kept = { ...(project.kept as object), logs: to };
      return (await read(await new Logging({ lasting: project }).channel.associated(), LOG)).entries.length;
    };
    expect(await restored([{ log: LOG, entries: [[first[0], 'MAk='], second] }])).toBe(1);
    expect(await restored([{ log: LOG, entries: [second, first] }])).toBe(1);
    expect(await restored([{ log: LOG, entries: [[first[0] + 1, first[1]], second] }])).toBe(1);
    expect(await restored([{ log: 'NOLD/LLN0$EventLog', entries: [first] }])).toBe(0);
    expect(await restored([{ log: 7 }])).toBe(0);
    expect(await restored([{ log: LOG, entries: [first, second] }])).toBe(2);
  });
});

describe('a device made of a point table', () => {
  const table = (count: number) => Array.from({ length: count }, (_, at) => point(at + 1, FrameType.yx, `LD/GGIO1.Ind${at + 1}.stVal[ST]`));
  const measured = point(900, FrameType.yc, 'LD/MMXU1.TotW.mag.f[MX]');

  it('has a log of its states in each logical device, which takes their changes', async () => {
    const other = point(901, FrameType.yx, 'OTHER/GGIO1.Ind1.stVal[ST]');
    const channel = new ServedChannel({ points: [...table(2), measured, other] });
    const client = await channel.associated();
    expect([await names(client, 8, 'LD'), await names(client, 8, 'OTHER')]).toEqual([['LLN0$EventLog'], ['LLN0$EventLog']]);
    expect(await value(client, 'LD/LLN0$LG$lcbStat$LogEna')).toEqual(boolean(true));
    expect(await value(client, 'LD/LLN0$LG$lcbStat$DatSet')).toEqual(text('LD/LLN0$dsStat'));
    const set = async (to: PointConfig, number: number, flags: readonly string[] = []) => {
      await channel.connection.execute({ point: to, step: 'operate', value: number, options: { flags } }, context());
      await channel.clock.advance(1);
    };
    await set(table(2)[1] as PointConfig, 1);
    await set(measured, 7);
    await set(other, 1, ['IV']);
    expect((await read(client, 'LD/LLN0$EventLog')).entries.map(said)).toEqual(['LD/GGIO1$ST$Ind2=true data-change']);
    expect((await read(client, 'OTHER/LLN0$EventLog')).entries.map(said)).toEqual(['OTHER/GGIO1$ST$Ind1=true data-change+quality-change']);
  });

  it('has none without a state, and one block for each of its data sets of states', async () => {
    const without = await new ServedChannel({ points: [measured] }).associated();
    expect(await names(without, 8, 'LD')).toEqual([]);
    const client = await new ServedChannel({ points: table(150) }).associated();
    expect(await names(client, 8, 'LD')).toEqual(['LLN0$EventLog']);
    expect((await names(client, 0, 'LD')).filter((name) => /^LLN0\$LG\$[^$]+$/.test(name))).toEqual([
      'LLN0$LG$lcbStat',
      'LLN0$LG$lcbStat2',
    ]);
    expect(await value(client, 'LD/LLN0$LG$lcbStat2$DatSet')).toEqual(text('LD/LLN0$dsStat2'));
  });
});
