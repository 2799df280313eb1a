import { type Command, keyOf } from '../../commands/registry.ts';

/** What stands against a key: it writes text or moves, it belongs to tables, texts or the program around the page, or another command has it. */
export type KeyProblem = { readonly kind: 'plain' | 'reserved' } | { readonly kind: 'taken'; readonly by: Command };

/** They write nothing, so they need no Ctrl or Alt. */
const FUNCTION_KEY = /^(F([1-9]|1[0-2])|Insert)$/;
const SINGLE = /^[A-Z0-9,.;/\\\-=[\]']$/;
const ARROW = /^Arrow(Up|Down|Left|Right)$/;

/** Of tables and texts, of browsers and of the window: pages do not get them, or should not take them. */
const RESERVED: ReadonlySet<string> = new Set(
  [
    ...['A', 'C', 'D', 'H', 'V', 'X', 'Y', 'Z'].map((letter) => `mod+${letter}`),
    ...['N', 'O', 'Q', 'T', 'W', '-', '='].map((letter) => `mod+${letter}`),
    ...['I', 'J', 'N', 'R', 'T', 'W', 'Z'].map((letter) => `mod+shift+${letter}`),
    ...['alt+F4', 'alt+ArrowLeft', 'alt+ArrowRight', 'shift+F10', 'F2', 'F11'],
  ].map((key) => key.toLowerCase()),
);

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** A pressed key as commands have it, `mod+shift+R`; null while only Ctrl, Alt or Shift are held. */
export function keyPressed({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string | null {
  if (['Control', 'Meta', 'Alt', 'AltGraph', 'Shift', 'CapsLock'].includes(key)) return null;
  const parts = [...(ctrlKey || metaKey ? ['mod'] : []), ...(altKey ? ['alt'] : []), ...(shiftKey ? ['shift'] : [])];
  return [...parts, key.length === 1 ? key.toUpperCase() : key].join('+');
}

/** Id under which the key of a command is kept. */
export function keyIdOf({ id, keyId }: Command): string {
  return keyId ?? id;
}

/** What stands against a key for a command; null when it can have it. */
export function keyProblem(
  key: string,
  command: Command,
  commands: readonly Command[],
  keys: Readonly<Record<string, string>>,
): KeyProblem | null {
  const same = (other: string | undefined) => other?.toLowerCase() === key.toLowerCase();
  const parts = key.split('+');
  const last = parts.at(-1) ?? '';
  const hasModifier = parts.includes('mod') || parts.includes('alt');
  if (!FUNCTION_KEY.test(last) && !(hasModifier && (SINGLE.test(last) || ARROW.test(last)))) return { kind: 'plain' };
  if (RESERVED.has(key.toLowerCase()) && !same(command.key)) return { kind: 'reserved' };
  const by = commands.find((other) => keyIdOf(other) !== keyIdOf(command) && same(keyOf(other, keys)));
  return by ? { kind: 'taken', by } : null;
}
