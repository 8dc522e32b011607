import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { proofLifetimeMs } from '#contract/accounts/session-methods.ts'
import type { Endpoint, EndpointOutput, Envelope } from '#contract/endpoint.ts'
import type { Email } from '#server/accounts/mailer.ts'
import { register } from '#server/accounts/register.ts'
import { interruptGoldenRuns } from '#server/agents/golden/execute-golden-run.ts'
import { startRunSync } from '#server/agents/runs/sync-runs.ts'
import { createApp } from '#server/app.ts'
import type { Engine } from '#server/db/database.ts'
import type { HostingDriver } from '#server/domains/hosting/hosting-driver.ts'
import type { EgressRules } from '#server/http/egress.ts'
import { createLog } from '#server/http/log.ts'
import { stopEmbedding } from '#server/keepers/memory-cards/embedding-job.ts'
import { stopScanner } from '#server/keepers/memory-cards/vector-sets.ts'
import { stopImports } from '#server/keepers/transfer/execute-import.ts'
import type { ModelRuntime } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import { readSettings, type Settings } from '#server/settings/settings.ts'
import { addSystemEntries } from '#server/start/add-system-entries.ts'
import { createServices } from '#server/start/create-services.ts'
import { hashToken } from '#server/values/token.ts'
import { type CastName, cast } from './cast.ts'
import { createFreshDatabase } from './engines.ts'

export interface TestAnswer<Data> {
  status: number
  headers: Headers
  /** The parsed body; `data` of an envelope is typed. */
  body: Envelope<Data> & Record<string, unknown>
  /** `body.data`, or the body of a response without an envelope. */
  data: Data
  text: string
}

interface CallOptions {
  params?: Record<string, string>
  query?: Record<string, string | number>
  body?: unknown
  headers?: Record<string, string>
  ifMatch?: number
  /** Calls that need a recent proof get one, unless this is false. */
  withProof?: boolean
  /** For calls that take bytes. */
  bytes?: { mime: string; data: Uint8Array<ArrayBuffer> }
}

/** A client of the app: a person of the cast, or a visitor with their own cookies. */
export interface Actor {
  id: string
  token: string | null
  call<E extends Endpoint>(endpoint: E, options?: CallOptions): Promise<TestAnswer<EndpointOutput<E>>>
  /** Makes the call as an event stream and reads it to the end. */
  stream<E extends Endpoint>(
    endpoint: E,
    options?: CallOptions,
  ): Promise<{ status: number; events: { event: string; data: Record<string, unknown> }[] }>
  fetch(path: string, init?: RequestInit): Promise<Response>
}

export interface TestApp {
  services: Services
  logLines: string[]
  mails: Email[]
  /** Moves the shared clock. */
  passTime(ms: number): void
  as(name: CastName, roles?: PlatformRole[]): Promise<Actor>
  visitor(): Actor
  fetch(path: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

export interface TestAppOptions {
  settings?: (settings: Settings) => void
  modelRuntime?: Partial<ModelRuntime>
  /** Allows fakes on this machine as targets. */
  egress?: EgressRules
  environment?: Record<string, string>
  /** Uses the production password cost, which takes a tenth of the test time. */
  fullPasswordCost?: boolean
  hosting?: HostingDriver
  /** Replaces ids and the clock, so that two apps answer with the same bytes. */
  fixedServices?: { newId(): string; now(): Date }
  /** Starts the clock at the next local time of this hour. */
  startHour?: number
}

function getMsUntilHour(hour: number): number {
  const target = new Date()
  target.setHours(hour, 0, 0, 0)
  if (target.getTime() <= Date.now()) target.setDate(target.getDate() + 1)
  return target.getTime() - Date.now()
}

/** No test reaches a real provider, whatever key it saves. */
const fetchLocalOnly: typeof fetch = async (input, init) => {
  const { hostname } = new URL(input instanceof Request ? input.url : input)
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) throw new TypeError('fetch failed')
  return fetch(input, init)
}

/** The real app on a fresh, migrated database, with an adjustable clock and captured email. */
export async function createTestApp(engine: Engine, options: TestAppOptions = {}): Promise<TestApp> {
  // Settings and IDs can change what the built-in entries contain.
  const hasDefaultEntries = !options.environment && !options.settings && !options.fixedServices
  const { db, dataDir, close } = await createFreshDatabase(engine, hasDefaultEntries ? 'built-in entries' : 'empty')
  const settings = readSettings({ KEEPER_LOG_LEVEL: 'debug', KEEPER_DATA_DIR: dataDir, ...options.environment })
  settings.checkAnswers = true
  if (!options.fullPasswordCost) settings.passwordCost = { memory: 64, passes: 1, parallelism: 1 }
  options.settings?.(settings)
  let skippedMs = options.startHour === undefined ? 0 : getMsUntilHour(options.startHour)
  const logLines: string[] = []
  const mails: Email[] = []
  const services = createServices({
    db,
    settings,
    masterSecret: 'a secret that only tests use, long enough',
    log: createLog(settings.logLevel, { write: (line) => void logLines.push(line) }),
    now: () => new Date(Date.now() + skippedMs),
    mailer: { isSetUp: true, send: async (mail) => void mails.push(mail) },
    ...(options.egress && { egress: options.egress }),
    modelRuntime: { fetch: fetchLocalOnly, ...options.modelRuntime },
    ...(options.hosting && { hosting: options.hosting }),
  })
  if (options.fixedServices)
    Object.assign(services, options.fixedServices, { newUnguessableId: options.fixedServices.newId })
  if (!hasDefaultEntries) await addSystemEntries(services)
  const stopRunSync = startRunSync(services)
  const app = createApp(services)
  const actors = new Map<CastName, Actor>()

  const fetchPath = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    if (!headers.has('host')) headers.set('host', 'localhost')
    return app.fetch(new Request(`http://localhost${path}`, { ...init, headers }))
  }
  return {
    services,
    logLines,
    mails,
    passTime(ms) {
      skippedMs += ms
    },
    fetch: fetchPath,
    visitor: () => createActor(services, fetchPath, '', null),
    async as(name, roles = []) {
      let existingActor = actors.get(name)
      if (!existingActor) {
        const { user, token } = await register(services, cast[name], '127.0.0.1')
        existingActor = createActor(services, fetchPath, user.id, token)
        actors.set(name, existingActor)
      }
      const grantColumns = { person_id: existingActor.id, granted_at: services.now().getTime(), granted_by: null }
      for (const role of roles) {
        await services.db
          .insertInto('role_grants')
          .values({ ...grantColumns, role })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }
      services.sessions.evictPerson(existingActor.id)
      return existingActor
    },
    async close() {
      stopRunSync()
      await interruptGoldenRuns(services)
      await stopEmbedding(services)
      await stopImports(services)
      await stopScanner(services)
      for (const run of services.runs.list()) run.abortController.abort('shutdown')
      await Promise.all(services.runs.list().map((run) => run.finished))
      await close()
    },
  }
}

