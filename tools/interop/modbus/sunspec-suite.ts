import { inRoot } from '../../lib/paths.ts';
import { Channel, type PointFields } from '../channel.ts';
import { Peer } from '../peer.ts';
import { findPython } from '../python.ts';
import { expectEqual, type Suite } from '../report.ts';
import { PYMODBUS } from './programs.ts';

interface Found {
  readonly address: number;
  readonly models: readonly { readonly model: number; readonly points: number }[];
  readonly points: readonly (PointFields & { readonly address: number })[];
}

const LEAST_POINTS = 1600;

/** A SunSpec inverter on pymodbus, read without a table: its models found, points made of them, and every value as the peer worked it out. */
export const sunspecSuite: Suite = async (service, report) => {
  const found = findPython({ name: 'pymodbus', version: PYMODBUS, extra: 'serial', script: 'tools/interop/modbus/sunspec_peer.py' });
  if ('reason' in found) {
    report.skip('SunSpec', found.reason);
    return;
  }
  const peer = new Peer(found.program, [...found.args, inRoot('resources/sunspec/models.json')]);
  try {
    const [, port] = await peer.line();
    const channel = await Channel.open(
      service,
      { name: 'sunspec', protocol_type: 1, conn_type: 2, port: Number(port), timeout_ms: 3000 },
      [],
    );
    const expected = JSON.parse((await peer.ask('expect')).join(' ')) as Record<string, number | string>;
    let points: Found['points'] = [];
    await report.check('SunSpec: an inverter is found by its marker, the model of a maker passed over', async () => {
      const { result } = (await channel.operate('discover_sunspec')) as unknown as { result: Found };
      points = result.points;
      const models = result.models.map(({ model, points: count }) => [model, count > 0]);
      expectEqual('marker', result.address, 40_000);
      expectEqual('models', models, [
        [1, true],
        [103, true],
        [160, true],
        [64_999, false],
        [705, true],
      ]);
      expectEqual(
        'addresses',
        points.map(({ address }) => address),
        Object.keys(expected).map(Number),
      );
      if (points.length < LEAST_POINTS) throw new Error(`there are ${points.length} points only`);
    });
    await report.check(`SunSpec: ${points.length} points are added and read without a table, each with the right value`, async () => {
      await service.ask('POST', '/api/device/add_points', { channel_id: channel.id, points });
      const { success, fail } = await channel.readAll('batch');
      await channel.telling(() => expectEqual('the round', { success, fail }, { success: points.length, fail: 0 }));
      const rows = await channel.rows();
      const wrong = points.flatMap(({ code, address }) => {
        const row = rows.get(code);
        const want = expected[String(address)];
        const is = typeof want === 'string' ? row?.value_text : row?.value;
        return row?.quality === 'good' && is === want ? [] : [`${code}: ${is} ${row?.quality}, expected ${want}`];
      });
      expectEqual('wrong values', wrong.slice(0, 10), []);
    });
    await channel.remove();
  } finally {
    await peer.end();
  }
};
