import { beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'

const canaries = ['canary-asked', 'canary-noted', 'one two three']

describe.each(engines)('showing a run on %s', (engine) => {
  let agentId: string
  const { app, ada, ben } = useApp(
    () =>
      createProviderApp(engine, {
        wordDelayMs: 4,
        answer(prompt) {
          if (prompt === 'canary-asked') return { calls: [{ name: 'list_moments', arguments: { limit: 3 } }] }
          return prompt === 'stuck' ? 'one two three four five' : 'canary-noted'
        },
      }),
    ['ada', 'ben'],
  )
  beforeAll(async () => {
    await saveKeys(ben, 'openai')
    agentId = (await createTestAgent(ada, { name: 'Open', visibility: 'public', tools: ['list_moments'] })).id
  })
  const show = async (runId: string, actor: Actor) => {
    const answer = await actor.call(runs.show, { params: { runId } })
    return { ...answer.data, text: answer.text }
  }

  it('shows the agent’s owner the steps without content', async () => {
    const { data } = await ben.call(agents.run, { body: { agentId, input: 'canary-asked' } })
    const runnerView = await show(data.run_id, ben)
    expect(runnerView.spans.map(({ kind }) => kind)).toEqual(['agent', 'model', 'tool', 'model'])
    expect(runnerView.tools).toMatchObject([{ name: 'list_moments', arguments: { limit: 3 } }])
    expect(runnerView.text).toContain('canary-noted')
    const ownerView = await show(data.run_id, ada)
    expect(ownerView.spans.map(({ id, kind, name }) => [id, kind, name])).toEqual(
      runnerView.spans.map(({ id, kind, name }) => [id, kind, name]),
    )
    for (const canary of canaries) expect(ownerView.text).not.toContain(canary)
    expect(ownerView).toMatchObject({
      tools: [],
      sources: [],
      model_settings: null,
      overrides: null,
      usage: runnerView.usage,
    })
    for (const span of ownerView.spans) expect(span).toMatchObject({ input: null, output: null, memory: [] })
  })

  it('shows the text so far of a running run, but not to the agent’s owner', async () => {
    app.fakes.openai.script(['silent-mid'])
    const response = ben.stream(agents.run, { body: { agentId, input: 'stuck' } })
    await eventually(() => expect(app.services.runs.list()[0]?.response).toBe('one two three'))
    const runId = app.services.runs.list()[0]?.id ?? ''
    const runnerView = await show(runId, ben)
    expect(runnerView).toMatchObject({ status: 'running', execution_time_ms: null })
    expect(JSON.parse(runnerView.output ?? '')).toEqual({ type: 'text', text: 'one two three' })
    expect(runnerView.spans).toMatchObject([
      { kind: 'agent', ended_ms: null, input: 'stuck' },
      { kind: 'model', ended_ms: null, parent_id: runnerView.spans[0]?.id },
    ])
    const ownerView = await show(runId, ada)
    expect(ownerView.spans).toHaveLength(2)
    for (const secret of ['one two three', 'stuck']) expect(ownerView.text).not.toContain(secret)
    await ben.call(runs.stop, { params: { runId } })
    await response
    const finishedRun = await show(runId, ben)
    expect(finishedRun.status).toBe('stopped')
    expect(finishedRun.spans.every(({ ended_ms }) => ended_ms !== null)).toBe(true)
  })
})
