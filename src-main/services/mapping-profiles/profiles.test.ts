import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ListProfile, MOST_PROFILES } from '#shared/contract/list-operations.ts';
import { createMappingFiles } from '../../app/mapping-files.ts';
import type { DataPaths } from '../../platform/paths.ts';
import type { CallContext } from '../handlers.ts';
import { BUILT_IN_PROFILES } from './built-in.ts';
import { allProfiles, mappingProfileHandlers } from './index.ts';
import { parseProfile, profileText } from './profile-text.ts';

let mappingsDir: string;
let files: ReturnType<typeof createMappingFiles>;
let handlers: ReturnType<typeof mappingProfileHandlers>;
beforeEach(() => {
  mappingsDir = mkdtempSync(join(tmpdir(), 'loopcheck-profiles-'));
  mkdirSync(mappingsDir, { recursive: true });
  files = createMappingFiles({ mappingsDir } as DataPaths);
  handlers = mappingProfileHandlers({ mappingFiles: files });
});
afterEach(() => rmSync(mappingsDir, { recursive: true, force: true }));

const context = { source: 'api', effect: 'repeatable', warn() {} } as unknown as CallContext<never>;
const DRAFT = { name: 'Our lists', about: 'of the plant', headers: ['点号', '名称'], formats: ['csv' as const], mapping: { slave_id: 3 } };
const save = (changes: object = {}) => handlers.saveProfile({ ...DRAFT, ...changes } as never, context) as ListProfile;
const list = () => handlers.listProfiles({}, context) as { items: ListProfile[]; unreadable: { file: string; reason: string }[] };
const own = () => list().items.filter((profile) => !profile.built_in);
const fileOf = (id: string) => handlers.profileFile({ id }, context) as { name: string; mediaType: string; bytes: Uint8Array };
const add = (text: string | Uint8Array) =>
  handlers.addProfileFile({ file: new File([typeof text === 'string' ? text : new Uint8Array(text)], 'x.json') } as never, context);
const written = () => readdirSync(mappingsDir).sort();

