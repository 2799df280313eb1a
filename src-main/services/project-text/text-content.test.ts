import { expect, it } from 'vitest';
import { parseText } from './text-content.ts';

const parse = (text: string) => parseText(new TextEncoder().encode(text), { hasNamesOnce: true });

it('says where a text is no JSON, in words of its own', () => {
  const refusal = parse('{\n  "format": "loopcheck-project",\n}');
  expect(refusal).toMatchObject({
    refusal: { path: '', message: 'is no JSON from line 3, column 1 on; look at that place and the one before it' },
  });
});

it('names what stands twice in one object: a merge that kept the lines of both sides', () => {
  const text = '{\n  "channels": [{ "ip": "10.0.0.1", "port": 502 }, {\n    "ip": "10.0.0.1",\n    "\\u0069p": "10.0.0.2"\n  }]\n}';
  expect(parse(text)).toMatchObject({
    refusal: { path: '', message: 'has the name ip for the second time in one object in line 4; one of the two has to go' },
  });
  expect(parse('{"a":{"b":"a","c":["b","b"]},"b":{"b":1}}')).toEqual({
    content: { a: { b: 'a', c: ['b', 'b'] }, b: { b: 1 } },
  });
});
