/**
 * Outlines on a 24 × 24 grid, drawn with a 2 wide stroke in the colour of the text around. Each has one meaning, wherever it stands; those whose shape leaves
 * it open say it here.
 */
const SHAPES = {
  play: 'M7 4.5v15l12-7.5z',
  stop: 'M6 6h12v12H6z',
  pause: 'M8 5v14M16 5v14',
  // once more: anew, again, back on the line
  reload: 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6',
  // as it was before
  restore: 'M4 9h11a5 5 0 0 1 0 10H8M8 5L4 9l4 4',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6',
  plus: 'M12 5v14M5 12h14',
  dots: 'M11.5 5h1M11.5 12h1M11.5 19h1',
  menu: 'M4 6h16M4 12h16M4 18h16',
  // finds something, or narrows a list
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM20 20l-4.9-4.9',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  auto: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16M15 7v10M18 9.5v5',
  language: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  // no command passes here
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  // commands pass here
  unlock: 'M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 6.7-1.4',
  // chosen, taken
  check: 'M5 12.5l4.5 4.5L19 7.5',
  // how something is: good, uncertain, bad, at rest, under way, not known
  ok: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12.3l2.8 2.8L16 9.5',
  warn: 'M12 4L2.5 20h19zM12 10v5M12 17.5v.01',
  bad: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9 9l6 6M15 9l-6 6',
  idle: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12h8',
  busy: 'M12 3v4M12 17v4M3 12h4M17 12h4M5.6 5.6l2.9 2.9M15.5 15.5l2.9 2.9M5.6 18.4l2.9-2.9M15.5 8.5l2.9-2.9',
  question: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.1.9-1.1 1.7M12 16.5v.01',
  // words about something
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5.5M12 7.8v.01',
  plug: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  // a service, or a device that is served here
  server: 'M4 4h16v7H4zM4 13h16v7H4zM8 7.5v.01M8 16.5v.01',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  // into a file, out of one
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  upload: 'M12 16V4M7 9l5-5 5 5M4 20h16',
  left: 'M15 5l-7 7 7 7',
  // onwards: opens, goes to, sent; its counterpart is back, and received
  right: 'M9 5l7 7-7 7',
  up: 'M5 15l7-7 7 7',
  down: 'M5 9l7 7 7-7',
  close: 'M6 6l12 12M18 6L6 18',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  sum: 'M17 5H7l6 7-6 7h10',
  settings: 'M4 7h9M19 7h1M4 17h1M11 17h9M15 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  // a file, a document
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  list: 'M8 6h12M8 12h12M8 18h12M4 6v.01M4 12v.01M4 18v.01',
  tree: 'M4 4h6v4H4zM14 10h6v4h-6zM14 17h6v4h-6zM7 8v11h7M7 12h7',
  // a command to a device
  send: 'M4 12l16-8-6 16-3-6z',
  // asks a device
  read: 'M20 5v14M16 12H4M9 7l-5 5 5 5',
  frames: 'M3 8h4V5h6v6h5M3 19h3v-4h6v4h9',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  tools: 'M14.5 6.5a4 4 0 0 0 5 5L12 19a2.5 2.5 0 0 1-3.5-3.5zM14.5 6.5l3-3M19.5 11.5l2-2',
  // what is written down as proof: audit, record of a check
  record: 'M6 4h12v17H6zM9 4V2.5h6V4M9 9h6M9 13h6M9 17h3',
  doctor: 'M6 3v5a4 4 0 0 0 8 0V3M10 12v3a5 5 0 0 0 10 0v-2M20 9a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  panel: 'M3 5h18v14H3zM15 5v14',
  pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
  unpin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7M4 4l16 16',
  // the life of a line
  line: 'M3 12h4l2-6 4 12 2-6h6',
  trend: 'M4 4v16h16M7 15l4-5 3 3 5-7',
  plant: 'M3 20V9l6 3.5V9l6 3.5V5h6v15zM8 16.5h2M13 16.5h2',
  columns: 'M4 5h16v14H4zM9.5 5v14M14.5 5v14',
  // settings of the program; the sliders are those of one reading
  gear: 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M5.6 18.4l2.2-2.2M16.2 7.8l2.2-2.2',
  // a secret: tokens, passwords, keys
  key: 'M7.5 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11.5 12H21v4M17 12v3',
  // the point-to-point check
  prove: 'M6 4h12v17H6zM9 4V2.5h6V4M9 13l2.2 2.2L15.5 11',
  // recording of values
  tape: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  // cannot be done for now
  barred: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM5.7 5.7l12.6 12.6',
  // not the same, taken as good
  nearly: 'M4 10.5c3-4 5-4 8-1s5 3 8-1M4 17c3-4 5-4 8-1s5 3 8-1',
  // somebody's words
  note: 'M4 5h16v11H11l-5 4v-4H4z',
  // one in the place of another
  swap: 'M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4',
  beside: 'M3 5h18v14H3zM12 5v14',
  sidebar: 'M3 5h18v14H3zM9 5v14',
} as const;

export type IconName = keyof typeof SHAPES;

interface IconProps {
  readonly name: IconName;
  /** Edge length in pixels. */
  readonly size?: number;
  /** Name for an icon that stands alone; without it the icon is decoration beside a text. */
  readonly label?: string;
}

/** An outline icon in the colour of the text around it. */
export function Icon({ name, size = 16, label }: IconProps) {
  const drawing = (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flexShrink: 0, display: 'block' }}
      aria-hidden="true"
    >
      <path d={SHAPES[name]} />
    </svg>
  );
  if (!label) return drawing;
  return (
    <span role="img" aria-label={label} title={label} style={{ display: 'inline-flex' }}>
      {drawing}
    </span>
  );
}

/** The icon as an image of one colour, for style sheets. An `svg` element has coordinates of its own to the browser: hundreds of them make a table slow to paint. */
export function iconImage(name: IconName, colour: string): string {
  const shape = `<path d="${SHAPES[name]}" fill="none" stroke="${colour}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">${shape}</svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(drawing)}")`;
}
