import { coverValue, filled } from '../words.ts';
import type { Context } from './context.ts';
import { el, row, table } from './dom.ts';

/** Ends of the chain beside the fields that two people sign, and the digests of the file. */
export function signatures({ model, words }: Context, fileDigest: string): HTMLElement {
  const text = words.record;
  const { record } = model;
  const chains = el(
    'tbody',
    {},
    ...record.parts.map(({ head, entries, end }) => {
      const line = row(head.id.slice(0, 8), head.computer, head.program, words.time(head.started_at), String(entries.length), end);
      line.lastElementChild?.classList.add('digest');
      return line;
    }),
  );
  const { part, computer, program, begun, results, end } = text.chain;
  return el(
    'section.signatures',
    {},
    el('h2', {}, text.signatures),
    el('p', {}, text.signatureHint),
    table('chains', [part, computer, program, begun, results, end], chains),
    el(
      'div.signers',
      {},
      ...(['contractor', 'customer'] as const).map((role) => {
        const of = coverValue(record.session.cover, role);
        const signer = coverValue(record.session.cover, `${role}Signer`);
        const { name: who, date, sign } = text.signature;
        const field = (label: string, filledIn = '') => el('div.field', {}, el('span', {}, label), el('i', {}, filledIn));
        return el(
          'div.signer',
          {},
          el('h3', {}, words.check.form.coverFields[role]),
          el('p', {}, of || '\u00a0'),
          field(who, signer),
          field(date),
          field(sign),
        );
      }),
    ),
    el('p.digest', {}, filled(text.jsonDigest, { digest: record.digest.replace('sha256:', '') })),
    el('p.digest', { 'data-testid': 'file-digest' }, filled(text.fileDigest, { digest: fileDigest })),
  );
}
