import { agents } from '#contract/agents/agents.ts'
import { type EndpointEntry, listEndpoints } from '#contract/index.ts'
import { submitSoleDraftTool } from '#contract/keepers/sole.ts'
import { keys } from '#contract/keys/keys.ts'
import type { Engine } from '#server/db/database.ts'
import { createDnsQuery } from '#server/domains/hosting/dns-query.ts'
import { createVercelDriver } from '#server/domains/hosting/vercel-driver.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import type { Services } from '#server/services.ts'
import { type FakeProvider, fakeProviders } from '#tests/fake-providers.ts'
import { diffRows, readIndexedRows } from './diff-rows.ts'
import {
  type ArmedNetworkFault,
  type FailingNetwork,
  injectNetworkFaults,
  type NetworkFault,
} from './failing-network.ts'
import { type DnsFake, startDnsFake } from './fakes/dns-server.ts'
import { type HostingFake, startHostingFake } from './fakes/hosting-api.ts'
import type { FakeReply } from './fakes/model-providers/start-provider-fake.ts'
import {
  type ProviderFake,
  type RecordedRequest,
  startProviderFake,
} from './fakes/model-providers/start-provider-fake.ts'
import { endlessStream, findAllowedActor, findStuckWork, sampleOverrides } from './nth-fault.ts'
import { type CallSample, permissionTable } from './permission-matrix-table.ts'
import { type ActorKind, createPermissionWorld, type PermissionWorld } from './permission-matrix-world.ts'
import { canaryKeys } from './provider-app.ts'
import { parseEvents, toRequest } from './test-app.ts'

const faults: NetworkFault[] = ['unreachable', 'status 500', 'cut']
/** Caps stories with many calls. */
const maxCalls = 8
const ignoredTables = ['throttle_windows', 'answered_creates', 'sessions']

export interface OutsideStory {
  name: string
  call: EndpointEntry
  kind: ActorKind
  isStreamed: boolean
  sample(world: PermissionWorld): Promise<CallSample>
}

interface StoryResponse {
  status: number
  /** The last event of a stream, otherwise the body. */
  content: Record<string, unknown>
  isDone: boolean
  text: string
}

/** Every call that someone may make, plus runs with each provider and their tools, streamed and plain. */
export function listOutsideStories(word = ''): OutsideStory[] {
  const callStories = listEndpoints().flatMap((call): OutsideStory[] => {
    const name = `${call.area}.${call.name}`
    const kind = name === endlessStream ? undefined : findAllowedActor(name)
    const sample = sampleOverrides[name] ?? permissionTable[name]?.sample
    return kind && sample ? [{ name, call, kind, isStreamed: false, sample: async (world) => sample(world) }] : []
  })
  const run = listEndpoints().find(({ area, name }) => `${area}.${name}` === 'agents.run')
  const providerStories = fakeProviders.flatMap((provider) =>
    [true, false].flatMap((isStreamed): OutsideStory[] =>
      run
        ? [
            {
              name: `agents.run with ${provider}, ${isStreamed ? 'streamed' : 'plain'}`,
              call: run,
              kind: 'owner',
              isStreamed,
              sample: (world) => createAgentSample(world, provider),
            },
          ]
        : [],
    ),
  )
  const coordinatorStories: OutsideStory[] = run
    ? [
        {
          name: 'agents.run with a coordinator',
          call: run,
          kind: 'owner',
          isStreamed: true,
          sample: createCoordinatorSample,
        },
      ]
    : []
  return [...callStories, ...providerStories, ...coordinatorStories].filter(({ name }) => name.includes(word))
}

const saveKey = (world: PermissionWorld, provider: FakeProvider) =>
  world.asAda(keys.savePersonal, { body: { provider, apiKey: canaryKeys[provider] } })

/** Earlier stories may have changed the key. */
async function createAgentSample(world: PermissionWorld, model_provider: FakeProvider): Promise<CallSample> {
  await saveKey(world, model_provider)
  const body = {
    name: `Agent with ${model_provider}`,
    purpose: 'Helps.',
    model_provider,
    tools: ['list_moments'],
    model_settings: { retry: { max_retries: 1, retry_delay_ms: 100 } },
    config: { voice_id: '21m00Tcm4TlvDq8ikWAM' },
  }
  const { id } = await world.asAda(agents.create, { body })
  return { body: { agentId: id, input: 'What do I keep?' } }
}

