import { AppError, ERROR_CODES, invalidField } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import { names } from '#shared/messages/message.ts';
import { type FailureBody, failure } from './envelope.ts';

type Json = Record<string, unknown>;

/** What an answer of each status means; every operation can answer with the first group. */
export const COMMON_ERRORS: Readonly<Record<number, string>> = {
  400: 'The body is not JSON',
  401: 'A token is set, and was missing or wrong',
  403: 'Host or Origin is not our own (`ACCESS_ORIGIN`), or the access is for a role that does not include this (`ACCESS_ROLE`; `x-role` of the operation says which is needed)',
  409: 'Conflict with the present state, also while the service stops or changes its project; `data` is the task snapshot where there is one',
  413: 'The body is too large',
  415: 'The body has another content type than JSON, or than a form where a file is asked for',
  422: 'A field is missing, of the wrong type or out of bounds, or the combination cannot work; `data` lists `{path, message}`',
  500: 'Internal fault; the log has the details',
};
const OTHER_ERRORS: Readonly<Record<number, string>> = {
  404: 'Unknown channel, device or point',
  429: 'One upload is worked on and four are waiting, or as many callers hear the stream or wait for a point as may be; Retry-After says when to come again',
  502: 'The device answered, and refused; `data` is `{kind, detail}`',
  503: 'No connection to the device now, or refused by it',
  504: 'The device did not answer in time',
  507: 'The disk of the project file is full; nothing was changed, and nothing was sent',
};

const REFUSED = say('modbus.refused', {
  unit: 1,
  exception: say('modbus.exception', { code: 2, name: names('illegal data address', '非法数据地址') }),
  function: say('modbus.function', { code: 3, name: names('read holding registers', '读保持寄存器') }),
  address: '100',
  quantity: 2,
});

/** An error of each status, as it is answered. */
const EXAMPLES: Readonly<Record<number, AppError>> = {
  400: new AppError('CONFIG_NOT_JSON', say('http.body_cut')),
  401: new AppError('ACCESS_TOKEN', say('http.token_missing')),
  403: new AppError('ACCESS_ROLE', say('http.role', { name: 'Li', role: say('http.role_view'), needed: say('http.role_operate') })),
  404: new AppError('CONFIG_NOT_FOUND', say('service.no_channel', { id: 7 })),
  409: new AppError('STATE_CONFLICT', say('publish.name_taken', { name: 'Plant' })),
  413: new AppError('CONFIG_TOO_LARGE', say('http.file_too_large')),
  415: new AppError('CONFIG_MEDIA_TYPE', say('http.media_type')),
  422: invalidField('port', say('field.from_to', { type: names('a whole number', '整数'), min: 1, max: 65_535 })),
  429: new AppError('STATE_BUSY', say('http.uploads_wait', { count: 4 })),
  500: new AppError('INTERNAL', say('http.internal', { request: 'req-1' })),
  502: new AppError('DEVICE_EXCEPTION', REFUSED, { data: { kind: 'exception', detail: english(REFUSED) } }),
  503: new AppError('TRANSPORT_REFUSED', say('transport.refused', { target: '192.168.1.10:502' })),
  504: new AppError('TIMEOUT_RESPONSE', say('exchange.silent', { device: 1, ms: 1000 })),
  507: new AppError('STATE_STORE_FULL', say('store.disk_full', { path: '/home/li/plant/plant.loopcheck', code: 'ENOSPC' })),
};

/** The answers of failures, by the name that operations refer to. */
export function errorResponses(): Json {
  const all = { ...COMMON_ERRORS, ...OTHER_ERRORS };
  return Object.fromEntries(
    Object.entries(all).map(([status, description]) => {
      const codes = codesOf(Number(status));
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: exampleOf(Number(status)) } };
      return [`Error${status}`, { description: `${description}. \`error\`: ${codes.join(', ')}`, 'x-error-codes': codes, content }];
    }),
  );
}

function exampleOf(status: number): FailureBody {
  const error = EXAMPLES[status];
  if (!error) throw new Error(`There is no example of an answer with status ${status}.`);
  return failure(error, 'req-1').body;
}

/** The codes that come with a status. */
function codesOf(status: number): string[] {
  return Object.entries(ERROR_CODES).flatMap(([code, entry]) => (entry.status === status ? [code] : []));
}
