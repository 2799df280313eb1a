import { app } from './app.ts';
import { captures } from './captures.ts';
import { channels } from './channels.ts';
import { check } from './check.ts';
import { commands } from './commands.ts';
import { doctor } from './doctor.ts';
import { edit } from './edit.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { fields } from './fields.ts';
import { files } from './files.ts';
import { frames } from './frames.ts';
import { grid } from './grid.ts';
import { inspector } from './inspector.ts';
import { library } from './library.ts';
import { line } from './line.ts';
import { lists } from './lists.ts';
import { model } from './model.ts';
import { operations } from './operations.ts';
import { plant } from './plant.ts';
import { points } from './points.ts';
import { projects } from './projects.ts';
import { publish } from './publish.ts';
import { reading } from './reading.ts';
import { record } from './record.ts';
import { remotes } from './remotes.ts';
import { requests } from './requests.ts';
import { setpoints } from './setpoints.ts';
import { settings } from './settings.ts';
import { simulation } from './simulation.ts';
import { tables } from './tables.ts';
import { tools } from './tools.ts';
import { trends } from './trends.ts';

export const zh = {
  app,
  captures,
  channels,
  check,
  commands,
  doctor,
  edit,
  errors,
  events,
  fields,
  files,
  frames,
  grid,
  inspector,
  library,
  line,
  lists,
  model,
  operations,
  plant,
  points,
  projects,
  publish,
  reading,
  record,
  setpoints,
  settings,
  remotes,
  requests,
  simulation,
  trends,
  tables,
  tools,
} as const;
