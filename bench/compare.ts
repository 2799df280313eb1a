import { plantPoint } from './plant.ts';
import { type BenchResult, valueAtMost } from './result.ts';
import { Bed } from './stalls.ts';

const SIZES = [10_000, 100_000];
/** "Compare 10,000 with 10,000 rows in 1 s", of channels and of a file. */
const COMPARE_LIMIT_MS = 1_000;

type Points = readonly Readonly<Record<string, unknown>>[];

function pointsOf(count: number): Points {
  return Array.from({ length: count }, (_, index) => {
    const { frame_type, code, name, address, slave_id, decode, mul_coe, unit, category, item } = plantPoint(index);
    return { frame_type, code, name, address, slave_id, decode, mul_coe, unit, category, item };
  });
}

/** The table as somebody sends it a month later: a third with another factor, some renamed, gone and new. */
function laterOf(points: Points): Points {
  return points.flatMap((point, index) => {
    if (index % 50 === 7) return [];
    if (index % 50 === 8) return [{ ...point, code: `${point.code}_NEW` }];
    if (index % 50 === 9) return [point, { ...point, code: `X${index}`, slave_id: 240 }];
    return [index % 3 === 0 ? { ...point, mul_coe: 0.5 } : point];
  });
}

async function fill(bed: Bed, name: string, points: Points): Promise<number> {
  const id = await bed.addChannel(name, 1);
  await bed.post('/api/device/add_points', { channel_id: id, points });
  return id;
}

function form(bytes: Uint8Array, name: string): RequestInit {
  const body = new FormData();
  body.set('file', new File([Buffer.from(bytes)], name));
  return { method: 'POST', body };
}

async function runSize(bed: Bed, count: number): Promise<void> {
  const of = count.toLocaleString('en');
  const points = pointsOf(count);
  const [now, later] = [await fill(bed, 'now', points), await fill(bed, 'later', laterOf(points))];
  const channel = (channel_id: number) => ({ of: 'channel', channel_id });
  const made = await bed.watch(`${of} points compared with as many`, () =>
    bed.post('/api/points/compare', { before: channel(now), after: channel(later) }),
  );
  const { comparison_id: id, counts } = made.answer.data as { comparison_id: string; counts: Record<string, number> };
  if (!((counts.changed ?? 0) > count / 4 && (counts.renamed ?? 0) > count / 100))
    throw new Error(`compared wrongly: ${JSON.stringify(counts)}`);
  const csv = (await bed.send(`/api/channel/export_points?channel_id=${later}&format=csv`)).data as Uint8Array;
  const { file_id } = (await bed.send('/api/points/compare_file', form(csv, 'later.csv'))).data as { file_id: string };
  const file = await bed.watch(`${of} points compared with the rows of a csv`, () =>
    bed.post('/api/points/compare', { before: channel(now), after: { of: 'file', file_id } }),
  );
  if (count === 10_000) {
    bed.results.push(valueAtMost(`compare: ${of} points of a channel with as many of another one`, made.ms, 'ms', COMPARE_LIMIT_MS));
    bed.results.push(valueAtMost(`compare: ${of} points of a channel with the rows of a csv`, file.ms, 'ms', COMPARE_LIMIT_MS));
  }
  await bed.watch(`rows of ${of} searched and told with what they touch`, () =>
    bed.send(`/api/points/comparison_rows?comparison_id=${id}&search=${encodeURIComponent('功率')}&page_size=200`),
  );
  await bed.watch(`what a comparison of ${of} touches`, () => bed.send(`/api/points/comparison?comparison_id=${id}`));
  await bed.watch(`comparison of ${of} as a workbook`, () => bed.send(`/api/points/comparison_export?comparison_id=${id}`));
  await bed.watch(`all differences of ${of} taken over`, () =>
    bed.post('/api/points/take_over', { comparison_id: id, kinds: ['added', 'removed', 'changed', 'renamed'] }),
  );
  const check = `/api/points/table_check?channel_id=${now}`;
  const looked = await bed.watch(`table check of ${of} points`, () => bed.send(check));
  await bed.watch(`a page of its findings`, () => bed.send(`${check}&page=2&page_size=100`));
  const { revision } = looked.answer.data as { revision: string };
  await bed.post('/api/points/ignore_findings', { channel_id: now, rule: 'name_twice', ignored: true }).catch(() => undefined);
  if (revision === '') throw new Error('nothing was looked at');
  for (const each of [now, later]) await bed.send(`/api/channel/delete?channel_id=${each}`, { method: 'DELETE' });
}

/** Two tables compared, taken over and looked at by the rules, beside a channel that reads every 100 ms. */
export async function run(): Promise<BenchResult[]> {
  const bed = new Bed();
  try {
    await bed.begin();
    for (const count of SIZES) await runSize(bed, count);
    return bed.results;
  } finally {
    await bed.end();
    bed.forget();
  }
}
