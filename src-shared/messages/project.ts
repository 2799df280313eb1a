/** What a project lacks on this computer, and what to do. */
export const PROJECT_MESSAGES = {
  'project.no_port':
    'Serial port {{port}} is not on this computer. Plug in the adapter, or choose another port in the settings of the channel.',
  'project.no_secrets':
    'Passwords and codes were set where the project comes from, and do not travel with it: {{names}}. Set them for this channel; one that is not needed is removed there.',
  'project.no_document': 'The file that describes {{device}} is not in the project. Give it to the channel again.',
  'project.no_file':
    'The settings name the file {{path}}, which is not on this computer. Copy it there, or name another one in the settings of the channel.',
  'project.unknown_protocol':
    'The protocol of this channel (number {{protocol}}) is not known to this program. The channel is kept in the file and not shown; open the project with a newer Loopcheck to use it.',
} as const;
