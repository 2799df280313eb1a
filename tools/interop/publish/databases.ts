import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages, output } from '../peer.ts';
import { freePort } from './broker.ts';

const START_MS = 30_000;

/** A database that can be killed and begun again. */
export interface Killable {
  readonly port: number;
  run(): Promise<void>;
  kill(): Promise<void>;
  end(): Promise<void>;
}

async function listens(port: number): Promise<void> {
  const end = performance.now() + START_MS;
  while (performance.now() < end) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) => {
      socket.on('connect', () => resolve(true));
      socket.on('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing listens on port ${port} within ${START_MS} ms`);
}

/** The programs of PostgreSQL as Debian has them, newest first; null: none, and none could be installed. */
function postgresPrograms(): string | null {
  const find = () => globSync('/usr/lib/postgresql/*/bin/initdb').sort().at(-1) ?? null;
  const initdb = find() ?? (installPackages('postgresql') ? find() : null);
  return initdb === null ? null : initdb.replace(/\/initdb$/, '');
}

/** A cluster of PostgreSQL of its own on loopback, with the user `plant` and the database `plant`. */
export class PostgresServer implements Killable {
  static readonly user = 'plant';
  static readonly password = "it's a secret";
  readonly port: number;
  readonly #dir: string;
  readonly #programs: string;
  #child: ChildProcess | null = null;

  private constructor(port: number, dir: string, programs: string) {
    this.port = port;
    this.#dir = dir;
    this.#programs = programs;
  }

  /** Null where there is no PostgreSQL. With `tls` it takes no connection without it, and has that certificate and key. */
  static async start(tls?: { readonly certificate: string; readonly key: string }): Promise<PostgresServer | null> {
    const programs = postgresPrograms();
    if (programs === null) return null;
    const dir = mkdtempSync(join(tmpdir(), 'loopcheck-postgres-'));
    const server = new PostgresServer(await freePort(), dir, programs);
    const passwords = join(dir, 'password');
    writeFileSync(passwords, PostgresServer.password);
    server.#own(dir, passwords);
    const args = ['-D', server.#data, '-U', PostgresServer.user, '--pwfile', passwords, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C'];
    const made = server.#as(join(programs, 'initdb'), args);
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
    if (tls) server.#encrypt(tls);
    await server.run();
    server.sql('CREATE DATABASE plant', 'postgres');
    return server;
  }

  get url(): string {
    return `postgresql://127.0.0.1:${this.port}/plant`;
  }

  async run(): Promise<void> {
    const args = ['-D', this.#data, '-p', String(this.port), '-h', '127.0.0.1', '-k', this.#dir];
    const [program, all] = this.#command(join(this.#programs, 'postgres'), args);
    this.#child = spawn(program, all, { stdio: 'ignore' });
    this.#child.on('error', () => undefined);
    await listens(this.port);
    const end = performance.now() + START_MS;
    while (performance.now() < end) {
      if (this.#psql('SELECT 1', 'postgres').status === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('PostgreSQL does not answer');
  }

  /** Answers of a statement, columns between bars. */
  sql(statement: string, database = 'plant'): string {
    const { status, stdout, stderr } = this.#psql(statement, database);
    if (status !== 0) throw new Error(`psql: ${stderr}`);
    return stdout.trim();
  }

  /** All of its processes at once, as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const [first = ''] = readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n');
    const workers = output('pgrep', ['-P', first.trim()]) ?? '';
    for (const pid of [first, ...workers.split('\n')].map((text) => Number(text.trim())).filter((pid) => pid > 1)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // it ended by itself
      }
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    this.#child = null;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  /** Names of files are those that PostgreSQL looks for by itself. */
  #encrypt({ certificate, key }: { readonly certificate: string; readonly key: string }): void {
    const [to, keyTo, rules] = ['server.crt', 'server.key', 'pg_hba.conf'].map((name) => join(this.#data, name)) as [
      string,
      string,
      string,
    ];
    copyFileSync(certificate, to);
    copyFileSync(key, keyTo);
    this.#own(to, keyTo);
    chmodSync(keyTo, 0o600);
    writeFileSync(rules, readFileSync(rules, 'utf8').replace(/^host /gm, 'hostssl '));
    appendFileSync(join(this.#data, 'postgresql.conf'), 'ssl = on\n');
  }

  get #data(): string {
    return join(this.#dir, 'data');
  }

  #psql(statement: string, database: string) {
    const args = ['-h', '127.0.0.1', '-p', String(this.port), '-U', PostgresServer.user, '-d', database, '-A', '-t', '-c', statement];
    return spawnSync(join(this.#programs, 'psql'), args, {
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, PGPASSWORD: PostgresServer.password },
    });
  }

  /** It does not run as root. */
  #command(program: string, args: readonly string[]): [string, string[]] {
    return process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', program, ...args]] : [program, [...args]];
  }

  #as(program: string, args: readonly string[]) {
    const [command, all] = this.#command(program, args);
    return spawnSync(command, all, { encoding: 'utf8', timeout: 120_000, cwd: this.#dir });
  }

  #own(...paths: readonly string[]): void {
    if (process.getuid?.() !== 0) return;
    const [uid, gid] = [output('id', ['-u', 'postgres']), output('id', ['-g', 'postgres'])].map(Number);
    for (const path of paths) {
      chownSync(path, uid ?? 0, gid ?? 0);
      chmodSync(path, 0o700);
    }
  }
}

/** An InfluxDB 1 of its own on loopback with the database `plant`. */
export class InfluxServer implements Killable {
  readonly port: number;
  readonly #dir: string;
  #child: ChildProcess | null = null;

  private constructor(port: number, dir: string) {
    this.port = port;
    this.#dir = dir;
  }

  /** Null where there is none. */
  static async start(): Promise<InfluxServer | null> {
    const isThere = () => output('influxd', ['version']) !== null;
    if (!isThere() && !(installPackages('influxdb') && isThere())) return null;
    const dir = mkdtempSync(join(tmpdir(), 'loopcheck-influx-'));
    const [port, own] = [await freePort(), await freePort()];
    const folders = `[meta]\n  dir = "${dir}/meta"\n[data]\n  dir = "${dir}/data"\n  wal-dir = "${dir}/wal"\n`;
    const web = `[http]\n  bind-address = "127.0.0.1:${port}"\n  log-enabled = false\n`;
    writeFileSync(join(dir, 'influxdb.conf'), `reporting-disabled = true\nbind-address = "127.0.0.1:${own}"\n${folders}${web}`);
    const server = new InfluxServer(port, dir);
    await server.run();
    await server.query('CREATE DATABASE plant');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async run(): Promise<void> {
    this.#child = spawn('influxd', ['-config', join(this.#dir, 'influxdb.conf')], { stdio: 'ignore' });
    this.#child.on('error', () => undefined);
    await listens(this.port);
  }

  /** Rows of the first series that a question of InfluxQL answers. */
  async query(question: string): Promise<unknown[][]> {
    const response = await fetch(`${this.url}/query?db=plant`, { method: 'POST', body: new URLSearchParams({ q: question }) });
    const { results } = (await response.json()) as { results: { series?: { values: unknown[][] }[]; error?: string }[] };
    const [first] = results;
    if (first?.error) throw new Error(first.error);
    return first?.series?.[0]?.values ?? [];
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    this.#child = null;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
