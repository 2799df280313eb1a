import type { ReceivedIssue } from '#shared/domain/errors.ts';
import { type AppError, issueMessage } from '#shared/domain/errors.ts';
import { english, MESSAGES, say } from '#shared/messages/index.ts';
import { fill, type Message, type MessageParam, type Words, wordsOf } from '#shared/messages/message.ts';
import { type WordsOfCli, wordsEn } from './words-en.ts';

export type CliLanguage = 'zh' | 'en';

/** Words of the pages that the command line says as well. */
interface PageWords {
  readonly quality: Readonly<Record<string, string>>;
  readonly checkState: Readonly<Record<string, string>>;
  readonly rule: Readonly<Record<string, string>>;
  readonly next: Readonly<Record<string, { readonly next: string }>>;
}

/** All words of one language. */
export interface Speech {
  readonly language: CliLanguage;
  readonly own: WordsOfCli;
  readonly page: PageWords;
  /** `template` with its names filled in. */
  fill(template: string, params: Readonly<Record<string, string | number>>): string;
  /** A message of the service; `text` is its English, shown where the message is not known here. */
  message(message: Message | null | undefined, text: string): string;
  /** A parameter of a message, in words. */
  param(param: MessageParam): string;
  /** What an error of the service says; `names` are those of the points in the request. */
  error(error: AppError, names?: readonly string[]): string;
}

const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null && 'code' in value && 'params' in value;

/** Loads the words of a language. */
export async function loadSpeech(language: CliLanguage): Promise<Speech> {
  const [own, catalogue, page] =
    language === 'zh'
      ? [
          (await import('./words-zh.ts')).wordsZh,
          (await import('../../../src-renderer/i18n/zh/messages/index.ts')).messages as Readonly<Record<string, string>>,
          await chinesePages(),
        ]
      : [wordsEn, MESSAGES, await englishPages()];
  const words: Words = { language, catalogue, comma: language === 'zh' ? '、' : ', ' };
  const message = (said: Message | null | undefined, text: string) => (isMessage(said) ? wordsOf(said, words) : null) ?? text;
  return {
    language,
    own,
    page,
    fill: (template, params) => fill(template, (name) => (Object.hasOwn(params, name) ? String(params[name]) : undefined)),
    message,
    param(param) {
      const list = say('common.list', { parts: param });
      return message(list, english(list));
    },
    error(error, names = []) {
      const issues = issuesOf(error.data);
      if (issues.length === 0) return message(error.said, error.message);
      return issues.map((issue) => named(message(placed(issue), issue.message), nameIn(issue, names))).join(' ');
    },
  };
}

/** Places in a request that are wrong; none for other data of an error. */
function issuesOf(data: unknown): readonly ReceivedIssue[] {
  const isIssue = (each: unknown): each is ReceivedIssue =>
    typeof each === 'object' && each !== null && 'path' in each && 'message' in each && typeof each.path === 'string';
  return Array.isArray(data) && data.every(isIssue) ? data : [];
}

/** What an issue says, with its place where a person knows it: the number of a point in a request is none of theirs. */
function placed(issue: ReceivedIssue): Message {
  const said = issueMessage(issue);
  return issue.path === '' || /^points\.\d+\./.test(issue.path) ? said : say('common.issue', { path: issue.path, message: said });
}

/** Name of the point that an issue is about; null where it is about none. */
function nameIn({ path }: ReceivedIssue, names: readonly string[]): string | null {
  return names[Number(/^points\.(\d+)\./.exec(path)?.[1] ?? Number.NaN)] ?? null;
}

/** A text that says whom it is about. */
function named(text: string, name: string | null): string {
  return name === null || text.includes(name) ? text : `${name}: ${text}`;
}

async function chinesePages(): Promise<PageWords> {
  const { points } = await import('../../../src-renderer/i18n/zh/points.ts');
  const { check } = await import('../../../src-renderer/i18n/zh/check.ts');
  const { files } = await import('../../../src-renderer/i18n/zh/files.ts');
  const { errors } = await import('../../../src-renderer/i18n/zh/errors.ts');
  return { quality: points.quality, checkState: check.state, rule: files.rule, next: errors.codes };
}

async function englishPages(): Promise<PageWords> {
  const { points } = await import('../../../src-renderer/i18n/en/points.ts');
  const { check } = await import('../../../src-renderer/i18n/en/check.ts');
  const { files } = await import('../../../src-renderer/i18n/en/files.ts');
  const { errors } = await import('../../../src-renderer/i18n/en/errors.ts');
  return { quality: points.quality, checkState: check.state, rule: files.rule, next: errors.codes };
}

/** Language by what somebody asked for, else by the environment of POSIX, else by the settings of the system. */
export function languageOf(given: string | undefined, env: Readonly<Record<string, string | undefined>>, system: string): CliLanguage {
  if (given === 'zh' || given === 'en') return given;
  const tag = env.LC_ALL || env.LC_MESSAGES || env.LANG || system;
  return /^zh\b|^zh[_-]/i.test(tag) ? 'zh' : 'en';
}
