/**
 * The client of `node:http`. An import statement of that module reads all that it exports, and with it loads a second client for the web: a tenth of the
 * processor time of a start, and it is never used here.
 */
export const { request: httpRequest } = process.getBuiltinModule('node:http');
