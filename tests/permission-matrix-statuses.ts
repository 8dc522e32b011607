/** Statuses that many lines of the permission matrix share. */
export const anyone = { visitor: 200, stranger: 200, owner: 200 }
export const signedIn = { visitor: 401, stranger: 200, owner: 200 }
export const ownerOnly = { visitor: 401, stranger: 404, owner: 200 }
export const superAdmins = { visitor: 401, stranger: 403, owner: 403, roles: { 'super-admin': 200 } }
