import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { sclText } from '../testing/files.ts';
import { XmlSource } from './xml.ts';
import type { XmlElement } from './xml-element.ts';
import { outline, XmlFault } from './xml-outline.ts';

/** A tree to compare: name, attributes without prefix, children, text. */
type Tree = readonly [name: string, attributes: Readonly<Record<string, string>>, children: readonly Tree[], text: string];

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/** The tree as another reader of XML has it. */
function foreignTrees(text: string): Tree[] {
  const treeOf = (node: Record<string, unknown>): Tree[] => {
    const name = Object.keys(node).find((key) => key !== ':@') ?? '';
    if (name === '#text') return [];
    const content = node[name] as Record<string, unknown>[];
    const texts = content.map((item) => ('#text' in item ? String(item['#text']) : '')).join('');
    return [[name.replace(/^.*:/, ''), (node[':@'] ?? {}) as Record<string, string>, content.flatMap(treeOf), texts]];
  };
  return (parser.parse(text) as Record<string, unknown>[]).flatMap(treeOf);
}

function ownTree(element: XmlElement, names: (tree: Tree) => readonly string[], other: Tree): Tree {
  const attributes = Object.fromEntries(names(other).map((name) => [name, element.text(name)]));
  const children = element.children().map((child, place) => ownTree(child, names, other[2][place] ?? ['', {}, [], '']));
  return [element.name, attributes, children, element.content];
}

const opened = (text: string, closed: readonly string[] = []) => new XmlSource('x.xml', text, closed);
const isSame = (text: string) => {
  const [wanted] = foreignTrees(text);
  if (!wanted) throw new Error('no tree');
  expect(ownTree(opened(text).root(), ([, attributes]) => Object.keys(attributes), wanted)).toEqual(wanted);
};

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,6}$/).filter((text) => !['__proto__', 'constructor'].includes(text));
const plain = fc.stringMatching(/^[A-Za-z0-9 ,.;>/'=-]{0,12}$/).map((text) => text.trim());
const attributes = fc.dictionary(
  name,
  plain.map((text) => text.replaceAll('>', '')),
  { maxKeys: 4 },
);
const space = fc.constantFrom('', ' ', '\n  ', '\r\n\t');
const comment = fc.constantFrom('', '', '<!-- a <b> comment -->', '<?pi some="thing"?>');

const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .record({
      name,
      attributes,
      space,
      comment,
      children: fc.oneof({ depthSize: 'small' }, fc.constant([] as string[]), fc.array(tie('element'), { maxLength: 4 })),
      text: plain.map((text) => text.replaceAll('>', '')),
      isEmpty: fc.boolean(),
    })
    .map((part) => {
      const written = Object.entries(part.attributes).map(([key, value]) => ` ${key}${part.space === '' ? '' : ' '}="${value}"`);
      const tag = `${part.name}${written.join('')}${part.space}`;
      const content = part.children.length > 0 ? part.children.map((child) => part.space + child + part.comment).join('') : part.text;
      return content === '' && part.isEmpty ? `<${tag}/>` : `<${tag}>${content}</${part.name}>`;
    }),
}));

