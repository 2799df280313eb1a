import { join } from 'node:path';
import type { InputOf } from '#shared/contract/index.ts';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import type { CheckVerdict } from '#shared/domain/check.ts';
import { type RunningCore, startCore } from './running-core.ts';

/** Points of a channel that nothing answers for. */
export const U = { frame_type: 0, code: 'U', address: 10, decode: '0x21' } as const;
export const S = { frame_type: 1, code: 'S', address: 20, decode: '0x20', bit: 0 } as const;

/** A session with the points of a channel of its own. */
export async function beginCheck({ api }: RunningCore, points: InputOf<'addPoints'>['points'] = [U, S], name = 'Visit'): Promise<number> {
  const { id: channel } = (await api.call('addChannel', { name: `Of ${name}`, protocol_type: 1, conn_type: 2, port: 1 })).data;
  await api.call('addPoints', { channel_id: channel, points: [...points] });
  const { id } = (await api.call('addCheck', { name, cover: { site: '北站' } })).data;
  await api.call('addCheckItems', { session_id: id, channel_id: channel });
  return id;
}

export const itemsOf = async ({ api }: RunningCore, id: number) =>
  (await api.call('checkItems', { session_id: id, page_size: 1000 })).data.items;

export async function itemOf(core: RunningCore, id: number, code: string) {
  const item = (await itemsOf(core, id)).find((each) => each.code === code);
  if (!item) throw new Error(`no item ${code}`);
  return item;
}

/** Appends what a person says of an item. */
export async function enter(core: RunningCore, id: number, code: string, verdict: CheckVerdict, remark = '') {
  const { item } = await itemOf(core, id, code);
  return (await core.api.call('enterCheckResult', { session_id: id, item, verdict, operator: 'Li', remark })).data;
}

/** The record of a session as octets. */
export const recordOf = async ({ api }: RunningCore, id: number): Promise<Uint8Array> =>
  ((await api.call('checkRecord', { session_id: id })).data as DownloadedFile).bytes;

/** Octets as a record to be sent. */
export const asRecord = (octets: Uint8Array): File => new File([new Uint8Array(octets)], 'record.json');

/** The project as another laptop has it, from the file as it is now. */
export async function otherLaptop(core: RunningCore, name = 'copy'): Promise<RunningCore> {
  const path = join(core.dir, `${name}.loopcheck`);
  await core.api.call('backupProject', { path });
  return startCore({ projectPath: path });
}
