/** Version 7: what the detail of an audit entry says, as data beside its English words; NULL in entries from before. */
export const auditMessages = `
ALTER TABLE audit ADD COLUMN detail_message TEXT;
`;
