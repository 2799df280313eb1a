/** The password of an association whose CONNECT came in several segments: no single frame has the whole of it. */
import type { SecretRange } from '../../spi/index.ts';

/** End of the object identifier of the password mechanism, and the tag of the authentication value. */
const MECHANISM_END = [0x52, 0x03, 0x01, 0xac] as const;
const USER_INFORMATION = 0xbe;
const EXTERNAL = 0x28;

/**
 * Octets of a segment that may belong to a password: what follows the mechanism, and what stands before the user information of an AARQ. Rather
 * too much than too little: passwords up to 64 octets are covered whatever the TPDU size.
 */
export function hiddenPassword(bytes: Uint8Array, dataAt: number): readonly SecretRange[] {
  const secrets: SecretRange[] = [];
  for (let at = dataAt; at < bytes.length; at++) {
    if (MECHANISM_END.every((octet, index) => bytes[at + index] === octet)) {
      const lengthAt = at + MECHANISM_END.length;
      const end = lengthAt + 1 + (bytes[lengthAt] ?? 0);
      secrets.push({ start: Math.min(lengthAt, bytes.length), end: Math.min(end, bytes.length) });
    } else if (isUserInformation(bytes, at)) secrets.push({ start: dataAt, end: at });
  }
  return secrets;
}

/** User information reaches to the end of an AARQ, which ends the CONNECT. */
function isUserInformation(bytes: Uint8Array, at: number): boolean {
  const length = bytes[at + 1] ?? 0;
  const reaches = at + 2 + length >= bytes.length;
  return bytes[at] === USER_INFORMATION && bytes[at + 2] === EXTERNAL && bytes[at + 3] === length - 2 && reaches;
}
