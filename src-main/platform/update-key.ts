/** Replaced by the build (electron.vite.config.ts). */
declare const LOOPCHECK_UPDATE_KEY: string | undefined;

/** The public key that notices of newer versions are checked with, Ed25519 as SPKI in base64; null in a build without one. */
export const UPDATE_KEY: string | null = typeof LOOPCHECK_UPDATE_KEY === 'string' ? LOOPCHECK_UPDATE_KEY : null;
