import type { BulkChange, BulkKind } from '#shared/contract/points-edit.ts';
import { type FieldIssue, fieldIssue, invalidInput } from '#shared/domain/errors.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { say } from '#shared/messages/index.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { boundedIssues } from '../field-messages.ts';
import type { Handlers } from '../handlers.ts';
import { findChannel } from '../lookup.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { RowTexts } from '../row-text.ts';
import type { PointOp } from './change-plan.ts';
import { PlacedRows } from './placed-rows.ts';
import type { PointChanger } from './point-changer.ts';
import { moveName, type StepName, stepName } from './step-name.ts';

/** Many changes of points in one step. */
export function bulkHandlers(deps: ServiceDeps, changer: PointChanger): Pick<Handlers, 'bulkPoints'> {
  const placed = new PlacedRows(new RowTexts(), 'null');
  return {
    async bulkPoints({ channel_id, changes, kind = 'bulk' }, context) {
      const session = deps.projects.current();
      const channel = findChannel(session, channel_id);
      const targets = targetsOf(session, channel, changes);
      for (const each of [channel, ...targets.values()]) await each.modelReady();
      // the fields of a new point stand one level deeper
      const pathOf = (index: number) => `changes.${index}${changes[index]?.op === 'add' ? '.point' : ''}`;
      const ops = changes.map((change) => opOf(change, targets));
      const count = (op: BulkChange['op']) => changes.filter((change) => change.op === op).length;
      const counts = { added: count('add'), edited: count('edit'), deleted: count('delete'), moved: count('move') };
      const begin = `${JSON.stringify(counts).slice(0, -1)},`;
      const name = nameOf(kind, counts.moved === changes.length ? [...targets.values()] : []);
      return changer.make({ channel, ops, pathOf, placeOfAll: 'changes', context }, name, (done) => placed.answer(begin, done));
    },
  };
}

/** A step that moved all its points to one place is named by it, whatever it was called. */
function nameOf(kind: BulkKind, targets: readonly ChannelRuntime[]): StepName {
  const [target] = targets;
  if (target && targets.length === 1) return moveName(target.settings.name);
  return stepName(kind === 'move' ? 'bulk' : kind);
}

/** The channels that points are moved to. Throws `CONFIG_NOT_FOUND`, and `CONFIG_INVALID` for one that cannot take them. */
function targetsOf(session: ProjectSession, own: ChannelRuntime, changes: readonly BulkChange[]): Map<number, ChannelRuntime> {
  const targets = new Map<number, ChannelRuntime>();
  const issues: FieldIssue[] = [];
  for (const [index, change] of changes.entries()) {
    if (change.op !== 'move') continue;
    const target = targets.get(change.channel_id) ?? findChannel(session, change.channel_id);
    targets.set(change.channel_id, target);
    const path = `changes.${index}.channel_id`;
    const { name, protocol_type: other } = target.settings;
    if (target === own) issues.push(fieldIssue(path, say('edit.move_here')));
    else if (other !== own.settings.protocol_type) {
      const words = { protocol: protocolFacts(own.settings.protocol_type).name, channel: name, other: protocolFacts(other).name };
      issues.push(fieldIssue(path, say('edit.move_protocol', words)));
    }
  }
  if (issues.length > 0) throw invalidInput(boundedIssues(issues));
  return targets;
}

function opOf(change: BulkChange, targets: ReadonlyMap<number, ChannelRuntime>): PointOp {
  if (change.op === 'add') return change;
  const { op, point_id: id, frame_type: frameType, ...rest } = change;
  if (op === 'delete') return { op, id, frameType };
  if (op === 'edit') return { op, id, frameType, changes: rest };
  const { channel_id, ...changes } = rest as Extract<BulkChange, { op: 'move' }>;
  const to = targets.get(channel_id);
  if (!to) throw new RangeError(`channel ${channel_id} was not looked up`);
  return { op, id, frameType, to, changes };
}
