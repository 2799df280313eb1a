import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { sclText } from '../testing/files.ts';
import { type XmlElement, XmlSource } from './xml.ts';

const opened = (text: string) => new XmlSource('x.xml', text);
const rootOf = (text: string) => opened(text).root([]);

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,6}$/).filter((text) => !['__proto__', 'constructor'].includes(text));
const value = fc.stringMatching(/^[A-Za-z0-9 ,.;/=-]{0,12}$/).map((text) => text.trim());
const space = fc.constantFrom('', ' ', '\n  ', '\r\n\t');
const comment = fc.constantFrom('', '', '<!-- a <b> comment -->', '<?pi some="thing"?>');

const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .record({
      name,
      attributes: fc.dictionary(name, value, { maxKeys: 4 }),
      space,
      comment,
      children: fc.oneof({ depthSize: 'small' }, fc.constant([] as string[]), fc.array(tie('element'), { maxLength: 4 })),
      text: value,
      isEmpty: fc.boolean(),
    })
    .map((part) => {
      const written = Object.entries(part.attributes).map(([key, text]) => ` ${key}${part.space === '' ? '' : ' '}="${text}"`);
      const tag = `${part.name}${written.join('')}${part.space}`;
      const content = part.children.length > 0 ? part.children.map((child) => part.space + child + part.comment).join('') : part.text;
      return content === '' && part.isEmpty ? `<${tag}/>` : `<${tag}>${content}</${part.name}>`;
    }),
}));

/** Names, offsets and texts of an element and everything below it. */
type Tree = readonly [name: string, start: number, end: number, content: string, children: readonly Tree[]];
const treeOf = (at: XmlElement): Tree => [at.name, at.start, at.end, at.content, at.children().map(treeOf)];

describe('elements', () => {
  it('that are closed have their attributes and their place, and give their content when they are opened', () => {
    fc.assert(
      fc.property(fc.array(element, { minLength: 1, maxLength: 5 }), (parts) => {
        const text = `<S>${parts.map((part, place) => `<C n="${place}">${part}</C>`).join('\n')}<E/></S>`;
        const source = opened(text);
        const whole = source.root([]).children();
        const closed = source.root(['S.C']).children();
        expect(closed.map((each) => [each.name, each.text('n'), each.children().length])).toEqual([
          ...parts.map((_, place) => ['C', `${place}`, 0]),
          ['E', '', 0],
        ]);
        expect(closed.map((each) => treeOf(source.open(each)))).toEqual(whole.map(treeOf));
        expect(closed.map(({ start, end }) => text.slice(start, end))).toEqual([
          ...parts.map((part, place) => `<C n="${place}">${part}</C>`),
          '<E/>',
        ]);
      }),
      { numRuns: 100 },
    );
  });

  it('have texts of several pieces, CDATA among them', () => {
    expect(rootOf('<a><![CDATA[1 < 2]]>, 3 &lt; 4<!-- 5 --></a>').content).toBe('1 < 2, 3 < 4');
  });

  it('are known by their names without prefix', () => {
    const root = rootOf('<scl:SCL xmlns:scl="http://www.iec.ch/61850/2003/SCL"><scl:IED name="A"/></scl:SCL>');
    expect([root.name, root.child('IED')?.text('name')]).toEqual(['SCL', 'A']);
  });
});

describe('what is not well formed', () => {
  it.each([
    '<a><b></a></b>',
    '<a></a></b>',
    '<a/><b/>',
    '<a b/>',
    '<a b=c/>',
    '<a b="c/>',
    '<a b="c"d="e"/>',
    '<a',
    '<a></a',
    '<a>< b/></a>',
    '<a><!-- </a>',
    '<a><![CDATA[ </a>',
    '<a><?x </a>',
    '<!-- only -->',
    '<a "b"="c"/>',
  ])('%s', (text) => {
    expect(() => rootOf(text)).toThrow(/^x\.xml, line 1: /);
  });

  it.each([
    '<!DOCTYPE a><a/>',
    '<a><!ENTITY b "c"></a>',
    '<a/><!DOCTYPE a>',
    '<a>\n<!-- <!DOCTYPE --><!DOCTYPE a [<!ENTITY b "c">]>&b;</a>',
  ])('a declaration: %s', (text) => {
    expect(() => rootOf(text)).toThrow(/^x\.xml, line [12]: a document type declaration is refused/);
  });

  it('a declaration that is but spoken of is none', () => {
    expect(rootOf('<!-- <!DOCTYPE a> --><a><![CDATA[<!DOCTYPE a>]]></a>').content).toBe('<!DOCTYPE a>');
  });

  it('is told with its line, whatever is cut or changed; what passes can be read', () => {
    const text = sclText('station-ed21.scd');
    fc.assert(
      fc.property(fc.nat(text.length), fc.constantFrom('', '<', '>', '"', '/', '&', '<a>', '</'), (at, piece) => {
        const changed = piece === '' ? text.slice(0, at) : text.slice(0, at) + piece + text.slice(at + 1);
        try {
          const source = opened(changed);
          for (const ied of source.root(['SCL.IED']).children('IED')) expect(source.open(ied).start).toBe(ied.start);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(AppError);
          expect((thrown as AppError).message).toMatch(/^x\.xml, line \d+: /);
        }
      }),
      { numRuns: 200 },
    );
  });
});
