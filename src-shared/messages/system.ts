/** What the file system says, beside its code. */
export const SYSTEM_MESSAGES = {
  'system.with_code': '{{what}} ({{code}})',
  'system.disk_full': 'the disk is full',
  'system.no_permission': 'permission is missing',
  'system.read_only_drive': 'the drive can only be read',
  'system.no_folder': 'its folder is not there, or a file lies in the place of it',
  'system.used': 'another program uses it',
  'system.too_many_files': 'too many files are open',
  'system.drive_error': 'the drive reported an error',
  'system.other': 'the system refused it',
} as const;
