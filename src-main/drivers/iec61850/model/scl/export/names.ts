/** Names of MMS taken apart into those of SCL. */

/** A logical node: `Q1CSWI2` is prefix Q1, class CSWI, instance 2. */
export interface NodeName {
  readonly prefix: string;
  readonly logicalClass: string;
  readonly instance: string;
}

/** Null for a name that has no class of four capitals in front of its number. */
export function nodeNameOf(name: string): NodeName | null {
  if (name === 'LLN0') return { prefix: '', logicalClass: 'LLN0', instance: '' };
  const [, prefix = '', logicalClass, instance = ''] = /^(.*?)([A-Z]{4})(\d*)$/.exec(name) ?? [];
  return logicalClass === undefined ? null : { prefix, logicalClass, instance };
}

/** Name of an IED and the instances of its logical devices. */
export interface DeviceNames {
  readonly ied: string;
  /** By domain; `isNamed` where it is not the name of the IED and the instance. */
  readonly instances: ReadonlyMap<string, { readonly instance: string; readonly isNamed: boolean }>;
}

const NAME = /^[A-Za-z][0-9A-Za-z_]*$/;
const FALLBACK = 'IED1';

/**
 * `wanted` where a domain begins with it, else what they all begin with; a single domain is taken apart, since not every reader of such files
 * knows the names of whole domains. A domain that has not that and more is named as a whole.
 */
export function deviceNames(domains: readonly string[], wanted: string): DeviceNames {
  const ied = [wanted, commonStart(domains)].find((name) => NAME.test(name) && domains.some((domain) => isBehind(domain, name)));
  const named = (isNamed: (domain: string) => boolean) =>
    new Map(
      domains.map(
        (domain) => [domain, { instance: isNamed(domain) ? domain : domain.slice(ied?.length), isNamed: isNamed(domain) }] as const,
      ),
    );
  const instances = named((domain) => ied === undefined || !isBehind(domain, ied));
  const isUnique = new Set([...instances.values()].map(({ instance }) => instance)).size === domains.length;
  return { ied: ied ?? (NAME.test(wanted) ? wanted : FALLBACK), instances: isUnique ? instances : named(() => true) };
}

function isBehind(domain: string, name: string): boolean {
  return domain.startsWith(name) && domain.length > name.length;
}

/** The usual instances `LD0`, and words and capitals at the end of a domain. */
const INSTANCES = [/^(.+?)LD\d*$/, /^(.+?)[A-Z][a-z]+\d*$/, /^(.*[^A-Z])[A-Z]+\d*$/];

/** What several names begin with; of a single one what stands before the instance, as far as that can be told. */
function commonStart([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return INSTANCES.map((instance) => instance.exec(first)?.[1]).find((start) => start !== undefined) ?? '';
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && other[same] === first[same]) same += 1;
    length = same;
  }
  return first.slice(0, length);
}
