/** What the service may have to tell of itself; a word is stable. Pages translate by it, with the params in braces. */
export const SERVICE_WARNINGS = [
  /** The disk of the project file is full: changes and commands are refused. {detail} */
  'disk_full',
  /** The open project file lost its name, or its content: changes and commands are refused. {detail} */
  'project_lost',
  /** The project file cannot be written for another reason. {detail} */
  'project_not_written',
  /** Results of a check lie beside the open project, because it had no room for them. {path, detail} */
  'results_aside',
  /** Settings or points of a channel are not those that were stored. {channel_id, channel} */
  'channel_damaged',
  /** The file of secrets was damaged and lies aside. {file} */
  'secrets_damaged',
  /** The file of secrets cannot be read. {detail} */
  'secrets_unreadable',
  /** Values of channels are to be recorded, and cannot be. {detail} */
  'recording_suspended',
  /** The file of recorded values was damaged, or of another project, and lies aside. {file} */
  'recording_aside',
  /** What the clock of the computer means for recorded values: some are kept for longer, or have times of the future. {detail} */
  'recording_clock',
  /** Values are to be published, and cannot be. {publisher, detail} */
  'publishing_fails',
  /** Nobody confirmed on this computer that the project may publish there. {publisher, url} */
  'publishing_unconfirmed',
  /** Records of a publisher do not wait on the disk now. {publisher, detail} */
  'publishing_not_kept',
  /** Records of a publisher gave way since it was started: no room, or too old. {publisher, count} */
  'publishing_dropped',
  /** The file of waiting records was damaged, or of another project, and lies aside. {file} */
  'publishing_aside',
  /** Log lines go to the standard error output. {detail} */
  'log_not_written',
  /** `service.json` names another service on this data folder. {url, pid} */
  'service_file_taken',
  /** `service.json` cannot be written. {detail} */
  'service_file_not_written',
] as const;
export type ServiceWarningCode = (typeof SERVICE_WARNINGS)[number];
