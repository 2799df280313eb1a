/** What stands before a command of a control object: asked for by name, and told with each command (IEC 61850-7-2, 20). */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Command, CommandState, CommandStateItem, PointConfig } from '../../spi/index.ts';
import type { MmsType } from '../mms/types.ts';
import { componentType } from '../model/types.ts';
import type { ControlBook } from './control-book.ts';
import { hasSelection, modelOf, ownModel } from './control-model.ts';
import {
  CONTROL_MODELS,
  type ControlDevice,
  type ControlState,
  controlledObject,
  controlTypes,
  objectKey,
  readControlState,
} from './control-object.ts';
import { CONTROL_OPTIONS, optionsOf } from './control-values.ts';
import { type ControlReading, stateItems } from './control-words.ts';
import type { Pulse } from './pulse.ts';

export interface StateOptions extends ControlDevice {
  readonly book: ControlBook;
}

/** A command that is not sent yet: its point, and its options by name. */
type Asked = Pick<Command, 'point' | 'options'>;

/** Options of a control by the member of its structure that carries them. */
const CARRIED: Readonly<Record<string, readonly string[]>> = {
  operTm: ['operate_at'],
  Test: ['test'],
  Check: ['interlock_check', 'synchro_check'],
  origin: ['originator_category', 'originator_identifier'],
  ctlNum: ['control_number'],
};

const MODE = 'Mod';

/** A setting is written at once: it has no steps, no state and none of these options. */
export const STATE_OF_SETTING: CommandState = {
  items: [],
  steps: ['operate'],
  missingOptions: Object.keys(CONTROL_OPTIONS),
  selection: null,
  obstacle: null,
};

/** Asks a device what stands before a command: types of the control, then one Read. Sends no command. Rejects as `MmsClient.request`. */
export async function askControlState(options: StateOptions, asked: Asked, signal: AbortSignal): Promise<CommandState> {
  const object = controlledObject(asked.point);
  const types = await controlTypes(options, object, signal);
  const state = await readControlState(options, object, signal);
  const key = objectKey(object);
  const selection = options.book.selectionOf(key);
  const oper = componentType(types, 'Oper');
  return {
    items: stateOf(state, asked, options.book.heldOf(key) !== null),
    ...stepsOf(asked.point, state, types),
    missingOptions: Object.entries(CARRIED).flatMap(([member, names]) => (oper && componentType(oper, member) ? [] : names)),
    selection: selection && options.book.standingOf(selection),
  };
}

/** What was read before a command, in rows. */
export function stateOf({ model, states, isOperatedMany, pulse }: ControlState, asked: Asked, hasSelected: boolean): CommandStateItem[] {
  const own = ownModel(asked.point);
  const { test, originator_category } = optionsOf(asked.options);
  const told: ControlReading[] = model === null ? [] : [{ name: 'ctlModel', value: CONTROL_MODELS[model] ?? model }];
  const isSelected = model !== null && hasSelection(model);
  if (isOperatedMany !== null && isSelected) told.push({ name: 'sboClass', value: isOperatedMany ? 'operate-many' : 'operate-once' });
  const items = stateItems([...told, ...states], {
    isTest: test,
    category: originator_category,
    hasSelected,
    ownModel: own === model ? null : own,
    isOfMode: controlledObject(asked.point).path[0] === MODE,
  });
  return pulse === null ? items : items.toSpliced(told.length, 0, pulseItem(pulse));
}

function pulseItem({ onMs, offMs, count }: Pulse): CommandStateItem {
  const value = count > 1 ? say('control.pulses', { on: onMs, off: offMs, count }) : say('control.pulse', { on: onMs });
  return { name: 'pulseConfig', label: say('control.label_pulse'), value, remark: null };
}

function stepsOf(point: PointConfig, state: ControlState, types: MmsType): Pick<CommandState, 'steps' | 'obstacle'> {
  const found = modelOrObstacle(point, state, types);
  if (typeof found !== 'number') return { steps: [], obstacle: found.obstacle };
  const canCancel = componentType(types, 'Cancel') !== null;
  return {
    steps: ['operate', ...(hasSelection(found) ? (['select', 'execute'] as const) : []), ...(canCancel ? (['cancel'] as const) : [])],
    obstacle: null,
  };
}

function modelOrObstacle(point: PointConfig, state: ControlState, types: MmsType): number | { readonly obstacle: Message } {
  try {
    return modelOf(point, state, types);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'CONFIG_INVALID') return { obstacle: thrown.said };
    throw thrown;
  }
}
