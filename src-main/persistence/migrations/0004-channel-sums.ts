/** Version 4: the checksum of what a channel is configured to be, its points included. A channel without one gets it when it is opened. */
export const channelSums = `
CREATE TABLE channel_sums (
  channel_id INTEGER PRIMARY KEY REFERENCES channels (id) ON DELETE CASCADE,
  sum        TEXT    NOT NULL
) STRICT;
`;
