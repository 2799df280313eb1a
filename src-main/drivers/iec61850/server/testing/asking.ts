/** Questions to a served channel, and a point table for it. */
import { expect } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { ExchangeContext, PointConfig } from '../../../spi/index.ts';
import { testPoint } from '../../../testing/points.ts';
import { exchangeContext } from '../../../testing/sinks.ts';
import type { MmsClient } from '../../association/mms-client.ts';
import type { MmsRequest, MmsResponse } from '../../mms/pdu.ts';
import type { MmsValue } from '../../mms/types.ts';
import { named, outcome, reading } from './served-channel.ts';

const { yc, yx, yk, yt } = FrameType;
/** A point of this type and reference. */
export const point = (id: number, frameType: FrameType, reference: string, changes: Partial<PointConfig> = {}) =>
  testPoint({ id, frame_type: frameType, reference, code: `P${id}`, name: `point ${id}`, ...changes });

/** A small table with a point of every kind. */
export const TABLE: readonly PointConfig[] = [
  point(1, yc, 'BAY1LD0/MMXU1.TotW.mag.f[MX]', { mul_coe: 0.001, unit: 'kW' }),
  point(2, yc, 'BAY1LD0/MMXU1.PhV.phsA.cVal.mag.f[MX]'),
  point(3, yx, 'BAY1LD0/GGIO1.Ind1.stVal[ST]'),
  point(4, yx, 'BAY1LD0/XCBR1.Pos.stVal[ST]'),
  point(5, yt, 'BAY1LD0/PTOC1.StrVal.setMag.f[SP]'),
  point(6, yk, 'BAY1LD0/GGIO1.SPCSO1[CO]'),
  point(7, yc, 'BAY1LD0/MMTR1.TotWh.actVal[ST]'),
  point(8, yx, 'BAY1LD0/GGIO1.IntIn1.stVal[ST]'),
];

/** The response of a service. */
export type Response<Service extends MmsResponse['service']> = Extract<MmsResponse, { service: Service }>;

/** The response to a request that must succeed. */
export async function ask<const Request extends MmsRequest>(client: MmsClient, request: Request): Promise<Response<Request['service']>> {
  const answer = (await outcome(client, request)) as MmsResponse | string;
  if (typeof answer === 'string') throw new Error(answer);
  expect(answer.service).toBe(request.service);
  return answer as Response<Request['service']>;
}

/** Result of reading one variable. */
export async function value(client: MmsClient, key: string): Promise<unknown> {
  const answer = (await outcome(client, reading(key))) as Response<'read'>;
  return answer.results[0];
}

/** A Write of one variable. */
export function writing(key: string, value: MmsValue): MmsRequest {
  return { service: 'write', spec: { kind: 'variables', items: [{ name: named(key), access: null }] }, values: [value] };
}

/** DataAccessError of a Write; null for success. */
export async function write(client: MmsClient, key: string, value: MmsValue): Promise<number | null> {
  const answer = (await outcome(client, writing(key, value))) as Response<'write'>;
  return answer.results[0]?.code ?? null;
}

/** All names of a class, page by page. */
export async function names(client: MmsClient, objectClass: number, domain: string | null): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const scope = domain === null ? ({ scope: 'vmd' } as const) : ({ scope: 'domain', domain } as const);
    const page = await ask(client, { service: 'get-name-list', objectClass, scope, continueAfter: found.at(-1) ?? null });
    found.push(...page.names);
    if (!page.moreFollows) return found;
  }
}

/** A FLOAT32. */
export const float = (value: number): MmsValue => ({ kind: 'float', value, width: 32 });
/** An unsigned value. */
export const unsigned = (value: number): MmsValue => ({ kind: 'unsigned', value });

/** Context of a read or command. */
export const context = (): ExchangeContext => exchangeContext();
