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

it.each([
  ['LD/GGIO1$ST$Ind1', 1],
  ['LD/GGIO1$SP$SGCB2', 1],
  ['LD/GGIO1$SP', 1],
  ['LD/LLN0$SP$SGCB', 0],
  ['LD/LLN0$SP$SGCB$ActSG', 0],
  ['LD/LLN0$BR$brcb01', 0],
  ['LD/LLN0$RP', 0],
])('tells of a member %s, or not where it is a control block', (member, times) => {
  const watch = new ChangeWatch(new ManualClock(), () => ({ changed: 1 << TRIGGER.data_change, updated: 0 }));
  const told = taker();
  watch.add(told, [member]);
  watch.beforeSet(`${member}$leaf`, false, () => true);
  watch.endTurn();
  expect(told.told).toHaveLength(times);
});
