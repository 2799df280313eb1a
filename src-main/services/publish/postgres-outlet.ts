import type { PublisherTarget } from '#shared/contract/publish.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import type { DatabaseAnswer, DatabaseLink, DatabaseOpener, DatabaseRefusal } from '../../transport/store-types.ts';
import { sendInHalves } from './in-halves.ts';
import type { Outlet } from './outlet.ts';
import { COLUMN_LIST, COLUMNS, copyRows } from './postgres-rows.ts';
import type { PublishedValue } from './record-queue.ts';

/** For connecting and for each statement, in milliseconds. */
const STATEMENT_MS = 15_000;
const BATCH = 1000;
/** Table of the connection that a batch is copied into before its rows go to their table. */
const STAGE = 'pg_temp.loopcheck_stage';
/** SQLSTATE class 22: what is wrong is a value, and would be again. */
const WRONG_VALUE = /^22/;

type PostgresTarget = Extract<PublisherTarget, { kind: 'postgresql' }>;

/** As whom the database is spoken to. */
export interface PostgresIdentity {
  readonly password: string | undefined;
  readonly session: string;
}

/**
 * Batches by COPY into a table of the connection, and from there in the same transaction into the table, where session and sequence stand only once: a batch whose
 * commit was not confirmed is sent again, and what is there already stays as it is.
 */
export function postgresOutlet(openDatabase: DatabaseOpener, target: PostgresTarget, { password, session }: PostgresIdentity): Outlet {
  const { url, user, tls, table, every_ms, ca } = target;
  const insert = `INSERT INTO ${named(table)} (${COLUMN_LIST}) SELECT ${COLUMN_LIST} FROM ${STAGE} ON CONFLICT DO NOTHING`;
  return {
    url,
    batch: BATCH,
    underWay: 1,
    everyMs: every_ms,
    isFullAtOnce: true,
    async open() {
      const link = await openDatabase({ url, user, password, tls, ca }, STATEMENT_MS);
      try {
        await prepare(link, target);
      } catch (thrown) {
        await link.close();
        throw thrown;
      }
      return {
        async send(values) {
          const refused = await sendInHalves(values, (part) => sendOne(link, target, insert, part, session));
          return refused === 0 ? 'taken' : { refused };
        },
        onLost: (fn) => link.onLost(fn),
        close: () => link.close(),
      };
    },
  };
}

/** The statement that makes the table, as the guide has it. */
export function tableStatement(table: string): string {
  const columns = COLUMNS.map(([name, type]) => `  ${name} ${type},\n`).join('');
  return `CREATE TABLE IF NOT EXISTS ${named(table)} (\n${columns}  PRIMARY KEY (session, sequence, time)\n)`;
}

/** The table with its key is there, or is made; and the one of the connection. */
async function prepare(link: DatabaseLink, target: PostgresTarget): Promise<void> {
  const { url, table, create_table } = target;
  if (create_table) await must(link, url, tableStatement(table));
  const oid = (await must(link, url, `SELECT to_regclass('${named(table)}')::oid`)).rows[0]?.[0] ?? null;
  if (oid === null) throw new AppError('PROTOCOL_REFUSED', say('database.no_table', { url, table }));
  if (!hasKey((await must(link, url, keysOf(oid))).rows.map(([names]) => names ?? '')))
    throw new AppError('PROTOCOL_REFUSED', say('database.no_key', { url, table }));
  const columns = COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ');
  await must(link, url, `CREATE TEMPORARY TABLE loopcheck_stage (${columns}) ON COMMIT DELETE ROWS`);
}

/** Names of the columns of each unique index that holds for all rows. */
function keysOf(oid: string): string {
  return `SELECT string_agg(a.attname, ',') FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
    WHERE i.indrelid = ${oid} AND i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL GROUP BY i.indexrelid`;
}

/** Time may stand in it: tables that are parted by time ask for that, and it is the same whenever a record is sent. */
function hasKey(keys: readonly string[]): boolean {
  return keys.some((names) => {
    const columns = new Set(names.split(','));
    columns.delete('time');
    return columns.size === 2 && columns.has('session') && columns.has('sequence');
  });
}

async function sendOne(
  link: DatabaseLink,
  { url }: PostgresTarget,
  insert: string,
  values: readonly PublishedValue[],
  session: string,
): Promise<'taken' | 'refused'> {
  await must(link, url, 'BEGIN');
  const copied = await link.copy(`COPY ${STAGE} (${COLUMN_LIST}) FROM STDIN`, copyRows(values, session));
  const outcome = 'refused' in copied ? copied : await link.run(insert);
  if ('refused' in outcome) {
    await must(link, url, 'ROLLBACK');
    if (WRONG_VALUE.test(outcome.refused.code)) return 'refused';
    throw refusal(url, outcome);
  }
  const { tag } = await must(link, url, 'COMMIT');
  // a transaction that failed answers ROLLBACK to it
  if (tag !== 'COMMIT') throw new AppError('PROTOCOL_REFUSED', say('database.failed', { url, code: '25P02', reason: quoted(tag) }));
  return 'taken';
}

/** Throws what the database refuses. */
async function must(link: DatabaseLink, url: string, statement: string): Promise<DatabaseAnswer> {
  const answer = await link.run(statement);
  if ('refused' in answer) throw refusal(url, answer);
  return answer;
}

function refusal(url: string, { refused: { code, reason } }: DatabaseRefusal): AppError {
  return new AppError('PROTOCOL_REFUSED', say('database.failed', { url, code, reason: quoted(reason) }));
}

/** In quotation marks: a name may be a word of SQL. */
function named(table: string): string {
  return table
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
}
