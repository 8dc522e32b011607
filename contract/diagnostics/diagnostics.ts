import * as z from 'zod/mini'
import { providerInput, providerOutput } from '../agents/model-settings.ts'
import { keySources } from '../agents/runs.ts'
import { maxJsonLength } from '../bounds.ts'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse } from '../keepers/keeper-fields.ts'
import { emailState, emailTest } from './email.ts'

const readinessStatus = z.enum(['ok', 'unavailable'])
export type Readiness = z.infer<typeof readinessStatus>

const readiness = z.object({ status: readinessStatus, reasons: z.array(z.string()) })

const serverStatus = z.extend(readiness, {
  server: z.optional(
    z.object({
      engine: z.enum(['sqlite', 'postgres']),
      uptime_seconds: z.number(),
      time: z.string(),
    }),
  ),
})

const databaseState = z.object({
  engine: z.enum(['sqlite', 'postgres']),
  reachable: z.boolean(),
  migrations: z.object({ applied: z.number(), pending: z.array(z.string()) }),
  tables: z.number(),
  integrity: z.enum(['ok', 'damaged']),
  ms: z.number(),
})
export type DatabaseState = z.infer<typeof databaseState>

const backupState = z.object({
  engine: z.enum(['sqlite', 'postgres']),
  /** Scheduled backups to retain; 0 disables them. */
  nightly: z.number(),
  last: z.nullable(z.object({ made_at: z.string(), bytes: z.number() })),
  /** `old`: the newest backup is older than two days. `none`: there is still no backup. `null`: nothing to warn about. */
  warning: z.nullable(z.enum(['failed', 'no-room', 'old', 'none'])),
})
export type BackupState = z.infer<typeof backupState>

const uuidRoundTrip = z.object({ testUUID: z.string(), testString: z.string(), ms: z.number() })

const modelProviderTest = z.object({
  provider: providerOutput,
  works: z.boolean(),
  /** ElevenLabs doesn't answer prompts, so its voices are listed instead. */
  asked: z.enum(['answer', 'voices']),
  model: z.nullable(z.string()),
  key_source: z.enum(keySources),
  code: z.nullable(z.string()),
  run_id: z.nullable(z.string()),
  ms: z.number(),
})
export type ModelProviderTest = z.infer<typeof modelProviderTest>

const repair = z.object({
  actions: z.array(z.object({ message: z.string() })),
  errors: z.array(z.object({ error: z.string() })),
})
export type Repair = z.infer<typeof repair>

const shortText = (max: number) => z.string().check(z.maxLength(max, `Use at most ${max} characters.`))

export const repairPermission = 'system_configuration'
const maxFormDebugBytes = 16 * 1024
const repairAccess = { permission: repairPermission } as const

export const diagnostics = {
  ping: defineEndpoint('GET /ping', {
    summary: 'Check that the process responds',
    access: 'public',
    worksWhileLocked: true,
    response: z.object({ status: z.literal('ok') }),
    responseFormat: 'bare',
  }),
  health: defineEndpoint('GET /health', {
    summary: 'Check readiness, with reasons',
    access: 'public',
    response: readiness,
    responseFormat: 'bare',
  }),
  facts: defineEndpoint('GET /debug', {
    summary:
      'Report liveness as JSON, with server details for signed-in people; browsers get the diagnostics page at this address',
    access: 'public',
    response: serverStatus,
    responseFormat: 'bare',
  }),
  platformStatus: defineEndpoint('GET /railway-status', {
    summary: 'Report the status to the hosting platform',
    access: 'public',
    response: z.object({ status: readinessStatus }),
    responseFormat: 'bare',
  }),
  test: defineEndpoint('GET /api/test', {
    summary: 'Check that the API responds and accepts the session',
    access: 'person',
    response: z.object({ message: z.string(), time: z.string() }),
  }),
  database: defineEndpoint('GET /api/debug/database', {
    summary: 'Check that the database responds, is up to date and is intact',
    access: 'person',
    response: databaseState,
  }),
  backups: defineEndpoint('GET /api/debug/backups', {
    summary: 'Get the time of the last backup in the data folder, and any problem with it',
    access: 'person',
    response: backupState,
  }),
  email: defineEndpoint('GET /api/debug/email', {
    summary: 'Get the sender of emails, and the emails that couldn’t be delivered',
    access: repairAccess,
    response: emailState,
  }),
  testEmail: defineEndpoint('POST /api/debug/test-email', {
    summary: 'Send a test email to your own address and get the mail server’s answer',
    access: repairAccess,
    response: emailTest,
  }),
  uuidTest: defineEndpoint('POST /api/debug/uuid-test', {
    summary: 'Write a value to the database, read it back and delete it',
    access: 'person',
    body: z.object({ testUUID: z.uuid('Send a UUID.'), testString: shortText(200) }),
    response: uuidRoundTrip,
  }),
  modelProviderTest: defineEndpoint('POST /api/debug/model-provider-test', {
    summary: 'Make one small real call to a model provider; a failure returns success: false and the reason',
    access: 'person',
    body: z.object({
      provider: providerInput,
      messages: z
        .array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: shortText(500) }))
        .check(z.minLength(1, 'Send a message.'), z.maxLength(4, 'Send at most four messages.')),
    }),
    response: modelProviderTest,
  }),
  fixDatabase: defineEndpoint('POST /api/debug/fix-database', {
    summary: 'Migrate the database, check its integrity and report what was done',
    access: repairAccess,
    response: repair,
  }),
  fixKipProvider: defineEndpoint('POST /api/debug/fix-kip-provider', {
    summary: 'Reset the provider and defaults of the built-in agents and report what changed',
    access: repairAccess,
    response: repair,
  }),
  formDebug: defineEndpoint('POST /api/debug/form-debug', {
    summary: 'Log that a form was sent; its values are discarded',
    access: 'person',
    body: z.looseObject({}).check(maxJsonLength(maxFormDebugBytes)),
    response: emptyResponse,
    maxBodyBytes: maxFormDebugBytes,
  }),
}
