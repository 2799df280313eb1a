/** Reading and writing of variables, with every reason to refuse (ISO 9506-2, DataAccessError). */
import type { AccessSelection, VariableSpec } from '../mms/pdu.ts';
import { suits } from '../mms/type-check.ts';
import type { MmsResult, MmsValue } from '../mms/types.ts';
import { ACCESS_ERROR } from '../mms/words.ts';
import { isControlBlock } from '../model/constraints.ts';
import type { ControlClient } from './control/control-reports.ts';
import { controlAt } from './control/controlled-object.ts';
import type { ServedControls } from './control/served-controls.ts';
import { componentOf, elementOf, type ServedImage, type Variable, variableKey } from './image.ts';
import type { ServedLogs } from './logs/served-logs.ts';
import type { ReportClient } from './reports/report-client.ts';
import type { ServedReports } from './reports/served-reports.ts';
import { isSettingGroupBlock, type SettingGroups } from './setting-groups.ts';

/** The association that reads and writes. */
export interface AccessClient extends ReportClient {
  /** Who selects and operates. */
  readonly control: ControlClient;
}

/** What reading and writing works on. */
export interface AccessOptions {
  readonly image: ServedImage;
  readonly groups: SettingGroups;
  readonly controls: ServedControls;
  /** Functional constraints that clients may write to. */
  readonly writable: ReadonlySet<string>;
  readonly reports: Pick<ServedReports, 'write' | 'settle'>;
  readonly logs: Pick<ServedLogs, 'write' | 'settle'>;
  /** DataAccessErrors that reads and writes of these variables answer with, by key: what a test or a demonstration wants to show. */
  readonly failing: ReadonlyMap<string, number>;
  /** A client has written; keys of the leaves that have a new value. */
  onWritten(keys: readonly string[]): void;
}

/** Parts that one alternate access selects side by side; more would make long answers of short questions. */
const MOST_SELECTIONS = 100;
const NON_EXISTENT: MmsResult = { kind: 'failure', code: ACCESS_ERROR.nonExistent };

