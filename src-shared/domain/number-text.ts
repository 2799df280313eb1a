/** A number in as few digits as tell it apart: of a float32 from its neighbours, so 0.02 and not 0.019999999552965164. */
export function numberText(value: number): string {
  if (Number.isInteger(value) || Math.fround(value) !== value) return String(value);
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}
