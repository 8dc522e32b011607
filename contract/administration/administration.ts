import * as z from 'zod/mini'
import { platformRoles } from '../accounts/accounts.ts'
import { ownSession } from '../accounts/own-account.ts'
import { domainRoles } from '../domains/domain-deeds.ts'
import { endpoint } from '../endpoint.ts'
import { id, nothing, pagedQuery } from '../keepers/keeper-words.ts'
import { shownLine } from '../one-line-text.ts'

export const platformRole = z.object({ id: z.string(), name: z.enum(platformRoles) })

/** Seed 002 §3: `roles` on the matrix, `platformRoles` and `createdAt` on the list. */
export const userWithRoles = z.object({
  id: z.string(),
  name: z.nullable(shownLine),
  email: z.string(),
  roles: z.array(z.enum(platformRoles)),
  deactivated: z.boolean(),
  /** Asked for the account to be deleted: nobody counts on it as a super-admin any more. */
  leaving: z.boolean(),
})
export type UserWithRoles = z.infer<typeof userWithRoles>

export const platformUser = z.object({
  id: z.string(),
  name: z.nullable(shownLine),
  email: z.string(),
  platformRoles: z.array(z.enum(platformRoles)),
  createdAt: z.string(),
  lastLoginAt: z.nullable(z.string()),
  deactivatedAt: z.nullable(z.string()),
})
export type PlatformUser = z.infer<typeof platformUser>

/** detail.md 3.17. Counts only: nothing that somebody wrote is in it. */
export const platformUserDetails = z.extend(platformUser, {
  nickname: z.nullable(shownLine),
  /** When the account goes, where its owner asked for that. */
  deletesAt: z.nullable(z.string()),
  domains: z.array(z.object({ id: z.string(), name: shownLine, slug: z.string(), role: z.enum(domainRoles) })),
  counts: z.object({
    keepers: z.number(),
    agents: z.number(),
    boards: z.number(),
    domains: z.number(),
    /** Of the last 30 days. */
    runs: z.number(),
    errors: z.number(),
  }),
  sessions: z.array(ownSession),
  /** Providers they saved a key for, masked. */
  keys: z.array(z.object({ provider: z.string(), masked: z.string() })),
  /** Whether the caller may act on this account: not on oneself, nor, without `manage_platform_roles`, on who holds a permission one lacks. */
  mayAct: z.boolean(),
  /** Nobody else is super-admin: the account keeps that role, and stays. */
  lastSuperAdmin: z.boolean(),
})
export type PlatformUserDetails = z.infer<typeof platformUserDetails>

const userParams = z.object({ id })
const assignment = z.object({
  userId: id,
  roleName: z.enum(platformRoles, `Choose one of ${platformRoles.join(', ')}.`),
})

export const administration = {
  roles: endpoint('GET /api/admin/roles', {
    summary: 'The platform roles there are',
    access: { permission: 'access_admin_pages' },
    returns: z.array(platformRole),
  }),
  roleUsers: endpoint('GET /api/admin/roles/users', {
    summary: 'People with their platform roles, those who hold one first; 1,000 at once',
    access: { permission: 'manage_platform_roles' },
    query: z.extend(pagedQuery, { search: z.optional(z.string().check(z.trim(), z.maxLength(200))) }),
    returns: z.array(userWithRoles),
  }),
  assignRole: endpoint('POST /api/admin/roles/assign', {
    summary:
      'Grant a platform role; counts from their next request. 409 while the password was set by a reset link from somebody who may not grant roles',
    access: { permission: 'manage_platform_roles' },
    body: assignment,
    returns: userWithRoles,
  }),
  removeRole: endpoint('DELETE /api/admin/roles/assign', {
    summary: 'Take a platform role away; the last super-admin keeps theirs',
    access: { permission: 'manage_platform_roles' },
    body: assignment,
    returns: userWithRoles,
  }),
  users: endpoint('GET /api/admin/users', {
    summary:
      'Everybody with an account, the newest first, with `total` beside them; at most 1,000, and a cursor for more',
    access: { permission: 'manage_users' },
    query: z.object({
      /** In name or e-mail. */
      search: z.optional(z.string().check(z.trim(), z.maxLength(200))),
      cursor: z.optional(z.string().check(z.maxLength(300))),
      limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000))),
    }),
    returns: z.array(platformUser),
  }),
  user: endpoint('GET /api/admin/users/:id', {
    summary: 'One account: roles, domains, counts, sessions; nothing they wrote',
    access: { permission: 'manage_users' },
    params: userParams,
    returns: platformUserDetails,
  }),
  signOutEverywhere: endpoint('POST /api/admin/users/:id/sign-out', {
    summary: 'End every session of an account',
    access: { permission: 'manage_users' },
    params: userParams,
    returns: nothing,
  }),
  deactivate: endpoint('POST /api/admin/users/:id/deactivate', {
    summary: 'Lock an account: its sessions end, what it keeps stays',
    access: { permission: 'manage_users' },
    params: userParams,
    returns: nothing,
  }),
  reactivate: endpoint('POST /api/admin/users/:id/reactivate', {
    summary: 'Unlock an account',
    access: { permission: 'manage_users' },
    params: userParams,
    returns: nothing,
  }),
  resetLink: endpoint('POST /api/admin/users/:id/reset-link', {
    summary: 'A link to set a new password, to be given to that person; works once, for an hour',
    access: { permission: 'manage_users' },
    params: userParams,
    returns: z.object({ link: z.string() }),
  }),
  exportUser: endpoint('GET /api/admin/users/:id/export', {
    summary: 'The account as JSON, as in its details, with its audit events',
    access: { permission: 'manage_users' },
    params: userParams,
    returns: z.unknown(),
  }),
}
