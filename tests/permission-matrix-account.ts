import { openSession } from '#server/accounts/sessions.ts'
import { signedIn } from './permission-matrix-statuses.ts'
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