describe('profiles of foreign lists', () => {
  it('are those of the program, then the own ones by their names', () => {
    save({ name: 'Zeta' });
    save({ name: 'Alpha' });
    expect(list().items.map(({ name }) => name)).toEqual([...BUILT_IN_PROFILES.map(({ name }) => name), 'Alpha', 'Zeta']);
    expect(allProfiles(files)).toEqual(list().items);
    expect(BUILT_IN_PROFILES.every((profile) => profile.built_in)).toBe(true);
  });

  it('are saved with all they say, under an id that stays with the name', () => {
    const saved = save();
    expect(saved).toEqual({ id: 'own-our-lists', built_in: false, ...DRAFT });
    expect(own()).toEqual([saved]);
    const again = save({ about: 'other' });
    expect([again.id, own()]).toEqual([saved.id, [{ ...saved, about: 'other' }]]);
    expect(save({ name: 'Our, lists' }).id, 'another name that would make the same id').toBe('own-our-lists-2');
  });

  it('are not called like one of the program, nor by no letter at all', () => {
    expect(() => save({ name: BUILT_IN_PROFILES[0]?.name })).toThrow(
      expect.objectContaining({ status: 422, data: [expect.objectContaining({ path: 'name' })] }),
    );
    expect(() => save({ name: '***' })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    expect(written()).toEqual([]);
  });

  it('are so many at most; one that is there can still be saved', () => {
    for (let count = 1; count <= MOST_PROFILES; count++) files.write(`own-p${count}`, profileText({ ...DRAFT, name: `P${count}` }));
    expect(() => save({ name: 'One more' })).toThrow(expect.objectContaining({ code: 'STATE_CONFLICT' }));
    expect(save({ name: 'P7', about: 'new' }).about).toBe('new');
    expect(own()).toHaveLength(MOST_PROFILES);
  });

  it('are as large as can be read again, in octets', () => {
    const headers = (count: number) => Array.from({ length: count }, () => '点'.repeat(500));
    expect(() => save({ headers: headers(200) })).toThrow(
      expect.objectContaining({ status: 422, data: [expect.objectContaining({ path: 'mapping' })] }),
    );
    expect(written()).toEqual([]);
    const { id } = save({ headers: headers(150) });
    expect([own().map((profile) => profile.id), list().unreadable]).toEqual([[id], []]);
  });

  it('do not take the place of a file that cannot be read', () => {
    writeFileSync(join(mappingsDir, 'own-our-lists.mapping.json'), '{"kind":"loopcheck-list-profile","version":2}');
    const { id } = save();
    expect(id).toBe('own-our-lists-2');
    expect(readFileSync(join(mappingsDir, 'own-our-lists.mapping.json'), 'utf8')).toContain('"version":2');
    expect(list().unreadable).toMatchObject([{ file: 'own-our-lists.mapping.json', reason: expect.stringContaining('version') }]);
  });

  it('go when they are deleted; those of the program stay, and those that are not there are told', () => {
    const { id } = save();
    const other = save({ name: 'Other' });
    expect(handlers.deleteProfile({ id }, context)).toMatchObject({ id, name: 'Our lists' });
    expect(own()).toEqual([other]);
    expect(() => handlers.deleteProfile({ id }, context)).toThrow(expect.objectContaining({ code: 'CONFIG_NOT_FOUND' }));
    expect(() => handlers.deleteProfile({ id: BUILT_IN_PROFILES[0]?.id ?? '' }, context)).toThrow(
      expect.objectContaining({ code: 'STATE_CONFLICT' }),
    );
    expect(list().items).toHaveLength(BUILT_IN_PROFILES.length + 1);
  });
});

describe('a profile as a file', () => {
  it('is named by it, and makes the same profile on another computer', async () => {
    const saved = save({ name: 'Our/lists' });
    const { name, mediaType, bytes } = fileOf(saved.id);
    expect([name, mediaType]).toEqual(['Our_lists.mapping.json', 'application/json']);
    handlers.deleteProfile({ id: saved.id }, context);
    expect(await add(bytes)).toEqual(saved);
    expect(own()).toEqual([saved]);
    expect(fileOf(BUILT_IN_PROFILES[0]?.id ?? '').bytes.length).toBeGreaterThan(100);
    expect(() => fileOf('none')).toThrow(expect.objectContaining({ code: 'CONFIG_NOT_FOUND' }));
  });

  it('may be written by hand: with a mark, and without what says nothing', async () => {
    const text = JSON.stringify({ kind: 'loopcheck-list-profile', version: 1, name: 'By hand', headers: ['Tag'], mapping: {} });
    expect(await add(`\uFEFF${text}`)).toMatchObject({ name: 'By hand', about: '', formats: [], built_in: false });
    // a file that lies among the own ones keeps its mark
    expect(parseProfile(`\uFEFF${text}`)).toEqual({
      name: 'By hand',
      about: '',
      headers: ['Tag'],
      formats: [],
      mapping: expect.any(Object),
    });
  });

  it.each([
    ['no JSON', '{', 'list.profile_no_json'],
    ['of another kind', '{"kind":"x","version":1}', 'list.profile_no_file'],
    ['of a later version', '{"kind":"loopcheck-list-profile","version":2,"name":"a","headers":["a"],"mapping":{}}', 'list.profile_no_file'],
    ['without headers', '{"kind":"loopcheck-list-profile","version":1,"name":"a","headers":[],"mapping":{}}', 'list.profile_no_file'],
  ])('that is %s is refused with what is wrong', async (_, text, code) => {
    await expect(add(text)).rejects.toMatchObject({ status: 422, data: [{ path: 'file', message_code: code }] });
    expect(written()).toEqual([]);
  });
});
