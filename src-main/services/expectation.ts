import type { WriteExpectation } from '#shared/contract/points.ts';
import { AppError, fieldIssue } from '#shared/domain/errors.ts';
import { hexAddress, PLAIN_NOTATION, slaveText } from '#shared/domain/notation.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { FoundPoint } from './lookup.ts';
import type { ProjectSession } from './ports.ts';

/** A request that was meant for another project does nothing in this one. Throws `STATE_CONFLICT`. */
export function requireSession({ id }: ProjectSession, meant: string): void {
  if (meant !== id) throw new AppError('STATE_CONFLICT', say('service.meant_other_project'));
}

/** The same id means another point in another project. Throws `STATE_CONFLICT` where that was not the one that is open now. */
export function requireProject({ id }: ProjectSession, expected: WriteExpectation | undefined): void {
  const agreed = expected?.project_session;
  if (agreed === undefined || agreed === id) return;
  const said = say('service.expected_project');
  throw new AppError('STATE_CONFLICT', said, { data: [fieldIssue('expect.project_session', said)] });
}

/** A point may have been edited since somebody agreed to a write. Throws `STATE_CONFLICT` with everything that is otherwise now. */
export function requireExpected(found: FoundPoint, expected: WriteExpectation | undefined): void {
  if (!expected) return;
  const differences = differencesOf(found, expected);
  if (differences.length === 0) return;
  const said = say('service.expected_point', { point: found.point.id, differences: differences.map(([, difference]) => difference) });
  throw new AppError('STATE_CONFLICT', said, { data: differences.map(([field, difference]) => fieldIssue(`expect.${field}`, difference)) });
}

function differencesOf({ point, channel }: FoundPoint, agreed: WriteExpectation): (readonly [field: string, difference: Message])[] {
  const notation = channel.driver.descriptor.notation ?? PLAIN_NOTATION;
  const address = (value: number) => (notation.address.form === 'hexadecimal' ? hexAddress(value, notation) : value);
  const bit = (value: number | null) => value ?? '–';
  const all = [
    ['code', point.code === agreed.code, say('service.expected_code', { now: point.code, agreed: agreed.code })],
    [
      'address',
      point.address === agreed.address,
      say('service.expected_address', { now: address(point.address), agreed: address(agreed.address) }),
    ],
    [
      'reference',
      point.reference === agreed.reference,
      say('service.expected_reference', { now: point.reference, agreed: agreed.reference }),
    ],
    [
      'slave_id',
      agreed.slave_id === undefined || point.slave_id === agreed.slave_id,
      say('service.expected_slave', { now: slaveText(point.slave_id, notation), agreed: slaveText(agreed.slave_id ?? 0, notation) }),
    ],
    [
      'bit',
      agreed.bit === undefined || point.bit === agreed.bit,
      say('service.expected_bit', { now: bit(point.bit), agreed: bit(agreed.bit ?? null) }),
    ],
  ] as const;
  return all.flatMap(([field, isSame, difference]) => (isSame ? [] : [[field, difference] as const]));
}
