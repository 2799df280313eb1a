/**
 * The door between the runtime and a protocol. A protocol is a pure codec, an incremental framer, a session state machine
 * and a byte transport; only its driver.ts knows more than one of them. Nothing behind this door reads the time, sets a
 * timer or opens a socket by itself: it is given a clock and a line.
 */
export type * from './capture.ts';
export type * from './connection.ts';
export type * from './diagnostics.ts';
export type * from './driver.ts';
export type * from './examination.ts';
export type * from './exchange.ts';
export type * from './explanation.ts';
export type * from './io.ts';
export type * from './line.ts';
export type * from './lists.ts';
export type * from './memory.ts';
export type * from './model.ts';
export type * from './operations.ts';
export type * from './points.ts';
export type { Readings } from './reading-block.ts';
export type * from './readings.ts';
