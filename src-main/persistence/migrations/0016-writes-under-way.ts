/** Version 16: the audit entry of the last write of a touched setpoint that was begun, so that one under way, or interrupted by a kill, is told in place of the one before it. */
export const writesUnderWay = `
ALTER TABLE touched_setpoints ADD COLUMN begun_id INTEGER NOT NULL DEFAULT 0;
`;
