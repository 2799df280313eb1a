import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChannelSettings } from '#shared/contract/channels.ts';
import type { NormalPoint } from '../drivers/spi/index.ts';
import { openProject } from './index.ts';
import { migrations } from './migrations/index.ts';
import { openFile } from './open-file.ts';
import type { NewAudit, ProjectStore } from './repositories.ts';

const WALL = Date.UTC(2026, 3, 4, 5, 6, 7, 8);

/** Opens or makes a project as the tests do. */
export function openTestProject(path: string, create = true): ProjectStore {
  return openProject(path, { create, holder: 'Loopcheck test', wallMs: () => WALL });
}

/** Makes a project of an earlier version of the schema at `path`, with channels, points and checksums of one of the present version. */
export function inEarlierVersion(present: string, path: string, version: number): void {
  const { db, lock } = openFile(path, { create: true, holder: 'Loopcheck test', wallMs: () => WALL }, migrations.slice(0, version));
  db.prepare('ATTACH ? AS present').run(present);
  for (const table of ['channels', 'points', 'channel_sums']) {
    const columns = (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => `"${name}"`).join(', ');
    db.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM present.${table}`);
  }
  db.exec('DETACH present');
  lock.leave();
  db.close();
}

/** Runs a test with a folder of its own, which is removed afterwards. */
export async function inFolder(run: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-store-'));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Settings of a channel with every kind of value. */
export function testChannel(name: string): ChannelSettings {
  return {
    name,
    protocol_type: 1,
    conn_type: 2,
    ip: '192.168.1.10',
    port: 502,
    com_port: null,
    baud_rate: 9600,
    data_bits: 8,
    stop_bits: 1,
    parity: 'N',
    timeout_ms: 1000,
    retries: 0,
    request_gap_ms: null,
    max_gap: 0,
    address_base: 0,
    auto_reconnect: true,
    auto_start: false,
    read_only: true,
    note: '1号站\n"PCS"',
    group: '1号站',
    protocol: { word_order: 'CDAB', nested: { list: [1, null] } },
  };
}

/** A point with zeros, nulls and text that must not be lost. */
export function testPoint(code: string): NormalPoint {
  return {
    frame_type: 0,
    code,
    name: `${code} A相电压`,
    address: 0,
    slave_id: 999_999_999_999,
    func_code: 3,
    decode: '0x42',
    mul_coe: 0.1,
    add_coe: -40.5,
    unit: '℃',
    min_limit: 0,
    max_limit: null,
    bit: 0,
    reverse: false,
    reference: 'LD0/MMXU1.TotW.mag.f',
    category: 'PCS',
    item: '电压',
    related_code: '',
    command_type: '',
    note: '',
    protocol: { type_id: 13 },
  };
}

/** A write of 12.5 to a setpoint. */
export function testAudit(code: string, channelId = 1): NewAudit {
  return {
    at: '2026-04-04T05:06:07.008Z',
    channel_id: channelId,
    channel_name: 'PCS 1',
    point_id: 7,
    frame_type: 3,
    code,
    operation: null,
    step: 'operate',
    value: 12.5,
    source: 'api',
  };
}
