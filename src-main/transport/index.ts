import { AppError } from '#shared/domain/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { TcpConnector } from './tcp-connector.ts';
import { TcpListener } from './tcp-listener.ts';
import type { LineSettings, TransportFactory } from './types.ts';

export { listSerialPorts } from './serial-ports.ts';

function refuseSerial(line: LineSettings): void {
  if (line.kind === 'serial') {
    throw new AppError('CONFIG_INVALID', 'This version has no serial lines; a protocol over TCP is needed.');
  }
}

/** The lines of this computer. Serial lines are refused with `CONFIG_INVALID`. */
export function createTransports(clock: Clock): TransportFactory {
  return {
    connector(line) {
      refuseSerial(line);
      return new TcpConnector(line, clock);
    },
    listener(line) {
      refuseSerial(line);
      return new TcpListener(line, clock);
    },
  };
}
