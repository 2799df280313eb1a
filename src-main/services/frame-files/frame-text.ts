import type { FrameEntry } from '#shared/contract/frames.ts';
import { csvLine } from '../point-files/csv-text.ts';
import type { FrameWindow } from './selected-frames.ts';

const BOM = '\uFEFF';
const LINE_END = '\r\n';
/** Width of the longest kind. */
const KIND_WIDTH = 6;
const LENGTH_WIDTH = 5;

const WORDS = {
  en: {
    columns: [
      'Number',
      'Time (UTC)',
      'Kind',
      'Length',
      'Octets',
      'Explanation',
      'Answers',
      'Answered by',
      'Latency (ms)',
      'Connection',
      'Line',
    ],
    channel: 'Channel',
    entries: ({ first, last, dropped }: FrameWindow) =>
      last < first
        ? 'The frame log is empty.'
        : `Entries ${first} to ${last}; ${dropped} older ones left the bounded log before. Times are UTC.`,
    missing: (count: number) => `${count} entries left the bounded log before they were written.`,
  },
  zh: {
    columns: ['序号', '时间 (UTC)', '类型', '长度', '字节', '说明', '所答请求', '应答', '时延 (ms)', '连接', '线路'],
    channel: '通道',
    entries: ({ first, last, dropped }: FrameWindow) =>
      last < first ? '报文记录为空。' : `第 ${first} 至 ${last} 条；此前已有 ${dropped} 条移出容量有限的记录。时间为 UTC。`,
    missing: (count: number) => `有 ${count} 条在写入前已移出容量有限的记录。`,
  },
} as const;

/** What a format of text makes of the log, line by line. */
export interface FrameLines {
  /** What stands in front of the entries. */
  head(channel: string, window: FrameWindow): string;
  line(entry: FrameEntry): string;
  /** So many entries are missing here. */
  gap(count: number): string;
}

/** Lines to read: time, kind, length, octets, explanation, line; events without octets. */
export function plainLines(language: 'en' | 'zh'): FrameLines {
  const words = WORDS[language];
  return {
    head: (channel, window) => `${BOM}# ${words.channel}: ${oneLine(channel)}${LINE_END}# ${words.entries(window)}${LINE_END}`,
    line({ at, kind, length, hex, text, peer }) {
      const octets = hex === '' ? [] : [String(length).padStart(LENGTH_WIDTH), hex];
      const told = [text, peer === '' || peer === text ? '' : `[${peer}]`].filter((part) => part !== '').map(oneLine);
      return `${[at, kind.toUpperCase().padEnd(KIND_WIDTH), ...octets, ...told].join('  ')}${LINE_END}`;
    },
    gap: (count) => `# ${words.missing(count)}${LINE_END}`,
  };
}

/** A table as spreadsheets of all languages open it; nothing in it is computed by one. */
export function csvLines(language: 'en' | 'zh'): FrameLines {
  const words = WORDS[language];
  return {
    head: () => `${BOM}${csvLine(words.columns)}${LINE_END}`,
    line: ({ seq, at, kind, length, hex, text, link, answer, latency_ms: latency, connection, peer }) =>
      `${csvLine([seq, at, kind.toUpperCase(), length, hex, text, link, answer ?? null, latencyText(latency), connection, peer])}${LINE_END}`,
    gap: (count) => `${csvLine([null, null, null, null, null, words.missing(count), null, null, null, null, null])}${LINE_END}`,
  };
}

/** Milliseconds to the microsecond; null where there is none. */
function latencyText(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : ms.toFixed(3);
}

/** A text without anything that would begin another line or steer a terminal: names of devices and files may hold that. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
