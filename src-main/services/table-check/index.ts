import type { TableCheck, TableFinding } from '#shared/contract/table-check.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { FINDING_RULES, type FindingRule } from '#shared/domain/table-findings.ts';
import { firstOf, say } from '#shared/messages/index.ts';
import type { NormalPoint, PointConfig } from '../../drivers/spi/index.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { CallContext, Handlers } from '../handlers.ts';
import { findChannel } from '../lookup.ts';
import type { PointOp } from '../point-changes/change-plan.ts';
import type { PointChanger } from '../point-changes/point-changer.ts';
import { stepName } from '../point-changes/step-name.ts';
import { changedFields } from '../point-diff.ts';
import { issueText } from '../point-files/issue-texts.ts';
import type { ServiceDeps } from '../ports.ts';
import { changeIgnored, ignoredOf } from './ignored.ts';
import { type CheckedTable, type PointFinding, TableChecks } from './table-checks.ts';

type TableCheckHandlers = Pick<Handlers, 'tableCheck' | 'mendFindings' | 'ignoreFindings'>;

const DEFAULT_PAGE = 100;

/** What is wrong in the tables of channels: told, mended where that is certain, ignored. */
export function tableCheckHandlers(deps: ServiceDeps, changer: PointChanger): TableCheckHandlers {
  const checks = new TableChecks(deps);
  const channelOf = (id: number) => findChannel(deps.projects.current(), id);
  const settings = () => deps.projects.current().store.settings;
  return {
    async tableCheck({ channel_id, rule, severity, ignored = 'hide', page = 1, page_size = DEFAULT_PAGE }) {
      const channel = channelOf(channel_id);
      const checked = await checks.of(channel);
      const left = ignoredOf(settings(), channel_id);
      const shown = checked.listed.filter(
        (finding) =>
          (rule === undefined || finding.rule === rule) &&
          (severity === undefined || finding.severity === severity) &&
          (ignored === 'show' || left.has(finding.key) === (ignored === 'only')),
      );
      const rows = shown.slice((page - 1) * page_size, page * page_size);
      return {
        revision: checked.revision,
        is_current: checked.revision === checks.revisionOf(channel),
        points: checked.size,
        ...talliesOf(checked, left),
        total: shown.length,
        items: rows.flatMap((finding) => findingRow(channel, finding, left) ?? []),
      };
    },
    async mendFindings({ channel_id, revision, keys, rule }, context) {
      const channel = channelOf(channel_id);
      const checked = await checks.of(channel);
      const requireStill = () => {
        if (checked.revision !== revision || checks.revisionOf(channel) !== revision)
          throw new AppError('STATE_CONFLICT', say('table.changed', { channel: channel.settings.name }));
      };
      requireStill();
      const left = ignoredOf(settings(), channel_id);
      const chosen = chosenFindings(checked, { keys, rule }).filter((finding) => keys !== undefined || !left.has(finding.key));
      const mendable = keys === undefined ? chosen.filter(({ mend }) => mend !== null) : chosen;
      return mendAll(changer, { channel, findings: mendable, requireStill, context });
    },
    async ignoreFindings({ channel_id, keys, rule, ignored }) {
      const channel = channelOf(channel_id);
      const before = ignoredOf(settings(), channel_id);
      // what is brought back need not be found any more
      const named = ignored || keys === undefined ? chosenFindings(await checks.of(channel), { keys, rule }).map(({ key }) => key) : keys;
      const after = changeIgnored(settings(), channel_id, named, ignored);
      return { changed: named.filter((key) => before.has(key) !== after.has(key)).length, ignored: after.size };
    },
  };
}

interface Chosen {
  readonly keys: readonly string[] | undefined;
  readonly rule: FindingRule | undefined;
}

