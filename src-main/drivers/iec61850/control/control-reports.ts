/** What a device says of a control by itself (IEC 61850-8-1, 20.8 and 20.9): why it was refused, and how it ended. */
import type { InformationReport, VariableSpec } from '../mms/pdu.ts';
import type { MmsResult, MmsValue } from '../mms/types.ts';

/** LastApplError: which control it is about, and why. */
export interface LastApplError {
  /** `LD/LN$CO$DO…` without the service. */
  readonly object: string;
  /** `Oper`, `SBOw`, `SBO`, `Cancel`; as the device wrote it. */
  readonly service: string;
  readonly error: number;
  readonly number: number;
  readonly addCause: number;
}

export type ControlReport =
  | { readonly kind: 'refusal'; readonly reason: LastApplError }
  /** `reason` is null for a control that was carried out. `oper` is what the device repeats of the Oper it ended. */
  | { readonly kind: 'termination'; readonly object: string; readonly oper: MmsValue | null; readonly reason: LastApplError | null };

const LAST_APPL_ERROR = 'LastApplError';
const OPERATE = 'Oper';

/** Reads a report; null for one that is about no control. A LastApplError whose members are not as the standard has them is none. */
export function readControlReport({ spec, results }: InformationReport): ControlReport | null {
  if (spec.kind !== 'variables') return null;
  let reason: LastApplError | null = null;
  let ended: { readonly object: string; readonly oper: MmsValue | null } | null = null;
  for (const [at, item] of spec.items.entries()) {
    const result = results[at];
    if (isLastApplError(item)) reason = readLastApplError(result);
    const object = operatedObject(item);
    if (object !== null) ended = { object, oper: result && result.kind !== 'failure' ? result : null };
  }
  if (ended) return { kind: 'termination', ...ended, reason };
  return reason && { kind: 'refusal', reason };
}

function isLastApplError({ name }: VariableSpec): boolean {
  return name.scope !== 'association' && name.item === LAST_APPL_ERROR;
}

/** The object of `LD/LN$CO$DO$Oper`; null for any other variable. */
function operatedObject({ name }: VariableSpec): string | null {
  if (name.scope !== 'domain') return null;
  const parts = name.item.split('$');
  return parts[1] === 'CO' && parts.at(-1) === OPERATE ? `${name.domain}/${parts.slice(0, -1).join('$')}` : null;
}

function readLastApplError(result: MmsResult | undefined): LastApplError | null {
  if (result?.kind !== 'structure') return null;
  const [object, error, , number, addCause] = result.items;
  if (object?.kind !== 'visible-string' && object?.kind !== 'mms-string') return null;
  const numbers = [error, number, addCause].map(wholeOf);
  if (numbers.includes(null)) return null;
  const at = object.text.lastIndexOf('$');
  const [code = 0, ctlNum = 0, cause = 0] = numbers as number[];
  return {
    object: object.text.slice(0, Math.max(0, at)),
    service: object.text.slice(at + 1),
    error: code,
    number: ctlNum,
    addCause: cause,
  };
}

function wholeOf(value: MmsValue | undefined): number | null {
  return (value?.kind === 'integer' || value?.kind === 'unsigned') && typeof value.value === 'number' ? value.value : null;
}
