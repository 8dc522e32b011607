import type { AddressBookEntry } from '#contract/index.ts'
import { keeperMedia } from '#contract/keepers/media.ts'
import { voice } from '#contract/keepers/voice.ts'
import { closeAbandonedGoldenRuns } from '#server/agents/golden/carry-out-golden-run.ts'
import { closeAbandonedRuns } from '#server/agents/runs/close-abandoned-runs.ts'
import { giveBackHolds } from '#server/agents/usage/budget-holds.ts'
import type { Database, Engine } from '#server/db/database.ts'
import { importsAreOver } from '#server/keepers/transfer/carry-out-import.ts'
import { sweepImports } from '#server/keepers/transfer/sweep-imports.ts'
import { closeAbandonedTranscriptions } from '#server/keepers/voice/carry-out-transcription.ts'
import { type DatabaseFault, type FailingDatabase, failingDatabase } from './failing-database.ts'
import { permissionTable, type Sample } from './permission-matrix-table.ts'
import { type ActorKind, actorKinds, makeWorld, type World } from './permission-matrix-world.ts'
import { type Rows, rowsChanged, rowsOf } from './rows-changed.ts'
import { requestOf } from './test-app.ts'

/** Throttle counts and create keys expire on their own and are not effects of a call. */
const besides = ['throttle_windows', 'answered_creates']
const patienceOfKeys = 61_000
const longerThanAnyLease = 60 * 60_000
/** Its stream never ends. */
export const endless = 'live.events'
/** Replaces the status of a truncated response, such as a download whose database fails. */
const brokeOff = 0
/** Comparing a world gets slower with every attempt. */
const attemptsOfWorld = 120

/**
 * Calls that may be half done after a 503, with the reason: they complete `later` on their own, or when sent `again`.
 * All others are one batch.
 */
const inParts: Record<string, { comes: 'later' | 'again'; because: string }> = {
  'agents.run': { comes: 'later', because: 'a run is begun, and ends by itself or in the sweep of runs' },
  'intent.ask': { comes: 'later', because: 'it is a run' },
  'intent.extractType': { comes: 'later', because: 'it is a run, and what was submitted holds however that ends' },
  'sole.askForDraft': { comes: 'later', because: 'it is a run, and the draft it submits is one batch' },
  'sole.explain': { comes: 'later', because: 'it is a run' },
  'accounts.requestPasswordReset': {
    comes: 'later',
    because: 'nobody learns whether there is an account: what is written and mailed for one is not waited for',
  },
  'boardAssist.propose': { comes: 'later', because: 'it is a run, and writes nothing else' },
  'goldenQuestions.run': { comes: 'later', because: 'its runs follow one another after the answer' },
  'memoryChecks.start': { comes: 'later', because: 'its golden runs follow one another after the answer' },
  'voice.transcribe': { comes: 'later', because: 'it is queued, and written down after the answer' },
  'transfer.upload': { comes: 'later', because: 'an archive is looked at after the answer, or when its lease is over' },
  'transfer.chooseKeeper': {
    comes: 'later',
    because: 'its archive is looked at again after the answer, or when its lease is over',
  },
  'transfer.begin': { comes: 'later', because: 'an import goes on after the answer, or when its lease is over' },
  'journeys.complete': { comes: 'again', because: 'the closing reflection has an id made of the completion' },
  'echoes.deliver': { comes: 'again', because: 'what time made ready is written by every look, and first' },
  'engagementTemplates.answerStep': { comes: 'again', because: 'the last answer sent again makes what it becomes' },
}

interface FaultFigures {
  calls: number
  faults: number
  /** A sentence per problem, with what reproduces it. */
  wrong: string[]
}

interface Attempt {
  status: number
  body: Record<string, unknown>
  headers: Headers
}

export class NthFaults {
  readonly figures: FaultFigures = { calls: 0, faults: 0, wrong: [] }
  readonly #engine: Engine
  readonly #plant: (db: Database) => void
  #world: World | undefined
  #failing: FailingDatabase | undefined
  #attempts = 0

  /** `plant` adds a defect to the database of each world. */
  constructor(engine: Engine, plant: (db: Database) => void = () => {}) {
    this.#engine = engine
    this.#plant = plant
  }

