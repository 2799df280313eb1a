/** What a recorded conversation tells of the model of the device: types of variables, members of data sets, data sets of report blocks. */
import type { MmsResponse, VariableSpec } from '../mms/pdu.ts';
import type { MmsResult, MmsType, MmsValue, ObjectName } from '../mms/types.ts';
import { dataSetName } from '../model/references.ts';
import { TypePool, typeAt } from '../model/types.ts';
import { memberKey } from '../object-names.ts';
import type { Report } from '../reports/report.ts';
import type { TellingRequest } from './asked-requests.ts';

/** Bounds of what is remembered: variables with a type, data sets, their members, report blocks. */
const MOST_TYPES = 20_000;
const MOST_SHAPES = 20_000;
const MOST_SETS = 2_000;
const MOST_MEMBERS = 100_000;
const MOST_BLOCKS = 2_000;

/** `LD/LN$RP$name`, and the attribute that is meant where it is one. */
const BLOCK = /^([^/$]+\/[^$]+\$(?:RP|BR)\$[^$]+)(?:\$(RptID|DatSet))?$/;
/** Places of RptID and DatSet among the members of a block (IEC 61850-8-1, 17.2.2). */
const REPORT_ID_AT = 0;
const DATA_SET_AT = { RP: 3, BR: 2 } as const;

interface Block {
  /** Null: not told. */
  reportId: string | null;
  dataSet: string | null;
}

export class ToldModel {
  readonly #types = new Map<string, MmsType>();
  readonly #pool = new TypePool();
  readonly #sets = new Map<string, readonly VariableSpec[]>();
  readonly #blocks = new Map<string, Block>();
  #members = 0;
  #revision = 0;

  /** Another number when something about types was learnt. */
  get revision(): number {
    return this.#revision;
  }

  /** Type of the variable `LN$FC$DO…` of a domain; null where nothing above it was described. */
  typeOf(domain: string, parts: readonly string[]): MmsType | null {
    for (let depth = parts.length; depth > 0; depth--) {
      const known = this.#types.get(`${domain}/${parts.slice(0, depth).join('$')}`);
      const type = known && typeAt(known, parts.slice(depth));
      if (type) return type;
    }
    return null;
  }

  /** Members of a data set; null where the capture does not tell them. */
  membersOf(name: ObjectName | string): readonly VariableSpec[] | null {
    const key = typeof name === 'string' ? (dataSetName(name) ?? name) : setKey(name);
    return this.#sets.get(key) ?? null;
  }

  /** Name of the data set of a report: as it says, else as its block does. Null where neither tells, or blocks of several sets have its RptID. */
  setOfReport({ id, dataSet }: Pick<Report, 'id' | 'dataSet'>): string | null {
    if (dataSet !== null) return dataSet;
    const found = new Set<string>();
    for (const [key, block] of this.#blocks) {
      const own = block.reportId ?? key;
      if ((own === '' ? key : own) === id && block.dataSet) found.add(block.dataSet);
    }
    const [only = null] = found;
    return found.size === 1 ? only : null;
  }

  /** What the answer to a request tells beside values. */
  answered(request: TellingRequest, response: MmsResponse): void {
    switch (response.service) {
      case 'get-variable-access-attributes':
        if (request.service === response.service) this.#learnType(request.name, response.type);
        break;
      case 'get-named-variable-list-attributes':
        if (request.service === response.service) this.#keepSet(request.name, response.items);
        break;
      case 'define-named-variable-list':
        if (request.service === response.service) this.#keepSet(request.name, request.items);
        break;
      case 'delete-named-variable-list':
        if (request.service === response.service && response.deleted > 0) this.#deleted(request);
        break;
      case 'write':
        if (request.service === 'write' && request.spec.kind === 'variables')
          this.#written(request.spec.items, request.values, response.results);
        break;
      default:
    }
  }

  /** A variable that was read: attributes of report blocks are remembered. */
  read(key: string, result: MmsResult): void {
    const [, block, attribute] = BLOCK.exec(key) ?? [];
    if (block === undefined) return;
    if (attribute !== undefined) this.#setBlock(block, attribute, textOf(result));
    else if (result.kind === 'structure') {
      this.#setBlock(block, 'RptID', textOf(result.items[REPORT_ID_AT]));
      this.#setBlock(block, 'DatSet', textOf(result.items[DATA_SET_AT[key.includes('$RP$') ? 'RP' : 'BR']]));
    }
  }

  /** Another association: its own data sets are gone. */
  associated(): void {
    for (const key of [...this.#sets.keys()]) if (key.startsWith('@')) this.#dropSet(key);
  }

  #learnType(name: ObjectName, type: MmsType): void {
    if (name.scope !== 'domain' || this.#types.size >= MOST_TYPES || this.#pool.size >= MOST_SHAPES) return;
    this.#types.set(`${name.domain}/${name.item}`, this.#pool.intern(type));
    this.#revision += 1;
  }

  #keepSet(name: ObjectName, items: readonly VariableSpec[]): void {
    const key = setKey(name);
    this.#dropSet(key);
    if (this.#sets.size >= MOST_SETS || this.#members + items.length > MOST_MEMBERS) return;
    this.#sets.set(key, items);
    this.#members += items.length;
  }

  #dropSet(key: string): void {
    this.#members -= this.#sets.get(key)?.length ?? 0;
    this.#sets.delete(key);
  }

  /** By name; of other scopes which ones is not told. */
  #deleted({ names }: Extract<TellingRequest, { service: 'delete-named-variable-list' }>): void {
    for (const key of names.length > 0 ? names.map(setKey) : [...this.#sets.keys()]) this.#dropSet(key);
  }

  #written(items: readonly VariableSpec[], values: readonly MmsValue[], results: readonly (MmsResult | null)[]): void {
    for (const [at, item] of items.entries()) {
      const value = values[at];
      if (value && results[at] === null) this.read(memberKey(item), value);
    }
  }

  #setBlock(key: string, attribute: string, text: string | null): void {
    if (text === null) return;
    const known = this.#blocks.get(key);
    if (!known && this.#blocks.size >= MOST_BLOCKS) return;
    const block = known ?? { reportId: null, dataSet: null };
    if (attribute === 'RptID') block.reportId = text;
    else block.dataSet = text;
    this.#blocks.set(key, block);
  }
}

/** `LD/LN$name`, `@name` of the association. */
function setKey(name: ObjectName): string {
  return name.scope === 'domain' ? `${name.domain}/${name.item}` : `@${name.item}`;
}

function textOf(value: MmsResult | undefined): string | null {
  return value?.kind === 'visible-string' || value?.kind === 'mms-string' ? value.text : null;
}
