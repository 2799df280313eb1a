/** The command line against a whole service, as scripts and people use it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_VIEW } from '../testing/running-core.ts';
import { verifyCommand } from '../verify-command.ts';
import { run } from './testing/command-in-place.ts';
import { type Plant, startPlant } from './testing/plant.ts';

let plant: Plant;
const PORT = {
  path: 'COM12',
  manufacturer: '江苏',
  vendorId: '1a86',
  productId: '7523',
  serialNumber: null,
};
beforeAll(async () => {
  plant = await startPlant({}, { listSerialPorts: async () => [PORT] });
  await plant.serve('P', 250);
  await plant.serve('Q', -3);
});
afterAll(() => plant.running.close());

const cli = (...args: string[]) => run([...args, ...plant.place]);
const inFolder = (name: string) => join(plant.running.dir, name);

describe('read', () => {
  it('shows values from memory, and by its exit code that one was never read', async () => {
    const { code, out } = await cli('read', 'PCS 1/S', 'ONLY');
    expect(code).toBe(3);
    expect(out.split('\n')[0]).toMatch(/^Device +Code +Name +Value +Quality$/);
    expect(out).toMatch(/^PCS 1 +S +setpoint +- +Not read$/m);
  });

  it('reads the device with --fresh, aligned with Chinese names, in both languages', async () => {
    const english = await cli('read', '--device', 'PCS 1', 'P', 'Q', '--fresh');
    expect([english.code, english.err]).toEqual([0, '']);
    expect(english.out.replaceAll(/\d{4}-\S+Z/g, 'TIME')).toBe(
      [
        'Device  Code  Name      Value  Unit  Quality  Time (UTC)',
        'PCS 1   P     有功功率    250  kW    Good     TIME',
        'PCS 1   Q     Q            -3        Good     TIME',
        '',
      ].join('\n'),
    );
    const chinese = await run(['read', 'PCS 1/P', '--fresh', ...plant.place], { env: { LANG: 'zh_CN.UTF-8' } });
    expect(chinese.out).toMatch(/^设备 +编码 +名称 +值 +单位 +品质/);
    expect(chinese.out).toMatch(/PCS 1 +P +有功功率 +250 +kW +有效/);
  });

  it('is one JSON document with --json', async () => {
    const { code, command } = await cli('read', 'PCS 1/P', '--fresh', '--json');
    expect(code).toBe(0);
    expect(command.json).toMatchObject({ items: [{ device_name: 'PCS 1', code: 'P', value: 250, quality: 'good' }], task: { success: 1 } });
  });

  it('shows the whole table of a device', async () => {
    const { out } = await cli('read', '--device', 'PCS 1');
    expect(
      out
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(/ +/)[2]),
    ).toEqual(['P', 'Q', 'S']);
  });

  it.each([
    [['NONE'], 'error: No channel that is asked for has a point with the code NONE.'],
    [['P', '--language', 'zh'], '错误：编码 P 存在于多个通道'],
    [['P'], 'PCS 1'],
    [['--device', 'PCS 2'], 'There is no device "PCS 2". Devices: Served'],
    [[], 'Name the points: loopcheck read'],
    [['P', '--frsh'], 'read has no option --frsh'],
    [['P', '--timeout', '0'], '--timeout must be a whole number from 1 to 240, not "0"'],
    [['P', '--device'], '--device needs a value'],
    [['P', '--fingerprint='], '--fingerprint needs a value'],
    [['P', '--project', ''], '--project needs a value'],
    [['P', '--json=1'], '--json takes no value'],
    [['P', '--language', 'de'], '--language must be one of zh, en, not "de"'],
    [['P', '--demo', '--project', 'x'], '--project and --demo exclude each other'],
    [['P', '--demo', '--url', 'http://127.0.0.1:1'], '--url and --demo exclude each other'],
  ])('%j is wrong use: says what would be right, exit code 2', async (args, words) => {
    const { code, out, err } = await cli('read', ...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(words);
  });

  it('has help in both languages', async () => {
    expect(await run(['read', '--help'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^loopcheck read [\s\S]*--fresh +read the device now/),
    });
    expect((await run(['check', '--help', '--language=zh'])).out).toMatch(/选项：[\s\S]*--record … +记录文件/);
  });
});

describe('write', () => {
  it('writes once, tells outcome, stages and read-back', async () => {
    const before = (await plant.running.api.call('listAudit', {})).data.total;
    const { code, out } = await cli('write', 'PCS 1/S=120', '--yes');
    expect(code).toBe(0);
    expect(out).toMatch(/PCS 1 +S +120 +accepted +same value +\d+ +sent: .*; confirmed: /);
    expect((await plant.running.api.call('listAudit', {})).data.total).toBe(before + 1);
    const json = await cli('write', '--device', 'PCS 1', 'S=-5', '--yes', '--json');
    expect(json.command.json).toMatchObject({
      complete: true,
      items: [{ device_name: 'PCS 1', code: 'S', outcome: 'accepted', is_equal: true }],
    });
  });

  it.each([
    ['yes', 'en', 0],
    ['是', 'zh', 0],
    ['y', 'en', 3],
    ['', 'zh', 3],
  ])('asks at a terminal; %j in %s: exit code %i', async (answer, language, code) => {
    const total = async () => (await plant.running.api.call('listAudit', {})).data.total;
    const before = await total();
    const asked = await run(['write', 'PCS 1/S=7', '--language', language, ...plant.place], { answer });
    expect(asked.code).toBe(code);
    expect(asked.command.asked).toEqual([
      expect.stringMatching(new RegExp(`test.*${plant.running.url}\\n[\\s\\S]*PCS 1 +S +setpoint +\\S+ +7\\n`)),
    ]);
    expect(await total()).toBe(before + (code === 0 ? 1 : 0));
  });

  it.each([
    [['PCS 1/S=7'], 2, 'there is no terminal to confirm at. Say --yes'],
    [['PCS 1/S=99999', '--yes'], 2, 'error: Point S: 99999 does not fit'],
    [['PCS 1/S=99999', '--yes', '--language', 'zh'], 2, '错误：测点 S：99999 超出'],
    [['PCS 1/S', '--yes'], 2, 'no CODE=VALUE'],
    [['PCS 1/S=0x10', '--yes'], 2, 'no CODE=VALUE'],
    [['=1', '--yes'], 2, 'no CODE=VALUE'],
    [['--yes'], 2, 'loopcheck write [DEVICE/]CODE=VALUE'],
    [['PCS 1/S=1', 'PCS 1/P=1', '--yes'], 2, 'error: P: frame_type: a YC (0) of a client channel is only read from the device'],
    [['PCS 1/S=1', 'PCS 1/NONE=1', '--yes'], 2, 'NONE'],
  ])('%j sends nothing, exit code %i', async (args, code, words) => {
    const before = (await plant.running.api.call('listAudit', {})).data.total;
    const answer = await cli('write', ...args);
    expect([answer.code, answer.out]).toEqual([code, '']);
    expect(answer.err).toContain(words);
    expect((await plant.running.api.call('listAudit', {})).data.total).toBe(before);
  });

  it('of a service that is read-only is not accepted, exit code 3', async () => {
    await plant.running.api.call('updateSettings', { read_only: true });
    const { code, err } = await cli('write', 'PCS 1/S=1', '--yes');
    await plant.running.api.call('updateSettings', { read_only: false });
    expect(code).toBe(3);
    expect(err).toMatch(/read-only[\s\S]*What to do: Switch read-only off/);
  });
});

describe('scan', () => {
  it('lists serial ports', async () => {
    const { code, out } = await cli('scan');
    expect([code, out]).toEqual([0, 'Port   Maker  USB id\nCOM12  江苏   1a86:7523\n']);
    expect((await cli('scan', '--json')).command.json).toMatchObject([{ path: 'COM12', used_by: null }]);
  });

  it('finds who answers at an address, and on the line of a device', async () => {
    const args = ['--first', '1', '--last', '2'];
    const found = await cli('scan', '--ip', `127.0.0.1:${plant.pair.port}`, '--protocol', 'modbus-tcp', ...args);
    expect(found.code).toBe(0);
    expect(found.out).toMatch(new RegExp(`^ +1 +127\\.0\\.0\\.1:${plant.pair.port} +(answered|refused)`, 'm'));
    expect((await cli('scan', 'PCS 1', '--slaves', '--json', ...args)).command.json).toMatchObject({
      kind: 'find',
      state: 'done',
      findings: [{ slave_id: 1 }],
    });
  });

  it('shows what registers hold; exit code 3 where none answers', async () => {
    const { code, out, err } = await cli('scan', 'PCS 1', '--quantity', '3');
    expect([code, out]).toEqual([0, expect.stringMatching(/^ +3 +0 +0 +00FA +250$/m)]);
    expect(err).toMatch(/Addresses that gave a value: 3; requests: \d+/);
    const none = await cli('scan', 'PCS 1', '--start', '9000', '--quantity', '2', '--json');
    expect([none.code, none.command.json]).toEqual([3, expect.objectContaining({ found: 0, rows: [] })]);
  });

  it.each([
    [['--ip', '127.0.0.1'], '--protocol is needed'],
    [['PCS 1', '--port', 'COM12'], 'not both'],
    [['--port', 'COM12', '--protocol', 'iec104'], '--protocol must be one of modbus-tcp, modbus-rtu, dlt645'],
    [['--port', 'COM12', '--ip', '127.0.0.1'], '--port and --ip exclude each other'],
    [['Other', '--slaves'], 'Other is no Modbus or DL/T 645 device that asks'],
    [['PCS 1', 'more'], '"more" is one word too many'],
    [['--ip', 'no address', '--protocol', 'modbus-tcp'], 'ip: '],
  ])('%j is wrong use, exit code 2', async (args, words) => {
    const { code, err } = await cli('scan', ...args);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe('export and import', () => {
  it('write the table, show what a file would change, and do it with --yes', async () => {
    const file = inFolder('表.csv');
    const exported = await cli('export', 'PCS 1', '--out', file);
    expect([exported.code, exported.out]).toEqual([0, expect.stringContaining(`PCS 1 written to ${file}`)]);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('有功功率');
    writeFileSync(file, text.replace('有功功率', '总有功'));
    const preview = await cli('import', 'PCS 1', file);
    expect(preview.code).toBe(0);
    expect(preview.out).toMatch(
      /changed +P +总有功 +0 +name: 有功功率 -> 总有功[\s\S]*merge: 0 added, 1 changed, 2 unchanged, 0 removed\.\nNothing was changed\. Say --yes/,
    );
    expect((await cli('read', 'PCS 1/P')).out).toContain('有功功率');
    const done = await cli('import', 'PCS 1', file, '--yes', '--language', 'zh');
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('已完成。')]);
    expect((await cli('read', 'PCS 1/P')).out).toContain('总有功');
  });

  it('tell each row error with its place, change nothing, exit code 3', async () => {
    const file = inFolder('wrong.csv');
    writeFileSync(file, '测点类型,测点编码,测点名称,从机地址,寄存器地址,功能码,解析码\n遥测,X1,,1,abc,3,0x41\n遥测,X2,,1,5,3,0x99\n');
    const { code, out } = await cli('import', 'PCS 1', file, '--yes');
    expect(code).toBe(3);
    expect(out).toMatch(/^ +2 +寄存器地址 +/m);
    expect(out).toMatch(/^ +3 +解析码 +/m);
    expect(out).toContain('Nothing was changed.');
    const chinese = await cli('import', 'PCS 1', file, '--language', 'zh');
    expect(chinese.out.split('\n')[1]).toMatch(/[\u4e00-\u9fff]{3}/);
    expect((await cli('import', 'PCS 1', file, '--json')).command.json).toMatchObject({
      mode: 'preview',
      applied: false,
      counts: { errors: 2 },
    });
    expect((await cli('read', '--device', 'PCS 1', 'X1')).code).toBe(2);
  });

  it('write to the standard output, and over a file only with --yes', async () => {
    const { command, out } = await cli('export', 'PCS 1', '--out', '-', '--format', 'csv');
    expect([out, Buffer.concat(command.octets).toString()]).toEqual(['', expect.stringContaining('测点编码')]);
    const file = inFolder('there.xlsx');
    writeFileSync(file, 'mine');
    expect(await cli('export', 'PCS 1', '--out', file)).toMatchObject({ code: 2, err: expect.stringContaining('is there already') });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const replaced = await cli('export', 'PCS 1', '--out', file, '--yes', '--json');
    expect([replaced.code, replaced.command.json]).toEqual([0, { device_name: 'PCS 1', file, format: 'xlsx', octets: expect.any(Number) }]);
    expect(await cli('export', 'PCS 1', '--out', inFolder('no/where.csv'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be written'),
    });
  });

  it.each([
    [['import', 'PCS 1'], 'Name the file'],
    [['import'], 'Name the device'],
    [['import', 'PCS 1', '/none.csv'], '/none.csv cannot be read'],
    [['import', 'Nobody', import.meta.filename], 'There is no device "Nobody"'],
    [['export'], 'Name the device'],
    [['export', 'PCS 1', '--format', 'pdf'], '--format must be one of xlsx, csv'],
  ])('%j is wrong use, exit code 2', async (args, words) => {
    expect(await cli(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(words) });
  });
});

describe('check', () => {
  it('makes a session, runs it, leaves a record that can be proved; exit code 0 when all passed', async () => {
    const record = inFolder('record.html');
    const { code, out, err } = await cli(
      'check',
      'FAT',
      '--add',
      'PCS 1',
      '--reference',
      plantName(),
      '--timeout',
      '20',
      '--record',
      record,
      '--operator',
      '王',
    );
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(`FAT: 2 of 2 passed.\nThe record is in ${record}.\n`);
    const said: string[] = [];
    const output = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
    expect([await verifyCommand([record], output, TEST_VIEW), said[0]]).toEqual([0, expect.stringContaining('entries: 2')]);
    expect((await cli('check')).out).toMatch(/No\. +Session +Items[\s\S]*1 +FAT +2/);
    rmSync(record);
  });

  it('names what did not pass with its finding, in both languages, exit code 3', async () => {
    const file = inFolder('references.csv');
    writeFileSync(file, 'code,value\nP,2500\nQ,-3\n');
    await plant.running.api.call('addCheck', { name: 'SAT' });
    const english = await cli('check', 'SAT', '--add', 'PCS 1', '--file', file, '--timeout', '20');
    expect([english.code, english.out]).toEqual([3, expect.stringMatching(/PCS 1 +P .*Failed +.*10[\s\S]*SAT: 1 of 2 passed\.\n$/)]);
    const chinese = await cli('check', 'SAT', '--file', file, '--timeout', '20', '--language', 'zh');
    expect([chinese.code, chinese.out]).toEqual([
      3,
      expect.stringMatching(/PCS 1 +P .*不合格 +.*[\u4e00-\u9fff][\s\S]*共 2 项，合格 1 项/),
    ]);
    const json = await cli('check', 'SAT', '--file', file, '--timeout', '20', '--json');
    expect(json.command.json).toMatchObject({
      session: { name: 'SAT' },
      run: { state: 'ended' },
      open: [{ code: 'P', state: 'failed' }],
      record: null,
    });
  });

  it.each([
    [['Nothing'], 'There is no check session "Nothing"'],
    [['FAT', '--record', 'record.pdf'], '--record must end in .html, .json or .xlsx'],
    [['FAT', '--reference', 'Nobody'], 'There is no device "Nobody"'],
    [['FAT', '--percent', '-1'], '--percent'],
    [['FAT', '--file', 'a', '--reference', 'b'], '--reference and --file exclude each other'],
  ])('%j is wrong use, exit code 2', async (args, words) => {
    expect(await cli('check', ...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(words) });
    expect(existsSync('record.pdf')).toBe(false);
  });
});

function plantName(): string {
  return `Served ${plant.pair.port}`;
}
