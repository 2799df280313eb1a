/** Largest file that describes a device, in octets; a protocol may take less. */
export const LARGEST_DOCUMENT = 32 * 1024 * 1024;
