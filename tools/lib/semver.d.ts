declare module 'semver' {
  /** Whether `version` lies in the range `range`; false when one of them cannot be read. */
  export function satisfies(version: string, range: string): boolean;
}
