/** Operations of a protocol in the audit: name and parameters as JSON. Their rows have point 0 and frame type 0, which mean nothing there. */
export const auditOperations = `
ALTER TABLE audit ADD COLUMN operation TEXT;
`;
