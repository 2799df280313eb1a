import { describeRegisters } from '#shared/domain/registers.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { NormalPoint } from '../../drivers/spi/index.ts';
import type { Steps } from '../../platform/steps.ts';
import { type LookedTable, POINTS_A_STEP, type Tell } from './finding.ts';

/** Points that have to agree before another unit is told as different, or a factor that is missing is theirs. */
export const LEAST_ALIKE = 3;
/** The usual unit is that of so many times more points than have another one. */
const USUAL_SHARE = 3;

/** Units that differ among points of like names: `Cell 1 voltage`, `Cell 2 voltage`, filed under the same heads. */
export function* unitRules(table: LookedTable, tell: Tell): Steps<void> {
  const groups = new Map<string, number[]>();
  for (const [at, point] of table.points.entries()) {
    if (at % POINTS_A_STEP === 0) yield;
    if (!table.driver.descriptor.pointFields[point.frame_type].includes('unit')) continue;
    const key = groupKey(point);
    const group = groups.get(key);
    if (group) group.push(at);
    else groups.set(key, [at]);
  }
  let looked = 0;
  for (const group of groups.values()) {
    looked += group.length;
    if (looked > POINTS_A_STEP) {
      looked = 0;
      yield;
    }
    tellGroup(group, table, tell);
  }
}

/** The same for points of like names: they differ in their numbers alone, and are filed under the same heads. */
export function groupKey({ frame_type, category, item, name }: NormalPoint): string {
  return JSON.stringify([frame_type, category, item, name.trim().replace(/\d+/g, '#')]);
}

function tellGroup(group: readonly number[], table: LookedTable, tell: Tell): void {
  const unitOf = (at: number) => table.points[at]?.unit ?? '';
  const counts = new Map<string, number>();
  for (const at of group) counts.set(unitOf(at), (counts.get(unitOf(at)) ?? 0) + 1);
  if (counts.size === 1) return;
  const [usual, count] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most));
  if (usual === '' || count < LEAST_ALIKE || count < USUAL_SHARE * (group.length - count)) return;
  const like = new Set(group.filter((at) => unitOf(at) === usual).map((at) => scaleOf(table.points[at])));
  for (const at of group) {
    const unit = unitOf(at);
    if (unit === usual || !table.isOwn(at)) continue;
    // written otherwise, or left out at one that is scaled as the others, which all agree
    const isLeftOut = unit === '' && counts.size === 2 && like.size === 1 && like.has(scaleOf(table.points[at]));
    const isCertain = plain(unit) === plain(usual) || isLeftOut;
    const params = { unit: shown(unit), count, usual: shown(usual) };
    const mend = isCertain ? { unit: usual } : null;
    tell({ rule: 'unit_differs', severity: 'warning', params, at, field: 'unit', about: `${unit} ${usual}`, mend });
  }
}

/** How a value comes from what is read. */
function scaleOf(point: NormalPoint | undefined): string {
  return point ? `${readAs(point)} ${point.mul_coe} ${point.add_coe}` : '';
}

/** The same for points whose octets are read as the same, before factor and offset. */
export function readAs(point: NormalPoint): string {
  return `${point.func_code} ${describeRegisters(point)}${point.protocol.scale_address === undefined ? '' : ' scaled'}`;
}

/** Letter case counts: mW is not MW. */
function plain(unit: string): string {
  return unit.normalize('NFKC').replace(/\s/g, '');
}

function shown(unit: string): Message {
  return unit === '' ? say('table.no_text_there') : say('table.text', { text: unit });
}
