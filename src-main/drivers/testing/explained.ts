/** Explanations in a language, for tests. */
import type { ExplainNode } from '#shared/contract/frames.ts';
import { english as textInEnglish } from '#shared/messages/index.ts';
import { wordsOf } from '#shared/messages/message.ts';
import { messages } from '../../../src-renderer/i18n/zh/messages/index.ts';
import type { ExplainedNode, Explanation, FrameText } from '../spi/index.ts';

/** A node whose texts are words. */
export type SpokenNode = Pick<ExplainNode, 'name' | 'value' | 'start' | 'end' | 'severity'> & { readonly children: readonly SpokenNode[] };

/** An explanation in English. */
export function inEnglish({ summary, nodes, secrets }: Explanation) {
  return { summary: textInEnglish(summary), nodes: spoken(nodes, textInEnglish), secrets };
}

/** An explanation in Chinese; throws where a message has no Chinese. */
export function inChinese({ summary, nodes, secrets }: Explanation) {
  return { summary: chinese(summary), nodes: spoken(nodes, chinese), secrets };
}

/** A text in Chinese; throws where a message has none. */
export function chinese(text: FrameText): string {
  if (typeof text === 'string') return text;
  const words = wordsOf(text, { language: 'zh', catalogue: messages, comma: '、' });
  if (words === null) throw new Error(`${text.code} has no Chinese: ${JSON.stringify(text)}`);
  return words;
}

function spoken(nodes: readonly ExplainedNode[], words: (text: FrameText) => string): readonly SpokenNode[] {
  return nodes.map(({ name, value, start, end, severity, children }) => ({
    name: words(name),
    value: words(value),
    start,
    end,
    severity,
    children: spoken(children, words),
  }));
}

/** Every text of an explanation. */
export function textsOf({ summary, nodes }: { readonly summary: string; readonly nodes: readonly SpokenNode[] }): readonly string[] {
  const inNodes = (list: readonly SpokenNode[]): string[] => list.flatMap((node) => [node.name, node.value, ...inNodes(node.children)]);
  return [summary, ...inNodes(nodes)];
}

/** What a device calls itself stands in quotes; a term of a standard may stand in brackets behind its Chinese. */
const RIGHTLY_LATIN = /"[^"]*"|“[^”]*”|（[A-Za-z-]+）/g;
/** Units, letters of times in a format, one or two octets in hex. */
const SYMBOL = /^(?:[kM]?(?:varh?|Wh?|VAh?|Hz)|min|ms|(?:hh|mm|ss)+|(?:[\da-f]{2}){1,2})$/;
/** A word as it stands in a sentence. Abbreviations, mnemonics, references and hex have digits, signs, or capitals behind their first letter. */
const PLAIN_WORD = /^[A-Za-z][a-z]+(?:-[a-z]+)*[.!?…]?$/;

/** English words that stand in a Chinese text and should not. */
export function latinLeft(text: string): readonly string[] {
  const tokens = text.replaceAll(RIGHTLY_LATIN, ' ').split(/[\s，。：；、（）()[\]{}=·—,:;×]+/);
  return tokens.filter((token) => PLAIN_WORD.test(token) && !SYMBOL.test(token));
}
