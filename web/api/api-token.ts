export const tokenKey = 'keeper_token'
export const userKey = 'keeper_user'
/** Followed by an agent's slug or a frame: the last session of this browser there. */
export const chatKeyPrefix = 'keeper-chat-'
