import { expectEqual, expectSoon, type Report } from '../report.ts';
import { freePort, type Service } from '../service.ts';
import { Device, type Row } from './device.ts';
import type { JsonPeer } from './json-peer.ts';

const NODE = 'CTRLLD0/GGIO1';
const BREAKER = 'CTRLLD0/CSWI1.Pos';
const [NO_CAUSE, PROCESS, INTERLOCKING, TIME_LIMIT, NOT_SELECTED, ALREADY_SELECTED] = [0, 9, 10, 16, 18, 19];
const [SWITCHING_HIERARCHY, MODE, IN_EXECUTION] = [2, 8, 12];
const EXECUTION_MS = 300;
const MODELS = [1, 2, 3, 4] as const;

/** A control object of our device and its status; `more` are settings of the control. */
function pointsOf(model: number, more: object = {}): readonly Readonly<Record<string, unknown>>[] {
  return [
    { frame_type: 2, code: `C${model}`, reference: `${NODE}.SPCSO${model}[CO]`, protocol: { control_model: model, ...more } },
    { frame_type: 1, code: `S${model}`, reference: `${NODE}.SPCSO${model}.stVal[ST]` },
  ];
}

/** Objects around the breaker that refuse its commands. */
const AROUND = ['CSWI1.Loc', 'XCBR1.BlkCls', 'CILO1.EnaCls', 'CSWI1.Pos', 'LLN0.Mod'];

interface CommandsRun {
  readonly report: Report;
  readonly name: string;
  readonly peer: JsonPeer;
  readonly device: Device;
  readonly port: number;
  readonly rows: ReadonlyMap<string, Row>;
  start(): Promise<JsonPeer>;
}

/** A foreign client commands our simulated device, by every control model, accepted and refused. */
export async function checkCommands(service: Service, report: Report, foreign: string, start: () => Promise<JsonPeer>): Promise<void> {
  for (const octets of [65_000, 1000]) {
    const name = `commands of ${foreign}, PDUs of ${octets} octets`;
    const port = await freePort();
    const protocol = { execution_ms: EXECUTION_MS, max_pdu_size: octets };
    const device = await Device.add(service, { name, conn_type: 1, port, protocol });
    const peer = await start();
    try {
      const breaker = [
        { frame_type: 2, code: 'breaker', reference: `${BREAKER}[CO]`, protocol: { control_model: 4 } },
        { frame_type: 3, code: 'setpoint', reference: `${NODE}.AnOut1[CO]` },
        ...AROUND.map((object) => ({ frame_type: 1, code: object, reference: `CTRLLD0/${object}.stVal[ST]` })),
      ];
      const added = await device.addPoints([...MODELS.flatMap((model) => pointsOf(model)), ...breaker]);
      await device.start();
      await peer.ask('connect', port, octets);
      const run = { report, name, peer, device, port, start, rows: new Map(added.map((row) => [row.code, row])) };
      await checkModels(run);
      await checkObstacles(run);
      await checkSelections(run);
    } finally {
      await peer.end();
      await device.remove();
    }
  }
  await checkFaults(service, report, `commands of ${foreign}`, start);
}

function rowOf({ rows }: Pick<CommandsRun, 'rows'>, code: string): Row {
  const row = rows.get(code);
  if (!row) throw new Error(`there is no point ${code}`);
  return row;
}

/** A whole command: select where the model has it, operate, and the end where it has one. */
async function command(peer: JsonPeer, object: string, model: number, value: boolean): Promise<{ isTaken: boolean; ended: unknown }> {
  if (model === 2 && !(await peer.ask<boolean>('select', object))) return { isTaken: false, ended: null };
  if (model === 4 && !(await peer.ask<boolean>('select_value', object, value))) return { isTaken: false, ended: null };
  const isTaken = await peer.ask<boolean>('operate', object, value);
  return { isTaken, ended: isTaken && model > 2 ? await peer.ask('ended', object) : null };
}

async function checkModels({ report, name, peer, device }: CommandsRun): Promise<void> {
  for (const model of MODELS) {
    const object = `${NODE}.SPCSO${model}`;
    const status = async () => (await device.rows()).get(`${object}.stVal[ST]`)?.value;
    await report.check(`${name}: control model ${model} is carried out`, async () => {
      expectEqual('control model', await peer.ask('model', object), model);
      expectEqual('the end', await command(peer, object, model, true), { isTaken: true, ended: model > 2 ? [0, NO_CAUSE] : null });
      await expectSoon('status', status, 1);
      await expectSoon('the command', async () => (await device.rows()).get(`${object}[CO]`)?.value, 1);
    });
    await report.check(`${name}: control model ${model} is refused in behaviour off`, async () => {
      const mode = (await device.rows()).get('CTRLLD0/LLN0.Mod.stVal[ST]') as Row;
      await device.write(mode, 5);
      const { isTaken } = await command(peer, object, model, false);
      expectEqual('taken', isTaken, false);
      // a selection without value is refused by an empty text, which has no cause
      if (model !== 2) expectEqual('cause', await peer.ask('cause', object), [0, MODE]);
      await device.write(mode, 1);
      expectEqual('status', await status(), 1);
    });
  }
  await report.check(`${name}: a setpoint is moved`, async () => {
    expectEqual('taken', await peer.ask('operate', `${NODE}.AnOut1`, 33.5), true);
    await expectSoon('the command', async () => (await device.rows()).get(`${NODE}.AnOut1[CO]`)?.value, 33.5);
  });
}