async function createCoordinatorSample(world: PermissionWorld): Promise<CallSample> {
  await saveKey(world, 'openai')
  const child = { name: 'Below', purpose: 'Knows.', model_provider: 'openai' } as const
  const { slug } = await world.asAda(agents.create, { body: child })
  const body = { ...child, name: 'Above', agent_class: 'Coordinator', config: { bundle: [slug] } }
  const { id } = await world.asAda(agents.create, { body })
  return { body: { agentId: id, input: 'What do you know?' } }
}

/** Fails each outgoing request of each story in turn. */
export class NthOutsideFaults {
  /** `reaching` lists the stories that sent a request. */
  readonly stats = { stories: 0, reaching: [] as string[], faults: 0, problems: [] as string[] }
  readonly #engine: Engine
  readonly #plant: (services: Services) => void
  #fakes: ProviderFake[] = []
  #hosting: HostingFake | undefined
  #dns: DnsFake | undefined
  #world: PermissionWorld | undefined
  #failing: FailingNetwork | undefined

  constructor(engine: Engine, plant: (services: Services) => void = () => {}) {
    this.#engine = engine
    this.#plant = plant
  }

  async open(): Promise<void> {
    this.#fakes = await Promise.all(
      fakeProviders.map((provider) => startProviderFake({ provider, answer: answerWithTools })),
    )
    const world = await createPermissionWorld(this.#engine)
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
        queryDns: createDnsQuery([this.#dns.address], { timeoutMs: 10_000, tries: 1 }),
      },
    )
    // The samples of the permission matrix install a driver that sends nothing.
    Object.defineProperty(services, 'hosting', { get: () => driver, set() {} })
    this.#plant(services)
    this.#failing = injectNetworkFaults(services)
    this.#world = world
  }

