import * as z from 'zod/mini'
import { domain } from '../domains/domains.ts'
import { endpoint, permissions } from '../endpoint.ts'

export const user = z.object({
  id: z.string(),
  name: z.nullable(z.string()),
  nickname: z.nullable(z.string()),
  email: z.string(),
})
export type User = z.infer<typeof user>

export const platformRoles = ['super-admin', 'admin', 'support', 'moderator', 'analyst', 'developer', 'viewer'] as const
export type PlatformRole = (typeof platformRoles)[number]

/** Trims and refuses what is no address; compared case-insensitively by the server. */
export const emailAddress = z
  .string()
  .check(z.trim(), z.maxLength(254), z.email('Enter an e-mail address, like name@example.com.'))

export const passwordBounds = { min: 8, max: 128 }
export const password = z
  .string()
  .check(
    z.minLength(passwordBounds.min, `Use at least ${passwordBounds.min} characters.`),
    z.maxLength(passwordBounds.max, `Use at most ${passwordBounds.max} characters.`),
  )

export const personName = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(120, 'Use at most 120 characters.'))

const signedIn = z.object({ user, token: z.string(), expiresAt: z.string() })
export type SignedIn = z.infer<typeof signedIn>

const sessionFacts = z.object({
  user,
  expiresAt: z.string(),
  platformRoles: z.array(z.enum(platformRoles)),
  permissions: z.array(z.enum(permissions)),
  domains: z.array(domain),
  /** When the account goes, where its owner asked for that. */
  deletesAt: z.nullable(z.string()),
})
export type SessionFacts = z.infer<typeof sessionFacts>

const nothing = z.nullable(z.object({}))

export const accounts = {
  login: endpoint('POST /api/kam/auth/login', {
    summary: 'Sign in with e-mail and password',
    access: 'public',
    body: z.object({ email: z.string().check(z.maxLength(254)), password: z.string().check(z.maxLength(1024)) }),
    returns: signedIn,
  }),
  register: endpoint('POST /api/kam/auth/register', {
    summary: 'Make an account; with a set-up token, the first administrator',
    access: 'public',
    body: z.object({
      email: emailAddress,
      password,
      name: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(120, 'Use at most 120 characters.')))),
      setupToken: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
      /** Of an invitation: its domain takes the new account in at once, also where registration is by invitation only. */
      invitationToken: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
    }),
    returns: signedIn,
  }),
  logout: endpoint('POST /api/kam/auth/logout', {
    summary: 'Sign out: the token counts no more',
    access: 'person',
    returns: nothing,
  }),
  session: endpoint('GET /api/kam/auth/session', {
    summary: 'Who is signed in, with roles, permissions and domains',
    access: 'person',
    returns: sessionFacts,
  }),
  changePassword: endpoint('POST /api/kam/auth/password', {
    summary: 'Change the password; every other session is signed out',
    access: 'person',
    body: z.object({ currentPassword: z.string().check(z.maxLength(1024)), newPassword: password }),
    returns: nothing,
  }),
  requestPasswordReset: endpoint('POST /api/kam/auth/password-reset', {
    summary: 'Send a reset link by mail, if there is such an account; the answer never tells',
    access: 'public',
    body: z.object({ email: emailAddress }),
    returns: z.object({ mailed: z.boolean() }),
  }),
  completePasswordReset: endpoint('POST /api/kam/auth/password-reset/complete', {
    summary: 'Set a new password by the one-time link',
    access: 'public',
    body: z.object({ token: z.string().check(z.maxLength(200)), newPassword: password }),
    returns: nothing,
  }),
  updateProfile: endpoint('PUT /api/users/:id', {
    summary: 'Change one’s own name',
    access: 'person',
    params: z.object({ id: z.string() }),
    body: z.object({
      name: z.optional(personName),
      nickname: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(60, 'Use at most 60 characters.')))),
    }),
    returns: user,
  }),
  settings: endpoint('GET /api/kam/settings', {
    summary: 'One’s own settings',
    access: 'person',
    returns: z.object({ preferred_theme_id: z.nullable(z.string()) }),
  }),
  updateSettings: endpoint('PUT /api/kam/settings', {
    summary: 'Change one’s own settings',
    access: 'person',
    body: z.object({ preferred_theme_id: z.optional(z.nullable(z.string().check(z.maxLength(64)))) }),
    returns: z.object({ preferred_theme_id: z.nullable(z.string()) }),
  }),
}
