/** The comparator: bare modbus-serial, one read after the other, nothing done with the values. */
import ModbusRTU from 'modbus-serial';
import { servePeer } from './child.ts';

type Request = { readonly kind: 'connect'; readonly port: number } | { readonly kind: 'read'; readonly ms: number };

const client = new ModbusRTU();

servePeer<Request>(async (request) => {
  if (request.kind === 'connect') {
    await client.connectTCP('127.0.0.1', { port: request.port });
    client.setID(1);
    client.setTimeout(1000);
    return {};
  }
  const before = process.cpuUsage();
  const end = performance.now() + request.ms;
  let reads = 0;
  while (performance.now() < end) {
    await client.readHoldingRegisters((reads % 80) * 125, 125);
    reads += 1;
  }
  const used = process.cpuUsage(before);
  return { cpuUs: used.user + used.system, reads };
});
