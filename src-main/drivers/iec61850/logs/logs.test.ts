/** Our client reads the logs of our simulated device, and of devices that answer unhelpfully. */
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { english, quoted } from '#shared/messages/index.ts';
import type { PointConfig } from '../../spi/index.ts';
import { exchangeContext } from '../../testing/sinks.ts';
import { ChannelMemory } from '../channel-memory.ts';
import type { JournalEntry, MmsRequest, MmsResponse } from '../mms/pdu.ts';
import { binaryTimeOctets } from '../mms/times.ts';
import { sclText } from '../model/testing/files.ts';
import { ServedChannel } from '../server/testing/served-channel.ts';
import { ClientBench, yc, yx } from '../testing/client-bench.ts';
import { LOG_PARAMS } from './params.ts';
import { queryLog } from './query-log.ts';

const CONTROLS = [
  '<LogControl name="lcb" datSet="dsStat" logName="EventLog"><TrgOps dchg="true" qchg="true"/></LogControl>',
  '<LogControl name="slow" datSet="dsMeas" logName="Values" ldInst="MEAS" logEna="false" intgPd="1000"><TrgOps dchg="true" period="true"/></LogControl>',
].join('');
const FILE = { name: 'bay.cid', text: sclText('bay.cid').replace('<SettingControl', `${CONTROLS}<SettingControl`) };
const LOG = 'BAY1LD0/LLN0$EventLog';
const POINTS: readonly PointConfig[] = [
  yx(1, 'BAY1LD0/GGIO1.Ind1.stVal[ST]'),
  yx(2, 'BAY1LD0/Q1CSWI1.Pos.stVal[ST]'),
  yc(3, 'BAY1MEAS/MMXU1.TotW.mag.f[MX]'),
];
const BEGIN = Date.UTC(2026, 0, 1);
const iso = (ms: number) => new Date(ms).toISOString();

class Pair {
  readonly served: ServedChannel;
  bench!: ClientBench;

  constructor(octets: number) {
    this.served = new ServedChannel({ points: POINTS, document: FILE });
    this.bench = new ClientBench(this.served, { protocol: { max_pdu_size: octets } });
  }

  static async open(octets = 65_000): Promise<Pair> {
    const pair = new Pair(octets);
    await pair.bench.start();
    return pair;
  }

  async set(id: number, value: number, flags: readonly string[] = []): Promise<void> {
    const point = POINTS[id - 1] as PointConfig;
    await this.served.connection.execute({ point, step: 'operate', value, options: { flags } }, exchangeContext());
    await this.served.clock.advance(10);
  }

  async ask(name: string, params: Record<string, unknown> = {}) {
    const { outcome, stages, result } = await this.bench.operate(name, params);
    return { outcome, said: english(stages.at(-1)?.detail ?? ''), result: result as Record<string, unknown> };
  }

  /** Times of the entries of a query, counted from the beginning in steps of 10 ms. */
  async steps(query: Record<string, unknown>): Promise<number[]> {
    const { result } = await this.ask('query_log', { log: LOG, ...query });
    return (result.entries as { time: string }[]).map(({ time }) => (Date.parse(time) - BEGIN) / 10);
  }
}

describe('log control blocks', () => {
  it('are listed with what they enter where, and what is there', async () => {
    const pair = await Pair.open();
    await pair.set(1, 0);
    await pair.set(2, 0);
    const { outcome, said, result } = await pair.ask('log_blocks');
    expect([outcome, said]).toEqual(['accepted', '2 log control blocks']);
    expect(result.blocks).toEqual([
      {
        reference: 'BAY1LD0/LLN0.lcb[LG]',
        enabled: true,
        log: LOG,
        data_set: 'BAY1LD0/LLN0$dsStat',
        triggers: ['data_change', 'quality_change', 'general_interrogation'],
        integrity_ms: 0,
        oldest_time: iso(BEGIN),
        newest_time: iso(BEGIN + 10),
        oldest_entry: expect.stringMatching(/^00 00 01/),
        newest_entry: expect.stringMatching(/^00 00 01/),
      },
      {
        reference: 'BAY1LD0/LLN0.slow[LG]',
        enabled: false,
        log: 'BAY1MEAS/LLN0$Values',
        data_set: 'BAY1LD0/LLN0$dsMeas',
        triggers: ['data_change', 'integrity', 'general_interrogation'],
        integrity_ms: 1000,
        oldest_time: null,
        newest_time: null,
        oldest_entry: null,
        newest_entry: null,
      },
    ]);
    expect((await pair.ask('log_blocks', { logical_device: 'BAY1MEAS' })).said).toBe('The device has no log control blocks.');
  });
});

