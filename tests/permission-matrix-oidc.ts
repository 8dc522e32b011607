import { anyone, signedIn } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import type { PermissionWorld } from './permission-matrix-world.ts'

/** No provider is set up here; the tests of sign-in have one. */
const notSetUp = { visitor: 404, stranger: 404, owner: 404 }
const answer = { flow: 'x', query: 'code=1&state=2' }

async function insertIdentity({ app, adaId }: PermissionWorld): Promise<string> {
  const { db, newId } = app.services
  const id = newId()
  const row = { id, person_id: adaId, issuer: 'https://id.example', subject: id, created_at: 1, last_used_at: null }
  await db.insertInto('identities').values(row).execute()
  return id
}

/** Everyone connects identities to their own account and locks their own sessions. */
export const oidcLines: Record<string, PermissionLine> = {
  'oidc.provider': { ...anyone, sample: () => ({}) },
  'oidc.start': { ...notSetUp, sample: () => ({ body: {} }) },
  'oidc.complete': { ...notSetUp, sample: () => ({ body: answer }) },
  'oidc.identities': { ...signedIn, sample: () => ({}) },
  'oidc.startLink': { ...notSetUp, visitor: 401, sample: () => ({}) },
  'oidc.link': { ...notSetUp, visitor: 401, sample: () => ({ body: answer }) },
  'oidc.connect': { visitor: 401, stranger: 403, owner: 403, sample: () => ({ body: { ticket: 'x' } }) },
  'oidc.startProof': { ...notSetUp, visitor: 401, sample: () => ({}) },
  'oidc.prove': { ...notSetUp, visitor: 401, sample: () => ({ body: answer }) },
  'oidc.unlink': {
    ...signedIn,
    stranger: 404,
    sample: async (world) => ({ params: { id: await insertIdentity(world) } }),
  },
  'appLock.settings': { ...signedIn, sample: () => ({}) },
  'appLock.save': { ...signedIn, sample: () => ({ body: { minutes: null } }) },
  // Without a lock there is nothing to unlock with, so nothing is locked.
  'appLock.lock': { visitor: 401, stranger: 422, owner: 422, sample: () => ({}) },
  'appLock.unlock': { visitor: 401, stranger: 400, owner: 400, sample: () => ({ body: {} }) },
}
