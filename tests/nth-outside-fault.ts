import { agents } from '#contract/agents/agents.ts'
import { type AddressBookEntry, addressBook } from '#contract/index.ts'
import { submitSoleDraftTool } from '#contract/keepers/sole.ts'
import { keys } from '#contract/keys/keys.ts'
import type { Engine } from '#server/db/database.ts'
import { createNameServers } from '#server/domains/hosting/name-servers.ts'
import { createVercelDriver } from '#server/domains/hosting/vercel-driver.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import type { Services } from '#server/services.ts'
import { type FakeProvider, fakeProviders } from '#tests/fake-providers.ts'
import { type FailingOutside, failingOutside, type OutsideFault } from './failing-outside.ts'
import { type DnsFake, startDnsFake } from './fakes/dns-server.ts'
import { type HostingFake, startHostingFake } from './fakes/hosting-api.ts'
import type { FakeReply } from './fakes/model-providers/start-provider-fake.ts'
import {
  type ProviderFake,
  type RecordedRequest,
  startProviderFake,
} from './fakes/model-providers/start-provider-fake.ts'
import { actorFor, endless, ownSamples, stuckIn } from './nth-fault.ts'
import { permissionTable, type Sample } from './permission-matrix-table.ts'
import { type ActorKind, makeWorld, type World } from './permission-matrix-world.ts'
import { canaryKeys } from './provider-app.ts'
import { rowsChanged, rowsOf } from './rows-changed.ts'
import { eventsIn, requestOf } from './test-app.ts'

const faults: OutsideFault[] = ['unreachable', 'status 500', 'cut']
/** Caps stories with many calls. */
const mostCalls = 8
const besides = ['throttle_windows', 'answered_creates', 'sessions']

export interface OutsideStory {
  name: string
  call: AddressBookEntry
  kind: ActorKind
  stream: boolean
  sample(world: World): Promise<Sample>
}

interface Told {
  status: number
  /** The last event of a stream, otherwise the body. */
  said: Record<string, unknown>
  isDone: boolean
  text: string
}

/** Every call that someone may make, plus runs with each provider and their tools, streamed and plain. */
export function outsideStories(word = ''): OutsideStory[] {
  const every = addressBook().flatMap((call): OutsideStory[] => {
    const name = `${call.area}.${call.name}`
    const kind = name === endless ? undefined : actorFor(name)
    const sample = ownSamples[name] ?? permissionTable[name]?.sample
    return kind && sample ? [{ name, call, kind, stream: false, sample: async (world) => sample(world) }] : []
  })
  const run = addressBook().find(({ area, name }) => `${area}.${name}` === 'agents.run')
  const ofProviders = fakeProviders.flatMap((provider) =>
    [true, false].flatMap((stream): OutsideStory[] =>
      run
        ? [
            {
              name: `agents.run with ${provider}, ${stream ? 'streamed' : 'plain'}`,
              call: run,
              kind: 'owner',
              stream,
              sample: (world) => agentOf(world, provider),
            },
          ]
        : [],
    ),
  )
  const coordinated: OutsideStory[] = run
    ? [{ name: 'agents.run with a coordinator', call: run, kind: 'owner', stream: true, sample: coordinator }]
    : []
  return [...every, ...ofProviders, ...coordinated].filter(({ name }) => name.includes(word))
}

const saveKey = (world: World, provider: FakeProvider) =>
  world.asAda(keys.savePersonal, { body: { provider, apiKey: canaryKeys[provider] } })

/** Earlier stories may have changed the key. */
async function agentOf(world: World, model_provider: FakeProvider): Promise<Sample> {
  await saveKey(world, model_provider)
  const body = {
    name: `Of ${model_provider}`,
    purpose: 'Helps.',
    model_provider,
    tools: ['list_moments'],
    model_settings: { retry: { max_retries: 1, retry_delay_ms: 100 } },
    config: { voice_id: '21m00Tcm4TlvDq8ikWAM' },
  }
  const { id } = await world.asAda(agents.create, { body })
  return { body: { agentId: id, input: 'What do I keep?' } }
}

async function coordinator(world: World): Promise<Sample> {
  await saveKey(world, 'openai')
  const below = { name: 'Below', purpose: 'Knows.', model_provider: 'openai' } as const
  const { slug } = await world.asAda(agents.create, { body: below })
  const body = { ...below, name: 'Above', agent_class: 'Coordinator', config: { bundle: [slug] } }
  const { id } = await world.asAda(agents.create, { body })
  return { body: { agentId: id, input: 'What do you know?' } }
}

