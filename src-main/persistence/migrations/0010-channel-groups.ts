/** Version 10: the group that a channel stands in on the screens; empty: with those of its protocol. */
export const channelGroups = `
ALTER TABLE channels ADD COLUMN "group" TEXT NOT NULL DEFAULT '';
`;
