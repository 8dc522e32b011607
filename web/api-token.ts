export const tokenKey = 'keeper_token'
export const userKey = 'keeper_user'
