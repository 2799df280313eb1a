import type { MESSAGES } from '#shared/messages/index.ts';
import type { Translation } from '../../types.ts';
import { app } from './app.ts';
import { ber } from './ber.ts';
import { buffer } from './buffer.ts';
import { capture } from './capture.ts';
import { check } from './check.ts';
import { common } from './common.ts';
import { control } from './control.ts';
import { controlState } from './control-state.ts';
import { databases } from './databases.ts';
import { dlt645 } from './dlt645.ts';
import { edit } from './edit.ts';
import { exchange } from './exchange.ts';
import { field } from './field.ts';
import { frameFilter } from './frame-filter.ts';
import { frames } from './frames.ts';
import { dlt645Frames } from './frames-dlt645.ts';
import { iec104Frames } from './frames-iec104.ts';
import { mmsFrames } from './frames-mms.ts';
import { modbusFrames } from './frames-modbus.ts';
import { history } from './history.ts';
import { http } from './http.ts';
import { iec104 } from './iec104.ts';
import { iec61850 } from './iec61850.ts';
import { iec61850Start } from './iec61850-start.ts';
import { jobs } from './jobs.ts';
import { library } from './library.ts';
import { list } from './list.ts';
import { listen } from './listen.ts';
import { live } from './live.ts';
import { logs } from './logs.ts';
import { mms } from './mms.ts';
import { modbus } from './modbus.ts';
import { osi } from './osi.ts';
import { point } from './point.ts';
import { project } from './project.ts';
import { publish } from './publish.ts';
import { reference } from './reference.ts';
import { remote } from './remote.ts';
import { reports } from './reports.ts';
import { runtime } from './runtime.ts';
import { scl } from './scl.ts';
import { servedControl } from './served-control.ts';
import { service } from './service.ts';
import { simulation } from './simulation.ts';
import { stage } from './stage.ts';
import { store } from './store.ts';
import { system } from './system.ts';
import { table } from './table.ts';
import { transport } from './transport.ts';
import { update } from './update.ts';

/** The Chinese sentence of each message of the service, room by room. */
export const messages: Translation<typeof MESSAGES> = {
  ...common,
  ...capture,
  ...check,
  ...iec104,
  ...dlt645,
  ...modbus,
  ...listen,
  ...exchange,
  ...transport,
  ...update,
  ...iec61850,
  ...control,
  ...controlState,
  ...servedControl,
  ...remote,
  ...reports,
  ...library,
  ...simulation,
  ...history,
  ...publish,
  ...buffer,
  ...databases,
  ...live,
  ...list,
  ...logs,
  ...jobs,
  ...service,
  ...runtime,
  ...http,
  ...stage,
  ...ber,
  ...frameFilter,
  ...frames,
  ...dlt645Frames,
  ...iec104Frames,
  ...mmsFrames,
  ...mms,
  ...modbusFrames,
  ...app,
  ...store,
  ...osi,
  ...scl,
  ...iec61850Start,
  ...point,
  ...edit,
  ...field,
  ...project,
  ...reference,
  ...system,
  ...table,
};
