import { AddChannelBody, type ChannelSettings } from '#shared/contract/channels.ts';
import { TABLE_MEDIA_TYPES } from '#shared/contract/point-files.ts';
import type { ComparedPoint, Comparison as ComparisonAnswer, Difference, SideFacts } from '#shared/contract/table-compare.ts';
import { ConnType } from '#shared/domain/enums.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { say } from '#shared/messages/index.ts';
import type { ProtocolDriver } from '../../drivers/spi/index.ts';
import { Turns } from '../../platform/turns.ts';
import { toDriverSettings } from '../../runtime/settings.ts';
import { withProtocolDefaults } from '../channel-settings.ts';
import type { Handlers } from '../handlers.ts';
import type { PointChanger } from '../point-changes/point-changer.ts';
import type { ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import type { TableChanges } from '../table-changes.ts';
import type { CompareTable } from './compare-tables.ts';
import {
  type Comparison,
  type ComparisonSide,
  type DifferenceRow,
  isCurrent,
  type KeptPoint,
  keepOutcome,
  ROWS_A_LOOK,
  type TakenSide,
  targetOf,
} from './comparison.ts';
import { keptOf } from './kept.ts';
import { takeSide } from './sides.ts';
import { takeOver } from './take-over.ts';
import { ChannelTouches } from './touches.ts';

type CompareHandlers = Pick<
  Handlers,
  'giveCompareFile' | 'comparePoints' | 'comparison' | 'comparisonRows' | 'exportComparison' | 'takeDifferences'
>;

const DEFAULT_PAGE = 100;

/** Two point tables compared: made, looked at, written as a file, taken over. */
export function tableCompareHandlers(deps: ServiceDeps, tables: TableChanges, changer: PointChanger): CompareHandlers {
  const session = () => deps.projects.current();
  const comparisonOf = (id: string) => keptOf(session()).comparison(id);
  return {
    async giveCompareFile({ file }) {
      const kept = { id: deps.facts.newId(), name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
      keptOf(session()).giveFile(kept);
      return { file_id: kept.id, name: kept.name, octets: kept.bytes.length };
    },
    async comparePoints({ before: asked, after: askedAfter, protocol_type }) {
      if (JSON.stringify(asked) === JSON.stringify(askedAfter)) throw invalidField('after', say('table.itself'));
      const before = await takeSide(session(), tables, asked);
      const after = await takeSide(session(), tables, askedAfter);
      if (protocol_type !== undefined) await deps.drivers.load?.(protocol_type);
      const table = tableOf(deps, before, after, protocol_type);
      const outcome = await deps.tables.compare(before.input, after.input, table);
      const made = { id: deps.facts.newId(), madeAt: isoTime(deps.clock.wallMs()), driver: table.driver };
      const comparison = await keepOutcome(made, before, after, outcome, new Turns());
      keptOf(session()).keep(comparison);
      return answerOf(deps, comparison);
    },
    comparison: ({ comparison_id }) => answerOf(deps, comparisonOf(comparison_id)),
    async comparisonRows({ comparison_id, kind, search = '', page = 1, page_size = DEFAULT_PAGE }) {
      const comparison = comparisonOf(comparison_id);
      const rows = await shownRows(comparison, kind, search.trim().toLowerCase());
      const target = targetOf(comparison);
      const touches = target ? await ChannelTouches.of(deps, target) : null;
      const items = rows.slice((page - 1) * page_size, page * page_size).map((row) => differenceOf(row, touches));
      return { total: rows.length, items };
    },
    async exportComparison({ comparison_id, format = 'xlsx', lang = 'en' }) {
      const { driver, rows, counts, madeAt, before, after } = comparisonOf(comparison_id);
      const about = { before: before.name, after: after.name, madeAt, counts, language: lang };
      const exported = rows.map(({ kind, before: was, after: is, fields, faults }) => ({
        kind,
        before: was?.point ?? null,
        after: is?.point ?? null,
        fields: fields.map(({ field }) => field),
        faults: faults.map(({ message }) => message),
      }));
      const bytes = await deps.tables.comparisonFile(format, driver, about, exported);
      return { name: `comparison.${format}`, mediaType: TABLE_MEDIA_TYPES[format], bytes };
    },
    async takeDifferences({ comparison_id, codes, kinds }, context) {
      const comparison = comparisonOf(comparison_id);
      await targetOf(comparison)?.modelReady();
      return takeOver(changer, { comparison, codes, kinds, context });
    },
  };
}

/** What the tables are checked with. Throws `CONFIG_INVALID` for tables of two protocols. */
function tableOf(
  deps: ServiceDeps,
  before: TakenSide,
  after: TakenSide,
  protocolType: ComparisonAnswer['protocol_type'] | undefined,
): CompareTable {
  const [one, other] = [before.channel, after.channel];
  if (one && other && !isOneTable(one.driver, other.driver)) {
    const names = { before: before.name, after: after.name };
    const [protocol, second] = [one, other].map(({ settings }) => protocolFacts(settings.protocol_type).name);
    throw invalidField('after', say('table.other_protocol', { ...names, protocol: protocol ?? '', other: second ?? '' }));
  }
  const channel = one ?? other;
  if (channel) return { driver: channel.driver, settings: toDriverSettings(channel.settings, channel.driver), model: channel.model() };
  const driver = protocolType === undefined ? undefined : deps.drivers.find(protocolType);
  if (protocolType === undefined || !driver) throw invalidField('protocol_type', say('table.protocol_needed'));
  return { driver, settings: toDriverSettings(defaultSettings(protocolType), driver), model: null };
}

/** A channel of this protocol about which nothing was said. */
function defaultSettings(protocol_type: ComparisonAnswer['protocol_type']): ChannelSettings {
  return withProtocolDefaults(AddChannelBody.parse({ name: 'file', protocol_type, conn_type: ConnType.tcpClient }));
}

/** True when both protocols have points with the same settings: Modbus over either line. */
function isOneTable(one: ProtocolDriver, other: ProtocolDriver): boolean {
  return one.descriptor.pointSettings === other.descriptor.pointSettings && one.descriptor.pointFields === other.descriptor.pointFields;
}

async function shownRows({ rows }: Comparison, kind: Difference['kind'] | undefined, words: string): Promise<readonly DifferenceRow[]> {
  if (kind === undefined && words === '') return rows;
  const turns = new Turns();
  const shown: DifferenceRow[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_A_LOOK === 0) await turns.breathe();
    if ((kind === undefined || row.kind === kind) && (words === '' || textOf(row).includes(words))) shown.push(row);
  }
  return shown;
}

function textOf({ before, after, fields }: DifferenceRow): string {
  const points = [before, after].flatMap((kept) => (kept ? [kept.point.code, kept.point.name, kept.point.reference] : []));
  const values = fields.flatMap((field) => [field.field, field.before, field.after]);
  return [...points, ...values].join('\n').toLowerCase();
}

async function answerOf(deps: ServiceDeps, comparison: Comparison): Promise<ComparisonAnswer> {
  const target = targetOf(comparison);
  const touches = target ? await (await ChannelTouches.of(deps, target)).ofAll(comparison.rows) : null;
  return {
    comparison_id: comparison.id,
    made_at: comparison.madeAt,
    protocol_type: comparison.driver.descriptor.protocolType,
    before: sideFacts(comparison.before),
    after: sideFacts(comparison.after),
    counts: comparison.counts,
    is_current: isCurrent(comparison),
    can_take: target !== null,
    touches,
  };
}

function sideFacts({ of, name, channel, stepId, size, counts, errors, warnings }: ComparisonSide): SideFacts {
  return {
    of,
    channel_id: channel?.id ?? null,
    step_id: stepId,
    name,
    points: size,
    counts,
    errors: [...errors],
    warnings: [...warnings],
  };
}

function differenceOf({ code, kind, matched, before, after, fields, faults }: DifferenceRow, touches: ChannelTouches | null): Difference {
  return {
    code,
    kind,
    matched,
    before: before && pointFacts(before),
    after: after && pointFacts(after),
    fields: [...fields],
    faults: [...faults],
    touches: touches?.ofRow({ code, kind, matched, before, after, fields, faults }) ?? null,
  };
}

function pointFacts({ point, id, place }: KeptPoint): ComparedPoint {
  const { frame_type, code, name, slave_id, address, reference, func_code, decode, bit } = point;
  return {
    point_id: id,
    frame_type,
    code,
    name,
    slave_id,
    address,
    reference,
    func_code,
    decode,
    bit,
    sheet: place?.sheet ?? '',
    row: place?.row ?? null,
  };
}
