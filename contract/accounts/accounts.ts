import * as z from 'zod/mini'
import { domain } from '../domains/domains.ts'
import { defineEndpoint, permissions } from '../endpoint.ts'
import { emptyResponse } from '../keepers/keeper-fields.ts'
import { oneLine } from '../one-line-text.ts'
import { password, type SignInResult, type User, user, visitorCalls } from './visitor-calls.ts'

export { password, type SignInResult, type User, user }

export const platformRoles = ['super-admin', 'admin', 'support', 'moderator', 'analyst', 'developer', 'viewer'] as const
export type PlatformRole = (typeof platformRoles)[number]

export const personName = oneLine({ max: 120, min: 1, message: 'Enter a name.' })

const sessionDetails = z.object({
  user,
  expiresAt: z.string(),
  platformRoles: z.array(z.enum(platformRoles)),
  permissions: z.array(z.enum(permissions)),
  domains: z.array(domain),
  deletesAt: z.nullable(z.string()),
  /** Administration waits until this session is proved with a second factor. */
  secondFactorMissing: z.boolean(),
  /** Minutes without input until pages are locked; `null`: never. */
  lockMinutes: z.nullable(z.number()),
})
export type SessionDetails = z.infer<typeof sessionDetails>

export const accounts = {
  login: visitorCalls.login,
  completeSignIn: visitorCalls.completeSignIn,
  register: visitorCalls.register,
  logout: defineEndpoint('POST /api/kam/auth/logout', {
    summary: 'Sign out; the token is no longer valid',
    access: 'person',
    worksWhileLocked: true,
    response: emptyResponse,
  }),
  session: defineEndpoint('GET /api/kam/auth/session', {
    summary: 'Get the signed-in user with roles, permissions and domains',
    access: 'person',
    response: sessionDetails,
  }),
  changePassword: defineEndpoint('POST /api/kam/auth/password', {
    summary: 'Change the password; every other session is signed out',
    access: 'person',
    body: z.object({
      /** Accounts without a password need a recent proof instead. */
      currentPassword: z.optional(z.string().check(z.maxLength(1024))),
      newPassword: password,
    }),
    response: emptyResponse,
  }),
  requestPasswordReset: visitorCalls.requestPasswordReset,
  completePasswordReset: visitorCalls.completePasswordReset,
  updateProfile: defineEndpoint('PUT /api/users/:id', {
    summary: 'Change your name',
    access: 'person',
    params: z.object({ id: z.string().check(z.maxLength(64)) }),
    body: z.object({
      name: z.optional(personName),
      nickname: z.optional(z.nullable(oneLine({ max: 60 }))),
    }),
    response: user,
  }),
  settings: defineEndpoint('GET /api/kam/settings', {
    summary: 'Get your settings',
    access: 'person',
    response: z.object({ preferred_theme_id: z.nullable(z.string()) }),
  }),
  updateSettings: defineEndpoint('PUT /api/kam/settings', {
    summary: 'Update your settings',
    access: 'person',
    body: z.object({ preferred_theme_id: z.optional(z.nullable(z.string().check(z.maxLength(64)))) }),
    response: z.object({ preferred_theme_id: z.nullable(z.string()) }),
  }),
}
