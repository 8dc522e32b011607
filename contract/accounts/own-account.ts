import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse, id } from '../keepers/keeper-fields.ts'
import { displayLine } from '../one-line-text.ts'
import { sessionMethods } from './session-methods.ts'

export const accountSession = z.object({
  id: z.string(),
  createdAt: z.string(),
  /** Accurate to 5 minutes. */
  lastSeenAt: z.string(),
  expiresAt: z.string(),
  /** From the user agent, such as "Firefox on Linux"; `null` if unknown. */
  device: z.nullable(displayLine),
  /** How it was opened; `null` for sessions from before this was recorded. */
  method: z.nullable(z.enum(sessionMethods)),
  current: z.boolean(),
})
export type AccountSession = z.infer<typeof accountSession>

export const storageUsage = z.object({
  files: z.number(),
  bytes: z.number(),
  /** The maximum of `bytes`; `null` means no limit. */
  mostBytes: z.nullable(z.number()),
  /** Includes earlier versions, chats and runs; a maximum of `null` means no limit. */
  texts: z.object({
    rows: z.number(),
    bytes: z.number(),
    maxRows: z.nullable(z.number()),
    maxBytes: z.nullable(z.number()),
  }),
})
export type StorageUsage = z.infer<typeof storageUsage>

export const deletionGraceDays = 14

export const accountDeletion = z.object({
  deletesAt: z.nullable(z.string()),
  domains: z.array(z.object({ id: z.string(), name: displayLine, otherMembers: z.number() })),
  counts: z.object({ keepers: z.number(), agents: z.number(), domains: z.number() }),
  /** The only super-admin can't request deletion. */
  lastSuperAdmin: z.boolean(),
  hasPassword: z.boolean(),
})
export type AccountDeletion = z.infer<typeof accountDeletion>

export const firstStepIds = ['moment', 'answer', 'keeper', 'key', 'phone', 'invite'] as const
export type FirstStepId = (typeof firstStepIds)[number]
export const requiredFirstSteps: readonly FirstStepId[] = ['moment', 'answer', 'keeper']
export const firstKeeperTitle = 'My keeper'

export const firstSteps = z.object({
  done: z.array(z.enum(firstStepIds)),
  dismissed: z.boolean(),
})
export type FirstSteps = z.infer<typeof firstSteps>

export const ownAccount = {
  firstSteps: defineEndpoint('GET /api/kam/first-run', {
    summary: 'Get the first steps you’ve done and whether they’re hidden',
    access: 'person',
    response: firstSteps,
  }),
  dismissFirstSteps: defineEndpoint('PUT /api/kam/first-run', {
    summary: 'Hide the first steps, or show them again',
    access: 'person',
    body: z.object({ dismissed: z.boolean('Use true or false.') }),
    response: firstSteps,
  }),
  sessions: defineEndpoint('GET /api/kam/auth/sessions', {
    summary: 'List your sessions, the current one first',
    access: 'person',
    response: z.array(accountSession),
  }),
  endSession: defineEndpoint('DELETE /api/kam/auth/sessions/:id', {
    summary: 'End one of your sessions',
    access: 'person',
    params: z.object({ id }),
    response: emptyResponse,
  }),
  endOtherSessions: defineEndpoint('POST /api/kam/auth/sessions/end-others', {
    summary: 'End every session except the current one',
    access: 'person',
    response: emptyResponse,
  }),
  storage: defineEndpoint('GET /api/kam/auth/storage', {
    summary: 'Get the space your files and texts use, and your limits',
    access: 'person',
    response: storageUsage,
  }),
  deletion: defineEndpoint('GET /api/kam/auth/deletion', {
    summary: 'Get the scheduled deletion of your account, if any, and what it would delete',
    access: 'person',
    response: accountDeletion,
  }),
  askForDeletion: defineEndpoint('POST /api/kam/auth/deletion', {
    summary: 'Schedule your account and everything in it for deletion in 14 days; you can cancel until then',
    access: 'person',
    /** Accounts without a password need a recent proof instead. */
    body: z.object({ password: z.optional(z.string().check(z.maxLength(1024))) }),
    response: accountDeletion,
  }),
  withdrawDeletion: defineEndpoint('DELETE /api/kam/auth/deletion', {
    summary: 'Cancel the deletion of your account',
    access: 'person',
    response: accountDeletion,
  }),
  download: defineEndpoint('GET /api/kam/auth/download', {
    summary: 'Download everything as one zip: the account, domains, agents, chats, and every keeper with its media',
    access: 'person',
    proof: 'recent',
    response: z.unknown(),
  }),
}
