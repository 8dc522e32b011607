import { afterAll, beforeAll, beforeEach } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { keys } from '#contract/keys/keys.ts'
import type { Engine } from '#server/db/database.ts'
import { json } from '#server/db/database.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import type { FakeReply, RecordedRequest } from './fakes/model-providers/start-provider-fake.ts'
import { parseConversation } from './model-conversation.ts'
import { canaryKeys, createProviderApp } from './provider-app.ts'

export type Reply = (request: RecordedRequest) => FakeReply

/** Starts an app for a test file in which Ada and Ben have keys and create agents that call each other. */
export function setUpCoordinators(engine: Engine) {
  let world: Awaited<ReturnType<typeof startCoordinatorWorld>>
  beforeAll(async () => {
    world = await startCoordinatorWorld(engine)
  })
  afterAll(() => world.app.close())
  beforeEach(() => {
    resetBreakers()
    world.replyWith({})
  })
  return () => world
}

async function startCoordinatorWorld(engine: Engine) {
  /** Keyed by the purpose that the system prompt starts with; other agents get the default reply. */
  let replies: Record<string, Reply> = {}
  const app = await createProviderApp(engine, {
    answer(_, request) {
      const { system, results, tools } = parseConversation(request)
      const reply = Object.entries(replies).find(([purpose]) => system.startsWith(purpose))?.[1]
      if (reply) return reply(request)
      const askTools = tools.filter((name) => name.startsWith('ask_'))
      if (askTools.length > 0 && results.length === 0)
        return { calls: askTools.map((name) => ({ name, arguments: { input: `Hello, ${name}` } })) }
      return { text: results.length > 0 ? `Heard ${results.join(' | ')}` : `I am: ${system}` }
    },
  })
  const ada = await app.as('ada')
  const ben = await app.as('ben')
  for (const person of [ada, ben])
    await person.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })

  const createAgent = async (name: string, overrides: object = {}, actor = ada) => {
    const answer = await actor.call(agents.create, { body: { name, purpose: `${name} helps.`, ...overrides } as never })
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.data
  }
  return {
    app,
    ada,
    ben,
    replyWith(next: typeof replies) {
      replies = next
    },
    createAgent,
    createCoordinator: (name: string, bundle: string[], overrides: object = {}, actor = ada) =>
      createAgent(name, { agent_class: 'Coordinator', config: { bundle }, ...overrides }, actor),
    /** Bypasses the validation of the API. */
    putBundle: (id: string, bundle: string[]) =>
      app.services.db
        .updateTable('agents')
        .set({ config: json({ bundle }) })
        .where('id', '=', id)
        .execute(),
    async run(agentId: string, actor = ada) {
      const answer = await actor.call(agents.run, { body: { agentId, input: 'go' } })
      const { data } = await actor.call(runs.show, { params: { runId: answer.data.run_id } })
      return { answer, detail: data }
    },
  }
}
