/** A point of the device below a gateway. */
export interface GatewayPoint {
  readonly frame_type: 0 | 1;
  readonly code: string;
  readonly address: number;
  readonly decode: string;
}

/** Measurements and signals of the device below, by Modbus. */
export function gatewayPoints(measurements: number, signals: number): GatewayPoint[] {
  return [
    ...Array.from({ length: measurements }, (_, at) => ({ frame_type: 0 as const, code: `P${at}`, address: at + 1, decode: '0x21' })),
    ...Array.from({ length: signals }, (_, at) => ({ frame_type: 1 as const, code: `S${at}`, address: at + 1, decode: '0x20' })),
  ];
}

/** The same point as the gateway serves it by IEC 104: short floating point numbers from 0x4001, single points from 1. */
export function servedAbove({ frame_type, code, address }: GatewayPoint): GatewayPoint {
  return { frame_type, code, address: frame_type === 0 ? 0x4000 + address : address, decode: '0x42' };
}
