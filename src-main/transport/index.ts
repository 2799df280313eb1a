import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Clock } from '../platform/clock.ts';
import { SerialConnector } from './serial-connector.ts';
import { SerialLines } from './serial-lines.ts';
import { TcpConnector } from './tcp-connector.ts';
import { TcpListener } from './tcp-listener.ts';
import type { TransportFactory } from './types.ts';
import { UdpConnector } from './udp-connector.ts';
import { UdpListener } from './udp-listener.ts';

export { listSerialPorts } from './serial-ports.ts';

/** The lines of this computer: TCP, UDP, and the serial ports, of which all channels of a process share one set. */
export function createTransports(clock: Clock, serial = new SerialLines(clock)): TransportFactory {
  return {
    connector(line) {
      if (line.kind === 'serial') return new SerialConnector(serial, line, clock);
      return line.kind === 'udp' ? new UdpConnector(line, clock) : new TcpConnector(line, clock);
    },
    listener(line) {
      // a slave on a serial port sends and receives on a connector: nobody connects there
      if (line.kind === 'serial') throw new AppError('INTERNAL', say('transport.no_serial_peers'));
      return line.kind === 'udp' ? new UdpListener(line, clock) : new TcpListener(line, clock);
    },
  };
}
