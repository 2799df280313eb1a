import type { ApiClient } from '#shared/client/client.ts';
import { isServing } from '#shared/domain/enums.ts';

/** What ends when the program ends. */
export interface Busy {
  readonly tasks: number;
  /** Served devices that others may be connected to. */
  readonly devices: number;
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
  return { tasks, devices: started.filter(({ conn_type }) => isServing(conn_type)).length };
}
