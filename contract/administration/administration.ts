import * as z from 'zod/mini'
import { platformRoles } from '../accounts/accounts.ts'
import { accountSession } from '../accounts/own-account.ts'
import { domainRoles } from '../domains/domain-actions.ts'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse, id, pagedQuery } from '../keepers/keeper-fields.ts'
import { displayLine } from '../one-line-text.ts'

export const platformRole = z.object({ id: z.string(), name: z.enum(platformRoles) })

export const userWithRoles = z.object({
  id: z.string(),
  name: z.nullable(displayLine),
  email: z.string(),
  roles: z.array(z.enum(platformRoles)),
  deactivated: z.boolean(),
  /** Requested deletion of the account, so no longer counted as a super-admin. */
  leaving: z.boolean(),
})
export type UserWithRoles = z.infer<typeof userWithRoles>

export const platformUser = z.object({
  id: z.string(),
  name: z.nullable(displayLine),
  email: z.string(),
  platformRoles: z.array(z.enum(platformRoles)),
  createdAt: z.string(),
  lastLoginAt: z.nullable(z.string()),
  deactivatedAt: z.nullable(z.string()),
})
export type PlatformUser = z.infer<typeof platformUser>

export const platformUserDetails = z.extend(platformUser, {
  nickname: z.nullable(displayLine),
  deletesAt: z.nullable(z.string()),
  domains: z.array(z.object({ id: z.string(), name: displayLine, slug: z.string(), role: z.enum(domainRoles) })),
  counts: z.object({
    keepers: z.number(),
    agents: z.number(),
    boards: z.number(),
    domains: z.number(),
    runs: z.number(),
    errors: z.number(),
  }),
  sessions: z.array(accountSession),
  keys: z.array(z.object({ provider: z.string(), masked: z.string() })),
  /** False for oneself and, without `manage_platform_roles`, for people with permissions the caller lacks. */
  mayAct: z.boolean(),
  lastSuperAdmin: z.boolean(),
  /** Codes from an authenticator app are on. */
  hasSecondFactor: z.boolean(),
  passkeys: z.number(),
})
export type PlatformUserDetails = z.infer<typeof platformUserDetails>

const userParams = z.object({ id })
const roleAssignment = z.object({
  userId: id,
  roleName: z.enum(platformRoles, `Choose one of ${platformRoles.join(', ')}.`),
})

export const administration = {
  roles: defineEndpoint('GET /api/admin/roles', {
    summary: 'List the platform roles',
    access: { permission: 'access_admin_pages' },
    response: z.array(platformRole),
  }),
  roleUsers: defineEndpoint('GET /api/admin/roles/users', {
    summary: 'List people and their platform roles, those with a role first; 1,000 per page',
    access: { permission: 'manage_platform_roles' },
    query: z.extend(pagedQuery, { search: z.optional(z.string().check(z.trim(), z.maxLength(200))) }),
    response: z.array(userWithRoles),
  }),
  assignRole: defineEndpoint('POST /api/admin/roles/assign', {
    summary:
      'Grant a platform role, effective from the next request. 409 if the password was set through a reset link from someone who can’t grant roles',
    access: { permission: 'manage_platform_roles' },
    proof: 'recent',
    body: roleAssignment,
    response: userWithRoles,
  }),
  removeRole: defineEndpoint('DELETE /api/admin/roles/assign', {
    summary: 'Revoke a platform role; the last super-admin keeps theirs',
    access: { permission: 'manage_platform_roles' },
    proof: 'recent',
    body: roleAssignment,
    response: userWithRoles,
  }),
  users: defineEndpoint('GET /api/admin/users', {
    summary: 'List all accounts, newest first, with `total`; at most 1,000 per page, with a cursor for more',
    access: { permission: 'manage_users' },
    query: z.object({
      search: z.optional(z.string().check(z.trim(), z.maxLength(200))),
      cursor: z.optional(z.string().check(z.maxLength(300))),
      limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000))),
    }),
    response: z.array(platformUser),
  }),
  user: defineEndpoint('GET /api/admin/users/:id', {
    summary: 'Get one account: roles, domains, counts and sessions, but no content',
    access: { permission: 'manage_users' },
    params: userParams,
    response: platformUserDetails,
  }),
  signOutEverywhere: defineEndpoint('POST /api/admin/users/:id/sign-out', {
    summary: 'End every session of an account',
    access: { permission: 'manage_users' },
    params: userParams,
    response: emptyResponse,
  }),
  deactivate: defineEndpoint('POST /api/admin/users/:id/deactivate', {
    summary: 'Deactivate an account: its sessions end, its data stays',
    access: { permission: 'manage_users' },
    params: userParams,
    response: emptyResponse,
  }),
  reactivate: defineEndpoint('POST /api/admin/users/:id/reactivate', {
    summary: 'Reactivate an account',
    access: { permission: 'manage_users' },
    params: userParams,
    response: emptyResponse,
  }),
  resetLink: defineEndpoint('POST /api/admin/users/:id/reset-link', {
    summary: 'Create a one-time link for the person to set a new password; valid for an hour',
    access: { permission: 'manage_users' },
    proof: 'recent',
    params: userParams,
    response: z.object({ link: z.string() }),
  }),
  removeSecondFactor: defineEndpoint('DELETE /api/admin/users/:id/second-factor', {
    summary: 'Turn off someone’s codes, for a lost phone; the person gets an email',
    access: { permission: 'manage_users' },
    proof: 'recent',
    params: userParams,
    response: emptyResponse,
  }),
  exportUser: defineEndpoint('GET /api/admin/users/:id/export', {
    summary: 'Export the account details and its audit events as JSON',
    access: { permission: 'manage_users' },
    proof: 'recent',
    params: userParams,
    response: z.unknown(),
  }),
}
