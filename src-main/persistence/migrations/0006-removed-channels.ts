/**
 * Version 6: channels that were removed while their rows still lie in the file. Name and settings are gone at once; the points and what else belongs to
 * such a channel go bit by bit behind that, at the next opening at the latest. A large change that was forgotten has `is_confirmed` -1 and
 * goes in the same way.
 */
export const removedChannels = `
CREATE TABLE removed_channels (
  channel_id INTEGER PRIMARY KEY
) STRICT;
`;