async function checkObstacles(run: CommandsRun): Promise<void> {
  const { report, name, peer, device, port, start } = run;
  for (const [object, value, cause, hasCheck] of [
    ['CSWI1.Loc', 1, SWITCHING_HIERARCHY, false],
    ['XCBR1.BlkCls', 1, PROCESS, false],
    ['CILO1.EnaCls', 0, INTERLOCKING, true],
  ] as const) {
    await report.check(`${name}: the breaker is refused by ${object}`, async () => {
      await device.write(rowOf(run, object), value);
      await peer.ask('checks', BREAKER, false, hasCheck);
      expectEqual('taken', await peer.ask('select_value', BREAKER, true), false);
      expectEqual('cause', await peer.ask('cause', BREAKER), [0, cause]);
      await device.write(rowOf(run, object), 1 - value);
    });
  }
  await report.check(`${name}: the breaker goes through its intermediate state`, async () => {
    const position = async () => (await device.rows()).get(`${BREAKER}.stVal[ST]`)?.value;
    expectEqual('selected', await peer.ask('select_value', BREAKER, true), true);
    expectEqual('taken', await peer.ask('operate', BREAKER, true), true);
    expectEqual('position', await position(), 2);
    expectEqual('its end', await peer.ask('ended', BREAKER), [0, NO_CAUSE]);
    expectEqual('position', await position(), 1);
  });
  await report.check(`${name}: a command under way is not disturbed by another client`, async () => {
    const other = await start();
    try {
      await other.ask('connect', port);
      expectEqual('model', await other.ask('model', BREAKER), 4);
      expectEqual('selected', await peer.ask('select_value', BREAKER, false), true);
      expectEqual('taken', await peer.ask('operate', BREAKER, false), true);
      expectEqual(
        'by the other',
        [await other.ask('select_value', BREAKER, true), await other.ask('cause', BREAKER)],
        [false, [0, IN_EXECUTION]],
      );
      expectEqual('its end', await peer.ask('ended', BREAKER), [0, NO_CAUSE]);
    } finally {
      await other.end();
    }
  });
}

async function checkSelections({ report, name, peer, port, start }: CommandsRun): Promise<void> {
  const object = `${NODE}.SPCSO4`;
  await report.check(`${name}: without its selection an Oper is refused; a selection is cancelled`, async () => {
    expectEqual('operated', [await peer.ask('operate', object, false), await peer.ask('cause', object)], [false, [0, NOT_SELECTED]]);
    expectEqual('selected', await peer.ask('select_value', object, false), true);
    expectEqual('cancelled', await peer.ask('cancel', object), true);
    expectEqual('operated behind it', await peer.ask('operate', object, false), false);
  });
  await report.check(`${name}: the selection of another client holds until that goes, also without a word`, async () => {
    const other = await start();
    try {
      await other.ask('connect', port);
      expectEqual('selected by the other', await other.ask('select_value', object, false), true);
      expectEqual(
        'selected',
        [await peer.ask('select_value', object, false), await peer.ask('cause', object)],
        [false, [0, ALREADY_SELECTED]],
      );
      await other.ask('drop');
      await expectSoon('selected behind its end', () => peer.ask('select_value', object, false), true);
      expectEqual('cancelled', await peer.ask('cancel', object), true);
    } finally {
      await other.end();
    }
  });
}

/** What points of the table make their controls do wrong. */
async function checkFaults(service: Service, report: Report, name: string, start: () => Promise<JsonPeer>): Promise<void> {
  const port = await freePort();
  const device = await Device.add(service, { name: `${name}, faults`, conn_type: 1, port });
  const peer = await start();
  try {
    await device.addPoints([
      ...pointsOf(1, { control_fault: 'operate_refused', add_cause: INTERLOCKING }),
      ...pointsOf(2, { control_fault: 'select_refused' }),
      ...pointsOf(3, { control_fault: 'not_moved' }),
      ...pointsOf(4, { control_fault: 'not_terminated' }),
    ]);
    await device.start();
    await peer.ask('connect', port);
    const object = (model: number) => `${NODE}.SPCSO${model}`;
    await report.check(`${name}: refusals, an end without success and one that never comes`, async () => {
      expectEqual('1', [await peer.ask('operate', object(1), true), await peer.ask('cause', object(1))], [false, [0, INTERLOCKING]]);
      expectEqual('2', await peer.ask('select', object(2)), false);
      expectEqual('3', await command(peer, object(3), 3, true), { isTaken: true, ended: [2, TIME_LIMIT] });
      expectEqual('4', await command(peer, object(4), 4, true), { isTaken: true, ended: null });
      expectEqual('status', (await device.rows()).get(`${object(4)}.stVal[ST]`)?.value, 1);
    });
  } finally {
    await peer.end();
    await device.remove();
  }
}