/** Fails each outgoing request of each story in turn. */
export class NthOutsideFaults {
  /** `reaching` lists stories that sent any request. */
  readonly figures = { stories: 0, reaching: [] as string[], faults: 0, wrong: [] as string[] }
  readonly #engine: Engine
  readonly #plant: (services: Services) => void
  #fakes: ProviderFake[] = []
  #hosting: HostingFake | undefined
  #dns: DnsFake | undefined
  #world: World | undefined
  #failing: FailingOutside | undefined

  constructor(engine: Engine, plant: (services: Services) => void = () => {}) {
    this.#engine = engine
    this.#plant = plant
  }

  async open(): Promise<void> {
    this.#fakes = await Promise.all(fakeProviders.map((provider) => startProviderFake({ provider, answer: obliging })))
    const world = await makeWorld(this.#engine)
    const { services } = world.app
    fakeProviders.forEach((provider, index) => {
      services.settings.providers[provider].baseUrl = this.#fakes[index]?.baseUrl ?? ''
    })
    for (const provider of fakeProviders) await saveKey(world, provider)
    this.#hosting = await startHostingFake()
    this.#dns = await startDnsFake()
    const { url: baseUrl, token, projectId } = this.#hosting
    const driver = createVercelDriver(
      { baseUrl, token, projectId, teamId: null },
      {
        fetch: (address, init) => services.modelRuntime.fetch(address, init),
        sleep: async () => {},
        nameServers: createNameServers([this.#dns.address], { timeoutMs: 10_000, tries: 1 }),
      },
    )
    // The samples of the permission matrix install a driver that sends nothing.
    Object.defineProperty(services, 'hosting', { get: () => driver, set() {} })
    this.#plant(services)
    this.#failing = failingOutside(services)
    this.#world = world
  }

  async close(): Promise<void> {
    await this.#world?.app.close()
    await Promise.all([...this.#fakes, this.#hosting, this.#dns].map((fake) => fake?.close()))
  }

  async tryStory(story: OutsideStory): Promise<void> {
    const [world, failing] = [this.#world, this.#failing]
    if (!world || !failing) throw new Error('Open it first')
    this.figures.stories++
    const well = await this.#attempt(story)
    const calls = Math.min(failing.calls, mostCalls)
    if (calls === 0) return
    this.figures.reaching.push(story.name)
    if (!well.told.isDone) {
      this.figures.wrong.push(
        `${story.name}: answers ${well.told.status} without faults: ${well.told.text.slice(0, 200)}`,
      )
      return
    }
    for (const fault of faults)
      for (const forGood of [false, true])
        for (let at = 1; at <= calls; at++) {
          this.figures.faults++
          const where = `${story.name}, call ${at} of ${calls} ${fault} ${forGood ? 'for good' : 'once'}`
          const found = await this.#attempt(story, { at, fault, forGood }, well.rows)
          this.figures.wrong.push(...found.wrong.map((text) => `${where}: ${text}`))
        }
  }

  async #sample(story: OutsideStory, world: World): Promise<Sample> {
    const sample = await story.sample(world)
    if (story.name !== 'customDomains.verify') return sample
    const { custom_domain } = await world.app.services.db
      .selectFrom('domains')
      .select('custom_domain')
      .where('id', '=', sample.params?.id ?? '')
      .executeTakeFirstOrThrow()
    if (!this.#hosting || !custom_domain) throw new Error('There is no custom domain to verify')
    Object.assign(this.#hosting.host(custom_domain), { added: true, verified: true })
    this.#hosting.pointHere(custom_domain)
    return sample
  }

  async #attempt(
    story: OutsideStory,
    armed?: { at: number; fault: OutsideFault; forGood: boolean },
    well: string[] = [],
  ): Promise<{ told: Told; rows: string[]; wrong: string[] }> {
    const [world, failing] = [this.#world, this.#failing]
    if (!world || !failing) throw new Error('Open it first')
    const { app } = world
    resetBreakers()
    failing.count()
    const sample = await this.#sample(story, world)
    const token = await world.tokenOf(story.kind)
    await app.services.db.deleteFrom('throttle_windows').execute()
    const before = await rowsOf(app.services.db, besides)
    const lines = app.logLines.length
    if (armed) failing.arm(armed.at, armed.fault, armed.forGood)
    else failing.count()
    const told = await send(world, story, sample, token)
    await settled(world, failing)
    const { calls, hit } = failing
    const rows = rowsChanged(before, await rowsOf(app.services.db, besides))
    const log = app.logLines.slice(lines).join('')
    const wrong: string[] = []
    if (armed && hit) {
      if (!told.isDone) wrong.push(...wrongOfFailure(told))
      if (story.name.startsWith('agents.run') && count(rows, 'runs') !== 1)
        wrong.push(`${count(rows, 'runs')} run rows instead of one`)
      const isRun = count(well, 'runs') > 0 || count(well, 'model_calls') > 0
      if (!isRun && !told.isDone && rows.length > 0 && rows.join() !== well.join())
        wrong.push(`half of it is done (${told.status}):\n   ${rows.join('\n   ').slice(0, 1500)}`)
      if (log.includes('unexpected failure')) wrong.push('an unexpected failure in the log')
      for (const canary of Object.values(canaryKeys))
        if (log.includes(canary) || told.text.includes(canary)) wrong.push('reveals a key')
      for (const text of await stuckIn(world)) wrong.push(text)
      resetBreakers()
      failing.count()
      const again = await send(world, story, await this.#sample(story, world), await world.tokenOf(story.kind))
      await settled(world, failing)
      if (!again.isDone) wrong.push(`the retry answers ${again.status} ${again.text.slice(0, 200)}`)
    }
    Object.assign(failing, { calls })
    return { told, rows, wrong }
  }
}

async function send({ app }: World, story: OutsideStory, sample: Sample, token: string | null): Promise<Told> {
  const { path, init } = requestOf(story.call.endpoint, sample)
  const headers = new Headers(init.headers)
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (story.stream) headers.set('accept', 'text/event-stream')
  const response = await app.fetch(path, { ...init, headers })
  const text = await response.text()
  const { status } = response
  if (story.stream && status === 200) {
    const last = eventsIn(text).at(-1)
    return { status, said: { ...last?.data, error: last?.data.message }, isDone: last?.event === 'done', text }
  }
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status, said: isJson ? JSON.parse(text) : {}, isDone: status < 400, text }
}

async function settled({ app: { services } }: World, failing: FailingOutside): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    await Promise.all(services.runs.all().map(({ finished }) => finished))
    const { calls } = failing
    await new Promise((resolve) => setTimeout(resolve, 4))
    quiet = services.runs.size === 0 && failing.underWay === 0 && calls === failing.calls ? quiet + 1 : 0
  }
}

/** A failure needs a text and a Keeper code. */
function wrongOfFailure({ status, said, text }: Told): string[] {
  const { error, code } = said
  if (typeof error !== 'string' || error === '' || typeof code !== 'string')
    return [`is not a Keeper problem: ${text.slice(0, 200)}`]
  return status === 500 || code === 'internal' ? [`answers ${status} ${code}`] : []
}

const count = (rows: string[], table: string) => rows.filter((row) => row.startsWith(`+ ${table} `)).length

/** Calls each required tool once, or else the lookup tool; then answers with text. */
function obliging(_prompt: string, request: RecordedRequest): string | FakeReply {
  const asked = JSON.stringify(request.body)
  const hasResult = /"role":"tool"|tool_result|function_call_output/.test(asked)
  const card = /card[\\\\":,]+id[\\\\":,]+([0-9a-f]{32})/.exec(asked)?.[1] ?? ''
  const argumentsOf: Record<string, object> = {
    submit_keeper_type: { name: 'Tide', purpose: 'Tides.', memoryPattern: 'journal', reason: 'By date.' },
    [submitSoleDraftTool]: {
      statements: [
        { kind: 'add', text: 'I live here.', sources: [{ entity: 'card', id: card, quote: 'I live here.' }] },
      ],
    },
    list_moments: { limit: 3 },
  }
  const below = /"(ask_below\w*)"/.exec(asked)?.[1]
  if (!hasResult && below) return { calls: [{ name: below, arguments: { input: 'What do you know?' } }] }
  for (const [name, given] of Object.entries(argumentsOf))
    if (!hasResult && asked.includes(`"${name}"`)) return { calls: [{ name, arguments: given }] }
  if (/frames/.test(asked) && /board/.test(asked)) return frames
  return 'Here is what you keep.'
}

const frames = JSON.stringify({
  summary: 'For the choir.',
  frames: [{ type: 'dialog', name: 'Welcome', reason: 'First.' }],
})
