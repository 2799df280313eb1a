import { benchCore, freePort } from './peers/service.ts';
import { takeLongestBlock, watchBlocks } from './peers/thread-blocks.ts';
import { type BenchResult, valueAtMost } from './result.ts';

const POINTS = 10_000;
const SECONDS = 10;
/** "10,000 simulated points at 1 s cost at most 10 % of a core more than serving them still." */
const MOST_SHARE = 0.1;
/** No work on the thread of the lines takes longer. */
const MOST_BLOCK_MS = 50;

/** Recorded values as large as a file of them may be, and a speed at which each step has all of them. */
const [ROWS, COLUMNS, SPEED] = [2_500, 200, 1_000];

/** One formula of each kind that people use, over all points in turn. */
const FORMULAS = [
  'sine(60, 10, 230)',
  'random(0, 100)',
  'walk(50, 1, 0, 100)',
  'integrate(P0 / 3600)',
  'lag(P1, 30)',
  'P0 + noise(0.1)',
  'pulse(7, 3)',
];

/** The share of a core that simulated points cost beside ones that are served still; with the longest stretch of work. */
export async function run(): Promise<BenchResult[]> {
  const core = await benchCore();
  try {
    const port = await freePort();
    const { data: channel } = await core.api.call('addChannel', { name: 'Served', protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port });
    const points = Array.from({ length: POINTS }, (_, at) => ({
      frame_type: 0 as const,
      code: `P${at}`,
      slave_id: 1 + Math.floor(at / 20_000),
      address: 2 * at,
      decode: '0x42',
      protocol: { simulate: FORMULAS[at % FORMULAS.length] },
    }));
    await core.api.call('addPoints', { channel_id: channel.id, points });
    const channel_id = channel.id;
    await core.api.call('setSimulation', { channel_id, is_on: false });
    await core.api.call('startDevice', { channel_id });
    await rest(2000);
    const still = await share();
    await core.api.call('setSimulation', { channel_id, is_on: true });
    await rest(2000);
    const moving = await share();
    const { data } = await core.api.call('simulation', { channel_id });
    if (data.steps < SECONDS || data.fault_count > 0 || data.points !== POINTS) throw new Error(`not simulated: ${JSON.stringify(data)}`);
    return [
      valueAtMost(
        `simulation: ${POINTS.toLocaleString('en')} points at 1 s, share of a core beside serving them still`,
        moving.share - still.share,
        '',
        MOST_SHARE,
      ),
      valueAtMost(`simulation: ${POINTS.toLocaleString('en')} points at 1 s, largest block`, moving.block, 'ms', MOST_BLOCK_MS),
      await recorded(),
    ];
  } finally {
    await core.close();
  }
}

/** The longest stretch of work while recorded values go fast. */
async function recorded(): Promise<BenchResult> {
  const core = await benchCore();
  try {
    const names = Array.from({ length: COLUMNS }, (_, at) => `c${at}`);
    const lines = Array.from({ length: ROWS }, (_, row) =>
      [(row * SPEED) / ROWS, ...names.map((_name, at) => (row + at) % 1000)].join(','),
    );
    await core.api.call('addSeries', { name: 'bench', file: new File([[['t', ...names].join(','), ...lines].join('\n')], 'bench.csv') });
    const port = await freePort();
    const { data: channel } = await core.api.call('addChannel', { name: 'Fast', protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port });
    const channel_id = channel.id;
    const points = names.map((code, address) => {
      const protocol = { simulate: `series("bench", "${code}", "hold")` };
      return { frame_type: 0 as const, code, slave_id: 1, address, decode: '0x20', protocol };
    });
    await core.api.call('addPoints', { channel_id, points });
    await core.api.call('setSimulation', { channel_id, speed: SPEED, period_ms: 1000 });
    await core.api.call('startDevice', { channel_id });
    const simulated = async () => (await core.api.call('simulation', { channel_id })).data;
    const watch = watchBlocks();
    let data = await simulated();
    for (takeLongestBlock(); data.steps < 4; data = await simulated()) await rest(100);
    const block = takeLongestBlock();
    clearInterval(watch);
    if (data.fault_count > 0) throw new Error(`not simulated: ${JSON.stringify(data)}`);
    const name = `simulation: ${(ROWS * COLUMNS).toLocaleString('en')} recorded values at ${SPEED.toLocaleString('en')} times their speed, largest block`;
    return valueAtMost(name, block, 'ms', MOST_BLOCK_MS);
  } finally {
    await core.close();
  }
}

/** Processor time of this process as a share of one core, and the longest time that a timer of 5 ms came late. */
async function share(): Promise<{ readonly share: number; readonly block: number }> {
  let block = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    const now = performance.now();
    block = Math.max(block, now - last - 5);
    last = now;
  }, 5);
  const [before, began] = [process.cpuUsage(), performance.now()];
  await rest(SECONDS * 1000);
  const used = process.cpuUsage(before);
  clearInterval(watch);
  return { share: (used.user + used.system) / 1000 / (performance.now() - began), block };
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
