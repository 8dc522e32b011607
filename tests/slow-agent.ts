import { expect } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { keys } from '#contract/keys/keys.ts'
import type { Engine } from '#server/db/database.ts'
import { eventually } from './eventually.ts'
import { canaryKeys, type ProviderApp, providerApp } from './provider-app.ts'
import { type Actor, eventsIn } from './test-app.ts'

export const wholeAnswer = 'one two three four five six seven eight nine ten'

/** A public Lead with memory that counts to ten slowly, for tests of running answers. */
export interface SlowAgent {
  app: ProviderApp
  ada: Actor
  ben: Actor
  agentId: string
  begin(who?: Actor): Promise<{ id: string; reader: ReadableStreamDefaultReader<Uint8Array> }>
  /** A run that never gets past the middle of its answer. */
  stuckRun(who?: Actor): ReturnType<SlowAgent['begin']>
  rowOf(id: string): ReturnType<typeof runRow>
  stop(id: string, who?: Actor): ReturnType<typeof stopRun>
}

const runRow = ({ services }: ProviderApp, id: string) =>
  services.db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const stopRun = (who: Actor, id: string) => who.call(runs.stop, { params: { runId: id } })

export async function slowAgent(engine: Engine): Promise<SlowAgent> {
  const app = await providerApp(engine, { wordDelayMs: 8, answer: () => wholeAnswer })
  const ada = await app.as('ada')
  await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
  const body = { name: 'Slow', purpose: 'p', visibility: 'public', agent_class: 'Lead', memory_enabled: true } as const
  const agentId = (await ada.call(agents.create, { body })).data.id

  async function begin(who = ada) {
    const response = await who.fetch('/api/kip/agents', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ action: 'run', agentId, input: 'count' }),
    })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const [start] = eventsIn(new TextDecoder().decode((await reader.read()).value))
    return { id: String(start?.data.run_id), reader }
  }
  return {
    app,
    ada,
    ben: await app.as('ben'),
    agentId,
    begin,
    async stuckRun(who) {
      app.fakes.openai.script(['silent-mid'])
      const run = await begin(who)
      await eventually(() => expect(app.services.runs.find(run.id)?.response).toBe('one two three'))
      return run
    },
    rowOf: (id) => runRow(app, id),
    stop: (id, who = ada) => stopRun(who, id),
  }
}