describe('elements', () => {
  it('of any file are those that another reader finds', () => {
    fc.assert(
      fc.property(element, (text) => isSame(text)),
      { numRuns: 200 },
    );
  });

  it.each(['bay.cid', 'relay-ed1.icd', 'station-ed21.scd'])('of %s as well', (file) => {
    const text = sclText(file);
    const [wanted] = foreignTrees(text);
    if (!wanted) throw new Error('no tree');
    const plainNames = ([, found]: Tree) => Object.keys(found).filter((each) => !each.includes(':'));
    const strip = ([tag, found, children, content]: Tree): Tree => {
      const kept = Object.fromEntries(Object.entries(found).filter(([each]) => !each.includes(':')));
      return [tag, decoded(kept), children.map(strip), decodedText(content)];
    };
    expect(ownTree(opened(text).root(), plainNames, wanted)).toEqual(strip(wanted));
  });

  it('of the demo too', () => {
    const text = readFileSync(new URL('../../../../../resources/demo/bay.cid', import.meta.url), 'utf8');
    expect(opened(text).root().children('IED').length).toBe(1);
  });

  it('that are closed have their attributes, and give their content when they are opened', () => {
    fc.assert(
      fc.property(fc.array(element, { minLength: 1, maxLength: 5 }), (parts) => {
        const text = `<S>${parts.map((part, place) => `<C n="${place}">${part}</C>`).join('\n')}<E/></S>`;
        const source = opened(text, ['S.C']);
        const whole = opened(text).root();
        const closed = source.root().children();
        expect(closed.map((each) => [each.name, each.children().length])).toEqual([...parts.map(() => ['C', 0]), ['E', 0]]);
        closed.forEach((each, place) => {
          const same = whole.children()[place];
          expect([each.text('n'), each.start]).toEqual([same?.text('n'), same?.start]);
          const wanted = foreignTrees(parts[place] ?? '<E/>')[0];
          const found = source.open(each).children()[0];
          if (found && wanted) expect(ownTree(found, ([, keys]) => Object.keys(keys), wanted)).toEqual(wanted);
          expect(
            source
              .open(each)
              .children()
              .map(({ start }) => start),
          ).toEqual(same?.children().map(({ start }) => start));
        });
      }),
      { numRuns: 100 },
    );
  });

  it('keep prefixed attributes apart, and take CDATA as it is', () => {
    const root = opened('<a xs:type="no" type="yes"><![CDATA[1 < 2 &amp; 3]]> &amp; 4<!-- 5 --></a>').root();
    expect([root.text('type'), root.content]).toEqual(['yes', '1 < 2 &amp; 3 & 4']);
  });
});

describe('what is not well formed', () => {
  it.each([
    ['<a><b></a></b>', 'closes nothing; b is open'],
    ['<a></a></b>', 'closes nothing'],
    ['<a/><b/>', 'more than one root'],
    ['<a/>text', 'text outside'],
    ['<a b/>', 'no value in quotes'],
    ['<a b=c/>', 'no value in quotes'],
    ['<a b="c/>', 'is not closed'],
    ['<a b="<"/>', 'is not closed'],
    ['<a b="c"d="e"/>', 'no attribute'],
    ['<a', 'is not closed'],
    ['<a></a', 'is not closed'],
    ['<a>< b/></a>', 'begins no tag'],
    ['<a><!-- </a>', 'a comment is not closed'],
    ['<a><![CDATA[ </a>', 'a CDATA section is not closed'],
    ['<a><?x </a>', 'a processing instruction is not closed'],
    ['<a><!ENTITY b "c"></a>', 'document type'],
    ['<!-- only -->', 'no element'],
    ['<a "b"="c"/>', 'no attribute'],
  ])('%s', (text, words) => {
    expect(() => outline(text, [])).toThrow(XmlFault);
    expect(() => outline(text, [])).toThrow(words);
  });

  it('is told with its line, whatever is cut or changed; what passes can be read', () => {
    const text = sclText('station-ed21.scd');
    fc.assert(
      fc.property(fc.nat(text.length), fc.constantFrom('', '<', '>', '"', '/', '&', '<a>', '</'), (at, piece) => {
        const changed = piece === '' ? text.slice(0, at) : text.slice(0, at) + piece + text.slice(at + 1);
        try {
          const source = opened(changed, ['SCL.IED']);
          for (const ied of source.root().children('IED')) expect(source.open(ied).start).toBe(ied.start);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(AppError);
          expect((thrown as AppError).message).toMatch(/^x\.xml, line \d+: /);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const decodedText = (text: string) => opened(`<a>${text}</a>`).root().content;
const decoded = (found: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(found).map(([key, value]) => [key, opened(`<a b="${value}"/>`).root().text('b')]));
