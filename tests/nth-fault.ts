import type { EndpointEntry } from '#contract/index.ts'
import { keeperMedia } from '#contract/keepers/media.ts'
import { voice } from '#contract/keepers/voice.ts'
import { closeAbandonedGoldenRuns } from '#server/agents/golden/execute-golden-run.ts'
import { closeAbandonedRuns } from '#server/agents/runs/close-abandoned-runs.ts'
import { releaseReservations } from '#server/agents/usage/budget-reservations.ts'
import type { Database, Engine } from '#server/db/database.ts'
import { waitForImports } from '#server/keepers/transfer/execute-import.ts'
import { sweepImports } from '#server/keepers/transfer/sweep-imports.ts'
import { closeAbandonedTranscriptions } from '#server/keepers/voice/execute-transcription.ts'
import { diffRows, type IndexedRows, readIndexedRows } from './diff-rows.ts'
import { type DatabaseFault, type FailingDatabase, injectDatabaseFaults } from './failing-database.ts'
import { type CallSample, permissionTable } from './permission-matrix-table.ts'
import { type ActorKind, actorKinds, createPermissionWorld, type PermissionWorld } from './permission-matrix-world.ts'
import { toRequest } from './test-app.ts'

/** Throttle counts and create keys expire on their own and are not effects of a call. */
const ignoredTables = ['throttle_windows', 'answered_creates']
const keyExpiryMs = 61_000
const beyondLeaseMs = 60 * 60_000
/** The call whose stream never ends. */
export const endlessStream = 'live.events'
/** Replaces the status of a truncated response, such as a download whose database fails. */
const truncatedResponse = 0
/** Comparing a world gets slower with every attempt. */
const maxAttemptsPerWorld = 120

/**
 * Calls that may be half done after a 503, with the reason. They complete `later` on their own, or `on retry`. All
 * others are one batch.
 */
const resumableCalls: Record<string, { completes: 'later' | 'on retry'; reason: string }> = {
  'agents.run': { completes: 'later', reason: 'a started run ends on its own or in the sweep of runs' },
  'agents.tryOut': { completes: 'later', reason: 'it is a run' },
  'intent.ask': { completes: 'later', reason: 'it is a run' },
  'intent.extractType': { completes: 'later', reason: 'it is a run, and a submitted type stays however the run ends' },
  'sole.askForDraft': { completes: 'later', reason: 'it is a run, and the draft it submits is one batch' },
  'sole.explain': { completes: 'later', reason: 'it is a run' },
  'accounts.requestPasswordReset': {
    completes: 'later',
    reason: 'waiting for the link and the email would reveal that the account exists',
  },
  'boardAssist.propose': { completes: 'later', reason: 'it is a run, and writes nothing else' },
  'goldenQuestions.run': { completes: 'later', reason: 'its runs follow one another after the answer' },
  'memoryChecks.start': { completes: 'later', reason: 'its golden runs follow one another after the answer' },
  'voice.transcribe': { completes: 'later', reason: 'the recording is transcribed after the answer' },
  'transfer.upload': { completes: 'later', reason: 'the archive is read after the answer, or when its lease expires' },
  'transfer.chooseKeeper': {
    completes: 'later',
    reason: 'the archive is read again after the answer, or when its lease expires',
  },
  'transfer.begin': { completes: 'later', reason: 'the import continues after the answer, or when its lease expires' },
  'journeys.complete': { completes: 'on retry', reason: 'the ID of the closing reflection depends on the completion' },
  'echoes.deliver': { completes: 'on retry', reason: 'every call first marks due echoes as ready' },
  'engagementTemplates.answerStep': { completes: 'on retry', reason: 'the last answer creates the resulting entry' },
}

interface FaultStats {
  calls: number
  faults: number
  /** A sentence per problem, with the call and fault that reproduce it. */
  problems: string[]
}

interface FaultAttempt {
  status: number
  body: Record<string, unknown>
  headers: Headers
}

