import { expectEqual } from '../report.ts';
import type { ClientRun } from './client-checks.ts';
import type { Row } from './device.ts';
import { expectJson, referenceOf, type Served } from './plant.ts';

const DYNAMIC = 'PLANTLD0/LLN0$dyn';
const SETTING = 'PLANTLD0/PTOC1$SP$OpDlTmms$setVal';
const SWITCH = 'PLANTLD0/PTOC1$SP$DirMod$setVal';
const INNER = 'PLANTLD0/PTOC1$SP$StrVal$setMag$f';
/** The recording of the foreign server: its octets count from 0 to 255 again and again. */
const RECORDED = { name: 'COMTRADE/fault1.dat', octets: 76_800 };

/** Snapshots of data sets; sets made, read and deleted. */
export async function checkDataSets({ report, name, foreign, peer, device }: ClientRun): Promise<void> {
  await report.check(`${name}: data sets, leaf by leaf, in any spelling`, async () => {
    const served = await peer.ask<Served>('expected');
    await device.round('dataset');
    const { values, stale, last_error } = await device.values();
    expectEqual('freshness', [stale, last_error], [false, null]);
    for (const [key, value] of Object.entries(values)) expectJson(value, key, served);
    const all = await Promise.all(
      ['PLANTLD0/LLN0$dsStat', 'PLANTLD0/LLN0.dsMeas', 'PLANTMEAS/LLN0.dsAll'].map((set) => device.dataSet(set)),
    );
    const keys = all.flatMap((set) => Object.keys(set.values));
    // five objects with 15 leaves, four attributes (three where the third is too deep to be served), 40 objects with three leaves
    const leaves = 15 + (`PLANTLD0/MMXU1$MX$PhV$phsA$cVal$mag$f` in served ? 4 : 3) + 120;
    expectEqual('leaves', [keys.length, new Set(keys).size], [leaves, Object.keys(values).length]);
  });
  await report.check(`${name}: a data set made, listed, read and deleted`, async () => {
    const whole = foreign.takesStructures ? ['PLANTLD0/GGIO1.DPInd1[ST]'] : [];
    const members = [...whole, 'PLANTLD0/GGIO1.Ind1.stVal[ST]', 'PLANTLD0/MMXU1.TotW.mag.f[MX]'];
    expectEqual('made', (await device.operate('create_data_set', { name: DYNAMIC, members })).outcome, 'accepted');
    const listed = (await device.model()).data_sets.find((set) => set.name === DYNAMIC);
    expectEqual('listed', [listed?.member_count, listed?.is_deletable], [members.length, true]);
    const { success } = await device.round('dataset', { item: DYNAMIC });
    const served = await peer.ask<Served>('expected');
    const { values } = await device.dataSet(DYNAMIC);
    expectEqual('read', [success, Object.keys(values).length], [1, members.length + whole.length * 2]);
    for (const [key, value] of Object.entries(values)) expectJson(value, key, served);
    const again = await device.operate('create_data_set', { name: DYNAMIC, members });
    expectEqual('made twice', [again.outcome, again.stages.at(-1)?.detail], ['rejected', 'definition: object-exists (2/5)']);
    expectEqual('deleted', (await device.operate('delete_data_set', { name: DYNAMIC })).outcome, 'accepted');
    await device.round('dataset');
    const names = (await device.model()).data_sets.map((set) => set.name);
    expectEqual('listed after it', names.includes(DYNAMIC), false);
  });
  await report.check(`${name}: refusals about data sets`, async () => {
    const unknown = { name: DYNAMIC, members: ['PLANTLD0/GGIO1.Ind99.stVal[ST]'] };
    expectEqual('an unknown member', (await device.operate('create_data_set', unknown)).outcome, 'rejected');
    const fixed = await device.operate('delete_data_set', { name: 'PLANTLD0/LLN0$dsMeas' });
    expectEqual('one of the configuration', [fixed.outcome, fixed.result], ['rejected', { matched: 1, deleted: 0 }]);
    const missing = await device.operate('delete_data_set', { name: DYNAMIC });
    expectEqual('one that is not there', [missing.outcome, missing.result], ['rejected', { matched: 0, deleted: 0 }]);
  });
}

