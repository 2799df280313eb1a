/** Templates of devices. */
export const LIBRARY_MESSAGES = {
  'library.unknown': 'There is no template with the id {{id}}.',
  'library.built_in': 'This template comes with the program and stays. Make one of your own under another name.',
  'library.name_built_in': 'is the name of a template that comes with the program; take another one',
  'library.no_name': 'needs a letter or a digit',
  'library.full': 'The library holds {{most}} templates of your own. Delete one that is not used any more.',
  'library.too_large': 'The template would have more than {{most}} octets. Divide the channel.',
  'library.file_too_large': 'has more than {{most}} octets; divide it',
  'library.no_template': 'is no template of a device: {{reason}}',
  'library.no_file': 'cannot be read ({{code}})',
  'library.one_channel': 'must hold one channel; it has {{count}}',
  'library.shape': 'is not as a template has it',
  'library.slaves': 'can be given where all points have the same one; this template has {{slaves}}',
  'library.no_slave': 'means nothing for this protocol',
} as const;
