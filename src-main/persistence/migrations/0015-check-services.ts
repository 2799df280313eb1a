/** Version 18: items of a check whose channel is one of another service, by the name that the service has here; empty: of this project. */
export const checkServices = `
ALTER TABLE check_items ADD COLUMN service TEXT NOT NULL DEFAULT '';
`;
