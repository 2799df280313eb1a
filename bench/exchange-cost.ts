import { encodeRead } from '../src-main/drivers/modbus/codec/request.ts';
import { readAnswerData } from '../src-main/drivers/modbus/codec/response.ts';
import type { ExchangeSession } from '../src-main/drivers/modbus/link/exchange-session.ts';
import { encodeMbap, mbapFraming } from '../src-main/drivers/modbus/link/mbap.ts';
import { ModbusSession } from '../src-main/drivers/modbus/link/session.ts';
import { rtuFraming } from '../src-main/drivers/modbus/rtu/framing.ts';
import { LineSession } from '../src-main/drivers/modbus/rtu/session.ts';
import { socketTiming } from '../src-main/drivers/modbus/rtu/timing.ts';
import type { ExchangeContext, FrameSink, HealthSink } from '../src-main/drivers/spi/index.ts';
import { systemClock } from '../src-main/platform/system-clock.ts';
import { u16 } from '../src-main/protocol-kit/bytes.ts';
import { type BenchResult, median, ratioAtMost } from './result.ts';

const REGISTERS = 125;
const UNIT = 1;
const EXCHANGES = 30_000;
const ROUNDS = 7;
const WARM_UP = 2;
const LIMIT = 0.5;

const nothing = () => undefined;
const frames: FrameSink = { record: () => 1 };
const health: HealthSink = { request: nothing, response: nothing, timeout: nothing, refusal: nothing, fault: nothing, late: nothing };
const context: ExchangeContext = { signal: new AbortController().signal, retries: 1, isStopping: () => false };
const common = { clock: systemClock, frames, health, timeoutMs: 1000, requestGapMs: 0 };

const question = {
  unitId: UNIT,
  pdu: encodeRead(3, 0, REGISTERS),
  check: (answer: Uint8Array) => void readAnswerData(answer, 3, REGISTERS),
};
const answerPdu = Uint8Array.from({ length: 2 + 2 * REGISTERS }, (_, at) => [3, 2 * REGISTERS][at] ?? at);

/** The session of Modbus TCP, and a device that answers at once in the next turn. */
function numbered(): ExchangeSession {
  const line = {
    write: async (bytes: Uint8Array) => {
      setImmediate(() => session.receive(encodeMbap(u16(bytes, 0), UNIT, answerPdu)));
    },
    close: async () => undefined,
  };
  const session = new ModbusSession({ ...common, framing: mbapFraming, line, onLost: nothing });
  return session;
}

/** RTU frames over TCP on the exchange engine, and the same device. */
function accounted(): ExchangeSession {
  const answer = rtuFraming.encode(UNIT, answerPdu);
  const line = {
    write: async () => {
      setImmediate(() => session.receive(answer));
    },
  };
  const session = new LineSession({
    ...common,
    framing: rtuFraming,
    line,
    timing: socketTiming(common.timeoutMs),
    turnAroundMs: 0,
    echo: 'no',
    tellingRequests: true,
    notice: nothing,
    slowestMs: () => null,
  });
  return session;
}

async function cpuUsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  for (let count = 0; count < EXCHANGES; count++) await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / EXCHANGES;
}

const exchangeOn = (session: ExchangeSession) => async () => {
  const end = await session.exchange(question, context);
  if (end.kind !== 'answer') throw end.error;
};

/**
 * Processor time of an exchange without socket, log and table: the session that knows answers by their number, beside the engine that keeps account of what
 * is owed (docs/adr/0020-one-exchange-engine.md). The turn of the program in which the answer comes is taken off both.
 */
export async function exchangeCost(): Promise<BenchResult> {
  const costs = { numbered: [] as number[], accounted: [] as number[] };
  const [byNumber, byAccount] = [exchangeOn(numbered()), exchangeOn(accounted())];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const turn = await cpuUsOf(() => new Promise<void>((resolve) => setImmediate(resolve)));
    const [own, engine] = [await cpuUsOf(byNumber), await cpuUsOf(byAccount)];
    if (round < 0) continue;
    costs.numbered.push(own - turn);
    costs.accounted.push(engine - turn);
  }
  const name = 'client: CPU an exchange without socket, answers known by number, beside the exchange engine';
  return ratioAtMost(name, median(costs.numbered), 'us', median(costs.accounted), LIMIT);
}
