import { expect, it } from 'vitest';
import { ManualClock } from '../../../../platform/manual-clock.ts';
import { TRIGGER } from '../../reports/bits.ts';
import { type ChangeTaker, ChangeWatch } from './change-watch.ts';

const MEMBER = 'LD/GGIO1$ST$Ind1';

/** A report that wants data changes, and what it was told. */
function taker(): ChangeTaker & { readonly told: number[] } {
  const told: number[] = [];
  return { told, triggers: 1 << TRIGGER.data_change, take: (changes) => void told.push(...changes.keys()) };
}

it('tells nobody who has left of a member that another one still watches, and takes him back', () => {
  const watch = new ChangeWatch(new ManualClock(), () => null);
  const [leaving, staying] = [taker(), taker()];
  const change = () => {
    watch.beforeSet(`${MEMBER}$stVal`, false, () => true);
    watch.endTurn();
  };
  watch.add(leaving, ['LD/GGIO1$ST$Ind2', MEMBER]);
  watch.add(staying, [MEMBER]);
  change();
  expect([leaving.told, staying.told]).toEqual([[1], [0]]);
  watch.remove(leaving);
  watch.remove(leaving);
  change();
  expect([leaving.told, staying.told]).toEqual([[1], [0, 0]]);
  watch.add(leaving, [MEMBER]);
  change();
  expect([leaving.told, staying.told]).toEqual([
    [1, 0],
    [0, 0, 0],
  ]);
});
