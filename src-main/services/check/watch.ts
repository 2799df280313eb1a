import type { Expectation } from '#shared/contract/check.ts';
import { CounterWatch } from './counter-watch.ts';
import type { Watch } from './sight.ts';
import { StateWatch } from './state-watch.ts';
import { TextWatch } from './text-watch.ts';
import { ValueWatch } from './value-watch.ts';

/** The watch for an expectation; null for one that a person decides. */
export function watchFor(expectation: Expectation, settleMs: number): Watch | null {
  switch (expectation.kind) {
    case 'values':
      return expectation.references.length === 0 ? null : new ValueWatch(expectation.references, settleMs);
    case 'states':
      return new StateWatch(expectation.states, settleMs);
    case 'text':
      return new TextWatch(expectation.text, settleMs);
    case 'pulse':
      return new CounterWatch(expectation.count, expectation.tolerance, settleMs);
    case 'command':
    case 'setpoint':
      return null;
  }
}
