import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { english, quoted } from '#shared/messages/index.ts';
import { exchangeContext } from '../testing/sinks.ts';
import type { MmsClient } from './association/mms-client.ts';
import { ChannelMemory } from './channel-memory.ts';
import type { MmsRequest } from './mms/pdu.ts';
import type { MmsResult, MmsType, MmsValue } from './mms/types.ts';
import { ServedChannel } from './server/testing/served-channel.ts';
import { activateSettingGroup, editSettingGroup, type GroupEdit } from './setting-group-edit.ts';
import { ClientBench, sclDocument } from './testing/client-bench.ts';

const structure = (components: Readonly<Record<string, MmsType>>): MmsType => ({
  kind: 'structure',
  components: Object.entries(components).map(([name, type]) => ({ name, type })),
});
const INT8U: MmsType = { kind: 'unsigned', size: 8 };
const SGCB = structure({ NumOfSG: INT8U, ActSG: INT8U, EditSG: INT8U, CnfEdit: { kind: 'boolean' }, LActTm: { kind: 'utc-time' } });
const SET_VALUE = structure({ setMag: structure({ f: { kind: 'float', width: 32, exponentWidth: 8 } }) });
const unsigned = (value: number): MmsValue => ({ kind: 'unsigned', value });

/** A device with two groups, and what it is told to refuse. */
class GroupDevice {
  readonly writes: string[] = [];
  refusals: Readonly<Record<string, number>> = {};
  edited = 0;
  active = 1;
  /** Called before a Write is answered. */
  onWrite: (name: string) => void = () => undefined;
  /** False: takes ActSG and does not switch. */
  switches = true;

