import type { CheckReference, Expectation } from '#shared/contract/check.ts';
import type { check } from '../../i18n/en/check.ts';
import { formatInterval } from '../../ui/format.ts';

/** Words of an expectation by their name, with their parameters. */
export type ExpectationWords = (key: keyof typeof check.expect, params?: Readonly<Record<string, string | number>>) => string;

function toleranceText({ tolerance, percent }: Pick<CheckReference, 'tolerance' | 'percent'>): string {
  const parts = [...(tolerance > 0 ? [String(tolerance)] : []), ...(percent > 0 ? [`${percent} %`] : [])];
  return parts.length === 0 ? '' : ` ± ${parts.join(' / ')}`;
}

/** What has to be seen, in a few words: `0 · 230 ± 1`, `0 ⇄ 1`. */
export function expectationText(expectation: Expectation, t: ExpectationWords): string {
  switch (expectation.kind) {
    case 'values':
      if (expectation.references.length === 0) return t('person');
      return expectation.references.map((each) => `${each.value}${toleranceText(each)}`).join(' · ');
    case 'states':
      return expectation.states.length === 1 ? `→ ${expectation.states[0]}` : expectation.states.join(' ⇄ ');
    case 'text':
      return `"${expectation.text}"`;
    case 'command': {
      const { value, feedback, within_ms } = expectation;
      return feedback === null ? t('command', { value }) : t('feedback', { value, feedback, time: formatInterval(within_ms) });
    }
    case 'setpoint': {
      const { value, restore } = expectation;
      const what = value === null ? t('setpointAsked') : t('setpoint', { value: `${value}${toleranceText(expectation)}` });
      return restore ? t('restored', { what }) : what;
    }
    case 'pulse': {
      const { count, tolerance } = expectation;
      return tolerance > 0 ? t('pulseTolerance', { count, tolerance }) : t('pulse', { count });
    }
  }
}
