import { initial } from './0001-initial.ts';
import { auditOperations } from './0002-audit-operations.ts';
import { documents } from './0003-documents.ts';
import { channelSums } from './0004-channel-sums.ts';
import { pointLoads } from './0005-point-loads.ts';
import { removedChannels } from './0006-removed-channels.ts';
import { auditMessages } from './0007-audit-messages.ts';
import { pointSteps } from './0008-point-steps.ts';
import { touchedSetpoints } from './0009-touched-setpoints.ts';
import { channelGroups } from './0010-channel-groups.ts';
import { checks } from './0011-checks.ts';
import { checkFiles } from './0012-check-files.ts';
import { auditCallers } from './0013-audit-callers.ts';
import { series } from './0014-series.ts';
import { checkServices } from './0015-check-services.ts';
import { writesUnderWay } from './0016-writes-under-way.ts';

/** One step of the schema as SQL; step n leads from version n - 1 to version n. A released step is never changed. */
export const migrations: readonly string[] = [
  initial,
  auditOperations,
  documents,
  channelSums,
  pointLoads,
  removedChannels,
  auditMessages,
  pointSteps,
  touchedSetpoints,
  channelGroups,
  checks,
  checkFiles,
  auditCallers,
  series,
  checkServices,
  writesUnderWay,
];
