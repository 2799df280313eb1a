import { expectEqual, type Report } from '../report.ts';
import { freePort, type Service } from '../service.ts';
import { Device } from './device.ts';
import type { JsonPeer } from './json-peer.ts';

/** Put into the file of the plant, whose other peers have no logs. */
const CONTROL = '<LogControl name="lcb" datSet="dsStat" logName="EventLog" intgPd="0"><TrgOps dchg="true" qchg="true"/></LogControl>';
const LOG = 'PLANTLD0/LLN0$EventLog';
const INDICATION = 'PLANTLD0/GGIO1.Ind2.stVal[ST]';
/** More than answers of 1000 octets hold at once. */
const CHANGES = 20;

type Entry = readonly [id: string, time: number, variables: readonly (readonly [tag: string, value: string])[]];
interface Page {
  readonly entries: readonly Entry[];
  readonly more: boolean;
}

/** A foreign client queries the log of our simulated device: listed, by time, and behind an entry. */
export async function checkServedLogs(service: Service, report: Report, foreign: string, start: () => Promise<JsonPeer>): Promise<void> {
  for (const octets of [65_000, 1000]) {
    const name = `logs for ${foreign}, PDUs of ${octets} octets`;
    const port = await freePort();
    const device = await Device.add(service, { name, conn_type: 1, port });
    const peer = await start();
    try {
      await device.storeFile({ change: (text) => text.replace('<SettingControl', `${CONTROL}<SettingControl`) });
      const [row] = await device.addSuggested([INDICATION]);
      await device.start();
      await peer.ask('connect', port, octets);
      await report.check(`${name}: the log and its block are listed`, async () => {
        expectEqual('logs', await peer.ask('logs', 'PLANTLD0'), ['EventLog']);
        expectEqual('block', await peer.ask('block', 'PLANTLD0/LLN0.lcb'), [true, LOG, 'PLANTLD0/LLN0$dsStat', 0]);
      });
      for (let change = 0; change < CHANGES; change++) if (row) await device.write(row, (change + 1) % 2);
      const all: Entry[] = [];
      await report.check(`${name}: entries by time, in as many pages as it takes, none twice and none missing`, async () => {
        let page = await peer.ask<Page>('by_time', LOG, 0, Date.now() + 60_000);
        for (all.push(...page.entries); page.more; all.push(...page.entries)) {
          const [id = '', time = 0] = all.at(-1) ?? [];
          page = await peer.ask<Page>('after', LOG, id, time);
        }
        expectEqual('changes', all.length, CHANGES);
        expectEqual('entries', new Set(all.map(([id]) => id)).size, CHANGES);
        expectEqual(
          'tags',
          all.map(([, , variables]) => variables.map(([tag]) => tag)),
          all.map(() => ['PLANTLD0/GGIO1$ST$Ind2', 'ReasonCode']),
        );
        const values = all.map(([, , [first]]) => /^\{(true|false)/.exec(first?.[1] ?? '')?.[1]);
        expectEqual(
          'values',
          values,
          all.map((_, at) => String(at % 2 === 0)),
        );
      });
      await report.check(`${name}: entries of a range, and behind one`, async () => {
        const [id = '', time = 0] = all[CHANGES - 3] ?? [];
        const behind = await peer.ask<Page>('after', LOG, id, time);
        expectEqual(
          'behind',
          behind.entries.map(([each]) => each),
          all.slice(-2).map(([each]) => each),
        );
        const range = await peer.ask<Page>('by_time', LOG, time, time);
        expectEqual('range', range.entries.every(([, each]) => each === time) && range.entries.some(([each]) => each === id), true);
      });
    } finally {
      await peer.end();
      await device.remove();
    }
  }
}
