const HEADING = /^## (?:\[?(\d+\.\d+\.\d+[^\]\s]*)\]?.*|Unreleased)$/;

/** What the change log says of one version, without its heading. Throws where it does not know the version, or says nothing of it. */
export function releaseNotes(changelog: string, version: string): string {
  const lines = changelog.replaceAll('\r\n', '\n').split('\n');
  const from = lines.findIndex((line) => HEADING.exec(line)?.[1] === version);
  if (from < 0) throw new Error(`CHANGELOG.md has no heading "## ${version}".`);
  const length = lines.slice(from + 1).findIndex((line) => HEADING.test(line));
  const notes = lines
    .slice(from + 1, length < 0 ? undefined : from + 1 + length)
    .join('\n')
    .trim();
  if (notes === '') throw new Error(`CHANGELOG.md says nothing of ${version}.`);
  return `${notes}\n`;
}