  get options() {
    const memory = new ChannelMemory();
    const nodes = [
      { name: 'LLN0', type: structure({ SP: structure({ SGCB }) }), notes: null },
      { name: 'PTOC1', type: structure({ SG: structure({ StrVal: SET_VALUE }), SE: structure({ StrVal: SET_VALUE }) }), notes: null },
    ];
    memory.model.use(
      {
        name: '',
        devices: [{ name: 'LD', instance: '', description: '', nodes, dataSets: [] }],
        identity: null,
        configurationRevision: '',
      },
      'device',
      0,
    );
    return { client: { request: (request: MmsRequest) => this.#request(request) } as unknown as Pick<MmsClient, 'request'>, memory };
  }

  async #request(request: MmsRequest): Promise<unknown> {
    if (request.service === 'write' && request.spec.kind === 'variables') {
      const item = request.spec.items[0]?.name.item ?? '';
      const name = item.slice(item.lastIndexOf('$') + 1);
      const [value] = request.values;
      this.writes.push(`${name} ${value && 'value' in value ? String(value.value) : ''}`);
      this.onWrite(name);
      const code = this.refusals[name];
      if (code === undefined && (value?.kind === 'unsigned' || value?.kind === 'integer')) {
        if (name === 'EditSG') this.edited = Number(value.value);
        if (name === 'ActSG' && this.switches) this.active = Number(value.value);
      }
      return { service: 'write', results: [code === undefined ? null : { kind: 'failure', code }] };
    }
    if (request.service !== 'read' || request.spec.kind !== 'variables') throw new Error(request.service);
    return {
      service: 'read',
      spec: null,
      results: request.spec.items.map(({ name }) => this.#read(name.scope === 'domain' && name.domain === 'LD' ? name.item : '')),
    };
  }

  #read(item: string): MmsResult {
    if (item.startsWith('PTOC1$SE$')) return { kind: 'float', width: 32, exponentWidth: 8, value: 1.5 } as MmsResult;
    if (!item.endsWith('SGCB')) return { kind: 'failure', code: 10 };
    const time: MmsValue = { kind: 'utc-time', octets: new Uint8Array(8) };
    return {
      kind: 'structure',
      items: [unsigned(2), unsigned(this.active), unsigned(this.edited), { kind: 'boolean', value: false }, time],
    };
  }
}

const EDIT: GroupEdit = { logical_device: 'LD', group: 2, values: ['LD/PTOC1.StrVal.setMag.f = 2.25'], activate: false };
const edit = (device: GroupDevice, change: Partial<GroupEdit> = {}) =>
  editSettingGroup(device.options, { ...EDIT, ...change }, exchangeContext());

describe('editing a setting group', () => {
  it('selects, writes and confirms, in this order; what was there before is told', async () => {
    const device = new GroupDevice();
    const { detail, result, isRefused } = await edit(device);
    expect(device.writes).toEqual(['EditSG 2', 'f 2.25', 'CnfEdit true']);
    expect([isRefused, english(detail)]).toEqual([undefined, 'group 2 of LD edited and confirmed, 1 values']);
    expect(result).toEqual({
      logical_device: 'LD',
      group: 2,
      values: [{ reference: 'LD/PTOC1.StrVal.setMag.f[SE]', before: 1.5, written: 2.25 }],
    });
  });

  it('and makes it the active one where that is asked for', async () => {
    const device = new GroupDevice();
    const { detail, result } = await edit(device, { activate: true });
    expect(device.writes.at(-1)).toBe('ActSG 2');
    expect(english(detail)).toContain('group 2 of LD is active');
    expect(result).toMatchObject({ active_before: 1, active_group: 2, values: [{ written: 2.25 }] });
  });

  it.each([
    ['a value', { f: 3 }, 'does not take LD/PTOC1.StrVal.setMag.f[SE]', ['EditSG 2', 'f 2.25', 'EditSG 0']],
    ['the confirmation', { CnfEdit: 2 }, 'did not confirm the edit of group 2', ['EditSG 2', 'f 2.25', 'CnfEdit true', 'EditSG 0']],
    ['the selection', { EditSG: 2 }, 'does not let group 2 of LD be edited: temporarily-unavailable (2)', ['EditSG 2']],
  ])('a refusal of %s gives the edit up', async (_, refusals, words, writes) => {
    const device = new GroupDevice();
    device.refusals = refusals as Readonly<Record<string, number>>;
    const { detail, isRefused } = await edit(device, { activate: true });
    expect([isRefused, device.writes]).toEqual([true, writes]);
    expect(english(detail)).toContain(words);
    expect(device.active).toBe(1);
  });

  it('says so when it cannot be given up', async () => {
    const device = new GroupDevice();
    device.onWrite = (name) => {
      if (name === 'f') device.refusals = { f: 3, EditSG: 3 };
    };
    expect(english((await edit(device)).detail)).toContain('EditSG could not be put back to 0 (object-access-denied (3))');
  });

  it('a device that falls silent over a value: the edit is given up, and nothing is confirmed', async () => {
    const device = new GroupDevice();
    device.onWrite = (name) => {
      if (name === 'f') throw new AppError('TIMEOUT_RESPONSE', quoted('The device did not answer.'));
    };
    await expect(edit(device)).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE' });
    expect(device.writes).toEqual(['EditSG 2', 'f 2.25', 'EditSG 0']);
  });

  it('a confirmation without an answer may count: nothing is taken back, nothing is activated', async () => {
    const device = new GroupDevice();
    device.onWrite = (name) => {
      if (name === 'CnfEdit') throw new AppError('TIMEOUT_RESPONSE', quoted('The device did not answer.'));
    };
    await expect(edit(device, { activate: true })).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE' });
    expect(device.writes).toEqual(['EditSG 2', 'f 2.25', 'CnfEdit true']);
  });

  it.each([
    ['of a group that there is not', { group: 3 }, 'CONFIG_RANGE', 'has setting groups 1 to 2'],
    ['of another logical device', { values: ['X/PTOC1.StrVal.setMag.f = 1'] }, 'CONFIG_INVALID', 'is no setting of LD'],
    ['of what is no setting', { values: ['LD/PTOC1.StrVal.setMag.f[CF] = 1'] }, 'CONFIG_INVALID', 'is no setting of LD'],
    ['without a value', { values: ['LD/PTOC1.StrVal.setMag.f'] }, 'CONFIG_INVALID', 'is no setting of LD'],
    [
      'with a second value that does not fit',
      { values: [EDIT.values[0] ?? '', 'LD/PTOC1.StrVal.setMag.f = high'] },
      'CONFIG_RANGE',
      'does not fit',
    ],
  ])('%s is refused before anything is written', async (_, change, code, message) => {
    const device = new GroupDevice();
    await expect(edit(device, change)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    expect(device.writes).toEqual([]);
  });

  it('that another client edits is left alone', async () => {
    const device = new GroupDevice();
    device.edited = 1;
    await expect(edit(device)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringContaining('is being edited already'),
    });
    expect(device.writes).toEqual([]);
  });

  it('sends nothing when the channel is stopping', async () => {
    const device = new GroupDevice();
    const context = exchangeContext({ isStopping: () => device.writes.length === 0 && hasRead });
    let hasRead = false;
    const { client, memory } = device.options;
    const watched = {
      memory,
      client: {
        request: (request: MmsRequest) => {
          const answer = client.request(request as never);
          hasRead = true;
          return answer;
        },
      } as unknown as Pick<MmsClient, 'request'>,
    };
    await expect(editSettingGroup(watched, EDIT, context)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(device.writes).toEqual([]);
  });
});

describe('activating a setting group', () => {
  const activate = (device: GroupDevice, group: number) =>
    activateSettingGroup(device.options, { logical_device: 'LD', group }, exchangeContext());

  it('is told with what the device says afterwards', async () => {
    const device = new GroupDevice();
    expect((await activate(device, 2)).result).toMatchObject({ active_before: 1, active_group: 2 });
    device.switches = false;
    expect(english((await activate(device, 1)).detail)).toBe('the device took it; group 2 of LD is still the active one, not 1');
  });

  it('that is refused, and one that there is not', async () => {
    const device = new GroupDevice();
    device.refusals = { ActSG: 3 };
    expect(await activate(device, 2)).toMatchObject({ isRefused: true });
    await expect(activate(device, 9)).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
  });

  it('of a logical device without groups is refused', async () => {
    const device = new GroupDevice();
    expect(await activateSettingGroup(device.options, { logical_device: 'NO', group: 1 }, exchangeContext())).toMatchObject({
      isRefused: true,
    });
    expect(device.writes).toEqual([]);
  });
});

it('a client edits and activates a group of our device', async () => {
  const document = sclDocument('bay.cid');
  const text = document.text.replace(
    '<LDevice inst="PROT" ldName="Protection">\n          <LN0 lnClass="LLN0" inst="" lnType="LLN0_T"/>',
    '<LDevice inst="PROT" ldName="Protection"><LN0 lnClass="LLN0" inst="" lnType="LLN0_T"><SettingControl numOfSGs="2" actSG="1"/></LN0>',
  );
  expect(text).not.toBe(document.text);
  const bench = await ClientBench.open(new ServedChannel({ document: { ...document, text } }));
  const read = async () => (await bench.operate('read_attribute', { reference: 'Protection/PTOC1.StrVal.setMag.f[SG]' })).result.value;
  expect(await read()).toBe(1.5);
  const values = ['Protection/PTOC1.StrVal.setMag.f = 3.5'];
  const edited = await bench.operate('edit_setting_group', { logical_device: 'Protection', group: 2, values });
  expect(edited).toMatchObject({ outcome: 'accepted', result: { group: 2, values: [{ written: 3.5 }] } });
  expect(await read()).toBe(1.5);
  const activated = await bench.operate('activate_setting_group', { logical_device: 'Protection', group: 2 });
  expect(activated).toMatchObject({ outcome: 'accepted', result: { active_before: 1, active_group: 2 } });
  expect(await read()).toBe(3.5);
});
