import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse } from '../keepers/keeper-fields.ts'
import { passkeyResponse } from './passkey-messages.ts'

export const lockMinutes = { min: 1, max: 240 }
export const pinLength = { min: 6, max: 32 }
/** Wrong tries after which the session ends. */
export const maxUnlockAttempts = 5

const pin = z
  .string()
  .check(
    z.minLength(pinLength.min, `Use at least ${pinLength.min} digits.`),
    z.maxLength(pinLength.max, `Use at most ${pinLength.max} digits.`),
    z.regex(/^\d*$/, 'Use digits only.'),
  )

export const appLockSettings = z.object({
  /** Minutes without input until pages are locked; `null`: never. */
  minutes: z.nullable(z.number()),
  hasPin: z.boolean(),
  hasPassword: z.boolean(),
  hasPasskey: z.boolean(),
})
export type AppLockSettings = z.infer<typeof appLockSettings>

/** Locks pages that are left open. A locked session answers 423 to everything but unlocking and signing out. */
export const appLock = {
  settings: defineEndpoint('GET /api/kam/auth/lock', {
    summary: 'Get when your pages are locked, and how you can unlock them',
    access: 'person',
    response: appLockSettings,
  }),
  save: defineEndpoint('PUT /api/kam/auth/lock', {
    summary: 'Set after how many minutes without input your pages are locked, and a PIN to unlock them',
    access: 'person',
    proof: 'recent',
    body: z.object({
      minutes: z.nullable(
        z
          .number('Enter a number of minutes.')
          .check(
            z.int('Enter whole minutes.'),
            z.gte(lockMinutes.min, `Enter at least ${lockMinutes.min} minute.`),
            z.lte(lockMinutes.max, `Enter at most ${lockMinutes.max} minutes.`),
          ),
      ),
      /** `null` removes the PIN; if absent, it stays. */
      pin: z.optional(z.nullable(pin)),
    }),
    response: appLockSettings,
  }),
  lock: defineEndpoint('POST /api/kam/auth/lock', {
    summary: 'Lock this session until it is unlocked',
    access: 'person',
    worksWhileLocked: true,
    response: emptyResponse,
  }),
  unlock: defineEndpoint('POST /api/kam/auth/unlock', {
    summary: 'Unlock this session; five wrong attempts end it',
    access: 'person',
    worksWhileLocked: true,
    body: z.object({
      pin: z.optional(z.string().check(z.maxLength(64))),
      password: z.optional(z.string().check(z.maxLength(1024))),
      /** The response of a passkey to POST /api/kam/auth/proof/passkey-options. */
      passkey: z.optional(passkeyResponse),
    }),
    response: emptyResponse,
  }),
}
