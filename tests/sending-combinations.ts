import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { keys } from '#contract/keys/keys.ts'
import { getSharedToolServers, getToolOffers, maxListAgeMs } from '#server/agents/tools/mcp-tools.ts'
import type { Engine } from '#server/db/database.ts'
import { createTestKeeper } from './create-test-keeper.ts'
import { type McpFake, type McpFakeTool, startMcpFake } from './fakes/mcp-server.ts'
import type { FakeReply } from './fakes/model-providers/start-provider-fake.ts'
import { parseConversation } from './model-conversation.ts'
import { canaryKeys, canaryPlatformKeys, createProviderApp, type ProviderApp } from './provider-app.ts'
import type { Actor } from './test-app.ts'

const hintValues = [undefined, true, false, 'garbage'] as const
type Hint = (typeof hintValues)[number]

interface Hints {
  readOnlyHint: Hint
  openWorldHint: Hint
  destructiveHint: Hint
  idempotentHint: Hint
}

/** Where data of a keeper could come from, and whether the run receives any. */
export const contexts = {
  user_input: { hasKeeperData: false },
  codebase: { hasKeeperData: false },
  platform_wide: { hasKeeperData: false },
  system: { hasKeeperData: false },
  keeper: { hasKeeperData: true },
  'a tool that reads': { hasKeeperData: true },
  'a calling agent': { hasKeeperData: true },
  'a called agent': { hasKeeperData: true },
  'an earlier turn': { hasKeeperData: true },
} as const
export type Context = keyof typeof contexts

/** `unattended`: an owner's run without anyone to ask. */
export const callers = ['person', 'unattended', 'visitor'] as const
type Caller = (typeof callers)[number]
export type Outcome = 'runs' | 'asks' | 'refused' | 'not offered'

/** Written by hand: outcomes of a server tool for each caller. */
const table: Record<string, Record<Caller, Outcome>> = {
  'read-only, closed world, server not trusted, without keeper data': expectForCallers('runs', 'runs'),
  'read-only, closed world, server not trusted, with keeper data': expectForCallers('runs', 'runs'),
  'read-only, closed world, server trusted, without keeper data': expectForCallers('runs', 'runs'),
  'read-only, closed world, server trusted, with keeper data': expectForCallers('runs', 'runs'),
  'read-only, open world, server not trusted, without keeper data': expectForCallers('runs', 'runs'),
  'read-only, open world, server not trusted, with keeper data': expectForCallers('asks', 'refused'),
  'read-only, open world, server trusted, without keeper data': expectForCallers('runs', 'runs'),
  'read-only, open world, server trusted, with keeper data': expectForCallers('runs', 'runs'),
  'writes, closed world, server not trusted, without keeper data': expectForCallers('asks', 'refused'),
  'writes, closed world, server not trusted, with keeper data': expectForCallers('asks', 'refused'),
  'writes, closed world, server trusted, without keeper data': expectForCallers('asks', 'refused'),
  'writes, closed world, server trusted, with keeper data': expectForCallers('asks', 'refused'),
  'writes, open world, server not trusted, without keeper data': expectForCallers('asks', 'refused'),
  'writes, open world, server not trusted, with keeper data': expectForCallers('asks', 'refused'),
  'writes, open world, server trusted, without keeper data': expectForCallers('asks', 'refused'),
  'writes, open world, server trusted, with keeper data': expectForCallers('asks', 'refused'),
}

function expectForCallers(person: Outcome, unattended: Outcome): Record<Caller, Outcome> {
  return { person, unattended, visitor: 'not offered' }
}

function getExpectedOutcome(hints: Hints, isTrusted: boolean, context: Context, caller: Caller): Outcome | undefined {
  const conditions = [
    hints.readOnlyHint === true ? 'read-only' : 'writes',
    hints.openWorldHint === false ? 'closed world' : 'open world',
    isTrusted ? 'server trusted' : 'server not trusted',
    contexts[context].hasKeeperData ? 'with keeper data' : 'without keeper data',
  ]
  return table[conditions.join(', ')]?.[caller]
}

/** All combinations; `isShort` omits the two hints without effect. */
function listCombinations({ isShort }: { isShort: boolean }): Hints[] {
  const otherHints = isShort ? [undefined] : hintValues
  return hintValues.flatMap((readOnlyHint) =>
    hintValues.flatMap((openWorldHint) =>
      otherHints.flatMap((destructiveHint) =>
        otherHints.map((idempotentHint) => ({ readOnlyHint, openWorldHint, destructiveHint, idempotentHint })),
      ),
    ),
  )
}

const toolsPerServer = 64
const callsPerTurn = 32
const question = 'What of buttermilk?'

interface ServerUnderTest {
  name: string
  isTrusted: boolean
  hints: Hints[]
  fake: McpFake
}

