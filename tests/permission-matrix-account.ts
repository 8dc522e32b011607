import { openSession } from '#server/accounts/sessions.ts'
import { json } from '#server/db/database.ts'
import { anyone, signedIn } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import { adaSignIn, type PermissionWorld } from './permission-matrix-world.ts'

/** The id of an unused session of Ada. */
async function openAdaSession({ app, adaId }: PermissionWorld): Promise<string> {
  const { db } = app.services
  const existingIds = (await db.selectFrom('sessions').select('id').execute()).map(({ id }) => id)
  await openSession(app.services, { id: adaId, email: '', name: null, nickname: null })
  const sessions = await db.selectFrom('sessions').select('id').where('person_id', '=', adaId).execute()
  return sessions.find(({ id }) => !existingIds.includes(id))?.id ?? ''
}

/** Everyone manages their own account, and no one another's. */
export const ownAccountLines: Record<string, PermissionLine> = {
  'ownAccount.firstSteps': { ...signedIn, sample: () => ({}) },
  'ownAccount.dismissFirstSteps': { ...signedIn, sample: () => ({ body: { dismissed: true } }) },
  'ownAccount.sessions': { ...signedIn, sample: () => ({}) },
  'ownAccount.endSession': {
    ...signedIn,
    stranger: 404,
    sample: async (world) => ({ params: { id: await openAdaSession(world) } }),
  },
  'ownAccount.endOtherSessions': { ...signedIn, sample: () => ({}) },
  'ownAccount.storage': { ...signedIn, sample: () => ({}) },
  'ownAccount.deletion': { ...signedIn, sample: () => ({}) },
  'ownAccount.askForDeletion': {
    ...signedIn,
    stranger: 400,
    async sample(world) {
      await world.restorePassword()
      return { body: { password: adaSignIn.password } }
    },
  },
  'ownAccount.withdrawDeletion': { ...signedIn, sample: () => ({}) },
  'ownAccount.download': { ...signedIn, sample: () => ({}) },
}

/** No provider is set up here; the tests of sign-in have one. */
const notSetUp = { visitor: 404, stranger: 404, owner: 404 }
const callback = { flow: 'x', query: 'code=1&state=2' }

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
  'oidc.complete': { ...notSetUp, sample: () => ({ body: callback }) },
  'oidc.identities': { ...signedIn, sample: () => ({}) },
  'oidc.startLink': { ...notSetUp, visitor: 401, sample: () => ({}) },
  'oidc.link': { ...notSetUp, visitor: 401, sample: () => ({ body: callback }) },
  'oidc.connect': { visitor: 401, stranger: 403, owner: 403, sample: () => ({ body: { ticket: 'x' } }) },
  'oidc.startProof': { ...notSetUp, visitor: 401, sample: () => ({}) },
  'oidc.prove': { ...notSetUp, visitor: 401, sample: () => ({ body: callback }) },
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

/** No one signs in with an unknown passkey or code. */
const refused = { visitor: 403, stranger: 403, owner: 403 }

const unknownPasskey = {
  id: 'unknown',
  rawId: 'unknown',
  type: 'public-key',
  response: { clientDataJSON: 'e30', attestationObject: 'oA', authenticatorData: 'AA', signature: 'AA' },
}

/** A passkey of Ada's that works on localhost. */
async function createAdaPasskey({ app, adaId }: PermissionWorld): Promise<string> {
  const { db, newId, now } = app.services
  const id = newId()
  await db
    .insertInto('passkeys')
    .values({
      id,
      person_id: adaId,
      credential_id: id,
      public_key: 'AA',
      counter: 0,
      transports: json([]),
      aaguid: '00000000-0000-0000-0000-000000000000',
      is_synced: true,
      is_backed_up: true,
      rp_id: 'localhost',
      name: 'Phone',
      created_at: now().getTime(),
      last_used_at: null,
    })
    .execute()
  return id
}

const createPasskeySample = async (world: PermissionWorld) => ({ params: { id: await createAdaPasskey(world) } })

export const signInLines: Record<string, PermissionLine> = {
  'accounts.completeSignIn': { ...refused, sample: () => ({ body: { pendingToken: 'unknown', code: '123456' } }) },
  'passkeySignIns.options': { visitor: 200, stranger: 200, owner: 200, sample: () => ({}) },
  'passkeySignIns.finish': { ...refused, sample: () => ({ body: { response: unknownPasskey } }) },
  'passkeys.list': { ...signedIn, sample: () => ({}) },
  'passkeys.registrationOptions': {
    ...signedIn,
    async sample({ app, adaId }) {
      await app.services.db.deleteFrom('passkeys').where('person_id', '=', adaId).execute()
      return {}
    },
  },
  'passkeys.register': { ...refused, visitor: 401, sample: () => ({ body: { response: unknownPasskey } }) },
  'passkeys.rename': {
    ...signedIn,
    stranger: 404,
    sample: async (world) => ({ ...(await createPasskeySample(world)), body: { name: 'Old phone' } }),
  },
  'passkeys.remove': { ...signedIn, stranger: 404, sample: createPasskeySample },
  'secondFactor.state': { ...signedIn, sample: () => ({}) },
  'secondFactor.setUp': { ...signedIn, sample: () => ({}) },
  'secondFactor.enable': { visitor: 401, stranger: 409, owner: 409, sample: removeSecondFactors },
  'secondFactor.disable': { ...signedIn, sample: () => ({}) },
  'secondFactor.devices': { ...signedIn, sample: () => ({}) },
  'secondFactor.forgetDevice': {
    ...signedIn,
    stranger: 404,
    async sample({ app, adaId }) {
      const { db, newId } = app.services
      const id = newId()
      const row = { id, person_id: adaId, token_hash: id, device: null, created_at: 1, expires_at: 4e12 }
      await db.insertInto('remembered_devices').values(row).execute()
      return { params: { id } }
    },
  },
  'secondFactor.renewRecoveryCodes': { visitor: 401, stranger: 409, owner: 409, sample: () => ({}) },
  'proofs.methods': { ...signedIn, sample: () => ({}) },
  'proofs.passkeyOptions': {
    ...signedIn,
    stranger: 422,
    async sample(world) {
      await createAdaPasskey(world)
      return {}
    },
  },
  'proofs.prove': {
    ...signedIn,
    stranger: 400,
    async sample(world) {
      await world.restorePassword()
      return { body: { password: adaSignIn.password } }
    },
  },
}

async function removeSecondFactors({ app }: PermissionWorld) {
  await app.services.db.deleteFrom('second_factors').execute()
  return { body: { code: '123456' } }
}
