import { createHash, type Hash } from 'node:crypto';
import type { CheckRecordLanguage } from '#shared/domain/check.ts';

/** What shows a record in a browser: one script and one style, the same in every record of a program version. */
export interface RecordView {
  readonly script: string;
  readonly style: string;
  /** Version of the program, which also says what frames mean. */
  readonly program: string;
}

/** First line of a record as HTML. */
export const PAGE_BEGIN = '<!doctype html>';
const RECORD_BEGIN = '<script type="application/json" id="record">';
const EXPLAINED_BEGIN = '<script type="application/json" id="explained">';
const DATA_END = '</script>';
const DIGEST = /^<!-- sha256:([0-9a-f]{64}) -->$/;
const NO_SCRIPT =
  'This record is shown by a script of its own, which this browser does not run. 本记录由自带脚本显示，当前浏览器未运行该脚本。';

/** A line of JSON that no HTML ends in: every `<` as JSON may write it. `plainLine` undoes it. */
export function embeddedLine(line: string): string {
  return line.replaceAll('<', '\\u003c');
}

/** The line that was embedded; null for one that was not embedded by `embeddedLine`. A backslash that is one itself stays. */
export function plainLine(line: string): string | null {
  const plain = line.replace(/\\(?:\\|u003c)/g, (found) => (found === '\\u003c' ? '<' : found));
  return embeddedLine(plain) === line ? plain : null;
}

/** What is around the data of a record: nothing in it depends on the data. */
function frameOf(
  { script, style, program }: RecordView,
  language: CheckRecordLanguage,
): { readonly before: string; readonly behind: string } {
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new TypeError('The viewer of records cannot stand in HTML');
  const allowed = (text: string) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${allowed(script)}`,
    `style-src ${allowed(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return {
    before: `${PAGE_BEGIN}
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Loopcheck ${program.replace(/[^\w.+-]/g, '_')}">
<title>Loopcheck</title>
<style>${style}</style>
</head>
<body>
<noscript>${NO_SCRIPT}</noscript>
`,
    behind: `<script>${script}</script>\n</body>\n</html>\n`,
  };
}

/** A record as HTML: lines of its JSON, and what the drivers say of its frames, in front of what shows them. The last line is the digest of all octets before it. */
export async function* pageLines(
  view: RecordView,
  language: CheckRecordLanguage,
  record: AsyncIterable<string>,
  explained: AsyncIterable<string>,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  const { before, behind } = frameOf(view, language);
  async function* body(): AsyncGenerator<string> {
    yield before;
    yield `${RECORD_BEGIN}\n`;
    for await (const line of record) yield embeddedLine(line);
    yield `${DATA_END}\n${EXPLAINED_BEGIN}\n`;
    for await (const line of explained) yield embeddedLine(line);
    yield `${DATA_END}\n${behind}`;
  }
  for await (const text of body()) {
    hash.update(text, 'utf8');
    yield text;
  }
  yield `<!-- sha256:${hash.digest('hex')} -->\n`;
}

/** SHA-256 of what is around the data, in each language: a record with another one was written by another version. */
export function frameDigests(view: RecordView): readonly string[] {
  return (['zh', 'en'] as const).map((language) => {
    const { before, behind } = frameOf(view, language);
    const lines = `${before}${RECORD_BEGIN}\n${DATA_END}\n${EXPLAINED_BEGIN}\n${DATA_END}\n${behind}`;
    return createHash('sha256').update(lines, 'utf8').digest('hex');
  });
}

type Room = 'frame' | 'record' | 'explained' | 'behind';

/** What a line of the page is for the one who reads the record in it. */
export type PageLine =
  | { readonly is: 'other' | 'broken' }
  /** The file has ended; false: its digest is not that of its octets. */
  | { readonly is: 'end'; readonly isWhole: boolean; readonly frame: string }
  | { readonly is: 'record'; readonly octets: Buffer }
  /** What is said of frames, beside the record. */
  | { readonly is: 'explained'; readonly text: string };

/** Takes a record as HTML line by line, and finds the JSON in it. It has one record, and nothing behind its digest. */
export class PageReader {
  readonly #hash: Hash = createHash('sha256');
  readonly #frame: Hash = createHash('sha256');
  #room: Room = 'frame';
  #records = 0;

  take(octets: Buffer, isEnded: boolean): PageLine {
    if (this.#room === 'behind') return { is: 'broken' };
    const text = octets.toString('utf8');
    const [, digest] = this.#room === 'frame' ? (DIGEST.exec(text) ?? []) : [];
    if (digest !== undefined) return this.#end(digest, isEnded);
    this.#hash.update(octets).update('\n');
    if (!isEnded) return { is: 'broken' };
    if (this.#room !== 'frame' && text !== DATA_END) return this.#data(text);
    this.#frame.update(octets).update('\n');
    if (text === DATA_END) this.#room = 'frame';
    else if (text === RECORD_BEGIN) {
      this.#room = 'record';
      this.#records += 1;
      if (this.#records > 1) return { is: 'broken' };
    } else if (text === EXPLAINED_BEGIN) this.#room = 'explained';
    return { is: 'other' };
  }

  #data(text: string): PageLine {
    const plain = plainLine(text);
    if (plain === null) return { is: 'broken' };
    return this.#room === 'record' ? { is: 'record', octets: Buffer.from(plain, 'utf8') } : { is: 'explained', text: plain };
  }

  #end(digest: string, isEnded: boolean): PageLine {
    this.#room = 'behind';
    if (!isEnded || this.#records === 0) return { is: 'broken' };
    return { is: 'end', isWhole: digest === this.#hash.digest('hex'), frame: this.#frame.digest('hex') };
  }
}
