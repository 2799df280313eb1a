import { describe, expect, it } from 'vitest';
import { mayBeCut } from './cut.ts';

describe('mayBeCut', () => {
  it('leaves cells alone whose text fits, also in one element or without any', () => {
    expect(mayBeCut('60000', 76)).toBe(false);
    expect(mayBeCut('0x000F', 66)).toBe(false);
    expect(mayBeCut('遥测', 48)).toBe(false);
    expect(mayBeCut('', 12)).toBe(false);
    expect(mayBeCut(null, 12)).toBe(false);
    expect(mayBeCut(<span className="muted">—</span>, 36)).toBe(false);
  });

  it('cuts what is longer than its column, in wide signs sooner', () => {
    expect(mayBeCut('Point 1234567', 100)).toBe(true);
    expect(mayBeCut('iiiiiiiiii', 98)).toBe(false);
    expect(mayBeCut('WWWWWWWWWW', 98)).toBe(true);
    expect(mayBeCut('一二三四五六七', 98)).toBe(true);
  });

  it('cuts what it cannot know: other elements, several parts, joined scripts', () => {
    expect(mayBeCut(<b>1</b>, 98)).toBe(true);
    expect(mayBeCut(<span>{['1', 'V']}</span>, 98)).toBe(true);
    expect(mayBeCut(['1', 'V'], 98)).toBe(true);
    expect(mayBeCut('\ufdfd', 98)).toBe(true);
    expect(mayBeCut('e\u0301', 98)).toBe(true);
  });
});