/** Settings written, and every way a write is refused. */
export async function checkWrites({ report, name, foreign, peer, device }: ClientRun): Promise<void> {
  await report.check(`${name}: settings are written, and read back`, async () => {
    const [setting, flag] = await device.addPoints([
      { frame_type: 3, code: 'setting', reference: referenceOf(SETTING), mul_coe: 10 },
      { frame_type: 2, code: 'flag', reference: referenceOf(SWITCH) },
    ]);
    if (!setting || !flag) throw new Error('the points are not there');
    for (const raw of [0, 250, -2_147_483_648, 2_147_483_647]) {
      expectEqual(`status of ${raw}`, (await device.write(setting, raw * 10)).status, 200);
      expectEqual('value of the attribute', await read(device, SETTING), raw);
    }
    for (const value of [0, 1]) {
      expectEqual('outcome', (await device.command(flag, value)).outcome, 'accepted');
      expectEqual('value of the attribute', await read(device, SWITCH), value === 1);
    }
    const beyond = await device.write(setting, 2_147_483_648 * 10);
    expectEqual(beyond.message, beyond.status, 422);
    if (foreign.takesStructures) expectEqual('value of the server', await peer.ask('get', SETTING), 2_147_483_647);
    // the programs know what they were told to serve, not what clients have written
    await peer.ask('set', SETTING, 2_147_483_647);
  });
  await report.check(`${name}: every refusal of a write has its words`, async () => {
    const refusals: readonly (readonly [key: string, value: unknown, words: RegExp])[] = [
      ['PLANTLD0/GGIO1$ST$Ind1$stVal', true, /object-access-denied \(3\)/],
      ['PLANTLD0/MMXU1$CF$TotW$db', 100, foreign.takesStructures ? /object-access-denied \(3\)/ : /object-access-(?:denied|unsupported)/],
      ['PLANTLD0/GGIO1$SP$Ind99$setVal', 1, /object-non-existent/],
    ];
    for (const [key, value, words] of refusals) {
      const { outcome, stages } = await device.operate('write_attribute', { reference: referenceOf(key), value });
      const detail = stages.at(-1)?.detail ?? '';
      expectEqual(`${key}: ${detail}`, [outcome, words.test(detail)], ['rejected', true]);
    }
    const wrong = await device.refused('write_attribute', { reference: referenceOf(SETTING), value: 'abc' });
    expectEqual(wrong.message, [wrong.status, /should be a whole number/.test(wrong.message)], [422, true]);
  });
  await report.check(`${name}: a setting inside of a structure${foreign.takesStructures ? '' : ' is refused by this server'}`, async () => {
    const [point] = await device.addPoints([{ frame_type: 3, code: 'inner', reference: 'PLANTLD0/PTOC1.StrVal' }]);
    const { status, message } = await device.write(point as Row, 2.5);
    const expected = foreign.takesStructures ? [200, false] : [502, true];
    expectEqual(message, [status, /object-access-unsupported \(9\)/.test(message)], expected);
    if (!foreign.takesStructures) return;
    expectEqual('value of the server', await peer.ask('get', INNER), 2.5);
    await peer.ask('set', INNER, 2.5);
  });
}

async function read(device: ClientRun['device'], key: string): Promise<unknown> {
  return (await device.operate('read_attribute', { reference: referenceOf(key) })).result?.value;
}

/** Identify, structures by name, setting groups, files, and learning once more. */
export async function checkOperations({ report, name, foreign, device }: ClientRun): Promise<void> {
  await report.check(`${name}: operations by name`, async () => {
    const [vendor, model, revision] = foreign.identity;
    expectEqual('identify', (await device.operate('identify')).result, { vendor, model, revision });
    const { value } = (await device.operate('read_attribute', { reference: 'PLANTLD0/GGIO1.IntIn2[ST]' })).result ?? {};
    expectEqual('a structure', value, { stVal: -2_147_483_648, q: 'good', t: null });
    const { groups } = (await device.operate('setting_groups')).result ?? {};
    const [group] = groups as readonly Readonly<Record<string, unknown>>[];
    expectEqual('setting groups', [group?.number_of_groups, group?.active_group, group?.edited_group], [3, 1, 0]);
    expectEqual('learning once more', (await device.operate('browse')).outcome, 'accepted');
    expectEqual('the model', (await device.learnt()).source, 'device');
  });
  await report.check(`${name}: files${foreign.hasFiles ? ' listed and read' : ' are refused by this server'}`, async () => {
    const listed = await device.operate('list_files');
    if (!foreign.hasFiles) {
      expectEqual('outcome', [listed.outcome, /unrecognized-service/.test(listed.stages.at(-1)?.detail ?? '')], ['rejected', true]);
      return;
    }
    const files = listed.result?.files as readonly { name: string; size: number }[];
    const sizes = files.map((file) => [file.name, file.size]).sort();
    expectEqual('files', sizes, [
      [RECORDED.name, RECORDED.octets],
      ['plant.txt', 22],
    ]);
    const { result } = await device.operate('read_file', { name: RECORDED.name, max_octets: 70_000 });
    const octets = Buffer.from(String(result?.base64), 'base64');
    const isSame = octets.every((octet, at) => octet === at % 256);
    expectEqual('the recording', [octets.length, isSame, result?.is_whole], [70_000, true, false]);
    const missing = await device.operate('read_file', { name: 'nothing.dat' });
    expectEqual(
      'a file that is not there',
      [missing.outcome, missing.stages.at(-1)?.detail],
      ['rejected', 'file: file-non-existent (11/7)'],
    );
  });
}
