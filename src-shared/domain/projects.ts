/**
 * What is known of a project that was open before, without opening it. `missing`: no file under the name any more; `newer`: of a later program;
 * `refused`: it cannot be opened for another reason; `silent`: its drive did not answer in time; `unseen`: it was not
 * looked at, as too many other drives do not answer.
 */
export const RECENT_STATES = ['open', 'ready', 'missing', 'newer', 'refused', 'silent', 'unseen'] as const;
export type RecentState = (typeof RECENT_STATES)[number];

/** Ending of a project file. */
export const PROJECT_ENDING = '.loopcheck';

/** What a project may lack on this computer: a serial port, passwords, the file of a device, a file that settings name, a protocol of a later program. */
export const MISSING_KINDS = ['serial_port', 'secrets', 'document', 'file', 'protocol'] as const;
export type MissingKind = (typeof MISSING_KINDS)[number];
