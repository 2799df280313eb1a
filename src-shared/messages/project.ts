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
  'project.text_twice': 'has the name {{name}} for the second time in one object in line {{line}}; one of the two has to go',
  'project.text_not_json': 'is no JSON from line {{line}}, column {{column}} on; look at that place and the one before it',
  'project.text_encoding': 'is no text in UTF-8; save the file as UTF-8',
  'project.text_merge': 'has a merge of version control that was not finished, at line {{line}}; finish it, and remove its marks',
  'project.text_object': 'must be an object as GET /api/project/text has it',
  'project.text_format': 'must be "{{format}}": this is no text form of a project',
  'project.text_version': 'must be {{newest}}, the version of the text form',
  'project.text_newer': 'is version {{version}} of the text form, this program reads version {{newest}}; read it with a newer Loopcheck',
  'project.text_channels': 'must be a list of channels',
  'project.text_many_channels': 'has {{count}} channels; a text takes {{most}} at most: divide it',
  'project.text_too_large': 'The project has {{count}} channels, and a text takes {{most}} at most. Save the text of single channels.',
  'project.text_left_out':
    'names channels that are not in this text, because the program that wrote it did not know their protocols: {{names}}; write the text with a newer Loopcheck to have them',
  'project.text_points': 'must be a list of points',
  'project.text_many_points': 'has {{count}} points; a channel takes {{most}} at most',
  'project.text_name_twice': 'stands in {{place}} already; names are unique in a project',
  'project.text_name_taken': 'is a channel of the open project already; rename one of them, or make a new project of the text',
  'project.text_code_twice': 'stands in {{place}} already; codes are unique in a channel',
  'project.text_slow': 'needs more than {{seconds}} s to be read; divide it by channels',
  'project.text_memory': 'needs more than {{megabytes}} MB of memory to be read; divide it by channels',
  'project.text_settings': 'are those of the whole project and are not used when channels are added',
} as const;
