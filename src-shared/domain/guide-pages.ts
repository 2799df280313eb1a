import { ProtocolType } from './enums.ts';

/**
 * Pages of the guide that come with the program, in the order of its contents: `docs/guide/NAME.md` and `NAME.zh.md`, served as
 * `/guide/en/NAME.html` and `/guide/zh/NAME.html`.
 */
export const GUIDE_PAGES = [
  'first-steps',
  'walk-modbus-rtu',
  'walk-meters',
  'walk-iec104',
  'walk-ied',
  'window',
  'ten-tasks',
  'projects',
  'point-tables',
  'mapping',
  'table-check',
  'device-library',
  'doctor',
  'line',
  'frames',
  'captures',
  'trends',
  'publish',
  'databases',
  'dlt645',
  'iec104',
  'simulation',
  'check',
  'troubleshooting',
  'errors',
  'security',
  'line-access',
  'installation',
  'service',
  'api',
  'scripts',
] as const;
export type GuidePage = (typeof GUIDE_PAGES)[number];

/** Languages of the guide, as they stand in its addresses. */
export const GUIDE_LANGUAGES = ['en', 'zh'] as const;
export type GuideLanguage = (typeof GUIDE_LANGUAGES)[number];

/** Path of a page of the guide, with the place on it where one is given (`5-write-a-setpoint`); without a page its contents. */
export function guidePath(language: GuideLanguage, page: GuidePage | null, place?: string): string {
  return `/guide/${language}/${page ?? 'index'}.html${place === undefined ? '' : `#${place}`}`;
}

/** True for the path of a page of the guide, whichever that is: the window opens nothing else of the guide in a browser. */
export function isGuidePath(path: string): boolean {
  return /^\/guide\/(?:en|zh)\/[a-z0-9-]{1,60}\.html$/.test(path);
}

/** Where the guide tells of a protocol: the walk that begins with nothing, and the page about what its tools do. */
interface ProtocolGuide {
  readonly walk: GuidePage;
  readonly tools: GuidePage;
}

const OF_PROTOCOL: Readonly<Record<ProtocolType, ProtocolGuide>> = {
  [ProtocolType.modbusTcp]: { walk: 'walk-modbus-rtu', tools: 'doctor' },
  [ProtocolType.modbusRtu]: { walk: 'walk-modbus-rtu', tools: 'doctor' },
  [ProtocolType.iec104]: { walk: 'walk-iec104', tools: 'iec104' },
  [ProtocolType.dlt645]: { walk: 'walk-meters', tools: 'dlt645' },
  [ProtocolType.iec61850]: { walk: 'walk-ied', tools: 'walk-ied' },
};

/** Where the guide tells of a protocol. */
export function guideOfProtocol(type: ProtocolType): ProtocolGuide {
  return OF_PROTOCOL[type];
}
