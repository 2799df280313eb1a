import { beforeEach, describe, expect, it } from 'vitest';
import type { SeriesNumbers, SeriesRepository } from '../../persistence/repositories.ts';
import { SeriesBook } from './series-book.ts';

const numbers = (value: number): SeriesNumbers => ({ times: Float64Array.of(0), columns: new Map([['P', Float64Array.of(value)]]) });

/** Files of a project, how often each was read, and what keeps the disk from being written. */
class Files implements SeriesRepository {
  readonly files = new Map<string, SeriesNumbers>();
  readonly reads: string[] = [];
  fault: Error | null = null;

  list() {
    return [...this.files.keys()].map((name) => ({ name, rows: 1, columns: [] }));
  }
  read(name: string) {
    this.reads.push(name);
    return this.files.get(name);
  }
  write(name: string, given: SeriesNumbers) {
    if (this.fault) throw this.fault;
    this.files.set(name, given);
  }
  remove(name: string) {
    if (this.fault) throw this.fault;
    return this.files.delete(name);
  }
}

let files: Files;
let book: SeriesBook;
beforeEach(() => {
  files = new Files();
  files.files.set('day', numbers(1));
  book = new SeriesBook(files);
});

describe('recorded values of a project', () => {
  it('are read when they are used first, and once', () => {
    expect(files.reads).toEqual([]);
    expect([book.find('day'), book.find('day')]).toEqual([numbers(1), numbers(1)]);
    expect(files.reads).toEqual(['day']);
    expect(book.find('night')).toBeUndefined();
    expect(files.reads, 'what was never there is not looked for').toEqual(['day']);
  });

  it('that cannot be read are looked for again', () => {
    files.files.delete('day');
    expect(book.find('day')).toBeUndefined();
    files.files.set('day', numbers(2));
    expect(book.find('day')).toEqual(numbers(2));
  });

  it('are those that were written last', () => {
    book.find('day');
    book.write('day', numbers(3));
    book.write('night', numbers(4));
    expect([book.find('day'), book.find('night')]).toEqual([numbers(3), numbers(4)]);
    expect([files.files.get('day'), files.reads]).toEqual([numbers(3), ['day']]);
  });

  it('are gone when they were removed', () => {
    expect(book.remove('day')).toBe(true);
    expect(book.find('day')).toBeUndefined();
    expect(book.remove('day')).toBe(false);
  });

  it('stay as they are where the disk takes no change', () => {
    files.fault = new Error('full');
    expect(() => book.write('day', numbers(5))).toThrow(files.fault);
    expect(() => book.write('night', numbers(5))).toThrow(files.fault);
    expect(() => book.remove('day')).toThrow(files.fault);
    expect([book.find('day'), book.find('night')]).toEqual([numbers(1), undefined]);
  });
});