/** Reads and writes variables by their MMS names. */
export class VariableAccess {
  readonly #options: AccessOptions;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** True for a variable that exists, with the part of it that is selected. */
  exists(spec: VariableSpec): boolean {
    const { image } = this.#options;
    const variable = image.find(spec.name);
    return variable !== null && (spec.access === null || this.#select(variable, spec.access) !== null);
  }

  /**
   * Reads a variable for a client, or for the device itself (null), which edits no settings. `maySelect`: for who names SBO this is the Select;
   * else it has no effect.
   */
  read({ name, access }: VariableSpec, client: AccessClient | null, maySelect = false): MmsResult {
    const { image, groups, controls, reports, logs } = this.#options;
    const variable = image.find(name);
    if (!variable || variable.path.some((part) => part === '')) return NON_EXISTENT;
    const failing = this.#options.failing.get(variableKey(variable));
    if (failing !== undefined) return { kind: 'failure', code: failing };
    if (variable.path[0] === 'SE' && !groups.isEditing(variable.domain, client)) {
      return { kind: 'failure', code: ACCESS_ERROR.temporarilyUnavailable };
    }
    if (client) for (const blocks of [reports, logs]) blocks.settle(variable);
    if (access !== null) return this.#select(variable, access) ?? NON_EXISTENT;
    const control = controlAt(variable);
    return client && maySelect && control?.service === 'SBO' ? controls.readSbo(control.object, client.control) : image.value(variable);
  }

  /** Writes a variable, which under CO is a control of this client; answers the error, or null. */
  write({ name, access }: VariableSpec, value: MmsValue, client: AccessClient): number | null {
    const { image, groups, controls, reports, logs, failing, onWritten } = this.#options;
    const whole = image.find(name);
    if (!whole) return ACCESS_ERROR.nonExistent;
    const variable = access === null ? whole : onlyPart(whole, access);
    if (!variable) return ACCESS_ERROR.accessUnsupported;
    const isControl = variable.path[0] === 'CO';
    const refused = failing.get(variableKey(variable)) ?? (isControl ? null : this.#refusal(variable, value, client));
    if (refused !== null) return refused;
    if (isControl) return controls.write(variable, value, client.control);
    if (isReportBlock(variable)) return reports.write(variable, value, client);
    if (isLogBlock(variable)) return logs.write(variable, value);
    if (isSettingGroupBlock(variable)) {
      const error = groups.write(variable, value, client);
      if (error === null) onWritten([variableKey(variable)]);
      return error;
    }
    if (variable.path[0] === 'SE') groups.touched(variable.domain);
    onWritten(image.set(variable, value));
    return null;
  }

  #refusal(variable: Variable, value: MmsValue, client: AccessClient): number | null {
    const { image, groups, writable } = this.#options;
    const [constraint = '', object = ''] = variable.path;
    const isGroupBlock = isSettingGroupBlock(variable);
    if (isReportBlock(variable) || isLogBlock(variable)) return null;
    if (isControlBlock(constraint, object) && !isGroupBlock) return ACCESS_ERROR.accessUnsupported;
    const mayWrite = isGroupBlock || (writable.has(constraint) && constraint !== 'SG');
    const isReadOnly = !mayWrite || variable.path.at(-1) === 'ctlModel' || object === '';
    if (isReadOnly) return ACCESS_ERROR.accessDenied;
    if (!suits(variable.type, value)) return ACCESS_ERROR.typeInconsistent;
    if (constraint === 'SE' && !groups.isEditing(variable.domain, client)) return ACCESS_ERROR.temporarilyUnavailable;
    return isWithinLimits(image, variable, value) ? null : ACCESS_ERROR.valueInvalid;
  }

  #select(variable: Variable, access: readonly AccessSelection[]): MmsValue | null {
    const [first, second] = access;
    if (first && !second) return this.#selected(variable, first);
    if (access.length > MOST_SELECTIONS) return null;
    return combined(
      'structure',
      access.map((selection) => this.#selected(variable, selection)),
    );
  }

  #selected(variable: Variable, { step, inner }: AccessSelection): MmsValue | null {
    const { image } = this.#options;
    const at = (part: Variable | null) => part && (inner === null ? image.value(part) : this.#select(part, inner));
    if (step.kind === 'component') return at(componentOf(variable, step.name));
    if (step.kind === 'index') return at(elementOf(variable, step.index));
    const { type } = variable;
    if (step.kind === 'all' && type.kind === 'structure') {
      return combined(
        'structure',
        type.components.map(({ name }) => at(componentOf(variable, name))),
      );
    }
    if (type.kind !== 'array') return null;
    const [low, count] = step.kind === 'range' ? [step.low, step.count] : [0, type.count];
    if (low + count > type.count) return null;
    return combined(
      'array',
      Array.from({ length: count }, (_, index) => at(elementOf(variable, low + index))),
    );
  }
}

function isReportBlock({ path: [constraint] }: Variable): boolean {
  return constraint === 'RP' || constraint === 'BR';
}

function isLogBlock({ path: [constraint] }: Variable): boolean {
  return constraint === 'LG';
}

/** Null when one of the parts is missing. */
function combined(kind: 'array' | 'structure', parts: readonly (MmsValue | null)[]): MmsValue | null {
  const items = parts.filter((part) => part !== null);
  return items.length === parts.length ? { kind, items } : null;
}

/** The one part that an alternate access leads to; null where it selects several. */
function onlyPart(variable: Variable, access: readonly AccessSelection[]): Variable | null {
  const [selection, second] = access;
  if (!selection || second) return null;
  const { step, inner } = selection;
  if (step.kind !== 'component' && step.kind !== 'index') return null;
  const part = step.kind === 'component' ? componentOf(variable, step.name) : elementOf(variable, step.index);
  return part && inner !== null ? onlyPart(part, inner) : part;
}

/** Settings must lie within `minVal` and `maxVal` of their configuration, where the object has such. */
function isWithinLimits(image: ServedImage, { domain, node, path }: Variable, value: MmsValue): boolean {
  if (value.kind !== 'float' && value.kind !== 'integer' && value.kind !== 'unsigned') return true;
  const at = path.findIndex((part) => part === 'setMag' || part === 'setVal');
  if (at < 0) return true;
  const limit = (name: string) => {
    const variable = image.at(domain, [node.name, 'CF', ...path.slice(1, at), name, ...path.slice(at + 1)]);
    const found = variable && image.value(variable);
    return found && (found.kind === 'float' || found.kind === 'integer' || found.kind === 'unsigned') ? found.value : null;
  };
  const [least, most] = [limit('minVal'), limit('maxVal')];
  return !(least !== null && value.value < least) && !(most !== null && most !== 0 && value.value > most);
}
