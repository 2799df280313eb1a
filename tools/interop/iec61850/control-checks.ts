import { expectEqual, type Report } from '../report.ts';
import type { Service } from '../service.ts';
import { Device, type Row } from './device.ts';
import type { JsonPeer } from './json-peer.ts';

/** Objects of the foreign server, their control models, and the services that a whole command takes. */
const OBJECTS: readonly (readonly [name: string, model: number, stages: readonly string[]])[] = [
  ['SPCSO1', 1, ['read', 'sent', 'confirmed']],
  ['SPCSO2', 2, ['read', 'select_sent', 'selected', 'sent', 'confirmed']],
  ['SPCSO3', 3, ['read', 'sent', 'confirmed', 'terminated']],
  ['SPCSO4', 4, ['read', 'select_sent', 'selected', 'sent', 'confirmed', 'terminated']],
  ['DPCSO1', 4, ['read', 'select_sent', 'selected', 'sent', 'confirmed', 'terminated']],
  ['AnOut1', 1, ['read', 'sent', 'confirmed']],
];
const INTERLOCKING = 10;
const TIME_LIMIT = 16;
/** The server ends a selection by itself. */
const SELECT_MS = 3000;

/** What the server carried out: object, value, orCat, ctlNum, test. */
type Done = readonly (readonly [name: string, value: number, category: number, number: number, test: boolean])[];

/** A foreign server with control objects. */
export interface ForeignControls {
  readonly name: string;
  /** It refuses a selection without value where it would refuse the Oper; otherwise it refuses the Oper behind it. */
  readonly checksSelection: boolean;
  start(): Promise<JsonPeer>;
}

/** Our client commands the control objects of a foreign server, by every control model, accepted and refused. */
export async function checkControls(service: Service, report: Report, foreign: ForeignControls): Promise<void> {
  for (const octets of [65_000, 1000]) {
    const name = `controls of ${foreign.name}, PDUs of ${octets} octets`;
    const peer = await foreign.start();
    try {
      const port = await peer.ask<number>('start');
      const device = await Device.add(service, { name, conn_type: 2, port, protocol: { max_pdu_size: octets } });
      try {
        await device.start();
        await device.learnt();
        const points = OBJECTS.map(([object]) => controlPoint(object));
        const rows = new Map((await device.addPoints(points)).map((row) => [row.code, row]));
        await checkCommands({ report, name, foreign, peer, device, rows });
      } finally {
        await device.remove();
      }
    } finally {
      await peer.end();
    }
  }
}

interface ControlsRun {
  readonly report: Report;
  readonly name: string;
  readonly foreign: ForeignControls;
  readonly peer: JsonPeer;
  readonly device: Device;
  readonly rows: ReadonlyMap<string, Row>;
}

function controlPoint(object: string, more: object = {}): Readonly<Record<string, unknown>> {
  return { frame_type: object === 'AnOut1' ? 3 : 2, code: object, reference: `CTRLLD0/GGIO1.${object}[CO]`, ...more };
}

async function checkCommands({ report, name, foreign, peer, device, rows }: ControlsRun): Promise<void> {
  const row = (object: string): Row => {
    const found = rows.get(object);
    if (!found) throw new Error(`there is no point ${object}`);
    return found;
  };
  const done = async () => (await peer.ask<Done>('done')).map(([object, value, category, , test]) => [object, value, category, test]);
  for (const [object, model, stages] of OBJECTS) {
    const value = object === 'AnOut1' ? 33.5 : 1;
    await report.check(`${name}: ${object}, control model ${model}, is carried out once`, async () => {
      const result = await device.command(row(object), value);
      expectEqual('outcome and stages', [result.outcome, stagesOf(result)], ['accepted', stages]);
      expectEqual('carried out', await done(), [[object, value, 2, false]]);
    });
    await report.check(`${name}: ${object}, control model ${model}, is refused with its additional cause`, async () => {
      await peer.ask('refuse', object, INTERLOCKING);
      const result = await device.command(row(object), 0);
      expectEqual('outcome', result.outcome, 'rejected');
      // a selection without value is refused by an empty text, which has no cause
      const isUnsaid = model === 2 && foreign.checksSelection;
      const cause = isUnsaid ? 'the device did not select it' : `blocked-by-interlocking (${INTERLOCKING})`;
      expectEqual(`${cause} in: ${detailOf(result)}`, detailOf(result).includes(cause), true);
      expectEqual('carried out', await done(), []);
    });
  }
  for (const object of ['SPCSO3', 'SPCSO4']) {
    await report.check(`${name}: ${object} ends negatively`, async () => {
      await peer.ask('fail', object, TIME_LIMIT);
      const result = await device.command(row(object), 0);
      expectEqual('outcome', result.outcome, 'rejected');
      expectEqual('cause', detailOf(result).includes(`time-limit-over (${TIME_LIMIT})`), true);
    });
  }
  await report.check(`${name}: the test bit is carried, and changes nothing`, async () => {
    const result = await device.command(row('SPCSO1'), 0, { test: true });
    expectEqual('outcome', result.outcome, 'accepted');
    expectEqual('carried out', await done(), [['SPCSO1', 0, 2, true]]);
  });
  await report.check(`${name}: select, then execute, cancel, and a selection that runs out`, async () => {
    const step = (name: string, value: number | undefined) => device.step(row('SPCSO4'), name, value);
    expectEqual('select', (await step('select', 0)).status, 200);
    expectEqual('execute', outcomeOf(await step('execute', 0)), 'accepted');
    expectEqual('carried out', await done(), [['SPCSO4', 0, 2, false]]);
    expectEqual('select to cancel', outcomeOf(await step('select', 1)), 'accepted');
    expectEqual('cancel', outcomeOf(await step('cancel', undefined)), 'accepted');
    expectEqual('execute behind the cancel', (await step('execute', 1)).status, 409);
    expectEqual('select to wait', outcomeOf(await step('select', 1)), 'accepted');
    await new Promise((resolve) => setTimeout(resolve, SELECT_MS + 100));
    expectEqual('execute too late', (await step('execute', 1)).status, 409);
    expectEqual('carried out', await done(), []);
  });
  await report.check(`${name}: an Oper without its selection is refused by the server as not selected`, async () => {
    const [direct] = await device.addPoints([controlPoint('SPCSO2', { code: 'direct', protocol: { control_model: 1 } })]);
    if (!direct) throw new Error('the point is not there');
    const result = await device.command(direct, 1);
    expectEqual('outcome', result.outcome, 'rejected');
    expectEqual(detailOf(result), detailOf(result).includes('object-not-selected (18)'), true);
    expectEqual('carried out', await done(), []);
  });
}

interface Staged {
  readonly outcome: string;
  readonly stages: readonly { readonly name?: string; readonly detail: string }[];
}

const stagesOf = ({ stages }: Staged) => stages.map(({ name }) => name).filter((name) => name !== 'read_back');
const detailOf = ({ stages }: Staged) => stages.at(-1)?.detail ?? '';
const outcomeOf = ({ status, data }: { readonly status: number; readonly data: unknown }) =>
  status === 200 ? (data as Staged).outcome : `status ${status}`;
