import { createPublicKey } from 'node:crypto';

/** The public key of the environment as the build puts it into the program: Ed25519, SPKI in base64; null without one. Throws for anything else. */
export function updateKey(env: Readonly<Record<string, string | undefined>>): string | null {
  const given = env.LOOPCHECK_UPDATE_KEY?.trim();
  if (!given) return null;
  const wrong = new Error(
    'LOOPCHECK_UPDATE_KEY must be a public key, Ed25519 as SPKI in base64; npm run release:update -- --new-key makes one.',
  );
  try {
    const key = createPublicKey({ key: Buffer.from(given, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519') throw wrong;
    return key.export({ format: 'der', type: 'spki' }).toString('base64');
  } catch {
    throw wrong;
  }
}
