/** Setting groups of the simulated device (IEC 61850-7-2, clause 16; IEC 61850-8-1, clause 16): one control block in LLN0 of a logical device. */
import { utcTimeOctets } from '../mms/times.ts';
import type { MmsValue } from '../mms/types.ts';
import { ACCESS_ERROR } from '../mms/words.ts';
import { componentOf, type ServedImage, type Variable } from './image.ts';

const BLOCK_NODE = 'LLN0';
const BLOCK_PATH = ['SP', 'SGCB'];
/** Behind the key of a leaf: the group whose value it is, or the one being edited. */
const EDITED = '@edit';

interface Groups {
  active: number;
  /** Group that is edited; 0: none. */
  edited: number;
}

/** Active and edited groups by logical device. */
export class SettingGroups {
  readonly #groups = new Map<string, Groups>();

  /** Key under which the value of a leaf of SG or SE is kept: every group has its own. */
  keyOfLeaf(key: string, constraint: string): string {
    if (constraint !== 'SG' && constraint !== 'SE') return key;
    const domain = key.slice(0, key.indexOf('/'));
    if (constraint === 'SE') return `${key.replace('$SE$', '$SG$')}${EDITED}`;
    return `${key}@${this.#groups.get(domain)?.active ?? 1}`;
  }

  /** Takes the active groups over from the control blocks of the model. */
  start(image: ServedImage): void {
    for (const { name } of image.model.devices) {
      const block = image.at(name, [BLOCK_NODE, ...BLOCK_PATH]);
      if (block) this.#groups.set(name, { active: numberIn(image, block, 'ActSG') || 1, edited: numberIn(image, block, 'EditSG') });
    }
  }

  /** True while a group of this domain is being edited. */
  isEditing(domain: string): boolean {
    return (this.#groups.get(domain)?.edited ?? 0) > 0;
  }

  /** Carries out what a client writes to a member of a control block; answers the error, or null. */
  write(image: ServedImage, variable: Variable, value: MmsValue, wallMs: number): number | null {
    const block = image.at(variable.domain, [BLOCK_NODE, ...BLOCK_PATH]);
    const groups = this.#groups.get(variable.domain);
    const member = variable.path.at(-1);
    if (!block || !groups || variable.path.length !== BLOCK_PATH.length + 1) return ACCESS_ERROR.accessDenied;
    const most = numberIn(image, block, 'NumOfSG');
    const number = value.kind === 'unsigned' || value.kind === 'integer' ? Number(value.value) : -1;
    if (member === 'ActSG') {
      if (number < 1 || number > most) return ACCESS_ERROR.valueInvalid;
      groups.active = number;
      put(image, block, 'LActTm', { kind: 'utc-time', octets: utcTimeOctets(wallMs) });
    } else if (member === 'EditSG') {
      if (number < 0 || number > most) return ACCESS_ERROR.valueInvalid;
      this.#edit(image, variable.domain, groups, number);
    } else if (member === 'CnfEdit') {
      return value.kind === 'boolean' && value.value ? this.#confirm(image, block, groups) : null;
    } else return ACCESS_ERROR.accessDenied;
    image.set(variable, value);
    return null;
  }

  #edit(image: ServedImage, domain: string, groups: Groups, number: number): void {
    groups.edited = number;
    image.copyValues(`${domain}/`, `@${number}`, EDITED);
  }

  #confirm(image: ServedImage, block: Variable, groups: Groups): number | null {
    if (groups.edited === 0) return ACCESS_ERROR.temporarilyUnavailable;
    image.copyValues(`${block.domain}/`, EDITED, `@${groups.edited}`);
    groups.edited = 0;
    put(image, block, 'EditSG', { kind: 'unsigned', value: 0 });
    return null;
  }
}

/** True for a setting group control block or a part of it. */
export function isSettingGroupBlock({ path }: Variable): boolean {
  return path[0] === BLOCK_PATH[0] && path[1] === BLOCK_PATH[1];
}

function numberIn(image: ServedImage, block: Variable, name: string): number {
  const member = componentOf(block, name);
  const value = member && image.value(member);
  return value?.kind === 'unsigned' || value?.kind === 'integer' ? Number(value.value) : 0;
}

function put(image: ServedImage, block: Variable, name: string, value: MmsValue): void {
  const member = componentOf(block, name);
  if (member) image.set(member, value);
}
