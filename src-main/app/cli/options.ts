import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type CliFault, misuse } from './fault.ts';
import type { Speech } from './words.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Options that every command takes. */
export const COMMON_OPTIONS = {
  url: { type: 'string' },
  'token-file': { type: 'string' },
  fingerprint: { type: 'string' },
  data: { type: 'string' },
  project: { type: 'string' },
  demo: { type: 'boolean' },
  json: { type: 'boolean' },
  language: { type: 'string' },
  help: { type: 'boolean' },
} as const satisfies Options;

/** What stood behind the name of a command. */
export interface Given {
  readonly command: string;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
}

/** Takes the arguments of a command apart. Throws a `CliFault` for an option that it does not have, or without its value. */
export function parseGiven(command: string, args: readonly string[], own: Options, speech: Speech): Given {
  const known = { ...COMMON_OPTIONS, ...own };
  const { values, positionals } = parse(args, known, (thrown) => wrongOption(command, thrown, known, speech));
  // an empty variable of a script: as a path it would be the folder that one is in
  const empty = Object.keys(COMMON_OPTIONS).find((name) => values[name] === '');
  if (empty !== undefined) throw misuse(speech.fill(speech.own.optionValue, { option: `--${empty}` }));
  return { command, words: positionals, options: values };
}

function parse(args: readonly string[], options: Options, wrong: (thrown: unknown) => CliFault) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (thrown) {
    throw wrong(thrown);
  }
}

function wrongOption(command: string, thrown: unknown, known: Options, { own, fill }: Speech): CliFault {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const name = /'(?:-\w, )?(--?[^\s'=]+)/.exec(text)?.[1] ?? text;
  const option = known[name.replace(/^--/, '')];
  if (!option) return misuse(fill(own.unknownOption, { command, option: name }));
  return misuse(fill(option.type === 'string' ? own.optionValue : own.optionNoValue, { option: name }));
}

/** Reads the options of one command; what is wrong is a `CliFault`. */
export class OptionReader {
  readonly #given: Given;
  readonly #speech: Speech;

  constructor(given: Given, speech: Speech) {
    this.#given = given;
    this.#speech = speech;
  }

  text(name: string): string | undefined {
    const value = this.#given.options[name];
    return typeof value === 'string' ? value : undefined;
  }

  texts(name: string): readonly string[] {
    const value = this.#given.options[name];
    return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
  }

  has(name: string): boolean {
    return this.#given.options[name] === true;
  }

  /** A whole number in decimals; undefined where the option was left out. */
  whole(name: string, min: number, max: number): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const number = Number(text);
    if (/^\d{1,15}$/.test(text) && number >= min && number <= max) return number;
    throw misuse(this.#fill(this.#speech.own.optionNumber, { option: `--${name}`, min, max, text }));
  }

  /** A number of 0 or more; undefined where the option was left out. */
  decimal(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (/^\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
    throw misuse(this.#fill(this.#speech.own.optionDecimal, { option: `--${name}`, min: 0, text }));
  }

  /** One of a few words; undefined where the option was left out. */
  word<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    throw misuse(this.#fill(this.#speech.own.optionWord, { option: `--${name}`, words: words.join(', '), text }));
  }

  /** Refuses two options that stand together, each a text or a switch. */
  excluding(one: string, other: string): void {
    const { options } = this.#given;
    if (options[one] === undefined || options[other] === undefined) return;
    throw misuse(this.#fill(this.#speech.own.optionsExclude, { one: `--${one}`, other: `--${other}` }));
  }

  /** Refuses words beyond the first `most`. */
  most(most: number): void {
    const text = this.#given.words[most];
    if (text === undefined) return;
    const { own } = this.#speech;
    throw misuse(this.#fill(own.tooMany, { text }), this.#fill(own.seeHelp, { command: this.#given.command }));
  }

  #fill(template: string, params: Readonly<Record<string, string | number>>): string {
    return this.#speech.fill(template, params);
  }
}
