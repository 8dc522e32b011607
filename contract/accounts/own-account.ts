import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id, nothing } from '../keepers/keeper-words.ts'
import { shownLine } from '../one-line-text.ts'

export const ownSession = z.object({
  id: z.string(),
  createdAt: z.string(),
  /** To five minutes. */
  lastSeenAt: z.string(),
  expiresAt: z.string(),
  /** Browser and system as they named themselves, e.g. "Firefox on Linux"; `null` where they did not. */
  device: z.nullable(shownLine),
  /** The one this call was made with. */
  current: z.boolean(),
})
export type OwnSession = z.infer<typeof ownSession>

/** Pictures and recordings, and beside them what is in the database. */
export const ownStorage = z.object({
  files: z.number(),
  bytes: z.number(),
  /** For how many bytes there is room for each person; `null`: nobody counts. */
  mostBytes: z.nullable(z.number()),
  /** Everything written, with earlier versions, chats and runs; a maximum of `null`: there is none. */
  texts: z.object({
    rows: z.number(),
    bytes: z.number(),
    maxRows: z.nullable(z.number()),
    maxBytes: z.nullable(z.number()),
  }),
})
export type OwnStorage = z.infer<typeof ownStorage>

/** Days between asking for the deletion of one's account and the deletion. */
export const deletionGraceDays = 14

export const accountDeletion = z.object({
  /** When everything goes; `null`: no deletion was asked for. */
  deletesAt: z.nullable(z.string()),
  /** What would go with the account. */
  domains: z.array(z.object({ id: z.string(), name: shownLine, otherMembers: z.number() })),
  counts: z.object({ keepers: z.number(), agents: z.number(), domains: z.number() }),
  /** Nobody else is super-admin: it cannot be asked for. */
  lastSuperAdmin: z.boolean(),
})
export type AccountDeletion = z.infer<typeof accountDeletion>

/** In the order in which they are shown; each is known from what there is. */
export const firstStepIds = ['moment', 'answer', 'keeper', 'key', 'phone', 'invite'] as const
export type FirstStepId = (typeof firstStepIds)[number]
/** Without these nobody has seen the loop; the others are offered. */
export const firstStepsNeeded: readonly FirstStepId[] = ['moment', 'answer', 'keeper']
/** The keeper that is made for somebody's first moment; called otherwise, it is one of their own. */
export const firstKeeperTitle = 'My keeper'

export const firstSteps = z.object({
  done: z.array(z.enum(firstStepIds)),
  /** Put away by the person, on whatever device. */
  dismissed: z.boolean(),
})
export type FirstSteps = z.infer<typeof firstSteps>

export const ownAccount = {
  firstSteps: endpoint('GET /api/kam/first-run', {
    summary: 'Which of the first steps are done, by what one has here, and whether one put them away',
    access: 'person',
    returns: firstSteps,
  }),
  dismissFirstSteps: endpoint('PUT /api/kam/first-run', {
    summary: 'Put the first steps away, or have them shown again',
    access: 'person',
    body: z.object({ dismissed: z.boolean('Say true or false.') }),
    returns: firstSteps,
  }),
  sessions: endpoint('GET /api/kam/auth/sessions', {
    summary: 'Where one is signed in, this session first',
    access: 'person',
    returns: z.array(ownSession),
  }),
  endSession: endpoint('DELETE /api/kam/auth/sessions/:id', {
    summary: 'End one of one’s sessions',
    access: 'person',
    params: z.object({ id }),
    returns: nothing,
  }),
  endOtherSessions: endpoint('POST /api/kam/auth/sessions/end-others', {
    summary: 'End every session but this one',
    access: 'person',
    returns: nothing,
  }),
  storage: endpoint('GET /api/kam/auth/storage', {
    summary: 'How much one’s files and texts take, and of how much space',
    access: 'person',
    returns: ownStorage,
  }),
  deletion: endpoint('GET /api/kam/auth/deletion', {
    summary: 'Whether and when one’s account goes, and what would go with it',
    access: 'person',
    returns: accountDeletion,
  }),
  askForDeletion: endpoint('POST /api/kam/auth/deletion', {
    summary:
      'Ask for one’s account to be deleted with everything in it, after 14 days; until then it can be taken back',
    access: 'person',
    body: z.object({ password: z.string().check(z.maxLength(1024)) }),
    returns: accountDeletion,
  }),
  withdrawDeletion: endpoint('DELETE /api/kam/auth/deletion', {
    summary: 'Keep one’s account',
    access: 'person',
    returns: accountDeletion,
  }),
  download: endpoint('GET /api/kam/auth/download', {
    summary: 'Everything one has here as one zip: the account, domains, agents, chats, and every keeper with its media',
    access: 'person',
    returns: z.unknown(),
  }),
}
