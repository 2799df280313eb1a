/**
 * Setting groups changed by a client (IEC 61850-7-2, clause 16; IEC 61850-8-1, clause 16): a group is selected for editing, its values are written,
 * the edit is confirmed; another service makes a group the active one. What goes wrong on the way gives the edit up, so that nothing of it counts.
 */
import { AppError } from '#shared/domain/errors.ts';
import { asMessage, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { ExchangeContext } from '../spi/index.ts';
import { variableOf } from './binding.ts';
import { readInParts } from './data-set-parts.ts';
import type { MmsValue } from './mms/types.ts';
import { accessErrorText } from './mms/words.ts';
import { formatReference, keyOf, parseReference } from './model/references.ts';
import { valueFromText } from './model/text-values.ts';
import { componentType } from './model/types.ts';
import { jsonScalar } from './model/values.ts';
import { wordsAt } from './model/words.ts';
import { resultsByMember } from './read-attribute.ts';
import { isValue } from './reading.ts';
import { settingGroups } from './setting-groups.ts';
import { type Attribute, requireGoing, typeOfAttribute, type WritingOptions, writeAttribute } from './writing.ts';

export interface GroupEdit {
  readonly logical_device: string;
  readonly group: number;
  /** `LD/LN.DO.DA = value` each. */
  readonly values: readonly string[];
  readonly activate: boolean;
}

/** What came of it, as operations tell it. */
export interface GroupChange {
  readonly detail: Message;
  readonly result: Readonly<Record<string, unknown>>;
  readonly isRefused?: boolean;
}

/** A value that is going to be written. */
interface Setting {
  readonly attribute: Attribute;
  readonly value: MmsValue;
}

interface Block {
  readonly groups: number;
  readonly active: number;
  /** 0: none. */
  readonly edited: number;
}

/**
 * Edits one group. Throws before anything is written: `CONFIG_INVALID` and `CONFIG_RANGE` for values that do not fit, `STATE_CONFLICT` while a group is
 * being edited; later what the association says, behind an attempt to give the edit up.
 */
export async function editSettingGroup(options: WritingOptions, edit: GroupEdit, context: ExchangeContext): Promise<GroupChange> {
  const { logical_device: domain, group } = edit;
  const block = await readBlock(options, domain, context);
  if (!('groups' in block)) return block;
  requireGroup(domain, group, block);
  if (block.edited !== 0) throw new AppError('STATE_CONFLICT', say('groups.edited', { device: domain, group: block.edited }));
  const settings: Setting[] = [];
  for (const line of edit.values) settings.push(await settingOf(options, line, domain, context));
  requireGoing(context);
  const refused = await writeMember(options, domain, 'EditSG', number(group), context);
  if (refused) return rejected(say('groups.not_selected', { device: domain, group, reason: refused }));
  let isConfirming = false;
  try {
    const before = await readSettings(options, settings, context);
    for (const { attribute, value } of settings) {
      const refusal = await writeAttribute(options, attribute, value, { signal: context.signal });
      if (refusal === null) continue;
      return await givenUp(options, domain, say('groups.not_written', { reference: formatReference(attribute), reason: refusal }), context);
    }
    isConfirming = true;
    const refusal = await writeMember(options, domain, 'CnfEdit', { kind: 'boolean', value: true }, context);
    if (refusal) return await givenUp(options, domain, say('groups.not_confirmed', { device: domain, group, reason: refusal }), context);
    return await confirmed(options, { edit, settings, before }, context);
  } catch (thrown) {
    // a confirmation that was sent may have been carried out: there is nothing to give up then
    if (!isConfirming)
      await givenUp(options, domain, say('groups.given_up'), { ...context, signal: new AbortController().signal }).catch(() => undefined);
    throw thrown;
  }
}

/** Makes a group the active one. Throws `CONFIG_RANGE` for a group that there is not. */
export async function activateSettingGroup(
  options: WritingOptions,
  { logical_device: domain, group }: Pick<GroupEdit, 'logical_device' | 'group'>,
  context: ExchangeContext,
): Promise<GroupChange> {
  const block = await readBlock(options, domain, context);
  if (!('groups' in block)) return block;
  requireGroup(domain, group, block);
  requireGoing(context);
  const refusal = await writeMember(options, domain, 'ActSG', number(group), context);
  if (refusal) return rejected(say('groups.not_activated', { device: domain, group, reason: refusal }));
  const now = await readBlock(options, domain, context);
  const active = 'groups' in now ? now.active : null;
  const result = { logical_device: domain, group, active_before: block.active, active_group: active };
  if (active === group) return { detail: say('groups.activated', { device: domain, group }), result };
  return { detail: say('groups.activated_not_seen', { device: domain, group, active: active ?? '-' }), result };
}

async function confirmed(
  options: WritingOptions,
  { edit, settings, before }: { readonly edit: GroupEdit; readonly settings: readonly Setting[]; readonly before: readonly unknown[] },
  context: ExchangeContext,
): Promise<GroupChange> {
  const { logical_device: domain, group, activate } = edit;
  const values = settings.map(({ attribute, value }, place) => ({
    reference: formatReference(attribute),
    before: before[place] ?? null,
    written: shown(options, attribute, value),
  }));
  const result = { logical_device: domain, group, values };
  const detail = say('groups.confirmed', { device: domain, group, count: settings.length });
  if (!activate) return { detail, result };
  // the edit counts whatever becomes of this
  const change = await activateSettingGroup(options, { logical_device: domain, group }, context);
  const both = say('common.then', { left: detail, right: change.detail });
  return { detail: both, result: { ...change.result, ...result }, ...(change.isRefused && { isRefused: true }) };
}

/** The control block of a logical device, or what to say where it cannot be read. */
async function readBlock(options: WritingOptions, domain: string, context: ExchangeContext): Promise<Block | GroupChange> {
  const { detail, result, isRefused } = await settingGroups(options, domain, context);
  const [block] = result.groups;
  const member = (name: string) => (typeof block?.[name] === 'number' ? block[name] : Number.NaN);
  const [groups, active, edited] = [member('number_of_groups'), member('active_group'), member('edited_group')] as const;
  if (isRefused || Number.isNaN(groups + active)) return rejected(isRefused ? asMessage(detail) : say('iec61850.no_groups'));
  return { groups, active, edited: Number.isNaN(edited) ? 0 : edited };
}

function requireGroup(device: string, group: number, { groups }: Block): void {
  if (group < 1 || group > groups) throw new AppError('CONFIG_RANGE', say('groups.range', { device, group, most: groups }));
}

/** The value of a line `LD/LN.DO.DA = value`, for the group that is edited (SE). */
async function settingOf(options: WritingOptions, line: string, domain: string, context: ExchangeContext): Promise<Setting> {
  const at = line.indexOf('=');
  const reference = at < 0 ? null : parseReference(line.slice(0, at));
  const isSetting =
    reference && reference.path.length > 1 && (reference.constraint === null || ['SG', 'SE'].includes(reference.constraint));
  if (!isSetting || reference.domain !== domain)
    throw new AppError('CONFIG_INVALID', say('groups.line', { line: line.slice(0, 120), device: domain }));
  const attribute: Attribute = { ...reference, constraint: 'SE' };
  const type = await typeOfAttribute(options, attribute, context.signal);
  const { node, path } = attribute;
  const words = wordsAt(options.memory.model.index, domain, node, 'SE', path);
  const value = valueFromText(type, line.slice(at + 1).trim(), words);
  if (!('reason' in value)) return { attribute, value };
  throw new AppError('CONFIG_RANGE', say('iec61850.not_fitting', { reference: formatReference(attribute), reason: value.reason }));
}

/** What the group has now; null for what the device does not give. */
async function readSettings(options: WritingOptions, settings: readonly Setting[], context: ExchangeContext): Promise<readonly unknown[]> {
  const keys = settings.map(({ attribute }) => keyOf(attribute));
  const found = resultsByMember(await readInParts([keys], options, context));
  return settings.map(({ attribute }, place) => {
    const result = found.get(keys[place] ?? '');
    return result && isValue(result) ? shown(options, attribute, result) : null;
  });
}

function shown({ memory }: WritingOptions, { domain, node, constraint, path }: Attribute, value: MmsValue): unknown {
  return jsonScalar(value, wordsAt(memory.model.index, domain, node, constraint, path), path.at(-1));
}

/** Nothing of the edit counts: the device forgets what was written. */
async function givenUp(options: WritingOptions, domain: string, reason: Message, context: ExchangeContext): Promise<GroupChange> {
  const refusal = await writeMember(options, domain, 'EditSG', number(0), context);
  return rejected(refusal ? say('groups.left_open', { reason, refusal }) : reason);
}

function number(value: number): MmsValue {
  return { kind: 'unsigned', value };
}

/** Writes a member of the control block; the refusal of the device, null when it took it. */
async function writeMember(
  options: WritingOptions,
  domain: string,
  name: 'EditSG' | 'CnfEdit' | 'ActSG',
  value: MmsValue,
  { signal }: Pick<ExchangeContext, 'signal'>,
): Promise<Message | null> {
  const place = { domain, node: 'LLN0', constraint: 'SP', path: ['SGCB'] };
  const type = componentType(await typeOfAttribute(options, place, signal), name);
  // the standard has INT8U; a device may serve a signed one
  const typed: MmsValue = type?.kind === 'integer' && value.kind === 'unsigned' ? { kind: 'integer', value: value.value } : value;
  const items = [variableOf(domain, 'LLN0', 'SP', ['SGCB', name])];
  const { results } = await options.client.request({ service: 'write', spec: { kind: 'variables', items }, values: [typed] }, { signal });
  const [result] = results;
  if (result === undefined) throw new AppError('PROTOCOL_MISMATCH', say('iec61850.no_result'));
  return result === null ? null : accessErrorText(result.code);
}

function rejected(detail: Message): GroupChange {
  return { detail, result: {}, isRefused: true };
}
