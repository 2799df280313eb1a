/** Version 13: the name of the access that a write was asked with; NULL where none had a name. */
export const auditCallers = `
ALTER TABLE audit ADD COLUMN caller TEXT;
`;
