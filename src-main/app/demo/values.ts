/** Engineering values by point code. */
export type Values = ReadonlyMap<string, number>;