/** Throws `CONFIG_INVALID` where neither keys nor a rule, or both, are named, `CONFIG_NOT_FOUND` for keys that nothing is found by. */
function chosenFindings({ listed }: CheckedTable, { keys, rule }: Chosen): PointFinding[] {
  if ((keys === undefined) === (rule === undefined)) throw invalidField('keys', say('table.keys_or_rule'));
  if (keys === undefined) return listed.filter((finding) => finding.rule === rule);
  const byKey = new Map(listed.map((finding) => [finding.key, finding]));
  const missing = keys.filter((key) => !byKey.has(key));
  if (missing.length > 0) throw new AppError('CONFIG_NOT_FOUND', say('table.no_finding', { keys: firstOf(missing) }));
  return [...new Set(keys)].flatMap((key) => byKey.get(key) ?? []);
}

interface MendRequest {
  readonly channel: ChannelRuntime;
  readonly findings: readonly PointFinding[];
  readonly context: CallContext;
  requireStill(): void;
}

/** All or none, in one step of the history. Throws `CONFIG_INVALID` for findings without a mend. */
function mendAll(changer: PointChanger, { channel, findings, context, requireStill }: MendRequest) {
  const open = findings.flatMap(({ mend, pointId }) => (mend === null ? [`"${channel.points.config(pointId)?.code ?? pointId}"`] : []));
  if (open.length > 0) throw invalidField('keys', say('table.no_mend', { points: firstOf(open) }));
  const changes = new Map<number, Partial<NormalPoint>>();
  for (const { pointId, mend } of findings) changes.set(pointId, { ...changes.get(pointId), ...mend });
  const ops = [...changes].flatMap(([id, fields]): PointOp[] => {
    const point = channel.points.config(id);
    return point ? [{ op: 'edit', id, frameType: point.frame_type, changes: fields as Extract<PointOp, { op: 'edit' }>['changes'] }] : [];
  });
  if (ops.length === 0) throw invalidField('rule', say('table.nothing_to_mend'));
  const request = { channel, ops, pathOf: (index: number) => `points.${index}`, placeOfAll: 'points', context, requireStill };
  return changer.make(request, stepName('mend'), async ({ stepId }) => ({ mended: findings.length, points: ops.length, step_id: stepId }));
}

type Tallies = Pick<TableCheck, 'counts' | 'rules'>;

/** Tallies of what was found, as long as nothing else is ignored. */
const known = new WeakMap<CheckedTable, { readonly left: ReadonlySet<string>; readonly tallies: Tallies }>();

function talliesOf(checked: CheckedTable, left: ReadonlySet<string>): Tallies {
  const before = known.get(checked);
  if (before?.left === left) return before.tallies;
  const rules = new Map<FindingRule, TableCheck['rules'][number]>();
  for (const rule of FINDING_RULES) {
    const found = checked.counts.get(rule);
    if (found) rules.set(rule, { rule, ...found, ignored: 0, mendable: 0 });
  }
  for (const { rule, severity, mend, key } of checked.listed) {
    const own = rules.get(rule as FindingRule);
    if (own && left.has(key)) {
      own.ignored += 1;
      own[severity] -= 1;
    } else if (own && mend) own.mendable += 1;
  }
  const counts = { error: 0, warning: 0, hint: 0, ignored: 0 };
  for (const own of rules.values()) for (const name of ['error', 'warning', 'hint', 'ignored'] as const) counts[name] += own[name];
  const tallies = { counts, rules: [...rules.values()] };
  known.set(checked, { left, tallies });
  return tallies;
}

function findingRow(channel: ChannelRuntime, finding: PointFinding, left: ReadonlySet<string>): TableFinding | undefined {
  const point = channel.points.config(finding.pointId);
  if (!point) return undefined;
  const { rule, severity, params, field, mend } = finding;
  return {
    key: finding.key,
    rule: rule as FindingRule,
    severity,
    params,
    message: issueText(rule, params),
    point_id: point.id,
    frame_type: point.frame_type,
    code: point.code,
    name: point.name,
    address: point.address,
    reference: point.reference,
    field,
    mend: mend && changedFields(point, mended(point, mend)),
    ignored: left.has(finding.key),
  };
}

function mended(point: PointConfig, mend: Partial<NormalPoint>): NormalPoint {
  return { ...point, ...mend };
}
