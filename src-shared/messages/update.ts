/** What is said of notices of newer versions. */
export const UPDATE_MESSAGES = {
  'update.place':
    'must be the whole path of a folder on this computer or its network, or an address like https://files.example/loopcheck without a user or a password; empty: nobody is asked',
  'update.missing': 'There is no {{file}}; put the notice of the new version there, or correct the folder in the settings.',
  'update.no_file': '{{file}} is no file; the notice is a file of the release, beside its installers.',
  'update.unreadable': '{{file}} cannot be read ({{reason}}); make it readable for the user that runs Loopcheck.',
  'update.silent': '{{file}} was not there within {{seconds}} s; check that its drive is connected, or that the address answers.',
  'update.status': '{{file}} is not given out: the address answers with status {{status}}. Redirects are not followed.',
  'update.large': '{{file}} has more than {{most}} octets, so it is no notice; take it anew from the release.',
  'update.not_whole': '{{file}} is no notice of Loopcheck, or only half of one; copy it anew from the release.',
  'update.signature':
    '{{file}} is not signed with the key of this program, or was changed after it was signed. Nothing of it is shown; take it anew from where you got this program.',
  'update.form': '{{file}} is signed, and this version does not understand it; look at what is new where you got this program.',
} as const;
