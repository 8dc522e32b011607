export const tokenKey = 'keeper_token'
