import type { HealthSink } from '../spi/index.ts';
import type { LineExchange } from '../spi/line.ts';
import type { TurnRounds } from './turn-rounds.ts';

/**
 * Counters that also learn how fast devices answer. `turnRoundOf` tells what a device took of an exchange, in milliseconds or null, where the
 * moment of the first octet does not; null for none.
 */
export function measuringHealth(
  health: HealthSink,
  turnRounds: TurnRounds,
  turnRoundOf: ((exchange: LineExchange) => number | null) | null,
): HealthSink {
  return {
    request: () => health.request(),
    response(latencyMs, exchange) {
      const told = exchange && turnRoundOf ? { ...exchange, turnRoundMs: turnRoundOf(exchange) } : exchange;
      health.response(latencyMs, told);
      if (told) turnRounds.measured(told.slaveId, told.turnRoundMs ?? latencyMs);
    },
    timeout: (exchange) => health.timeout(exchange),
    refusal: (exchange) => health.refusal(exchange),
    fault: (kind) => health.fault(kind),
    late: () => health.late(),
  };
}
