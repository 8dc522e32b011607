import { afterAll, beforeAll, beforeEach } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { keys } from '#contract/keys/keys.ts'
import type { Engine } from '#server/db/database.ts'
import { json } from '#server/db/database.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import type { FakeReply, RecordedRequest } from './fakes/model-providers/start-provider-fake.ts'
import { conversationOf } from './model-conversation.ts'
import { canaryKeys, providerApp } from './provider-app.ts'

/** The answer of one agent to a request of its model. */
export type Reply = (request: RecordedRequest) => FakeReply

/** For the tests of a file: an app in which Ada and Ben, who have keys, make agents that ask each other. */
export function coordinators(engine: Engine) {
  let world: Awaited<ReturnType<typeof startWorld>>
  beforeAll(async () => {
    world = await startWorld(engine)
  })
  afterAll(() => world.app.close())
  beforeEach(() => {
    resetBreakers()
    world.replyWith({})
  })
  return () => world
}

async function startWorld(engine: Engine) {
  /** By the purpose its prompt begins with; who is not in it answers on its own. */
  let replies: Record<string, Reply> = {}
  const app = await providerApp(engine, {
    answer(_, request) {
      const { system, results, tools } = conversationOf(request)
      const own = Object.entries(replies).find(([purpose]) => system.startsWith(purpose))?.[1]
      if (own) return own(request)
      // A coordinator asks everybody at once, then tells what it heard; everybody else just answers.
      const ask = tools.filter((name) => name.startsWith('ask_'))
      if (ask.length > 0 && results.length === 0)
        return { calls: ask.map((name) => ({ name, arguments: { input: `Hello, ${name}` } })) }
      return { text: results.length > 0 ? `Heard ${results.join(' | ')}` : `I am: ${system}` }
    },
  })
  const ada = await app.as('ada')
  const ben = await app.as('ben')
  for (const person of [ada, ben])
    await person.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })

  const make = async (name: string, more: object = {}, who = ada) => {
    const answer = await who.call(agents.create, { body: { name, purpose: `${name} helps.`, ...more } as never })
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
    make,
    lead: (name: string, bundle: string[], more: object = {}, who = ada) =>
      make(name, { agent_class: 'Coordinator', config: { bundle }, ...more }, who),
    /** Past what saving allows. */
    putBundle: (id: string, bundle: string[]) =>
      app.services.db
        .updateTable('agents')
        .set({ config: json({ bundle }) })
        .where('id', '=', id)
        .execute(),
    async run(agentId: string, who = ada) {
      const answer = await who.call(agents.run, { body: { agentId, input: 'go' } })
      const { data } = await who.call(runs.show, { params: { runId: answer.data.run_id } })
      return { answer, detail: data }
    },
  }
}