describe('a query of a log', () => {
  it('brings each value with quality, device time and reason', async () => {
    const pair = await Pair.open();
    await pair.set(1, 0, ['IV']);
    await pair.set(2, 0);
    const { outcome, said, result } = await pair.ask('query_log', { log: 'BAY1LD0/LLN0.EventLog' });
    expect([outcome, said]).toEqual(['accepted', '2 entries of BAY1LD0/LLN0.EventLog']);
    expect(result).toMatchObject({ count: 2, more: false });
    const entry = { entry_id: expect.stringMatching(/^00 00/) };
    expect(result.entries).toEqual([
      {
        ...entry,
        time: iso(BEGIN),
        reference: 'BAY1LD0/GGIO1.Ind1[ST]',
        value: false,
        quality: 'invalid',
        device_time: iso(BEGIN),
        reason: 'data-change+quality-change',
      },
      {
        ...entry,
        time: iso(BEGIN + 10),
        reference: 'BAY1LD0/Q1CSWI1.Pos.stVal[ST]',
        value: 'off',
        quality: null,
        device_time: null,
        reason: 'data-change',
      },
    ]);
  });

  it('is of a range of times, or goes on behind an entry', async () => {
    const pair = await Pair.open();
    for (let step = 0; step < 10; step++) await pair.set(1, step % 2);
    expect(await pair.steps({})).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await pair.steps({ from: iso(BEGIN + 70) })).toEqual([7, 8, 9]);
    expect(await pair.steps({ from: '2026-01-01T08:00:00.030+08:00', to: iso(BEGIN + 50) })).toEqual([3, 4, 5]);
    const { result } = await pair.ask('query_log', { log: LOG, max_entries: 4 });
    expect(result).toMatchObject({ count: 4, more: true });
    const last = (result.entries as { entry_id: string; time: string }[]).at(-1);
    const behind = { after_entry: last?.entry_id, after_time: last?.time };
    expect(await pair.steps(behind)).toEqual([4, 5, 6, 7, 8, 9]);
    expect(await pair.steps({ after_entry: last?.entry_id, to: iso(BEGIN + 60) })).toEqual([4, 5, 6]);
  });

  it('is gone through in as many requests as the PDU size needs', async () => {
    const pair = await Pair.open(512);
    for (let step = 0; step < 30; step++) await pair.set(1, step % 2);
    const before = pair.bench.asked.length;
    expect(await pair.steps({})).toHaveLength(30);
    expect(pair.bench.asked.length - before).toBeGreaterThan(6);
  });

  it.each([
    [{ log: 'nonsense' }, /is no log/],
    [{ log: '@mine' }, /is no log/],
    [{ log: LOG, from: iso(BEGIN + 1), to: iso(BEGIN) }, /from lies behind to/],
    [{ log: LOG, after_time: iso(BEGIN) }, /for a range of times give from and to/],
    [{ log: LOG, after_entry: '00', from: iso(BEGIN) }, /give from or after_entry/],
  ])('%o is refused before anything is sent', async (params, words) => {
    const pair = await Pair.open();
    const before = pair.bench.asked.length;
    await expect(pair.ask('query_log', params)).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringMatching(words) });
    expect(pair.bench.asked.length).toBe(before);
  });

  it('of a log that is not there is refused in words', async () => {
    const pair = await Pair.open();
    expect(await pair.ask('query_log', { log: 'BAY1LD0/LLN0$None' })).toMatchObject({
      outcome: 'rejected',
      said: expect.stringContaining('object-non-existent'),
    });
  });
});

