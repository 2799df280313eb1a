import { getHotkeyHandler } from '@mantine/hooks';
import { useContext, useEffect } from 'react';
import { usePreferences } from '../app/preferences.ts';
import { knownCommands } from './known-commands.ts';
import { CommandScope, isCovered, keyOf, useRegistry } from './registry.ts';

/** Where a text is written or chosen; a tick is neither. */
export const TEXTS = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]';

/** What was pressed so long ago is not wanted any more. */
const LONGEST_MS = 5000;

const MODIFIERS: ReadonlySet<string> = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);

/** Leads to a table, which may be on its way: by its id or that under which its key is kept. */
const TO_TABLE = 'other-area';

/** Views that are on their way. */
let awaited = 0;
let held: KeyboardEvent[] = [];
let isPassing = false;
let isGiving = false;

/** Says that a view is on its way, as long as it is: keys for it are kept until it is here. */
export function useAwaited(isAwaited: boolean): void {
  const isHere = useContext(CommandScope);
  const counts = isAwaited && isHere;
  useEffect(() => {
    if (!counts) return;
    awaited += 1;
    return () => {
      awaited -= 1;
      // what takes the place of this view may be on its way as well
      setTimeout(give);
    };
  }, [counts]);
}

/** Forgets the keys that are held: somebody did something else. */
function forget(): void {
  held = [];
}

/** Key of a command that comes with a view, or leads into one. */
function isForView(event: KeyboardEvent): boolean {
  const { keys } = usePreferences.getState();
  const { commands } = useRegistry.getState();
  const here = [...commands.values()];
  const leading = here.filter(({ id, keyId }) => (keyId ?? id) === TO_TABLE);
  const wanted = [...knownCommands().filter(({ id }) => !commands.has(id)), ...leading];
  const taken = here.filter((command) => !leading.includes(command));
  const hits = (list: readonly Parameters<typeof keyOf>[0][]) => {
    let isHit = false;
    const hit = () => {
      isHit = true;
    };
    getHotkeyHandler(
      list.flatMap((command) => {
        const key = keyOf(command, keys);
        return key === undefined ? [] : [[key, hit, { preventDefault: false }]];
      }),
    )(event);
    return isHit;
  };
  return hits(wanted) && !hits(taken);
}

function isOld({ timeStamp }: KeyboardEvent): boolean {
  return performance.now() - timeStamp > LONGEST_MS;
}

function isHeld(event: KeyboardEvent): boolean {
  // a view that does not come takes the keyboard from nobody
  if (held[0] && isOld(held[0])) forget();
  const mayWait = held.length > 0 || isGiving || awaited > 0;
  if (!mayWait || MODIFIERS.has(event.key) || isCovered()) return false;
  // behind a held key every key waits, so that they come in their order
  if (held.length > 0 || isGiving) return event.key !== 'Tab';
  if (awaited === 0 || event.isComposing) return false;
  return !(event.target instanceof Element && event.target.matches(TEXTS)) && isForView(event);
}

/** Holds a key that is for a view on its way. */
function onKey(event: KeyboardEvent): void {
  if (isPassing || !isHeld(event)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.key === 'Escape') forget();
  else if (!event.repeat) held.push(event);
}

/** Writes a letter into the field that a held key led to. */
function write(field: HTMLInputElement | HTMLTextAreaElement, letter: string): void {
  const { selectionStart: start, selectionEnd: end, value } = field;
  field.setRangeText(letter, start ?? value.length, end ?? value.length, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: letter, inputType: 'insertText' }));
}

/** Presses a held key where the keyboard is now. */
function press({ key, code, ctrlKey, shiftKey, altKey, metaKey }: KeyboardEvent): void {
  const target = document.activeElement ?? document.body;
  isPassing = true;
  const isFree = target.dispatchEvent(
    new KeyboardEvent('keydown', { key, code, ctrlKey, shiftKey, altKey, metaKey, bubbles: true, cancelable: true }),
  );
  isPassing = false;
  const isText = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.matches(TEXTS));
  if (isFree && isText && key.length === 1 && !ctrlKey && !metaKey) write(target, key);
}

/** Gives the held keys to the view that is here now, one after the other: each may lead to what takes the next. */
function give(): void {
  if (isGiving) return;
  isGiving = true;
  const next = () => {
    const event = awaited === 0 ? held.shift() : undefined;
    if (event === undefined) {
      isGiving = false;
      return;
    }
    if (!isOld(event)) press(event);
    setTimeout(next);
  };
  next();
}

/** Holds keys pressed for views that are on their way; what else is done meanwhile makes them void. */
export function useHeldKeys(): void {
  useEffect(() => {
    window.addEventListener('keydown', onKey, true);
    window.addEventListener('pointerdown', forget, true);
    window.addEventListener('blur', forget);
    return () => {
      window.removeEventListener('keydown', onKey, true);
      window.removeEventListener('pointerdown', forget, true);
      window.removeEventListener('blur', forget);
      forget();
    };
  }, []);
}
