import { fieldIssue, issueMessage } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverChannelSettings, PointDraft, ProtocolDriver } from '../drivers/spi/index.ts';
import type { DeviceModelView } from '../drivers/spi/model.ts';

type Normal = ReturnType<ProtocolDriver['normalizePoint']>;

/**
 * Fills in and checks a point by the rules of its protocol. Tables often write `bit` 0 in every row: where no bit is possible it is none, with a
 * warning (decisions, "Tables"); any other bit there is an error.
 */
export function normalPoint(
  driver: Pick<ProtocolDriver, 'normalizePoint'>,
  draft: PointDraft,
  settings: DriverChannelSettings,
  model: DeviceModelView | null = null,
): Normal {
  const normal = driver.normalizePoint(draft, settings, model);
  const reason = draft.bit === 0 ? normal.issues.find((issue) => issue.path === 'bit') : undefined;
  if (!reason) return normal;
  const without = driver.normalizePoint({ ...draft, bit: null }, settings, model);
  const warning = fieldIssue('bit', say('point.bit_none', { reason: issueMessage(reason) }));
  return { ...without, warnings: [...(without.warnings ?? []), warning] };
}
