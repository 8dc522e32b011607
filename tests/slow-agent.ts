import { expect } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { keys } from '#contract/keys/keys.ts'
import type { Engine } from '#server/db/database.ts'
import { eventually } from './eventually.ts'
import { canaryKeys, createProviderApp, type ProviderApp } from './provider-app.ts'
import { type Actor, parseEvents } from './test-app.ts'

export const fullAnswer = 'one two three four five six seven eight nine ten'

/** A public Lead with memory that counts to ten slowly, for tests of running answers. */
export interface SlowAgent {
  app: ProviderApp
  ada: Actor
  ben: Actor
  agentId: string
  startRun(actor?: Actor): Promise<{ id: string; reader: ReadableStreamDefaultReader<Uint8Array> }>
  /** A run that never gets past the middle of its answer. */
  startStuckRun(actor?: Actor): ReturnType<SlowAgent['startRun']>
  readRun(id: string): ReturnType<typeof readRunRow>
  stop(id: string, actor?: Actor): ReturnType<typeof stopRun>
}

const readRunRow = ({ services }: ProviderApp, id: string) =>
  services.db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const stopRun = (actor: Actor, id: string) => actor.call(runs.stop, { params: { runId: id } })

export async function createSlowAgent(engine: Engine): Promise<SlowAgent> {
  const app = await createProviderApp(engine, { wordDelayMs: 8, answer: () => fullAnswer })
  const ada = await app.as('ada')
  await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
  const body = { name: 'Slow', purpose: 'p', visibility: 'public', agent_class: 'Lead', memory_enabled: true } as const
  const agentId = (await ada.call(agents.create, { body })).data.id

  async function startRun(actor = ada) {
    const response = await actor.fetch('/api/kip/agents', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ action: 'run', agentId, input: 'count' }),
    })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const [start] = parseEvents(new TextDecoder().decode((await reader.read()).value))
    return { id: String(start?.data.run_id), reader }
  }
  return {
    app,
    ada,
    ben: await app.as('ben'),
    agentId,
    startRun,
    async startStuckRun(actor) {
      app.fakes.openai.script(['silent-mid'])
      const run = await startRun(actor)
      await eventually(() => expect(app.services.runs.find(run.id)?.response).toBe('one two three'))
      return run
    },
    readRun: (id) => readRunRow(app, id),
    stop: (id, actor = ada) => stopRun(actor, id),
  }
}
