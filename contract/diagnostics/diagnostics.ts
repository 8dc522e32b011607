import * as z from 'zod/mini'
import { givenProvider, shownProvider } from '../agents/model-settings.ts'
import { keySources } from '../agents/runs.ts'
import { maxJsonLength } from '../bounds.ts'
import { endpoint } from '../endpoint.ts'

const status = z.enum(['ok', 'unavailable'])
export type Readiness = z.infer<typeof status>

const readiness = z.object({ status, reasons: z.array(z.string()) })

/** What whoever is signed in learns beside it; a visitor gets liveness alone. */
const facts = z.extend(readiness, {
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
  /** Of the whole look at it, in milliseconds. */
  ms: z.number(),
})
export type DatabaseState = z.infer<typeof databaseState>

/** Why Keeper made no backup when it was time. */
const backupTroubles = ['failed', 'no-room'] as const
export type BackupTrouble = (typeof backupTroubles)[number]

const backupState = z.object({
  engine: z.enum(['sqlite', 'postgres']),
  /** How many of those of each night stay; 0: Keeper makes none by itself. */
  nightly: z.number(),
  /** The newest in the data folder, by whomever; `null`: there is none. */
  last: z.nullable(z.object({ made_at: z.string(), bytes: z.number() })),
  /** What whoever runs it should look at: also that the newest is older than two days. */
  warning: z.nullable(z.enum([...backupTroubles, 'old', 'none'])),
})
export type BackupState = z.infer<typeof backupState>

const uuidRoundTrip = z.object({ testUUID: z.string(), testString: z.string(), ms: z.number() })

const modelProviderTest = z.object({
  provider: shownProvider,
  works: z.boolean(),
  /** What was asked for: an answer, or for ElevenLabs, which does not answer, its list of voices. */
  asked: z.enum(['answer', 'voices']),
  model: z.nullable(z.string()),
  key_source: z.enum(keySources),
  /** `null` when it works, else the failure in one word, such as `no-key` or `key-rejected`. */
  code: z.nullable(z.string()),
  /** The run in the logs; `null` where none was needed. */
  run_id: z.nullable(z.string()),
  ms: z.number(),
})
export type ModelProviderTest = z.infer<typeof modelProviderTest>

const repair = z.object({
  actions: z.array(z.object({ message: z.string() })),
  errors: z.array(z.object({ error: z.string() })),
})
export type Repair = z.infer<typeof repair>

const short = (most: number) => z.string().check(z.maxLength(most, `Use at most ${most} characters.`))

/** Who may repair; the page tells it to everybody else. */
export const repairPermission = 'system_configuration'
const formDebugLimit = 16 * 1024
const repairs = { permission: repairPermission } as const

export const diagnostics = {
  ping: endpoint('GET /ping', {
    summary: 'The process answers',
    access: 'public',
    returns: z.object({ status: z.literal('ok') }),
    answer: 'bare',
  }),
  health: endpoint('GET /health', {
    summary: 'Ready or not, with reasons',
    access: 'public',
    returns: readiness,
    answer: 'bare',
  }),
  facts: endpoint('GET /debug', {
    summary:
      'Liveness as JSON, and a little of the server for whoever is signed in; a browser, which asks for HTML, gets the diagnostics page at the same address',
    access: 'public',
    returns: facts,
    answer: 'bare',
  }),
  platformStatus: endpoint('GET /railway-status', {
    summary: 'Status of the platform for its host',
    access: 'public',
    returns: z.object({ status }),
    answer: 'bare',
  }),
  test: endpoint('GET /api/test', {
    summary: 'The API answers, and takes the session it was asked with',
    access: 'person',
    returns: z.object({ message: z.string(), time: z.string() }),
  }),
  database: endpoint('GET /api/debug/database', {
    summary: 'Whether the database answers, is up to date and is whole',
    access: 'person',
    returns: databaseState,
  }),
  backups: endpoint('GET /api/debug/backups', {
    summary: 'When the last backup in the data folder was made, and what is wrong with that',
    access: 'person',
    returns: backupState,
  }),
  uuidTest: endpoint('POST /api/debug/uuid-test', {
    summary: 'Writes a value into the database, reads it back and removes it',
    access: 'person',
    body: z.object({ testUUID: z.uuid('Send a UUID.'), testString: short(200) }),
    returns: uuidRoundTrip,
  }),
  modelProviderTest: endpoint('POST /api/debug/model-provider-test', {
    summary: 'One tiny real call to a model provider; why it failed is said in words, with success: false',
    access: 'person',
    body: z.object({
      provider: givenProvider,
      messages: z
        .array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: short(500) }))
        .check(z.minLength(1, 'Send a message.'), z.maxLength(4, 'Send at most four messages.')),
    }),
    returns: modelProviderTest,
  }),
  fixDatabase: endpoint('POST /api/debug/fix-database', {
    summary: 'Brings the database up to date and looks whether it is whole; says what it did',
    access: repairs,
    returns: repair,
  }),
  fixKipProvider: endpoint('POST /api/debug/fix-kip-provider', {
    summary: 'Gives the agents that come with Keeper back their provider and its defaults; says what changed',
    access: repairs,
    returns: repair,
  }),
  formDebug: endpoint('POST /api/debug/form-debug', {
    summary: 'A note that a form was sent; its values are dropped',
    access: 'person',
    body: z.looseObject({}).check(maxJsonLength(formDebugLimit)),
    returns: z.nullable(z.object({})),
    bodyLimit: formDebugLimit,
  }),
}
