import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse } from '../keepers/keeper-fields.ts'

/** `before-restore` and `before-upgrade` are made by Keeper right before it replaces or upgrades its data. */
const backupKinds = ['manual', 'scheduled', 'before-restore', 'before-upgrade'] as const

/** Reasons why a backup can't be used, or an attempt failed. */
const backupProblems = [
  'failed',
  'no-room',
  'damaged',
  'newer-version',
  'other-key',
  'other-processes',
  /** The media folder is on another disk than the database, so it can't be replaced by renaming. */
  'other-disk',
] as const
export type BackupProblem = (typeof backupProblems)[number]

export const countedEntities = [
  'people',
  'keepers',
  'moments',
  'reflections',
  'memory_cards',
  'media',
  'agents',
  'messages',
  'boards',
] as const
export type CountedEntity = (typeof countedEntities)[number]

const engine = z.enum(['sqlite', 'postgres'])

const backup = z.object({
  id: z.string(),
  kind: z.enum(backupKinds),
  made_at: z.string(),
  /** Files shared with other backups by hard links count in each. */
  bytes: z.number(),
  file_count: z.number(),
  /** `null` if the manifest can’t be read. */
  engine: z.nullable(engine),
  /** The last migration of the database when it was saved. */
  version: z.nullable(z.string()),
  is_current_version: z.boolean(),
  /** False for a backup of the database alone, as upgrades make. */
  has_media: z.boolean(),
  /** A problem found without reading the whole backup. */
  problem: z.nullable(z.enum(backupProblems)),
  /** The last check of every checksum, if any. */
  check: z.nullable(z.object({ checked_at: z.string(), problem: z.nullable(z.enum(backupProblems)) })),
})
export type Backup = z.infer<typeof backup>

const job = z.object({
  id: z.string(),
  kind: z.enum(['create', 'check', 'restore']),
  backup_id: z.string(),
  is_scheduled: z.boolean(),
  status: z.enum(['running', 'done', 'failed', 'interrupted']),
  done_bytes: z.number(),
  total_bytes: z.number(),
  problem: z.nullable(z.enum(backupProblems)),
  started_at: z.string(),
  finished_at: z.nullable(z.string()),
})
export type BackupJob = z.infer<typeof job>

const backupFrequencies = ['off', 'daily', 'weekly'] as const

const scheduleFields = {
  frequency: z.enum(backupFrequencies, `Choose one of ${backupFrequencies.join(', ')}.`),
  /** In the server’s time zone. */
  hour: z
    .number('Send the hour as a number.')
    .check(
      z.int('Send a whole hour.'),
      z.minimum(0, 'Send an hour from 0 to 23.'),
      z.maximum(23, 'Send an hour from 0 to 23.'),
    ),
  /** 0 is Sunday; only for `weekly`. */
  weekday: z
    .number('Send the day as a number.')
    .check(
      z.int('Send a whole number.'),
      z.minimum(0, 'Send a day from 0 (Sunday) to 6.'),
      z.maximum(6, 'Send a day from 0 (Sunday) to 6.'),
    ),
  keep: z
    .number('Enter how many backups to keep.')
    .check(
      z.int('Enter a whole number.'),
      z.minimum(1, 'Keep at least one backup.'),
      z.maximum(1000, 'Keep at most 1000 backups.'),
    ),
}

const schedule = z.object({
  ...scheduleFields,
  rev: z.number(),
  /** `null`: the default, from the server’s settings. */
  updated_at: z.nullable(z.string()),
  next_at: z.nullable(z.string()),
  time_zone: z.string(),
})
export type BackupSchedule = z.infer<typeof schedule>

const space = z.object({ needed_bytes: z.number(), free_bytes: z.number() })

const overview = z.object({
  engine,
  /** Newest first, at most 200. */
  backups: z.array(backup),
  total: z.number(),
  running: z.nullable(job),
  /** Finished attempts, newest first. */
  recent: z.array(job),
  schedule,
  space,
  /** `command`: a restore needs every process stopped, so only `npm run restore` can do it. */
  restore: z.enum(['here', 'command']),
})
export type BackupOverview = z.infer<typeof overview>

const restorePreview = z.object({
  backup,
  checked_at: z.string(),
  /** Sealed values, such as provider keys, and how many this server’s key opens. */
  sealed: z.object({ total: z.number(), readable: z.number() }),
  counts: z.array(
    z.object({
      entity: z.enum(countedEntities),
      in_backup: z.number(),
      now: z.number(),
      /** Created after the backup, so lost by a restore. */
      created_since: z.number(),
    }),
  ),
  space,
  /** The person types this host name to confirm. */
  host: z.string(),
})
export type RestorePreview = z.infer<typeof restorePreview>

const idParams = z.object({ id: z.string().check(z.maxLength(120), z.regex(/^[\w-]+$/, 'Send the ID of a backup.')) })

const manageAccess = { permission: 'system_configuration' } as const
/** A backup contains everyone's data and roles, so only super-admins can download or restore one. */
const wholeDataAccess = { permission: 'manage_platform_roles' } as const

export const backups = {
  overview: defineEndpoint('GET /api/admin/backups', {
    summary: 'List the backups in the data folder, with the schedule, running and recent attempts, and free space',
    access: manageAccess,
    response: overview,
  }),
  create: defineEndpoint('POST /api/admin/backups', {
    summary: 'Start a backup. 409 while another backup, check or restore runs, 507 when it would not fit',
    access: manageAccess,
    response: job,
  }),
  saveSchedule: defineEndpoint('PUT /api/admin/backups/schedule', {
    summary: 'Set when backups are made and how many are kept. With If-Match, only if unchanged',
    access: manageAccess,
    proof: 'recent',
    body: z.object(scheduleFields),
    response: schedule,
  }),
  check: defineEndpoint('POST /api/admin/backups/:id/check', {
    summary: 'Start a check of every checksum, the database, its version, and the key of sealed values',
    access: manageAccess,
    params: idParams,
    response: job,
  }),
  download: defineEndpoint('GET /api/admin/backups/:id/download', {
    summary: 'Download a backup as a ZIP file',
    access: wholeDataAccess,
    proof: 'recent',
    params: idParams,
    response: z.unknown(),
  }),
  remove: defineEndpoint('DELETE /api/admin/backups/:id', {
    summary: 'Delete a backup. 409 while it is being checked or restored',
    access: manageAccess,
    proof: 'recent',
    params: idParams,
    response: emptyResponse,
  }),
  previewRestore: defineEndpoint('GET /api/admin/backups/:id/restore', {
    summary: 'Show what a restore would change, after a successful check within the last hour; else 409',
    access: wholeDataAccess,
    params: idParams,
    response: restorePreview,
  }),
  restore: defineEndpoint('POST /api/admin/backups/:id/restore', {
    summary:
      'Replace all data with a backup: Keeper backs up the present data first and restarts, answers 503 until then, and signs everyone out',
    access: wholeDataAccess,
    proof: 'recent',
    params: idParams,
    body: z.object({ host: z.string().check(z.maxLength(300)) }),
    response: job,
  }),
}