  async close(): Promise<void> {
    if (this.#world) for (const text of await stuckIn(this.#world)) this.figures.wrong.push(`after all calls: ${text}`)
    await this.#world?.app.close()
    this.#world = undefined
    this.#attempts = 0
  }

  /** Runs one call undisturbed, then with each of its database calls failing in each way. */
  async tryCall(call: AddressBookEntry, faults?: readonly DatabaseFault[]) {
    const name = `${call.area}.${call.name}`
    const kind = actorFor(name)
    if (!kind) {
      this.figures.wrong.push(`${name}: no one may make this call`)
      return
    }
    if (this.#attempts > attemptsOfWorld) await this.close()
    const first = await this.#unharmed(call, kind)
    const second = await this.#unharmed(call, kind)
    // A one-time effect needs a new world per attempt.
    const isOnceOnly = !same(first.changes, second.changes) || first.calls !== second.calls
    if (isOnceOnly) await this.close()
    const { status: wellStatus, changes: well, calls } = isOnceOnly ? await this.#unharmed(call, kind) : second
    this.figures.calls++
    if (wellStatus >= 400) this.figures.wrong.push(`${name}: its sample answers ${wellStatus}`)
    // Only a create with a key can tell that it was already executed.
    const hasKey = call.endpoint.creates === true && kind !== 'visitor'
    const every = ['once', 'for good', 'collision', ...(hasKey ? (['lost'] as const) : [])] as const
    for (const fault of faults ?? every)
      for (let at = 1; at <= calls; at++) {
        if (isOnceOnly) await this.close()
        const where = `${name}, call ${at} of ${calls} ${fault}`
        const wrong = await this.#harmed(call, kind, at, fault, wellStatus, well)
        this.figures.faults++
        this.figures.wrong.push(...wrong.map((text) => `${where}: ${text}`))
      }
  }

  async #unharmed(call: AddressBookEntry, kind: ActorKind) {
    const { failing, world } = await this.#ready()
    const { send } = await this.#prepare(call, kind)
    const before = await this.#rows(world)
    failing.count()
    const { status } = await send()
    await settled(world, failing)
    const { calls } = failing
    return { status, calls, changes: rowsChanged(before, await this.#rows(world)) }
  }

  async #harmed(
    call: AddressBookEntry,
    kind: ActorKind,
    at: number,
    fault: DatabaseFault,
    wellStatus: number,
    well: string[],
  ): Promise<string[]> {
    const { failing, world } = await this.#ready()
    const { send, hasToken } = await this.#prepare(call, kind)
    const before = await this.#rows(world)
    failing.arm(at, fault)
    const answer = await send()
    await settled(world, failing)
    const { hit } = failing
    failing.disarm()
    await settled(world, failing)
    if (!hit) return []
    const changes = rowsChanged(before, await this.#rows(world))
    const wrong: string[] = []
    const { comes } = inParts[`${call.area}.${call.name}`] ?? {}
    const whole = same(changes, well)
    const nothing = changes.length === 0
    if (!whole && !nothing && !comes) wrong.push(`half of it is done (${answer.status}):\n${difference(changes, well)}`)
    if (answer.status === wellStatus) {
      if (!whole && comes !== 'later') wrong.push(`answers ${answer.status}, without doing it`)
    } else wrong.push(...wrongOfProblem(answer))
    const isAnswered = answer.status === wellStatus
    const keepsKey = call.endpoint.creates === true && hasToken
    if (comes === 'later') wrong.push(...(await stuckIn(world)))
    let again = await send()
    if (again.status === 409 && nothing && keepsKey && again.headers.get('retry-after')) {
      world.app.passTime(patienceOfKeys)
      again = await send()
    }
    await settled(world, failing)
    const total = rowsChanged(before, await this.#rows(world))
    if (again.status >= 500) wrong.push(`the retry answers ${again.status} ${JSON.stringify(again.body)}`)
    if (nothing && again.status !== wellStatus)
      wrong.push(`the retry answers ${again.status} instead of ${wellStatus} ${JSON.stringify(again.body)}`)
    // A create with a key happens once, and repeating it says so.
    if (comes === 'later') return wrong
    if (nothing || keepsKey || comes === 'again') {
      if (!same(total, well)) wrong.push(`the retry does something else:\n${difference(total, well)}`)
      const isTold = again.status === 409 || (again.status === 400 && 'fields' in again.body)
      if (whole && !isAnswered && !isTold && again.status !== wellStatus)
        wrong.push(`the retry answers ${again.status} ${JSON.stringify(again.body)}`)
    }
    return wrong
  }

  async #prepare(call: AddressBookEntry, kind: ActorKind): Promise<{ hasToken: boolean; send(): Promise<Attempt> }> {
    const { world } = await this.#ready()
    const { services } = world.app
    this.#attempts++
    // Otherwise a call that ends all sessions would change more rows with each attempt.
    await services.db.deleteFrom('sessions').execute()
    const name = `${call.area}.${call.name}`
    const sample: Sample = (await (ownSamples[name] ?? permissionTable[name]?.sample)?.(world)) ?? {}
    const token = await world.tokenOf(kind)
    const key = services.newId()
    await services.db.deleteFrom('throttle_windows').execute()
    return {
      hasToken: token !== null,
      async send() {
        const { path, init } = requestOf(call.endpoint, sample)
        const headers = new Headers(init.headers)
        if (token) headers.set('authorization', `Bearer ${token}`)
        if (call.endpoint.creates && token) headers.set('idempotency-key', key)
        const response = await world.app.fetch(path, { ...init, headers })
        const text = await response.text().catch(() => undefined)
        if (text === undefined) return { status: brokeOff, body: {}, headers: response.headers }
        const body = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : { text }
        return { status: response.status, body, headers: response.headers }
      },
    }
  }

  async #ready(): Promise<{ world: World; failing: FailingDatabase }> {
    if (!this.#world || !this.#failing) {
      this.#world = await makeWorld(this.#engine, { fetch: everyProvider })
      this.#plant(this.#world.app.services.db)
      this.#failing = failingDatabase(this.#world.app.services.db)
    }
    return { world: this.#world, failing: this.#failing }
  }

  #rows(world: World): Promise<Rows> {
    return rowsOf(world.app.services.db, besides)
  }
}

async function settled({ app: { services } }: World, failing: FailingDatabase): Promise<void> {
  do {
    await Promise.all(services.runs.all().map(({ finished }) => finished))
    await importsAreOver()
    await failing.idle()
  } while (services.runs.size > 0)
}

/** Unfinished work that remains after every lease has expired and the sweeps have run. */
export async function stuckIn({ app: { services, passTime } }: World): Promise<string[]> {
  passTime(longerThanAnyLease)
  await closeAbandonedRuns(services)
  await closeAbandonedGoldenRuns(services)
  await closeAbandonedTranscriptions(services)
  await giveBackHolds(services)
  const { db } = services
  const begun = () =>
    db.selectFrom('import_jobs').select('id').where('state', 'in', ['uploaded', 'reading', 'running']).execute()
  await sweepImports(services)
  // Imports continue after the sweep.
  await importsAreOver()
  const found = {
    'runs that run': await db.selectFrom('runs').select('id').where('status', '=', 'running').execute(),
    'golden runs that run': await db.selectFrom('golden_runs').select('id').where('status', '=', 'running').execute(),
    'recordings in the queue': await db
      .selectFrom('voice_entries')
      .select('id')
      .where('transcript_status', '=', 'queued')
      .execute(),
    'imports under way': await begun(),
    'budget held': await db.selectFrom('budget_holds').select('id').execute(),
  }
  return Object.entries(found).flatMap(([what, rows]) => (rows.length > 0 ? [`stuck: ${rows.length} ${what}`] : []))
}

/** For calls whose sample in the permission table is a refused one. */
export const ownSamples: Record<string, (world: World) => Promise<Sample>> = {
  async 'voice.transcribe'(world) {
    await world.personalKey()
    const params = { id: await world.keeper() }
    const data = new Uint8Array(2000)
    data.set([0xff, 0xfb, 0x90, 0])
    const { id: audioId } = await world.asAda(keeperMedia.upload, { params, bytes: { mime: 'audio/mpeg', data } })
    const { id } = await world.asAda(voice.create, { params, body: { label: 'l', belief: 'b', audioId } })
    return { params: { id } }
  },
}

/** Nothing leaves this process; every provider answers with a transcription. */
const everyProvider = async () => Response.json({ text: 'I keep my word.', language: 'english' })

export function actorFor(name: string): ActorKind | undefined {
  const line = permissionTable[name]
  if (!line) return undefined
  if (line.owner < 400 || name in ownSamples) return 'owner'
  if (line.stranger < 400) return 'stranger'
  if (line.visitor < 400) return 'visitor'
  return actorKinds.find((kind) => ((line.roles as Record<string, number> | undefined)?.[kind] ?? 500) < 400)
}

/** The problem must ask for a retry and carry a request id. */
function wrongOfProblem({ status, body, headers }: Attempt): string[] {
  const wrong: string[] = []
  if (status === brokeOff) return wrong
  if (status !== 503) wrong.push(`answers ${status} ${JSON.stringify(body).slice(0, 200)}`)
  else if (body.success !== false || !body.requestId) wrong.push(`is not a Keeper problem: ${JSON.stringify(body)}`)
  else if (!headers.get('retry-after')) wrong.push('lacks retry-after')
  return wrong
}

const same = (one: string[], other: string[]) => one.join('\n') === other.join('\n')

function difference(found: string[], wanted: string[]): string {
  const left = [...wanted]
  const more = found.filter((line) => {
    const index = left.indexOf(line)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
  return [...more.map((line) => `   more: ${line}`), ...left.map((line) => `   missing: ${line}`)]
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
export function chainUnheard(db: Database): void {
  const { batch } = db
  db.batch = (writes) => {
    const written = batch.call(db, writes)
    void written.then(() => {})
    return written
  }
}