function createActor(services: Services, fetchPath: TestApp['fetch'], id: string, token: string | null): Actor {
  let cookie: string | null = null
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    if (token) headers.set('authorization', `Bearer ${token}`)
    if (cookie) headers.set('cookie', cookie)
    const response = await fetchPath(path, { ...init, headers })
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return response
  }
  const request = async (endpoint: Endpoint, options: CallOptions, accept: string) => {
    const { path, init } = toRequest(endpoint, options)
    const headers = new Headers(init.headers)
    headers.set('accept', accept)
    if (endpoint.proof === 'recent' && options.withProof !== false) await proveSession(services, token)
    return send(path, { ...init, headers })
  }
  return {
    id,
    token,
    fetch: send,
    async call<E extends Endpoint>(endpoint: E, options: CallOptions = {}) {
      const response = await request(endpoint, options, 'application/json')
      const text = await response.text()
      const body = JSON.parse(text)
      return {
        status: response.status,
        headers: response.headers,
        body,
        data: endpoint.responseFormat === 'bare' ? body : body.data,
        text,
      } as TestAnswer<EndpointOutput<E>>
    },
    async stream(endpoint, options = {}) {
      const response = await request(endpoint, options, 'text/event-stream')
      return { status: response.status, events: parseEvents(await response.text()) }
    },
  }
}

/** Proves the session as the password dialog would; a proof expires when a test moves the clock. */
async function proveSession({ db, now, sessions }: Services, token: string | null): Promise<void> {
  if (token === null) return
  const session = await db
    .updateTable('sessions')
    .set({ proved_at: now().getTime() })
    .where('token_hash', '=', hashToken(token))
    .where('proved_at', '<', now().getTime() - proofLifetimeMs / 2)
    .returning('id')
    .executeTakeFirst()
  if (session) sessions.forgetSession(session.id)
}

/** The path and request of a call, including values fixed by `match`. */
export function toRequest(endpoint: Endpoint, options: CallOptions = {}): { path: string; init: RequestInit } {
  let path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(options.params?.[name] ?? 'missing'),
  )
  const fixedQuery = Object.entries(endpoint.match?.query ?? {}).filter(([, value]) => value !== '*')
  const query = new URLSearchParams([
    ...fixedQuery,
    ...Object.entries(options.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  ])
  if (query.size > 0) path += `?${query}`
  const headers: Record<string, string> = { ...options.headers }
  if (options.ifMatch !== undefined) headers['if-match'] = String(options.ifMatch)
  if (options.bytes) {
    headers['content-type'] = options.bytes.mime
    return { path, init: { method: endpoint.method, headers, body: options.bytes.data } }
  }
  const hasBody = endpoint.body !== undefined || options.body !== undefined
  if (hasBody) headers['content-type'] = 'application/json'
  const body = hasBody
    ? JSON.stringify({ ...endpoint.match?.body, ...(options.body as object | undefined) })
    : undefined
  return { path, init: { method: endpoint.method, headers, ...(body !== undefined && { body }) } }
}

/** The events of a finished stream. */
export function parseEvents(text: string): { event: string; data: Record<string, unknown> }[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event:'))
    .map((block) => {
      const [event = '', data = 'null'] = block.split('\n').map((line) => line.replace(/^(event|data): /, ''))
      return { event, data: JSON.parse(data) }
    })
}
