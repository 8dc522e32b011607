export const tokenKey = 'keeper_token'
export const userKey = 'keeper_user'
/** And an agent's slug or a frame: the session this browser last had there. */
export const chatKeyPrefix = 'keeper-chat-'
