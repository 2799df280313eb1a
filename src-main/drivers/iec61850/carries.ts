import type { CarriedPoints, ExplainContext } from '../spi/index.ts';
import type { ModelDataSet } from '../spi/model.ts';
import { requestedNames } from './explain/summary.ts';
import { pduOf } from './explain.ts';
import type { MmsPdu } from './mms/pdu.ts';
import type { ObjectName } from './mms/types.ts';
import { dataSetName, keyOf, parseReference } from './model/references.ts';
import { decodeReport, isReport } from './reports/report.ts';

/**
 * Points whose attribute a request or report names, by itself or as the member of a data set, with an object that it lies in or a part of it; of an
 * answer those that its request names.
 */
export function carriedAttributes(
  bytes: Uint8Array,
  { request, dataSets }: Pick<ExplainContext, 'request' | 'dataSets'>,
): CarriedPoints | null {
  const pdu = pduOf(request ?? bytes);
  if (!pdu) return null;
  const names = [...requestedNames(pdu).filter((name) => typeof name === 'string'), ...membersOf(pdu, dataSets?.() ?? [])];
  if (names.length === 0) return null;
  const isWithin = (one: string, other: string) => one === other || one.startsWith(`${other}$`);
  return (point) => {
    const reference = parseReference(point.reference);
    if (!reference) return false;
    const key = keyOf(reference);
    return names.some((name) => isWithin(key, name) || isWithin(name, key));
  };
}

/** Members of the data set that a PDU reads, writes or reports; those that a report has. Empty where the set is not known. */
function membersOf(pdu: MmsPdu, dataSets: readonly ModelDataSet[]): readonly string[] {
  const setOf = (name: string | null) => dataSets.find((set) => set.name === name)?.members ?? [];
  if (pdu.kind === 'information-report') {
    if (!isReport(pdu.report)) return [];
    const report = reportOf(pdu.report);
    if (!report || report.dataSet === null) return [];
    const members = setOf(dataSetName(report.dataSet));
    return report.members.flatMap(({ place }) => members[place] ?? []);
  }
  if (pdu.kind !== 'request') return [];
  const { request } = pdu;
  const isAccess = request.service === 'read' || request.service === 'write';
  return isAccess && request.spec.kind === 'list' ? setOf(textOf(request.spec.name)) : [];
}

/** As the model has it: `LD/LN$name`, `@name` for one of the association. */
function textOf(name: ObjectName): string {
  return name.scope === 'domain' ? `${name.domain}/${name.item}` : `@${name.item}`;
}

function reportOf(report: Parameters<typeof decodeReport>[0]) {
  try {
    return decodeReport(report);
  } catch {
    return null;
  }
}
