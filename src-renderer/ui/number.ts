import { usePreferences } from '../app/preferences.ts';

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;
/** A narrow space that does not break: neither a point nor a comma, so it means the same with both (ISO 80000-1, 7.3.1). */
const GROUP = '\u202f';

/**
 * A number as the person in front of the screen writes numbers: decimals cut down by rounding, decimal sign, groups of three. For what is shown; what is
 * sent, edited or copied stays as it is. A text that is no plain decimal number (`1e-7`) only gets its decimal sign.
 */
export function shownNumber(text: string): string {
  const { decimals, decimalSign, isGrouped } = usePreferences.getState();
  const cut = decimals === null ? text : withDecimals(text, decimals);
  const sign = decimalSign === 'comma' ? ',' : '.';
  const [, minus = '', whole, fraction] = PLAIN.exec(cut) ?? [];
  if (whole === undefined) return cut.replace('.', sign);
  const grouped = isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, GROUP) : whole;
  return `${minus}${grouped}${fraction === undefined ? '' : `${sign}${fraction}`}`;
}

/** At most so many decimals; a value that would become 0 and is not stays as it is. */
function withDecimals(text: string, most: number): string {
  const [, , , fraction = ''] = PLAIN.exec(text) ?? [];
  if (fraction.length <= most) return text;
  const rounded = Number(text).toFixed(most);
  return Number(rounded) === 0 && Number(text) !== 0 ? text : rounded;
}