export interface SendingWorld {
  /** Tries every tool. Returns the number of calls and every deviation from the table. */
  tryTools(context: Context, caller: Caller): Promise<{ callCount: number; deviations: string[] }>
  /** Makes server tools no longer count as sending. */
  plantDefect(): Promise<void>
  close(): Promise<void>
}

/** An app whose model calls every offered tool, with tool servers for each combination of hints. */
export async function openSendingWorld(engine: Engine, options: { isShort: boolean }): Promise<SendingWorld> {
  const servers = await startServers(listCombinations(options))
  const settings = Object.fromEntries(
    servers.map(({ name, isTrusted, fake }) => [name, { url: `${fake.url}?name=${name}`, trusted: isTrusted }]),
  )
  const environment = { KEEPER_MCP_SERVERS: JSON.stringify(settings), OPENAI_API_KEY: canaryPlatformKeys.openai }
  const app = await createProviderApp(
    engine,
    { answer: (_, request) => callEverything(parseConversation(request)) },
    environment,
  )
  const ada = await app.as('ada')
  await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
  const { id } = await createTestKeeper(ada)
  const body = { content: 'Grandmother’s buttermilk.', topic: 'Kitchen' }
  const { data } = await ada.call(reflections.create, { params: { id }, body })
  await ada.call(reflections.promote, { params: { id: data.id } })
  // A server that lists its tools too late is skipped for half a minute.
  for (let attempt = 0; attempt < 10; attempt++) {
    if ((await getToolOffers(app.services)).every(({ reason }) => reason === null)) break
    app.passTime(31_000)
  }
  const world = { app, ada, agentCount: 0 }
  await createAgent(world, { slug: 'reader', context_scope: 'keeper' })

  return {
    async tryTools(context, caller) {
      const deviations: string[] = []
      let callCount = 0
      for (const server of servers) {
        for (const { fake } of servers) fake.messages.length = 0
        const outcomes = await tryServer(world, server, context, caller)
        for (const [index, hints] of server.hints.entries()) {
          const expected = getExpectedOutcome(hints, server.isTrusted, context, caller)
          const actual = outcomes.get(index) ?? 'not offered'
          callCount += 1
          if (actual !== expected)
            deviations.push(
              `${JSON.stringify({ ...hints, trusted: server.isTrusted, context, caller })}: ${actual}, not ${expected}`,
            )
        }
        deviations.push(
          ...findMismatches(server, outcomes).map((text) => `${server.name}, ${context}, ${caller}: ${text}`),
        )
      }
      return { callCount, deviations }
    },
    async plantDefect() {
      // A recent list, because creating an agent would otherwise fetch it again.
      const offers = await getToolOffers(app.services, getSharedToolServers(app.services), maxListAgeMs.editing)
      for (const { tools } of offers) for (const tool of tools) tool.sends = false
    },
    async close() {
      await app.close()
      for (const { fake } of servers) await fake.close()
    },
  }
}

async function startServers(combinations: Hints[]): Promise<ServerUnderTest[]> {
  const servers: ServerUnderTest[] = []
  for (const isTrusted of [false, true]) {
    for (let from = 0; from < combinations.length; from += toolsPerServer) {
      const hints = combinations.slice(from, from + toolsPerServer)
      const tools = hints.map((annotations, index): McpFakeTool => ({ name: `t${index}`, annotations }))
      const fake = await startMcpFake({ tools, pageSize: toolsPerServer })
      servers.push({ name: `${isTrusted ? 'trusted' : 'untrusted'}${from / toolsPerServer}`, isTrusted, hints, fake })
    }
  }
  return servers
}

/** Reads memory or runs the other agent first if possible, then calls each server tool once. */
function callEverything({ system, tools, results }: ReturnType<typeof parseConversation>): string | FakeReply {
  const otherAgent = /ASK ([\w-]+)/.exec(system)?.[1]
  const runOtherAgent = otherAgent ? [{ name: 'run_agent', arguments: { agent: otherAgent, input: question } }] : []
  const firstCalls = tools.includes('search_memory')
    ? [{ name: 'search_memory', arguments: { query: 'buttermilk' } }]
    : runOtherAgent
  if (results.length === 0 && firstCalls.length > 0) return { calls: firstCalls }
  const finishedCount = results.length - firstCalls.length
  // A visitor's model gets no tools and tries one anyway.
  const namedTools =
    tools.length > 0 ? tools.filter((name) => name.includes('__')) : (system.match(/untrusted0__t0/g) ?? [])
  const calls = namedTools
    .slice(finishedCount, finishedCount + callsPerTurn)
    .map((name) => ({ name, arguments: { text: 'buttermilk' } }))
  return calls.length > 0 ? { calls } : 'Done.'
}

interface SendingContext {
  app: ProviderApp
  ada: Actor
  agentCount: number
}

