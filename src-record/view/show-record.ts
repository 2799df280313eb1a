import type { CheckRecordLanguage } from '#shared/domain/check.ts';
import type { CheckRecord } from '#shared/domain/check-record.ts';
import { modelOf } from '../model.ts';
import { RecordWords } from '../words.ts';
import { Explained } from './context.ts';
import { drawDocument } from './document.ts';

const DIGEST = /sha256:([0-9a-f]{64})/;

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? '';
}

/** What the address asks for, else the language the file was written in. */
function firstLanguage(): CheckRecordLanguage {
  const asked = new URLSearchParams(location.search).get('lang') ?? document.documentElement.lang;
  return asked.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

/** The last line of the file, a comment behind the page. */
function fileDigest(): string {
  const last = document.lastChild;
  const body = document.body.lastChild;
  const comment = [last, body].find((node) => node?.nodeType === Node.COMMENT_NODE);
  return DIGEST.exec(comment?.textContent ?? '')?.[1] ?? '';
}

/** Words at the foot of each page; a text of CSS, which only quotes and backslashes end. */
function setFoot(text: string): void {
  const quoted = `"${text.replace(/["\\\n\r\f]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)} `)}"`;
  const sheet = document.styleSheets[0];
  if (!sheet) return;
  sheet.insertRule(`@page { @bottom-left { content: ${quoted}; font-size: 7.5pt; color: #555 } }`, sheet.cssRules.length);
}

/** The document on the page. */
export interface Shown {
  /** Opens what goes onto paper; what it answers closes it again. */
  prepareForPaper(): () => void;
}

/** Shows the record that is in this page. */
export function showRecord(): Shown {
  const record = JSON.parse(textOf('record')) as CheckRecord;
  const model = modelOf(record);
  const explained = new Explained(textOf('explained'));
  const files = new Map((record.files ?? []).map((file) => [file.sha256, file]));
  const digest = fileDigest();
  const drawIn = (language: CheckRecordLanguage) => {
    const words = new RecordWords(language, record.utc_offset_min);
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
    document.title = `${record.session.name} – ${words.record.title}`;
    return drawDocument({ model, explained, files, words }, digest, () => change(language === 'zh' ? 'en' : 'zh'));
  };
  let drawn = drawIn(firstLanguage());
  const change = (language: CheckRecordLanguage) => {
    const next = drawIn(language);
    drawn.bar.replaceWith(next.bar);
    drawn.main.replaceWith(next.main);
    drawn = next;
  };
  document.body.append(drawn.bar, drawn.main);
  setFoot(`${record.session.name} · ${digest.slice(0, 16)}`);
  document.documentElement.dataset.ready = 'true';
  return { prepareForPaper: () => drawn.prepareForPaper() };
}