export class NthFaults {
  readonly stats: FaultStats = { calls: 0, faults: 0, problems: [] }
  readonly #engine: Engine
  readonly #plant: (db: Database) => void
  #world: PermissionWorld | undefined
  #failing: FailingDatabase | undefined
  #attempts = 0

  /** `plant` adds a defect to the database of each world. */
  constructor(engine: Engine, plant: (db: Database) => void = () => {}) {
    this.#engine = engine
    this.#plant = plant
  }

  async close(): Promise<void> {
    if (this.#world)
      for (const text of await findStuckWork(this.#world)) this.stats.problems.push(`after all calls: ${text}`)
    await this.#world?.app.close()
    this.#world = undefined
    this.#attempts = 0
  }

  /** Runs one call undisturbed, then with each of its database calls failing in each way. */
  async tryCall(call: EndpointEntry, faults?: readonly DatabaseFault[]) {
    const name = `${call.area}.${call.name}`
    const kind = findAllowedActor(name)
    if (!kind) {
      this.stats.problems.push(`${name}: no one may make this call`)
      return
    }
    if (this.#attempts > maxAttemptsPerWorld) await this.close()
    const first = await this.#runWithoutFault(call, kind)
    const second = await this.#runWithoutFault(call, kind)
    // A one-time effect needs a new world per attempt.
    const isOnceOnly = !isSame(first.changes, second.changes) || first.calls !== second.calls
    if (isOnceOnly) await this.close()
    const {
      status: successStatus,
      changes: expectedChanges,
      calls,
    } = isOnceOnly ? await this.#runWithoutFault(call, kind) : second
    this.stats.calls++
    if (successStatus >= 400) this.stats.problems.push(`${name}: its sample answers ${successStatus}`)
    // Only a create with a key can tell that it was already executed.
    const hasKey = call.endpoint.supportsIdempotencyKey === true && kind !== 'visitor'
    const allFaults = ['once', 'for good', 'collision', ...(hasKey ? (['lost'] as const) : [])] as const
    for (const fault of faults ?? allFaults)
      for (let index = 1; index <= calls; index++) {
        if (isOnceOnly) await this.close()
        const faultLabel = `${name}, call ${index} of ${calls} ${fault}`
        const problems = await this.#runWithFault(call, kind, index, fault, successStatus, expectedChanges)
        this.stats.faults++
        this.stats.problems.push(...problems.map((text) => `${faultLabel}: ${text}`))
      }
  }

  async #runWithoutFault(call: EndpointEntry, kind: ActorKind) {
    const { failing, world } = await this.#openWorld()
    const { send } = await this.#prepareRequest(call, kind)
    const previousRows = await this.#readRows(world)
    failing.count()
    const { status } = await send()
    await waitUntilSettled(world, failing)
    const { calls } = failing
    return { status, calls, changes: diffRows(previousRows, await this.#readRows(world)) }
  }

  async #runWithFault(
    call: EndpointEntry,
    kind: ActorKind,
    callNumber: number,
    fault: DatabaseFault,
    successStatus: number,
    expectedChanges: string[],
  ): Promise<string[]> {
    const { failing, world } = await this.#openWorld()
    const { send, hasToken } = await this.#prepareRequest(call, kind)
    const previousRows = await this.#readRows(world)
    failing.arm(callNumber, fault)
    const answer = await send()
    await waitUntilSettled(world, failing)
    const { hasFailed } = failing
    failing.disarm()
    await waitUntilSettled(world, failing)
    if (!hasFailed) return []
    const changes = diffRows(previousRows, await this.#readRows(world))
    const problems: string[] = []
    const { completes } = resumableCalls[`${call.area}.${call.name}`] ?? {}
    const isComplete = isSame(changes, expectedChanges)
    const isUnchanged = changes.length === 0
    if (!isComplete && !isUnchanged && !completes)
      problems.push(`half of it is done (${answer.status}):\n${formatDifference(changes, expectedChanges)}`)
    const hasSucceeded = answer.status === successStatus
    if (hasSucceeded) {
      if (!isComplete && completes !== 'later') problems.push(`answers ${answer.status}, without doing it`)
    } else problems.push(...checkProblem(answer))
    const usesKey = call.endpoint.supportsIdempotencyKey === true && hasToken
    if (completes === 'later') problems.push(...(await findStuckWork(world)))
    let retry = await send()
    if (retry.status === 409 && isUnchanged && usesKey && retry.headers.get('retry-after')) {
      world.app.passTime(keyExpiryMs)
      retry = await send()
    }
    await waitUntilSettled(world, failing)
    const totalChanges = diffRows(previousRows, await this.#readRows(world))
    if (retry.status >= 500) problems.push(`the retry answers ${retry.status} ${JSON.stringify(retry.body)}`)
    if (isUnchanged && retry.status !== successStatus)
      problems.push(`the retry answers ${retry.status} instead of ${successStatus} ${JSON.stringify(retry.body)}`)
    if (completes === 'later') return problems
    // A create with a key happens once, and repeating it says so.
    if (isUnchanged || usesKey || completes === 'on retry') {
      if (!isSame(totalChanges, expectedChanges))
        problems.push(`the retry does something else:\n${formatDifference(totalChanges, expectedChanges)}`)
      const isExplained = retry.status === 409 || (retry.status === 400 && 'fields' in retry.body)
      if (isComplete && !hasSucceeded && !isExplained && retry.status !== successStatus)
        problems.push(`the retry answers ${retry.status} ${JSON.stringify(retry.body)}`)
    }
    return problems
  }

  async #prepareRequest(
    call: EndpointEntry,
    kind: ActorKind,
  ): Promise<{ hasToken: boolean; send(): Promise<FaultAttempt> }> {
    const { world } = await this.#openWorld()
    const { services } = world.app
    this.#attempts++
    // With earlier sessions left, a call that ends all sessions would change more rows with each attempt.
    await services.db.deleteFrom('sessions').execute()
    const name = `${call.area}.${call.name}`
    const sample: CallSample = (await (sampleOverrides[name] ?? permissionTable[name]?.sample)?.(world)) ?? {}
    const token = await world.createToken(kind)
    const key = services.newId()
    await services.db.deleteFrom('throttle_windows').execute()
    return {
      hasToken: token !== null,
      async send() {
        const { path, init } = toRequest(call.endpoint, sample)
        const headers = new Headers(init.headers)
        if (token) headers.set('authorization', `Bearer ${token}`)
        if (call.endpoint.supportsIdempotencyKey && token) headers.set('idempotency-key', key)
        const response = await world.app.fetch(path, { ...init, headers })
        const text = await response.text().catch(() => undefined)
        if (text === undefined) return { status: truncatedResponse, body: {}, headers: response.headers }
        const body = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : { text }
        return { status: response.status, body, headers: response.headers }
      },
    }
  }

  async #openWorld(): Promise<{ world: PermissionWorld; failing: FailingDatabase }> {
    if (!this.#world || !this.#failing) {
      this.#world = await createPermissionWorld(this.#engine, { fetch: answerWithTranscription })
      this.#plant(this.#world.app.services.db)
      this.#failing = injectDatabaseFaults(this.#world.app.services.db)
    }
    return { world: this.#world, failing: this.#failing }
  }

  #readRows(world: PermissionWorld): Promise<IndexedRows> {
    return readIndexedRows(world.app.services.db, ignoredTables)
  }
}

async function waitUntilSettled({ app: { services } }: PermissionWorld, failing: FailingDatabase): Promise<void> {
  do {
    await Promise.all(services.runs.list().map(({ finished }) => finished))
    await waitForImports()
    await failing.idle()
  } while (services.runs.size > 0)
}

/** Unfinished work that remains after every lease has expired and the sweeps have run. */
export async function findStuckWork({ app: { services, passTime } }: PermissionWorld): Promise<string[]> {
  passTime(beyondLeaseMs)
  await closeAbandonedRuns(services)
  await closeAbandonedGoldenRuns(services)
  await closeAbandonedTranscriptions(services)
  await releaseReservations(services)
  const { db } = services
  const readOpenImports = () =>
    db.selectFrom('import_jobs').select('id').where('state', 'in', ['uploaded', 'reading', 'running']).execute()
  await sweepImports(services)
  // Imports continue after the sweep.
  await waitForImports()
  const stuckWork = {
    'running runs': await db.selectFrom('runs').select('id').where('status', '=', 'running').execute(),
    'running golden runs': await db.selectFrom('golden_runs').select('id').where('status', '=', 'running').execute(),
    'queued recordings': await db
      .selectFrom('voice_entries')
      .select('id')
      .where('transcript_status', '=', 'queued')
      .execute(),
    'unfinished imports': await readOpenImports(),
    'reserved budgets': await db.selectFrom('budget_holds').select('id').execute(),
  }
  return Object.entries(stuckWork).flatMap(([label, rows]) =>
    rows.length > 0 ? [`stuck: ${rows.length} ${label}`] : [],
  )
}

/** For calls whose sample in the permission table is a refused one. */
export const sampleOverrides: Record<string, (world: PermissionWorld) => Promise<CallSample>> = {
  async 'voice.transcribe'(world) {
    await world.savePersonalKey()
    const params = { id: await world.createKeeper() }
    const data = new Uint8Array(2000)
    data.set([0xff, 0xfb, 0x90, 0])
    const { id: audioId } = await world.asAda(keeperMedia.upload, { params, bytes: { mime: 'audio/mpeg', data } })
    const { id } = await world.asAda(voice.create, { params, body: { label: 'l', belief: 'b', audioId } })
    return { params: { id } }
  },
}

/** Nothing leaves this process; every provider answers with a transcription. */
const answerWithTranscription = async () => Response.json({ text: 'I keep my word.', language: 'english' })

export function findAllowedActor(name: string): ActorKind | undefined {
  const line = permissionTable[name]
  if (!line) return undefined
  if (line.owner < 400 || name in sampleOverrides) return 'owner'
  if (line.stranger < 400) return 'stranger'
  if (line.visitor < 400) return 'visitor'
  return actorKinds.find((kind) => ((line.roles as Record<string, number> | undefined)?.[kind] ?? 500) < 400)
}

/** The problem must ask for a retry and carry a request id. */
function checkProblem({ status, body, headers }: FaultAttempt): string[] {
  const problems: string[] = []
  if (status === truncatedResponse) return problems
  if (status !== 503) problems.push(`answers ${status} ${JSON.stringify(body).slice(0, 200)}`)
  else if (body.success !== false || !body.requestId) problems.push(`is not a Keeper problem: ${JSON.stringify(body)}`)
  else if (!headers.get('retry-after')) problems.push('lacks retry-after')
  return problems
}

const isSame = (one: string[], other: string[]) => one.join('\n') === other.join('\n')

function formatDifference(actual: string[], expected: string[]): string {
  const unmatchedLines = [...expected]
  const extraLines = actual.filter((line) => {
    const index = unmatchedLines.indexOf(line)
    if (index >= 0) unmatchedLines.splice(index, 1)
    return index < 0
  })
  return [...extraLines.map((line) => `   extra: ${line}`), ...unmatchedLines.map((line) => `   missing: ${line}`)]
    .join('\n')
    .slice(0, 2000)
}

/** Planted defect: executes a batch as separate writes. */
export function writeOneByOne(db: Database): void {
  db.batch = async (writes) => {
    const results = []
    for (const write of writes) results.push(await db.write(write))
    return results
  }
}

/** Planted defect: a promise chain without rejection handling. */
export function leakRejection(db: Database): void {
  const { batch } = db
  db.batch = (writes) => {
    const written = batch.call(db, writes)
    void written.then(() => {})
    return written
  }
}
