import type { HealthSink } from '../../spi/index.ts';
import type { LineTime } from '../client/line-time.ts';
import type { TurnRounds } from '../turn-round.ts';

/**
 * Counters that also learn how fast slaves answer. On a serial line what a slave takes is what an exchange lasted beyond the time of its octets
 * and gap: adapters deliver in lumps of up to 16 ms, so the moment of the first octet says less.
 */
export function measuringHealth(health: HealthSink, turnRounds: TurnRounds, line: LineTime | null): HealthSink {
  return {
    request: () => health.request(),
    response(latencyMs, exchange) {
      const turnRoundMs = line && exchange ? line.turnRoundMs(exchange) : (exchange?.turnRoundMs ?? null);
      health.response(latencyMs, line && exchange ? { ...exchange, turnRoundMs } : exchange);
      if (exchange) turnRounds.measured(exchange.slaveId, turnRoundMs ?? latencyMs);
    },
    timeout: (exchange) => health.timeout(exchange),
    refusal: (exchange) => health.refusal(exchange),
    fault: (kind) => health.fault(kind),
    late: () => health.late(),
  };
}
