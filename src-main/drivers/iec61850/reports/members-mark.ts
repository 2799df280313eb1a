/** What the members of a data set are known by, in their order: their number and FNV-1a (64 bits) of their names. */
export function markOfMembers(members: readonly string[]): string {
  let hash = 0xcbf2_9ce4_8422_2325n;
  // no name has a line end
  for (const octet of new TextEncoder().encode(members.join('\n'))) hash = BigInt.asUintN(64, (hash ^ BigInt(octet)) * 0x100_0000_01b3n);
  return `${members.length} ${hash.toString(16)}`;
}
