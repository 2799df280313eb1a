import { type IconName, iconImage } from '../ui/icons.tsx';

/** Those of a theme that icons have. */
type Colours = Readonly<Record<'muted' | 'busy' | 'ok' | 'bad', string>>;

/** Icons that stand in many rows at once, with the colour that each has. */
const ROW_ICONS = {
  read: ['read', 'muted'],
  send: ['send', 'muted'],
  tx: ['right', 'busy'],
  rx: ['left', 'ok'],
  noise: ['warn', 'bad'],
  late: ['question', 'bad'],
  opened: ['plug', 'muted'],
  closed: ['close', 'muted'],
  note: ['info', 'muted'],
} as const satisfies Readonly<Record<string, readonly [icon: IconName, colour: keyof Colours]>>;

/** Of what cannot be pressed: 45 % opaque. */
const FAINT = '73';

/** The icons of rows as images for the style sheets: `--lc-icon-<name>`, and `--lc-icon-<name>-off` for one that cannot be pressed. */
export function rowIcons(colours: Colours): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ROW_ICONS).flatMap(([name, [icon, colour]]) => [
      [`--lc-icon-${name}`, iconImage(icon, colours[colour])],
      [`--lc-icon-${name}-off`, iconImage(icon, `${colours[colour]}${FAINT}`)],
    ]),
  );
}
