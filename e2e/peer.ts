import { once } from 'node:events';
import { createServer } from 'node:net';
import { type IServiceVector, ServerTCP } from 'modbus-serial';

/** A Modbus TCP device that shares no code with Loopcheck. */
export interface Peer {
  readonly port: number;
  readonly registers: Uint16Array;
  readonly coils: boolean[];
  /** Requests for registers so far. */
  reads(): number;
  close(): Promise<void>;
}

/** A loopback port that nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** Starts a device of modbus-serial on a free loopback port: unit 1 with registers and coils from 0 on. `refused`: an address that it says no to. */
export async function startPeer(refused: number | null = null): Promise<Peer> {
  const registers = new Uint16Array(200);
  const coils: boolean[] = Array.from({ length: 50 }, () => false);
  let reads = 0;
  const vector: IServiceVector = {
    getHoldingRegister: (address: number) => {
      reads += 1;
      if (address === refused) throw Object.assign(new Error('no such address'), { modbusErrorCode: 2 });
      return registers[address] ?? 0;
    },
    getCoil: (address: number) => coils[address] ?? false,
    setRegister: (address: number, value: number) => {
      registers[address] = value;
    },
    setCoil: (address: number, value: boolean) => {
      coils[address] = value;
    },
  };
  const port = await freePort();
  const server = new ServerTCP(vector, { host: '127.0.0.1', port, unitID: 1 });
  await once(server, 'initialized');
  return {
    port,
    registers,
    coils,
    reads: () => reads,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
