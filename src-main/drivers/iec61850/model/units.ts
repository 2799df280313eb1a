/** Units of measured values (IEC 61850-7-3, SIUnit and multiplier). */

const UNITS: Readonly<Record<number, string>> = {
  2: 'm',
  3: 'kg',
  4: 's',
  5: 'A',
  6: 'K',
  9: 'deg',
  10: 'rad',
  23: '°C',
  25: 'F',
  26: 'C',
  27: 'S',
  28: 'H',
  29: 'V',
  30: 'Ω',
  31: 'J',
  32: 'N',
  33: 'Hz',
  34: 'lx',
  37: 'T',
  38: 'W',
  39: 'Pa',
  41: 'm²',
  42: 'm³',
  43: 'm/s',
  45: 'm³/s',
  52: 'ppm',
  61: 'VA',
  62: 'W',
  63: 'var',
  66: 'Vs',
  70: 'A²s',
  71: 'VAh',
  72: 'Wh',
  73: 'varh',
  74: 'V/Hz',
  75: 'Hz/s',
  79: 'dB',
  83: 'dBm',
};

const MULTIPLIERS: Readonly<Record<number, string>> = {
  [-12]: 'p',
  [-9]: 'n',
  [-6]: 'µ',
  [-3]: 'm',
  [-2]: 'c',
  [-1]: 'd',
  0: '',
  1: 'da',
  2: 'h',
  3: 'k',
  6: 'M',
  9: 'G',
  12: 'T',
};

/** Unit of words or numbers as a file writes them; empty where it says nothing. */
export function unitText(unit: string | null, multiplier: string | null): string {
  const symbol = textOf(unit, UNITS);
  return symbol === '' ? '' : textOf(multiplier, MULTIPLIERS) + symbol;
}

function textOf(written: string | null, texts: Readonly<Record<number, string>>): string {
  if (written === null || written === '' || written === 'none') return '';
  return /^-?\d+$/.test(written) ? (texts[Number(written)] ?? '') : written;
}
