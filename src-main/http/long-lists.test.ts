import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operations } from '#shared/contract/index.ts';
import { AppError } from '#shared/domain/errors.ts';
import { readJsonBody } from './json-body.ts';
import { ListText } from './list-text.ts';
import { requestParser } from './request-parser.ts';

const facts = { limit: 10_000_000, announced: Number.NaN };
const read = (text: string, size = 1000) => {
  const octets = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(octets.length / size) }, (_, index) => octets.subarray(index * size, (index + 1) * size));
  return readJsonBody(Readable.from(chunks, { objectMode: false }), facts);
};
/** The same with its long list made of the text. */
const readWhole = async (text: string, size?: number) => {
  const body = (await read(text, size)) as Record<string, unknown>;
  for (const [name, value] of Object.entries(body)) if (value instanceof ListText) body[name] = await value.entries(async () => {});
  return body;
};
const codeOf = (promise: Promise<unknown>) =>
  promise.then(() => 'ok').catch((error: unknown) => (error instanceof AppError ? error.code : error));

describe('a body with a long list', () => {
  it('is the value that JSON.parse makes, wherever its octets are cut', async () => {
    const entry = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('],[', '"', '\\', ',', '测点', []));
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 1, maxLength: 7 }),
        fc.integer({ min: 1_000, max: 2_600 }),
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
        fc.integer({ min: 37, max: 4_000 }),
        async (some, length, others, size) => {
          const value = { ...others, points: Array.from({ length }, (_, index) => some[index % some.length]), z: [] };
          expect(await readWhole(JSON.stringify(value), size)).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is refused where it is no JSON: an entry that is missing, a comma too many, a broken one', async () => {
    const list = (entries: string) => `{"channel_id":1,"points":[${entries}]}`;
    const many = Array.from({ length: 1_250 }, (_, index) => String(index));
    expect(await codeOf(readWhole(list(many.join(','))))).toBe('ok');
    for (const at of [1, 249, 250, 251, 1_000, 1_249]) {
      const missing = [...many];
      missing[at] = '';
      expect(await codeOf(readWhole(list(missing.join(','))))).toBe('CONFIG_NOT_JSON');
      const broken = [...many];
      broken[at] = '{"a":}';
      expect(await codeOf(readWhole(list(broken.join(','))))).toBe('CONFIG_NOT_JSON');
    }
    expect(await codeOf(readWhole(list(`${many.join(',')},`)))).toBe('CONFIG_NOT_JSON');
    expect(await codeOf(readWhole(`${list(many.join(','))}}`))).toBe('CONFIG_NOT_JSON');
    expect(await codeOf(readWhole(list(many.join(',')).replace(']}', '}}')))).toBe('CONFIG_NOT_JSON');
    expect(await codeOf(readWhole(list(many.join(',')).replace(']}', '}]')))).toBe('CONFIG_NOT_JSON');
  });

  it('named twice counts as for any parser: the later one', async () => {
    const many = JSON.stringify(Array.from({ length: 1_500 }, () => 1));
    expect(await readWhole(`{"points":${many},"points":[2]}`)).toEqual({ points: [2] });
    expect(await readWhole(`{"points":[2],"points":${many}}`)).toEqual({ points: JSON.parse(many) });
    expect(await readWhole(`{"a":${many},"points":${many}}`)).toEqual({ a: JSON.parse(many), points: JSON.parse(many) });
  });
});

describe('the check of a long list', () => {
  const parse = requestParser(operations.addPoints);
  const point = (index: number, change: object = {}) => ({ frame_type: 0, code: `P${index}`, address: index, ...change });
  const body = (count: number, change: (index: number) => object = () => ({})) => ({
    channel_id: 1,
    points: Array.from({ length: count }, (_, index) => point(index, change(index))),
  });
  const refused = (given: unknown) =>
    parse({}, given).then(
      () => null,
      (error: unknown) => (error instanceof AppError ? error.data : error),
    );

  it('takes over the same as that of a short one, defaults and warnings included', async () => {
    const { request, warnings } = await parse(
      {},
      body(700, (index) => (index === 600 ? { adress: 1 } : {})),
    );
    const short = await parse({}, { channel_id: 1, points: [point(600, { adress: 1 })] });
    expect((request.points as unknown[])[600]).toEqual((short.request.points as unknown[])[0]);
    expect(request.channel_id).toBe(1);
    expect(warnings.list()).toEqual([{ ...short.warnings.list()?.[0], path: 'points.600.adress' }]);
  });

  it('names the place of what is wrong, and what is wrong beside the list', async () => {
    expect(await refused({ ...body(700, (index) => (index === 650 ? { address: 'x' } : {})), channel_id: 'one' })).toMatchObject([
      { path: 'channel_id', message: expect.any(String) },
      { path: 'points.650.address', message: expect.any(String) },
    ]);
    expect(await refused({ channel_id: 1, points: Array.from({ length: 100_001 }, () => null) })).toContainEqual(
      expect.objectContaining({ path: 'points', message: expect.stringContaining('100000') }),
    );
  });

  const textOf = (value: unknown) => JSON.stringify(value);

  it('is the same where it is text still', async () => {
    const given = body(1_300, (index) => (index === 1_200 ? { adress: 1 } : {}));
    const [ofText, ofValues] = [await parse({}, await read(textOf(given))), await parse({}, given)];
    expect(ofText.request).toEqual(ofValues.request);
    expect(ofText.warnings.list()).toEqual(ofValues.warnings.list());
    const wrong = body(1_300, (index) => (index === 1_200 ? { address: 'x' } : {}));
    expect(await refused(await read(textOf(wrong)))).toEqual(await refused(wrong));
  });

  it('refuses a text that is no JSON, also behind an entry that is wrong, and where the operation has no such list', async () => {
    const broken = textOf(body(1_300, (index) => (index === 3 ? { address: 'x' } : {}))).replace('"P1299"', '"P1299');
    expect(await codeOf(read(broken).then((given) => parse({}, given)))).toBe('CONFIG_NOT_JSON');
    const elsewhere = requestParser(operations.readSinglePoint);
    expect(await codeOf(read(broken).then((given) => elsewhere({}, given)))).toBe('CONFIG_NOT_JSON');
    expect(await codeOf(read(broken).then((given) => requestParser(operations.pointTable)({ channel_id: '1' }, given)))).toBe(
      'CONFIG_NOT_JSON',
    );
  });

  it('takes a long list that the operation does not know as any other unknown field', async () => {
    const given = { channel_id: 1, points: [point(0)], more: body(1_300).points };
    const [ofText, ofValues] = [await parse({}, await read(textOf(given))), await parse({}, given)];
    expect(ofText.request).toEqual(ofValues.request);
    expect(ofText.warnings.list()).toEqual(ofValues.warnings.list());
    expect(ofText.warnings.list()).toMatchObject([{ path: 'more' }]);
  });

  it('tells a field that needs something else than a list as wrong', async () => {
    const given = { channel_id: body(1_300).points, points: [point(0)] };
    expect(await refused(await read(textOf(given)))).toEqual(await refused(given));
    expect(await refused(given)).toMatchObject([{ path: 'channel_id' }]);
  });
});
