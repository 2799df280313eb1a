import { describe, expect, it } from 'vitest';
import { MOST_CHECK_FILE_OCTETS } from '#shared/domain/check.ts';
import type { RecordFacts } from '#shared/domain/check-record.ts';
import type { CheckRepository, StoredCheckFile } from '../../persistence/check-repositories.ts';
import { requireFileRoom, requireRoom } from './merge-files.ts';

const MIB = 1024 * 1024;
const aFile = (sha256: string, size: number, kind: StoredCheckFile['kind'] = 'attachment'): StoredCheckFile => {
  return { kind, sha256, name: sha256, mediaType: 'text/plain', size };
};

/** A store with these files in its session 1, and none in others. */
function storeWith(...files: readonly StoredCheckFile[]): CheckRepository {
  const of = (id: number) => (id === 1 ? files : []);
  return { files: of, logo: (id: number) => of(id).find(({ kind }) => kind === 'logo') } as unknown as CheckRepository;
}

const refused = (run: () => void) => {
  try {
    run();
    return null;
  } catch (thrown) {
    return thrown;
  }
};

describe('the files of a record', () => {
  /** What is said of a record whose results name `a`, and whose first page has `logo`; null: it has room. */
  const merged = (store: CheckRepository, id: number | null, sizes: Record<string, number>, logo?: string) => {
    const facts = { session: logo === undefined ? {} : { logo } } as unknown as RecordFacts;
    return refused(() => requireFileRoom(store, id, { facts, attached: new Set(['a']), sizes: new Map(Object.entries(sizes)) }));
  };
  const MOST = MOST_CHECK_FILE_OCTETS;

  it('may fill what a session may have, and no octet more, those here counted', () => {
    expect([merged(storeWith(), 1, { a: MOST }), merged(storeWith(aFile('x', 5)), 1, { a: MOST - 5 })]).toEqual([null, null]);
    expect(merged(storeWith(aFile('x', 5)), 1, { a: MOST - 4 })).toMatchObject({
      code: 'STATE_CONFLICT',
      said: { code: 'check.merge_files_full', params: { there: 1, more: 200, most: 200 } },
    });
    expect(merged(storeWith(aFile('x', MOST)), null, { a: MOST }), 'a session that is not here has none').toBeNull();
  });

  it('take no room where they are here already, or nobody names them', () => {
    expect(merged(storeWith(aFile('a', MOST)), 1, { a: MOST })).toBeNull();
    expect(merged(storeWith(aFile('x', MOST)), 1, { stray: MOST })).toBeNull();
    expect(merged(storeWith(aFile('a', MOST, 'logo')), 1, { a: 1 }), 'a logo is no attachment').not.toBeNull();
  });

  it('have the logo among them where there is none, once as that and once as attachment', () => {
    expect(merged(storeWith(), 1, { logo: MOST + 1 }, 'logo')).not.toBeNull();
    expect(merged(storeWith(), null, { logo: MOST + 1 }, 'logo')).not.toBeNull();
    expect(merged(storeWith(), 1, { logo: MOST }, 'logo')).toBeNull();
    expect(merged(storeWith(aFile('own', 1, 'logo')), 1, { logo: MOST + 1 }, 'logo'), 'the own one stays').toBeNull();
    expect(merged(storeWith(), 1, { a: MOST / 2 + 1 }, 'a'), 'kept twice').not.toBeNull();
  });
});

it('a file that is added has the same room', () => {
  const store = storeWith(aFile('x', MIB), aFile('y', MIB));
  expect(refused(() => requireRoom(store, 1, MOST_CHECK_FILE_OCTETS - 2 * MIB))).toBeNull();
  expect(refused(() => requireRoom(store, 1, MOST_CHECK_FILE_OCTETS - 2 * MIB + 1))).toMatchObject({
    code: 'STATE_CONFLICT',
    said: { code: 'check.files_full', params: { there: 2, most: 200 } },
  });
});
