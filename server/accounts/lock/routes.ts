import { appLock } from '#contract/accounts/app-lock.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { lockSession, readLockSettings, saveLockSettings, unlockSession } from './app-lock.ts'

export function appLockRoutes(services: Services): ServedCall[] {
  return serveArea('appLock', appLock, {
    settings: ({ person }) => readLockSettings(services, person.id),
    save: ({ person, body }) => saveLockSettings(services, person, body),
    lock: ({ person }) => lockSession(services, person),
    unlock: ({ person, body }) => unlockSession(services, person, body),
  })
}
