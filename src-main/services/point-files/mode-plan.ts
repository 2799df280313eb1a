import type { ImpossibleBits } from '#shared/contract/point-files.ts';
import { type FieldIssue, issueMessage } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import type { DriverChannelSettings, NormalPoint, PointConfig, PointDraft, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { DeviceModelView } from '../../drivers/spi/model.ts';
import { runInTurns } from '../../platform/steps.ts';
import { Turns } from '../../platform/turns.ts';
import { checkProtocolSettings } from '../channel-settings.ts';
import { normalPoint } from '../normal-point.ts';
import { changedFields } from '../point-diff.ts';
import { ruleOfIssue, scaleFinding } from '../table-check/point-issues.ts';
import { sheetOf } from './columns.ts';
import { type Findings, newFindings } from './issues.ts';
import type { PlannedPoint } from './planned-point.ts';
import { placeOf, ROWS_A_LOOK, type TableRow } from './read-rows.ts';
import { draftOfRow } from './row-draft.ts';
import { checkTable } from './table-check.ts';

/** The table as it is, and what its protocol asks of a point. */
export interface PresentTable {
  readonly driver: ProtocolDriver;
  readonly settings: DriverChannelSettings;
  readonly points: readonly PointConfig[];
  /** What is known of the device, where the protocol has models; left out: nothing. */
  readonly model?: DeviceModelView | null;
}

/** What one mode would do; it may be done when `findings` has no error. */
export interface ModePlan {
  readonly mode: 'merge' | 'replace';
  readonly added: readonly PlannedPoint[];
  readonly changed: readonly PlannedPoint[];
  readonly unchanged: number;
  readonly removed: readonly PointConfig[];
  readonly findings: Findings;
}

/** Compares the rows with the present table and checks each point and the table that would come out. */
export async function planMode(
  mode: ModePlan['mode'],
  rows: readonly TableRow[],
  table: PresentTable,
  bits: ImpossibleBits,
): Promise<ModePlan> {
  const findings = newFindings();
  const byCode = new Map(table.points.map((point) => [point.code, point]));
  const planned: PlannedPoint[] = [];
  const [added, changed]: [PlannedPoint[], PlannedPoint[]] = [[], []];
  const check = new PointCheck(table, findings, bits);
  const { breathe } = new Turns();
  for (const [index, row] of rows.entries()) {
    const before = byCode.get(row.code);
    const point = check.normalize(row, before, mode);
    if (point) {
      const each = { row, point, before };
      planned.push(each);
      if (!before) added.push(each);
      else if (changedFields(before, point).length > 0) changed.push(each);
    }
    if (index % ROWS_A_LOOK === 0) await breathe();
  }
  const codes = new Set(rows.map((row) => row.code));
  const others = table.points.filter((point) => !codes.has(point.code));
  await breathe();
  await runInTurns(checkTable(planned, mode === 'merge' ? others : [], table.driver, findings.warnings), breathe);
  const unchanged = planned.length - added.length - changed.length;
  return { mode, added, changed, unchanged, removed: mode === 'replace' ? others : [], findings };
}

/** Makes points of rows and tells what is wrong with them. */
export class PointCheck {
  readonly #table: PresentTable;
  readonly #findings: Findings;
  readonly #bits: ImpossibleBits;
  readonly #withoutAddress = new Set<unknown>();

  constructor(table: PresentTable, findings: Findings, bits: ImpossibleBits) {
    this.#table = table;
    this.#findings = findings;
    this.#bits = bits;
  }

  /** The point of a row with every default filled in; undefined when something is wrong with it. */
  normalize(row: TableRow, before: PointConfig | undefined, mode: ModePlan['mode']): NormalPoint | undefined {
    const { point, isRight } = this.look(row, mode === 'merge' ? before : undefined);
    if (before && before.frame_type !== row.frameType) this.#warnType(row, before);
    return isRight ? point : undefined;
  }

  /** The point of a row as far as it can be made; what the file has no column for is as in `base`. */
  look(row: TableRow, base: NormalPoint | undefined): { readonly point: NormalPoint; readonly isRight: boolean } {
    const { driver } = this.#table;
    const count = this.#findings.errors.count;
    const draft = draftOfRow(row, base);
    const issues: FieldIssue[] = [];
    const context = { warn: (path: string, said: Message) => this.#warnSetting(row, path, said) };
    const protocol = checkProtocolSettings(driver.descriptor.pointSettings, draft.protocol, 'protocol', issues, context);
    const normal = this.#withoutBit(row, { ...draft, protocol });
    this.#checkScale(row, normal.point);
    const all = [...issues, ...normal.issues];
    for (const issue of all) this.#tell(row, issue, normal.point);
    for (const issue of normal.warnings ?? []) {
      this.#findings.warnings.add('setting_invalid', { field: issue.path, message: issueMessage(issue) }, this.#place(row, issue.path));
    }
    return { point: normal.point, isRight: all.length === 0 && this.#findings.errors.count === count };
  }

  /** The point with its bit, or without where none is possible and something else was asked for. */
  #withoutBit(row: TableRow, draft: PointDraft): ReturnType<typeof normalPoint> {
    const { driver, settings, model = null } = this.#table;
    const normal = normalPoint(driver, draft, settings, model);
    const { bit } = draft;
    const fault = normal.issues.find(({ path }) => path === 'bit');
    if (this.#bits === 'refuse' || bit === null || bit === undefined || !fault || draft.address === undefined) return normal;
    const isAddress = this.#bits === 'address';
    const address = isAddress ? draft.address + bit : draft.address;
    const params = isAddress ? { bit, address, message: issueMessage(fault) } : { bit, message: issueMessage(fault) };
    this.#findings.warnings.add(isAddress ? 'bit_as_address' : 'bit_left_out', params, this.#place(row, 'bit'));
    return normalPoint(driver, { ...draft, bit: null, address }, settings, model);
  }

  #checkScale(row: TableRow, point: NormalPoint): void {
    const { errors } = this.#findings;
    if (point.mul_coe === 0) errors.add('factor_zero', {}, this.#place(row, 'mul_coe'));
    const { min_limit: min, max_limit: max } = point;
    if (min !== null && max !== null && min > max) errors.add('limits_inverted', { min, max }, this.#place(row, 'min_limit'));
  }

  #tell(row: TableRow, issue: FieldIssue, point: NormalPoint): void {
    const { path } = issue;
    const { errors } = this.#findings;
    // told with the scale already
    if (scaleFinding(point, path)) return;
    if (path === 'address' && !row.values.has('address')) {
      this.#tellNoAddress(row);
      return;
    }
    const { rule, params } = ruleOfIssue(issue);
    errors.add(rule, params, this.#place(row, path));
  }

  /** A missing column is told once, not in each row. */
  #tellNoAddress(row: TableRow): void {
    const { errors } = this.#findings;
    const column = row.layout.columns.get('address');
    if (column) errors.add('required', { header: column.header }, this.#place(row, 'address'));
    else if (!this.#withoutAddress.has(row.layout))
      errors.add('header_missing', { header: '寄存器地址' }, { sheet: row.layout.sheet.name });
    this.#withoutAddress.add(row.layout);
  }

  #warnSetting(row: TableRow, path: string, message: Message): void {
    this.#findings.warnings.add('setting_invalid', { field: path, message }, this.#place(row, 'protocol'));
  }

  #warnType(row: TableRow, before: PointConfig): void {
    const params = { code: row.code, before: sheetOf(before.frame_type).name, after: sheetOf(row.frameType).name };
    this.#findings.warnings.add('type_changed', params, this.#place(row, 'code'));
  }

  #place(row: TableRow, key: string) {
    const { columns } = row.layout;
    const instead = key === 'protocol.format' ? 'address' : 'code';
    return placeOf(row.layout, row.row - 1, columns.get(key) ?? columns.get(instead) ?? columns.get('code'));
  }
}
