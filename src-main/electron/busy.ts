import type { ApiClient } from '#shared/client/client.ts';
import { isServing } from '#shared/domain/enums.ts';

/** What ends when the program ends. */
export interface Busy {
  readonly tasks: number;
  /** Served devices that others may be connected to. */
  readonly devices: number;
  /** Results of a check that have no room in the project yet. */
  readonly results: number;
}

/** Counts running tasks and served devices, from memory. */
export async function readBusy(api: ApiClient): Promise<Busy> {
  const { data: channels } = await api.call('listChannels', {});
  const started = channels.filter(({ status }) => status === 'running' || status === 'reconnecting' || status === 'starting');
  let tasks = 0;
  for (const { name } of started) {
    for (const ask of ['autoReadStatus', 'manualReadStatus'] as const) {
      const { state } = (await api.call(ask, { device_name: name })).data;
      if (state === 'running' || state === 'stopping') tasks += 1;
    }
  }
  const { run } = (await api.call('checkRun', {})).data;
  return { tasks, results: run?.waiting ?? 0, devices: started.filter(({ conn_type }) => isServing(conn_type)).length };
}