  async close(): Promise<void> {
    await this.#world?.app.close()
    await Promise.all([...this.#fakes, this.#hosting, this.#dns].map((fake) => fake?.close()))
  }

  async tryStory(story: OutsideStory): Promise<void> {
    const [world, failing] = [this.#world, this.#failing]
    if (!world || !failing) throw new Error('Call open() first')
    this.stats.stories++
    const baseline = await this.#attempt(story)
    const calls = Math.min(failing.calls, maxCalls)
    if (calls === 0) return
    this.stats.reaching.push(story.name)
    if (!baseline.response.isDone) {
      this.stats.problems.push(
        `${story.name}: answers ${baseline.response.status} without faults: ${baseline.response.text.slice(0, 200)}`,
      )
      return
    }
    for (const fault of faults)
      for (const isForGood of [false, true])
        for (let index = 1; index <= calls; index++) {
          this.stats.faults++
          const faultLabel = `${story.name}, call ${index} of ${calls} ${fault} ${isForGood ? 'for good' : 'once'}`
          const result = await this.#attempt(story, { callNumber: index, fault, isForGood }, baseline.rows)
          this.stats.problems.push(...result.problems.map((text) => `${faultLabel}: ${text}`))
        }
  }

  async #sample(story: OutsideStory, world: PermissionWorld): Promise<CallSample> {
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
    armedFault?: ArmedNetworkFault,
    baselineRows: string[] = [],
  ): Promise<{ response: StoryResponse; rows: string[]; problems: string[] }> {
    const [world, failing] = [this.#world, this.#failing]
    if (!world || !failing) throw new Error('Call open() first')
    const { app } = world
    resetBreakers()
    failing.count()
    const sample = await this.#sample(story, world)
    const token = await world.createToken(story.kind)
    await app.services.db.deleteFrom('throttle_windows').execute()
    const previousRows = await readIndexedRows(app.services.db, ignoredTables)
    const previousLineCount = app.logLines.length
    if (armedFault) failing.arm(armedFault)
    else failing.count()
    const response = await send(world, story, sample, token)
    await waitUntilSettled(world, failing)
    const { calls, hasFailed } = failing
    const rows = diffRows(previousRows, await readIndexedRows(app.services.db, ignoredTables))
    const log = app.logLines.slice(previousLineCount).join('')
    const problems: string[] = []
    if (armedFault && hasFailed) {
      if (!response.isDone) problems.push(...checkFailure(response))
      if (story.name.startsWith('agents.run') && countInserted(rows, 'runs') !== 1)
        problems.push(`${countInserted(rows, 'runs')} run rows instead of one`)
      const isRun = countInserted(baselineRows, 'runs') > 0 || countInserted(baselineRows, 'model_calls') > 0
      if (!isRun && !response.isDone && rows.length > 0 && rows.join() !== baselineRows.join())
        problems.push(`half of it is done (${response.status}):\n   ${rows.join('\n   ').slice(0, 1500)}`)
      if (log.includes('unexpected failure')) problems.push('an unexpected failure in the log')
      for (const canary of Object.values(canaryKeys))
        if (log.includes(canary) || response.text.includes(canary)) problems.push('reveals a key')
      for (const text of await findStuckWork(world)) problems.push(text)
      resetBreakers()
      failing.count()
      const retry = await send(world, story, await this.#sample(story, world), await world.createToken(story.kind))
      await waitUntilSettled(world, failing)
      if (!retry.isDone) problems.push(`the retry answers ${retry.status} ${retry.text.slice(0, 200)}`)
    }
    Object.assign(failing, { calls })
    return { response, rows, problems }
  }
}

async function send(
  { app }: PermissionWorld,
  story: OutsideStory,
  sample: CallSample,
  token: string | null,
): Promise<StoryResponse> {
  const { path, init } = toRequest(story.call.endpoint, sample)
  const headers = new Headers(init.headers)
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (story.isStreamed) headers.set('accept', 'text/event-stream')
  const response = await app.fetch(path, { ...init, headers })
  const text = await response.text()
  const { status } = response
  if (story.isStreamed && status === 200) {
    const last = parseEvents(text).at(-1)
    return { status, content: { ...last?.data, error: last?.data.message }, isDone: last?.event === 'done', text }
  }
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status, content: isJson ? JSON.parse(text) : {}, isDone: status < 400, text }
}

async function waitUntilSettled({ app: { services } }: PermissionWorld, failing: FailingNetwork): Promise<void> {
  for (let idleTicks = 0; idleTicks < 3; ) {
    await Promise.all(services.runs.list().map(({ finished }) => finished))
    const { calls } = failing
    await new Promise((resolve) => setTimeout(resolve, 4))
    idleTicks = services.runs.size === 0 && failing.inFlight === 0 && calls === failing.calls ? idleTicks + 1 : 0
  }
}

/** A failure needs a text and a Keeper code. */
function checkFailure({ status, content, text }: StoryResponse): string[] {
  const { error, code } = content
  if (typeof error !== 'string' || error === '' || typeof code !== 'string')
    return [`is not a Keeper problem: ${text.slice(0, 200)}`]
  return status === 500 || code === 'internal' ? [`answers ${status} ${code}`] : []
}

const countInserted = (rows: string[], table: string) => rows.filter((row) => row.startsWith(`+ ${table} `)).length

/** Calls each required tool once, or else the lookup tool; then answers with text. */
function answerWithTools(_prompt: string, request: RecordedRequest): string | FakeReply {
  const requestText = JSON.stringify(request.body)
  const hasResult = /"role":"tool"|tool_result|function_call_output/.test(requestText)
  const cardId = /card[\\\\":,]+id[\\\\":,]+([0-9a-f]{32})/.exec(requestText)?.[1] ?? ''
  const toolArguments: Record<string, object> = {
    submit_keeper_type: { name: 'Tide', purpose: 'Tides.', memoryPattern: 'journal', reason: 'By date.' },
    [submitSoleDraftTool]: {
      statements: [
        { kind: 'add', text: 'I live here.', sources: [{ entity: 'card', id: cardId, quote: 'I live here.' }] },
      ],
    },
    list_moments: { limit: 3 },
  }
  const askChild = /"(ask_below\w*)"/.exec(requestText)?.[1]
  if (!hasResult && askChild) return { calls: [{ name: askChild, arguments: { input: 'What do you know?' } }] }
  for (const [name, args] of Object.entries(toolArguments))
    if (!hasResult && requestText.includes(`"${name}"`)) return { calls: [{ name, arguments: args }] }
  if (/frames/.test(requestText) && /board/.test(requestText)) return proposedFrames
  return 'Here is what you keep.'
}

const proposedFrames = JSON.stringify({
  summary: 'For the choir.',
  frames: [{ type: 'dialog', name: 'Welcome', reason: 'First.' }],
})