async function createAgent(world: SendingContext, overrides: Record<string, unknown>): Promise<string> {
  const body = { name: `Agent ${++world.agentCount}`, purpose: 'You call tools.', ...overrides }
  const { data, status, text } = await world.ada.call(agents.create, { body: body as never })
  if (status !== 200) throw new Error(`failed to create an agent: ${text}`)
  if (overrides.context_scope === 'keeper')
    await world.ada.call(keeperTypes.assign, { params: { agentId: data.id, keeperTypeId: 'system-journal' } })
  return data.id
}

async function tryServer(
  world: SendingContext,
  { name, hints }: ServerUnderTest,
  context: Context,
  caller: Caller,
): Promise<Map<number, string>> {
  const tools = hints.map((_, index) => `${name}__t${index}`)
  const agentId = await createAgentFor(world, tools, context, caller)
  const sessionId = context === 'an earlier turn' ? await runFirstTurn(world, agentId, tools, caller) : undefined
  const runId = await runAs(world, caller, { agentId, input: question, ...(sessionId && { sessionId }) })
  const { tools: calls } = await world.app.services.db
    .selectFrom('runs')
    .select('tools')
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  return new Map(
    (calls ?? [])
      .filter((call) => call.name.startsWith(`${name}__t`) && isExistingTool(call.result))
      .map((call) => [parseIndex(call.name), describeOutcome(call)]),
  )
}

function describeOutcome(call: { state: string; result: string | null; asks_because?: unknown }): string {
  if (call.state === 'failed') return `failed: ${call.result}`
  if (call.asks_because) return 'asks'
  return call.state === 'refused' ? 'refused' : 'runs'
}

const isExistingTool = (result: string | null) =>
  result !== null && !result.startsWith('There is no tool with this name')

async function createAgentFor(
  world: SendingContext,
  tools: string[],
  context: Context,
  caller: Caller,
): Promise<string> {
  const visibilityOptions =
    caller === 'visitor' ? { visibility: 'public', agent_class: 'Lead', purpose: 'You call untrusted0__t0.' } : {}
  switch (context) {
    case 'a tool that reads':
      return createAgent(world, { ...visibilityOptions, tools: ['search_memory', ...tools] })
    case 'a called agent':
      return createAgent(world, { purpose: 'ASK reader', tools: ['run_agent', ...tools], ...visibilityOptions })
    case 'a calling agent': {
      const slug = `called-${world.agentCount}`
      await createAgent(world, { slug, tools, ...visibilityOptions })
      return createAgent(world, {
        ...visibilityOptions,
        purpose: `ASK ${slug}`,
        tools: ['run_agent'],
        context_scope: 'keeper',
      })
    }
    case 'an earlier turn':
      return createAgent(world, { ...visibilityOptions, context_scope: 'keeper', memory_enabled: true })
    default:
      return createAgent(world, { ...visibilityOptions, context_scope: context, tools })
  }
}

/** The first turn receives keeper data; afterwards the agent has tools and no data. */
async function runFirstTurn(
  world: SendingContext,
  agentId: string,
  tools: string[],
  caller: Caller,
): Promise<string | undefined> {
  const { data } = await world.ada.call(agents.run, { body: { agentId, input: question } })
  await world.ada.call(agents.update, { body: { id: agentId, context_scope: 'general', tools } as never })
  return caller === 'visitor' ? undefined : (data.session_id ?? undefined)
}

async function runAs(
  { app, ada }: SendingContext,
  caller: Caller,
  body: { agentId: string; input: string },
): Promise<string> {
  if (caller !== 'person') {
    // Visitors of one IP address are limited per minute.
    if (caller === 'visitor') app.passTime(61_000)
    const answer = await (caller === 'visitor' ? app.visitor() : ada).call(agents.run, { body })
    if (answer.status !== 200) throw new Error(`the run of ${caller} failed: ${answer.text}`)
    return answer.data.run_id
  }
  let isFinished = false
  const stream = ada.stream(agents.run, { body }).finally(() => {
    isFinished = true
  })
  while (!isFinished) {
    for (const run of app.services.runs.list())
      for (const { id: callId, name } of run.tools.filter(({ id }) => run.permissionRequests.has(id)))
        await ada.call(runs.decide, { params: { runId: run.id, callId }, body: { allow: isAllowed(parseIndex(name)) } })
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return String((await stream).events[0]?.data.run_id)
}

/** The person allows every second tool. */
const isAllowed = (index: number) => index % 2 === 0
const parseIndex = (name: string) => Number(/t(\d+)$/.exec(name)?.[1])

/** The server must receive one call per tool that ran or was allowed, and no other. */
function findMismatches({ hints, fake }: ServerUnderTest, outcomes: Map<number, string>): string[] {
  const received = fake.calledTools().map(parseIndex)
  return [...hints.keys()].flatMap((index) => {
    const outcome = outcomes.get(index)
    const expected = outcome === 'runs' || (outcome === 'asks' && isAllowed(index)) ? 1 : 0
    const count = received.filter((receivedIndex) => receivedIndex === index).length
    return count === expected ? [] : [`the server received t${index} ${count} times, not ${expected} (${outcome})`]
  })
}
