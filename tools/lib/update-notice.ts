/** Makes and signs the notice of a version, which programs of earlier versions read (docs/guide/installation.md). */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UpdateManifest } from '../../src-main/services/updates/manifest.ts';

/** What a person installs. */
const INSTALLED = /\.(exe|zip|AppImage|tar\.gz|deb)$/;

/** A pair for a project that has none: the private key belongs into the secrets of the release, the public one into its builds. */
export function newKeys(): { readonly signing: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    signing: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

/** Notes of so many characters fit in a window; what is longer ends at a line before. */
const SHOWN_NOTES = 12_000;

function shortened(notes: string): string {
  if (notes.length <= SHOWN_NOTES) return notes;
  return `${notes.slice(0, notes.lastIndexOf('\n', SHOWN_NOTES)).trimEnd()}\n…\n`;
}

export interface NoticeOf {
  readonly version: string;
  readonly date: string;
  readonly notes: string;
  /** Folder of what was made. */
  readonly folder: string;
  /** Private key: Ed25519, PKCS8 in base64. */
  readonly signing: string;
  /** The public key that the programs were built with: it has to be the one of `signing`. */
  readonly key: string | null;
}

/** The text of the file. Throws when the keys do not belong together, or when something could not be read by the programs. */
export function makeNotice({ version, date, notes, folder, signing, key }: NoticeOf): string {
  const privateKey = privateKeyOf(signing);
  const own = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64');
  if (key === null || own !== key)
    throw new Error('LOOPCHECK_UPDATE_KEY, which programs are built with, is not the public key of the signing key.');
  const files = readdirSync(folder)
    .filter((name) => INSTALLED.test(name))
    .sort()
    .map((name) => ({ name, octets: statSync(join(folder, name)).size, sha256: sha256(join(folder, name)) }));
  if (files.length === 0) throw new Error(`${folder} has nothing that could be installed.`);
  const manifest = JSON.stringify(
    UpdateManifest.parse({ format: 1, product: 'Loopcheck', version, date, notes: shortened(notes), files }),
    null,
    2,
  );
  const signature = sign(null, Buffer.from(manifest), privateKey).toString('base64');
  return `${JSON.stringify({ manifest, signature }, null, 2)}\n`;
}

function privateKeyOf(signing: string) {
  try {
    const key = createPrivateKey({ key: Buffer.from(signing.trim(), 'base64'), format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // its text is not repeated
  }
  throw new Error('LOOPCHECK_UPDATE_SIGNING_KEY must be a private key, Ed25519 as PKCS8 in base64.');
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