describe('devices that answer unhelpfully', () => {
  const entry = (number: number, changes: Partial<JournalEntry> = {}): JournalEntry => ({
    id: Uint8Array.of(number),
    time: binaryTimeOctets(BEGIN + number),
    variables: [{ tag: 'X', value: { kind: 'integer', value: number } }],
    annotation: null,
    ...changes,
  });
  type Page = Extract<MmsResponse, { service: 'read-journal' }>;

  /** What comes of a query, and the requests that it took, where the device answers with these pages. */
  async function queried(pages: readonly (readonly [readonly JournalEntry[], boolean] | AppError)[], query: Record<string, unknown> = {}) {
    const asked: MmsRequest[] = [];
    const request = async (sent: MmsRequest): Promise<Page> => {
      asked.push(sent);
      const page = pages[Math.min(asked.length, pages.length) - 1] ?? ([[], false] as const);
      if (page instanceof AppError) throw page;
      const [entries, moreFollows] = page;
      return { service: 'read-journal', entries, moreFollows };
    };
    const options = { client: { request } as never, memory: new ChannelMemory(), timeoutMs: 1000 };
    const reading = await queryLog(options, LOG_PARAMS.query_log.parse({ log: LOG, ...query }), exchangeContext());
    return {
      asked,
      said: english(reading.detail),
      result: reading.result as { entries: Record<string, unknown>[]; more: boolean; count: number },
    };
  }

  it('the same page each time: asked twice, and told', async () => {
    const { asked, said, result } = await queried([[[entry(1), entry(2)], true]]);
    expect(asked).toHaveLength(2);
    expect(said).toContain('begins anew with each page');
    expect(result).toMatchObject({ count: 2, more: true });
  });

  it.each(['DEVICE_EXCEPTION', 'TIMEOUT_RESPONSE'] as const)('%s behind the first page: what was read, with the reason', async (code) => {
    const { asked, said, result } = await queried([[[entry(1), entry(2)], true], new AppError(code, quoted('The entry is too large.'))]);
    expect(asked).toHaveLength(2);
    expect(said).toContain('2 entries of');
    expect(said).toContain('The entry is too large.');
    expect(result).toMatchObject({ count: 2, more: true });
    expect(result.entries.map(({ value }) => value)).toEqual([1, 2]);
  });

  it('an error of the first page, and a cancelling behind it, are the error of the query', async () => {
    await expect(queried([new AppError('TIMEOUT_RESPONSE', quoted('silent'))])).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE' });
    await expect(queried([[[entry(1)], true], new AppError('CANCELLED', quoted('stopped'))])).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('more that never comes', async () => {
    const { asked, result } = await queried([
      [[entry(1)], true],
      [[], true],
    ]);
    expect(asked).toHaveLength(2);
    expect(result).toMatchObject({ count: 1, more: true });
  });

  it('more entries in a page than were asked for', async () => {
    const { result } = await queried([[[entry(1), entry(2), entry(3)], false]], { max_entries: 2 });
    expect(result).toMatchObject({ count: 2, more: true });
    expect(result.entries.map(({ value }) => value)).toEqual([1, 2]);
  });

  it('annotations, reasons without a value, values of no known type, and names that are no reference', async () => {
    const reason = { tag: 'ReasonCode', value: { kind: 'bit-string', size: 6, octets: Uint8Array.of(0x40) } } as const;
    const structure = {
      tag: 'LD/LN$MX$A',
      value: {
        kind: 'structure',
        items: [
          { kind: 'integer', value: 1 },
          { kind: 'structure', items: [{ kind: 'boolean', value: true }] },
        ],
      },
    } as const;
    const { result } = await queried([
      [
        [
          entry(1, { variables: [reason, structure, reason] }),
          entry(2, { variables: [], annotation: 'restarted' }),
          entry(3, { variables: [], time: new Uint8Array(4) }),
        ],
        false,
      ],
    ]);
    expect(result.entries).toMatchObject([
      { reference: 'LD/LN.A[MX]', value: '(0) 1, (1).(0) true', reason: 'data-change' },
      { reference: '', value: 'restarted', reason: '' },
    ]);
  });
});
