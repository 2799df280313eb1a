const NAMES: Readonly<Record<string, string>> = {
  mod: 'Ctrl',
  alt: 'Alt',
  shift: 'Shift',
  Insert: 'Ins',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};

/** A key as people read it: `mod+ArrowUp` is `Ctrl+↑`. */
export function keyText(key: string): string {
  return key
    .split('+')
    .map((part) => NAMES[part] ?? part)
    .join('+');
}
