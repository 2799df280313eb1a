import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { isPlainText } from '#shared/contract/common.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';

/** Most octets of a notice. */
export const MOST_NOTICE_OCTETS = 65_536;

const SHORT = 200;
const MOST_NOTES = 20_000;
const MOST_FILES = 40;

/** The file: a text, and the Ed25519 signature over exactly its UTF-8 octets. */
const SignedText = z.object({ manifest: z.string(), signature: z.base64() });

/** What the text says of a version. Fields that a later version adds are passed over. */
export const UpdateManifest = z.object({
  format: z.literal(1),
  product: z.literal('Loopcheck'),
  version: z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/),
  date: z.iso.date(),
  notes: z
    .string()
    .max(MOST_NOTES)
    .refine((text) => isPlainText(text, true)),
  files: z
    .array(
      z.object({
        // a name beside the notice, never a way to elsewhere
        name: z
          .string()
          .max(SHORT)
          .regex(/^[A-Za-z0-9][\w.+-]*$/),
        octets: z.int().min(0),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(MOST_FILES),
});
export type UpdateManifest = z.infer<typeof UpdateManifest>;

/**
 * Takes a notice apart. Nothing that the text says is looked at before its signature holds. `key`: the public key, SPKI in base64; `file` names the notice in what is
 * said of it. Throws `PROTOCOL_MALFORMED` and `PROTOCOL_MISMATCH`.
 */
export function readManifest(text: string, key: string, file: string): UpdateManifest {
  const signed = SignedText.safeParse(parsed(text));
  if (!signed.success) throw new AppError('PROTOCOL_MALFORMED', say('update.not_whole', { file }));
  const { manifest, signature } = signed.data;
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  if (!verify(null, Buffer.from(manifest), publicKey, Buffer.from(signature, 'base64'))) {
    throw new AppError('PROTOCOL_MISMATCH', say('update.signature', { file }));
  }
  const read = UpdateManifest.safeParse(parsed(manifest));
  if (!read.success) throw new AppError('PROTOCOL_MISMATCH', say('update.form', { file }));
  return read.data;
}

/** Null for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** True when `version` comes after `own`. What stands behind the three numbers of `own` names something before that version. */
export function isNewer(version: string, own: string): boolean {
  const [theirs, ours] = [numbersOf(version), numbersOf(own)];
  const at = theirs.findIndex((number, place) => number !== ours[place]);
  return at < 0 ? own.includes('-') : (theirs[at] ?? 0) > (ours[at] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  return (version.split('-')[0] ?? '').split('.').map(Number);
}
