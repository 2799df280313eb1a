import type { ProjectStore } from '../persistence/repositories.ts';

/**
 * Opens, checks, locks and migrates a project file. With `create` a missing file becomes a new project.
 * Throws `CONFIG_NOT_FOUND` (no file), `STATE_STORE` (newer, locked with its holder named, damaged, no project).
 */
export type OpenProject = (path: string, options: { readonly create: boolean }) => ProjectStore;

/** A serial port as the operating system lists it; unknown details are null. */
export interface ListedSerialPort {
  readonly path: string;
  readonly manufacturer: string | null;
  readonly vendorId: string | null;
  readonly productId: string | null;
  readonly serialNumber: string | null;
}

/** Serial ports of this computer now. */
export type SerialPortLister = () => Promise<readonly ListedSerialPort[]>;
