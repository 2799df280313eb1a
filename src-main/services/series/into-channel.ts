import type { NewPoint } from '#shared/contract/points.ts';
import type { Series } from '#shared/contract/simulation.ts';
import { isServing } from '#shared/domain/enums.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { ChangeRequest, PointOp } from '../point-changes/change-plan.ts';
import type { PointChanger } from '../point-changes/point-changer.ts';
import type { StepName } from '../point-changes/step-name.ts';

/** Throws where a channel cannot serve what this driver found: `STATE_CONFLICT` for one that serves nothing, `CONFIG_INVALID` for one of another protocol. */
export function requireServing({ settings }: ChannelRuntime, { descriptor }: ProtocolDriver): void {
  const { name, conn_type, protocol_type } = settings;
  if (!isServing(conn_type)) throw new AppError('STATE_CONFLICT', say('simulation.client', { channel: name }));
  if (protocol_type === descriptor.protocolType) return;
  const [serves, protocol] = [protocol_type, descriptor.protocolType].map((type) => protocolFacts(type).name);
  throw invalidField('channel_id', say('capture.other_protocol', { channel: name, serves: serves ?? '', protocol: protocol ?? '' }));
}

/** A point as it stands in the table of a channel whose addresses may begin at another number than 0. */
export function placedIn({ settings, driver }: ChannelRuntime, point: NewPoint): NewPoint {
  const base = driver.descriptor.channelFields.includes('address_base') ? settings.address_base : 0;
  return { ...point, address: (point.address ?? 0) + base };
}

/** Recorded values that were stored for a take. */
export interface StoredValues {
  readonly series: Series;
  /** As it was before, where nobody changed it since. */
  takeBack(): void;
}

interface PutRequest extends Pick<ChangeRequest, 'channel' | 'context'> {
  readonly points: readonly NewPoint[];
  /** That they follow. */
  readonly file: string;
  /** Stores it, once nothing speaks against the points. */
  store(turns: Turns): Promise<StoredValues>;
}

interface Put {
  readonly series: Series;
  readonly added: number;
  readonly changed: number;
}

/** Stores recorded values and puts points that follow them into a table in one step. A point that is there already, with its code and in its place, keeps all but what it serves. */
export async function putInto(changer: PointChanger, { channel, points, file, context, store }: PutRequest): Promise<Put> {
  const ops = points.map((point) => opOf(channel, point));
  const added = ops.filter(({ op }) => op === 'add').length;
  const name: StepName = () => say('edit.take_capture', { file });
  const stored: StoredValues[] = [];
  const beforeMade = async (turns: Turns) => {
    stored.push(await store(turns));
  };
  const request = { channel, ops, pathOf: (index: number) => `points.${index}`, placeOfAll: 'points', context, beforeMade };
  try {
    const changed = ops.length - added;
    return await changer.make(request, name, async () => ({ series: (stored as [StoredValues])[0].series, added, changed }));
  } catch (thrown) {
    for (const each of stored) each.takeBack();
    throw thrown;
  }
}

function opOf({ points }: ChannelRuntime, point: NewPoint): PointOp {
  const id = points.byCode(point.code);
  const known = id === undefined ? undefined : points.config(id);
  if (!known || !isSamePlace(known, point)) return { op: 'add', point };
  return { op: 'edit', id: known.id, frameType: known.frame_type, changes: { protocol: { ...known.protocol, ...point.protocol } } };
}

const PLACE = ['frame_type', 'slave_id', 'func_code', 'address', 'bit'] as const;

/** What the protocol fills in by itself tells nothing. */
function isSamePlace(known: PointConfig, point: NewPoint): boolean {
  // where a name tells the place, the address is a mere number
  if (point.reference) return point.frame_type === known.frame_type && point.reference === known.reference;
  return PLACE.every((field) => point[field] === undefined || point[field] === known[field]);
}
