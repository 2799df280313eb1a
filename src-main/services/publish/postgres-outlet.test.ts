import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { DatabaseAnswer, DatabaseLink, DatabaseRefusal } from '../../transport/store-types.ts';
import { postgresOutlet, tableStatement } from './postgres-outlet.ts';
import { copyRows } from './postgres-rows.ts';
import type { PublishedValue } from './record-queue.ts';

const TARGET = {
  kind: 'postgresql',
  url: 'postgresql://db:5432/plant',
  user: 'me',
  table: 'plant.values',
  create_table: true,
  tls: false,
  every_ms: 1000,
} as const;
const values = (count: number): PublishedValue[] =>
  Array.from({ length: count }, (_, index) => ({
    about: { device: 'D', code: `P${index + 1}`, frameType: 1, name: 'n', unit: '' },
    value: index === 1 ? null : index + 0.5,
    quality: 'good',
    at: 1000,
    sequence: index + 1,
  }));
const refused = (code: string, reason = 'because'): DatabaseRefusal => ({ refused: { code, reason } });

/** A database that keeps the rules of one: what is staged goes with the transaction, session and sequence stand once. */
class Database implements DatabaseLink {
  readonly rows = new Map<string, string>();
  readonly statements: string[] = [];
  keys: string[] = ['session,sequence,time'];
  hasTable = true;
  refuses: (statement: string, data: string) => DatabaseRefusal | null = () => null;
  /** The commit is done, and its answer is lost. */
  losesCommit = false;
  closed = 0;
  #stage: string[] = [];
  #isFailed = false;

