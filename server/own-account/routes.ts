import { ownAccount } from '#contract/accounts/own-account.ts'
import { sessionsOf } from '#server/accounts/sessions.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { roomOf } from '#server/media/require-room.ts'
import type { Services } from '#server/services.ts'
import { askForDeletion } from './ask-for-deletion.ts'
import { downloadAccount } from './download-account.ts'
import { endOwnOtherSessions, endOwnSession } from './end-sessions.ts'
import { dismissFirstSteps, firstStepsOf } from './first-steps.ts'
import { showDeletion } from './show-deletion.ts'
import { withdrawDeletion } from './withdraw-deletion.ts'

export function ownAccountRoutes(services: Services): ServedCall[] {
  return serveArea('ownAccount', ownAccount, {
    firstSteps: ({ person }) => firstStepsOf(services, person),
    dismissFirstSteps: ({ person, body }) => dismissFirstSteps(services, person, body.dismissed),
    sessions: ({ person }) => sessionsOf(services, person.id, person.sessionId),
    endSession: async ({ person, params }) => {
      await endOwnSession(services, person, params.id)
      return {}
    },
    endOtherSessions: async ({ person }) => {
      await endOwnOtherSessions(services, person)
      return {}
    },
    storage: async ({ person }) => ({
      ...(await roomOf(services, person.id)),
      texts: await services.usage.current(person.id),
    }),
    deletion: ({ person }) => showDeletion(services, person),
    askForDeletion: ({ person, body }) => askForDeletion(services, person, body.password),
    withdrawDeletion: ({ person }) => withdrawDeletion(services, person),
    download: ({ person }) => downloadAccount(services, person),
  })
}
