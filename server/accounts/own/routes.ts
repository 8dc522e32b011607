import { ownAccount } from '#contract/accounts/own-account.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { readMediaQuota } from '#server/media/media-quota.ts'
import type { Services } from '#server/services.ts'
import { endSessionById, listSessions, signOutOtherSessions } from '../sessions.ts'
import { cancelDeletion, requestDeletion, showDeletion } from './deletion.ts'
import { downloadAccount } from './download-account.ts'
import { dismissFirstSteps, readFirstSteps } from './first-steps.ts'

export function ownAccountRoutes(services: Services): ServedCall[] {
  return serveArea('ownAccount', ownAccount, {
    firstSteps: ({ person }) => readFirstSteps(services, person),
    dismissFirstSteps: ({ person, body }) => dismissFirstSteps(services, person, body.dismissed),
    sessions: ({ person }) => listSessions(services, person.id, person.sessionId),
    endSession: ({ person, params }) => endSessionById(services, person, params.id),
    endOtherSessions: ({ person }) => signOutOtherSessions(services, person),
    async storage({ person }) {
      const { maxBytes: mostBytes, ...usage } = await readMediaQuota(services, person.id)
      return { ...usage, mostBytes, texts: await services.usage.getUsage(person.id) }
    },
    deletion: ({ person }) => showDeletion(services, person),
    askForDeletion: ({ person, body }) => requestDeletion(services, person, body.password),
    withdrawDeletion: ({ person }) => cancelDeletion(services, person),
    download: ({ person }) => downloadAccount(services, person),
  })
}
