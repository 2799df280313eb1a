/** Setting groups of the simulated device (IEC 61850-7-2, clause 16; IEC 61850-8-1, clause 16): one control block in LLN0 of a logical device. */

import type { CancelTimer, Clock } from '../../../platform/clock.ts';
import { runSteps, type Steps } from '../../../platform/steps.ts';
import { utcTimeOctets } from '../mms/times.ts';
import type { MmsValue } from '../mms/types.ts';
import { ACCESS_ERROR } from '../mms/words.ts';
import { componentOf, type ServedImage, type Variable, variableKey } from './image.ts';

const BLOCK_NODE = 'LLN0';
const BLOCK_PATH = ['SP', 'SGCB'];
/** Behind the key of a leaf: the group whose value it is, or the one being edited. */
const EDITED = '@edit';

/** Who edits: the association of a client. */
type Editor = object;

interface Groups {
  active: number;
  /** Group that is edited; 0: none. */
  edited: number;
  editor: Editor | null;
  cancel: CancelTimer | null;
}

export interface SettingGroupsOptions {
  readonly clock: Clock;
  /** What clients have changed for good; places of the values in the image. */
  onChanged(places: readonly string[]): void;
}

/** Active and edited groups by logical device. */
export class SettingGroups {
  readonly #options: SettingGroupsOptions;
  readonly #groups = new Map<string, Groups>();
  #image: ServedImage | null = null;

  constructor(options: SettingGroupsOptions) {
    this.#options = options;
  }

  /** Key under which the value of a leaf of SG or SE is kept: every group has its own. */
  keyOfLeaf(key: string, constraint: string): string {
    if (constraint !== 'SG' && constraint !== 'SE') return key;
    const domain = key.slice(0, key.indexOf('/'));
    if (constraint === 'SE') return `${key.replace('$SE$', '$SG$')}${EDITED}`;
    return `${key}@${this.#groups.get(domain)?.active ?? 1}`;
  }

  /** Takes the active groups over from the control blocks of the model; what is being edited goes on where the block stays. */
  start(image: ServedImage): void {
    runSteps(this.startSteps(image));
  }

  /** The same in steps. */
  *startSteps(image: ServedImage): Steps<void> {
    this.#image = image;
    for (const { name } of image.model.devices) {
      yield;
      const block = blockOf(image, name);
      if (!block) continue;
      const active = numberIn(image, block, 'ActSG') || 1;
      const known = this.#groups.get(name);
      if (known) known.active = active;
      else this.#groups.set(name, { active, edited: 0, editor: null, cancel: null });
    }
  }

  /** True while this client edits a group of the domain. */
  isEditing(domain: string, client: Editor | null): boolean {
    const groups = this.#groups.get(domain);
    return groups !== undefined && groups.edited > 0 && groups.editor === client;
  }

  /** The group that is edited got a value: its time begins anew. */
  touched(domain: string): void {
    const groups = this.#groups.get(domain);
    if (groups && groups.edited > 0) this.#reserve(domain, groups);
  }

  /** Carries out what a client writes to a member of a control block; the value suits its type. Answers the error, or null. */
  write(variable: Variable, value: MmsValue, client: Editor): number | null {
    const image = this.#image;
    const block = image && blockOf(image, variable.domain);
    const groups = this.#groups.get(variable.domain);
    if (!image || !block || !groups || variable.path.length !== BLOCK_PATH.length + 1) return ACCESS_ERROR.accessDenied;
    const number = value.kind === 'unsigned' || value.kind === 'integer' ? Number(value.value) : -1;
    const isThere = number >= 0 && number <= numberIn(image, block, 'NumOfSG');
    switch (variable.path.at(-1)) {
      case 'ActSG':
        return isThere && number > 0 ? this.#activate(image, block, groups, number) : ACCESS_ERROR.valueInvalid;
      case 'EditSG':
        if (groups.edited > 0 && groups.editor !== client) return ACCESS_ERROR.temporarilyUnavailable;
        return isThere ? this.#edit(image, block, { ...groups, edited: number, editor: client }) : ACCESS_ERROR.valueInvalid;
      case 'CnfEdit':
        if (value.kind === 'boolean' && !value.value) return null;
        return this.isEditing(variable.domain, client) ? this.#confirm(image, block, groups) : ACCESS_ERROR.temporarilyUnavailable;
      default:
        return ACCESS_ERROR.accessDenied;
    }
  }

  /** The association of a client has ended: what it did not confirm is gone. */
  left(client: Editor): void {
    for (const [domain, { editor }] of this.#groups) if (editor === client) this.#giveUp(domain);
  }

  /** Ends what waits for its time. */
  close(): void {
    for (const { cancel } of this.#groups.values()) cancel?.();
  }

  #activate(image: ServedImage, block: Variable, groups: Groups, number: number): null {
    image.willSwitch(`${block.domain}/`, `@${groups.active}`, `@${number}`);
    groups.active = number;
    put(image, block, 'ActSG', { kind: 'unsigned', value: number });
    put(image, block, 'LActTm', { kind: 'utc-time', octets: utcTimeOctets(this.#options.clock.wallMs()) });
    this.#options.onChanged([`${variableKey(block)}$ActSG`, `${variableKey(block)}$LActTm`]);
    return null;
  }

  /** Group 0 gives up what is being edited. */
  #edit(image: ServedImage, block: Variable, wanted: Groups): null {
    this.#groups.get(block.domain)?.cancel?.();
    if (wanted.edited === 0) {
      this.#giveUp(block.domain);
      return null;
    }
    this.#groups.set(block.domain, wanted);
    image.copyValues(`${block.domain}/`, `@${wanted.edited}`, EDITED);
    put(image, block, 'EditSG', { kind: 'unsigned', value: wanted.edited });
    this.#reserve(block.domain, wanted);
    return null;
  }

  #confirm(image: ServedImage, block: Variable, groups: Groups): null {
    const start = `${block.domain}/`;
    if (groups.edited === groups.active) image.willSwitch(start, `@${groups.edited}`, EDITED);
    const places = image.copyValues(start, EDITED, `@${groups.edited}`);
    this.#giveUp(block.domain);
    this.#options.onChanged(places);
    return null;
  }

  /** ResvTms: what is not confirmed in so many seconds is given up; 0: when the client goes. */
  #reserve(domain: string, groups: Groups): void {
    const block = this.#image && blockOf(this.#image, domain);
    const seconds = this.#image && block ? numberIn(this.#image, block, 'ResvTms') : 0;
    groups.cancel?.();
    groups.cancel = seconds > 0 ? this.#options.clock.after(seconds * 1000, () => this.#giveUp(domain)) : null;
  }

  #giveUp(domain: string): void {
    const groups = this.#groups.get(domain);
    const block = this.#image && blockOf(this.#image, domain);
    groups?.cancel?.();
    if (groups) this.#groups.set(domain, { active: groups.active, edited: 0, editor: null, cancel: null });
    if (this.#image && block) put(this.#image, block, 'EditSG', { kind: 'unsigned', value: 0 });
  }
}

/** True for a setting group control block or a part of it. */
export function isSettingGroupBlock({ path }: Variable): boolean {
  return path[0] === BLOCK_PATH[0] && path[1] === BLOCK_PATH[1];
}

function blockOf(image: ServedImage, domain: string): Variable | null {
  return image.at(domain, [BLOCK_NODE, ...BLOCK_PATH]);
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