  async run(statement: string): Promise<DatabaseAnswer | DatabaseRefusal> {
    this.statements.push(statement);
    const no = this.refuses(statement, '');
    if (no) {
      this.#isFailed = true;
      return no;
    }
    if (statement.startsWith('SELECT to_regclass')) return { tag: 'SELECT', rows: [[this.hasTable ? '16385' : null]] };
    if (statement.startsWith('SELECT string_agg')) return { tag: 'SELECT', rows: this.keys.map((key) => [key]) };
    if (statement === 'BEGIN') {
      this.#stage = [];
      this.#isFailed = false;
    }
    if (statement === 'COMMIT') {
      const rows = this.#stage.splice(0);
      if (this.#isFailed) return { tag: 'ROLLBACK', rows: [] };
      for (const row of rows) {
        const [session, sequence] = row.split('\t');
        const key = `${session}:${sequence}`;
        if (!this.rows.has(key)) this.rows.set(key, row);
      }
      if (this.losesCommit) throw new AppError('TRANSPORT_LOST', say('publish.lost', { url: TARGET.url }));
    }
    if (statement === 'ROLLBACK') this.#stage = [];
    return { tag: statement.split(' ')[0] ?? '', rows: [] };
  }

  async copy(statement: string, data: string): Promise<DatabaseAnswer | DatabaseRefusal> {
    this.statements.push(statement);
    const no = this.refuses(statement, data);
    if (no) return no;
    this.#stage.push(...data.split('\n').slice(0, -1));
    return { tag: 'COPY', rows: [] };
  }

  onLost(): void {}
  async close(): Promise<void> {
    this.closed += 1;
  }
}

const open = (database: Database, more: Partial<Omit<typeof TARGET, 'create_table'>> & { create_table?: boolean } = {}) =>
  postgresOutlet(async () => database, { ...TARGET, ...more }, { password: 'p', session: 's' }).open(
    new AbortController().signal,
    () => {},
  );

describe('rows of COPY', () => {
  it('stand between tabs and line feeds, \\N for no number', () => {
    expect(copyRows(values(2), 's')).toBe(
      's\t1\t1970-01-01T00:00:01.000Z\tD\tP1\tYX\tn\t\t0.5\tgood\ns\t2\t1970-01-01T00:00:01.000Z\tD\tP2\tYX\tn\t\t\\N\tgood\n',
    );
  });

  it.each([
    ['a\tb', 'a\\tb'],
    ['a\nb\r', 'a\\nb\\r'],
    ['\\N', '\\\\N'],
    ['\\.', '\\\\.'],
    ['a\\', 'a\\\\'],
    ['\b\f\v', '\\b\\f\\v'],
    ['nul\0l', 'null'],
    ['测点 😀', '测点 😀'],
    ['half \ud83d', 'half \ufffd'],
  ])('escape %j', (code, expected) => {
    const [value] = values(1);
    if (!value) throw new Error('none');
    expect(copyRows([{ ...value, about: { ...value.about, code } }], 's').split('\t')[4]).toBe(expected);
  });
});

describe('rows to PostgreSQL', () => {
  it('are copied and moved in one transaction, under the session of the file they waited in', async () => {
    const database = new Database();
    const link = await open(database);
    database.statements.length = 0;
    expect(await link.send(values(3).map((value) => ({ ...value, session: 'kept' })))).toBe('taken');
    expect(database.statements).toEqual([
      'BEGIN',
      'COPY pg_temp.loopcheck_stage (session, sequence, time, device, code, type, name, unit, value, quality) FROM STDIN',
      expect.stringMatching(/^INSERT INTO "plant"\."values" \(.*\) SELECT .* FROM pg_temp\.loopcheck_stage ON CONFLICT DO NOTHING$/),
      'COMMIT',
    ]);
    expect([...database.rows.keys()]).toEqual(['kept:1', 'kept:2', 'kept:3']);
  });

  it('whose commit was done and not confirmed stand there once when they come again', async () => {
    const database = new Database();
    const link = await open(database);
    database.losesCommit = true;
    await expect(link.send(values(3))).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    database.losesCommit = false;
    expect(await (await open(database)).send(values(3))).toBe('taken');
    expect(database.rows.size).toBe(3);
  });

  it('of which one has a value that no column takes leave that one out', async () => {
    const database = new Database();
    const link = await open(database);
    database.refuses = (statement, data) => (statement.startsWith('COPY') && data.includes('\tP5\t') ? refused('22P05') : null);
    expect(await link.send(values(10))).toEqual({ refused: 1 });
    expect(database.rows.size).toBe(9);
    expect(database.rows.has('s:5')).toBe(false);
  });

  it.each(['42703', '23514', '53100', '57014', '25006'])('lose nothing where the database is not fit for them (%s)', async (code) => {
    const database = new Database();
    const link = await open(database);
    database.refuses = (statement) => (statement.startsWith('INSERT') ? refused(code, 'column does not exist') : null);
    await expect(link.send(values(2))).rejects.toMatchObject({
      code: 'PROTOCOL_REFUSED',
      said: { code: 'database.failed', params: { code } },
    });
    expect(database.statements.at(-1)).toBe('ROLLBACK');
  });

  it('are not taken by a commit that answers with a rollback', async () => {
    const database = new Database();
    const link = await open(database);
    const run = database.run.bind(database);
    database.run = async (statement) => (statement === 'COMMIT' ? { tag: 'ROLLBACK', rows: [] } : run(statement));
    await expect(link.send(values(2))).rejects.toMatchObject({ said: { code: 'database.failed' } });
  });

  it('are refused a table that is not there, and one where a record could stand twice', async () => {
    const none = new Database();
    none.hasTable = false;
    await expect(open(none, { create_table: false })).rejects.toMatchObject({ said: { code: 'database.no_table' } });
    expect([none.closed, none.statements.some((statement) => statement.startsWith('CREATE TABLE'))]).toEqual([1, false]);
    const database = new Database();
    for (const keys of [[], ['sequence'], ['session,sequence,code'], ['time']]) {
      database.keys = keys;
      await expect(open(database)).rejects.toMatchObject({ said: { code: 'database.no_key' } });
    }
    for (const keys of [['sequence,session'], ['id', 'time,session,sequence']]) {
      database.keys = keys;
      await (await open(database)).close();
    }
  });

  it('get the table of the guide', () => {
    expect(tableStatement('loopcheck_values')).toBe(
      [
        'CREATE TABLE IF NOT EXISTS "loopcheck_values" (',
        '  session text NOT NULL,',
        '  sequence bigint NOT NULL,',
        '  time timestamptz NOT NULL,',
        '  device text NOT NULL,',
        '  code text NOT NULL,',
        '  type text NOT NULL,',
        '  name text NOT NULL,',
        '  unit text NOT NULL,',
        '  value double precision,',
        '  quality text NOT NULL,',
        '  PRIMARY KEY (session, sequence, time)',
        ')',
      ].join('\n'),
    );
  });
});
