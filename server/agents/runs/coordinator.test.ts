import { describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { type RunSpan, runs } from '#contract/agents/runs.ts'
import { setUpCoordinators } from '#tests/coordinators.ts'
import { engines } from '#tests/engines.ts'
import type { FakeReply, RecordedRequest } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { parseConversation } from '#tests/model-conversation.ts'

describe.each(engines)('a coordinator on %s', (engine) => {
  const world = setUpCoordinators(engine)
  const getChildren = (spans: RunSpan[], parent: RunSpan | undefined) =>
    spans.filter(({ parent_id }) => parent_id === parent?.id)

  it('runs its agents concurrently, each with its own prompt', async () => {
    const { createAgent, createCoordinator, run, replyWith } = world()
    for (const name of ['Anna', 'Bert', 'Carl']) await createAgent(name)
    const { id } = await createCoordinator('Trio', ['anna', 'bert', 'carl'])
    replyWith(
      Object.fromEntries(
        ['Anna', 'Bert', 'Carl'].map((name) => [`${name} helps.`, () => ({ text: `${name} here`, afterMs: 400 })]),
      ),
    )
    const { answer, detail } = await run(id)
    const agentSpans = detail.spans.filter(({ kind }) => kind === 'agent')
    expect(Math.max(...agentSpans.map(({ started_ms }) => started_ms))).toBeLessThan(
      Math.min(...agentSpans.map(({ ended_ms }) => ended_ms ?? 0)),
    )
    for (const name of ['Anna', 'Bert', 'Carl']) expect(answer.data.response).toContain(`${name} here`)
    expect(detail.tools.map(({ name, state }) => [name, state])).toEqual([
      ['ask_anna', 'done'],
      ['ask_bert', 'done'],
      ['ask_carl', 'done'],
    ])
    const [root] = detail.spans
    expect({ kind: root?.kind, agent_slug: root?.agent_slug }).toEqual({ kind: 'coordinator', agent_slug: 'trio' })
    expect(getChildren(detail.spans, root).map(({ kind, name }) => [kind, name])).toEqual([
      ['model', 'gpt-6-luna'],
      ['agent', 'Anna'],
      ['agent', 'Bert'],
      ['agent', 'Carl'],
      ['model', 'gpt-6-luna'],
    ])
    const anna = detail.spans.find(({ name }) => name === 'Anna')
    expect(anna).toMatchObject({ agent_slug: 'anna', input: { input: 'Hello, ask_anna' }, output: 'Anna here' })
    expect(getChildren(detail.spans, anna)).toMatchObject([{ kind: 'model', input: { system: 'Anna helps.' } }])
  })

  it('streams the text of its agents under their steps, apart from its own', async () => {
    const { ada, createAgent, createCoordinator, replyWith } = world()
    await createAgent('Dora')
    await createAgent('Emil')
    const { id } = await createCoordinator('Duo', ['dora', 'emil'])
    replyWith({ 'Dora helps.': () => ({ text: 'Dora was here' }), 'Emil helps.': () => ({ text: 'Emil too' }) })
    const { events } = await ada.stream(agents.run, { body: { agentId: id, input: 'go' } })
    const spans = events.filter(({ event }) => event === 'span').map(({ data }) => data as unknown as RunSpan)
    const getStreamedText = (name: string) => {
      const step = spans.find((span) => span.name === name)
      const deltas = events.filter(({ event, data }) => event === 'span-text' && data.span_id === step?.id)
      return deltas.map(({ data }) => data.delta)
    }
    expect(getStreamedText('Dora').length).toBeGreaterThan(1)
    expect(getStreamedText('Dora').join('')).toBe('Dora was here')
    expect(getStreamedText('Emil').join('')).toBe('Emil too')
    const rootDeltas = events.filter(({ event }) => event === 'text').map(({ data }) => data.delta)
    expect(rootDeltas.join('').slice(0, 6)).toBe('Heard ')
    expect(rootDeltas.join('')).toEqual(events.at(-1)?.data.response)
  })

  it('shows late readers the text of its agents so far', async () => {
    const { app, ada, createAgent, createCoordinator, replyWith } = world()
    await createAgent('Slow talker')
    const { id } = await createCoordinator('Patron', ['slow-talker'])
    const { promise, resolve } = Promise.withResolvers<void>()
    replyWith({ 'Slow talker helps.': () => ({ text: 'one two three four', continueAfter: promise }) })
    const running = ada.stream(agents.run, { body: { agentId: id, input: 'go' } })
    const findChildSpan = () => app.services.runs.list()[0]?.spans.find(({ name }) => name === 'Slow talker')
    await expect.poll(() => findChildSpan()?.output).toBe('one two')
    const runId = app.services.runs.list()[0]?.id ?? ''
    const visibleSpans = (await ada.call(runs.show, { params: { runId } })).data.spans
    expect(visibleSpans.find(({ name }) => name === 'Slow talker')).toMatchObject({ output: 'one two', ended_ms: null })
    const later = ada.stream(runs.stream, { params: { runId } })
    await new Promise((settled) => setTimeout(settled, 50))
    resolve()
    const { events } = await later
    const deltas = events.filter(({ event }) => event === 'span-text').map(({ data }) => data.delta)
    expect(deltas[0]).toBe('one two')
    expect(deltas.join('')).toBe('one two three four')
    await running
  })

  it('sums usage and cost of its agents on every level', async () => {
    const { app, createAgent, createCoordinator, run, replyWith } = world()
    await createAgent('Leaf')
    const middle = await createCoordinator('Middle', ['leaf'])
    const { id } = await createCoordinator('Top', [middle.slug, 'leaf'])
    let reported = { input: 0, output: 0 }
    const addUsage = (reply: FakeReply): FakeReply => {
      const usage = { input: 50 + reported.input, output: 5 }
      reported = { input: reported.input + usage.input, output: reported.output + usage.output }
      return { ...reply, usage }
    }
    const callAllTools = (request: RecordedRequest) => {
      const { tools, results } = parseConversation(request)
      const calls = tools.map((name) => ({ name, arguments: { input: 'x' } }))
      return addUsage(results.length > 0 ? { text: 'ok' } : { calls })
    }
    replyWith({
      'Top helps.': callAllTools,
      'Middle helps.': callAllTools,
      'Leaf helps.': () => addUsage({ text: 'leaf' }),
    })
    const { detail } = await run(id)
    expect(detail.attempts).toBe(6)
    expect(detail.usage.input_tokens).toEqual(reported.input)
    expect(detail.usage.output_tokens).toEqual(reported.output)
    const cost = (reported.input * 0.1 + reported.output * 0.5) / 1_000_000
    expect(detail.usage.cost_usd).toBeCloseTo(cost, 5)
    const sumInputTokens = (span: RunSpan | undefined): number =>
      getChildren(detail.spans, span).reduce(
        (total, child) => total + (child.kind === 'model' ? (child.usage?.input_tokens ?? 0) : sumInputTokens(child)),
        0,
      )
    const inner = detail.spans.filter(({ kind }) => kind === 'agent' || kind === 'coordinator')
    expect(inner).toHaveLength(4)
    for (const span of inner) {
      expect(span.usage?.input_tokens, span.name).toEqual(sumInputTokens(span))
    }
    expect(detail.spans[0]?.usage).toEqual(detail.usage)
    const ledger = await app.services.db.selectFrom('model_calls').selectAll().where('run_id', '=', detail.id).execute()
    expect(ledger).toHaveLength(6)
    expect(ledger.reduce((total, { cost_micros }) => total + (cost_micros ?? 0), 0)).toBe(
      Math.round((detail.usage.cost_usd ?? 0) * 1_000_000),
    )
  })

  it('calls each bundled agent once, even with untidy stored names', async () => {
    const { ada, createAgent, createCoordinator, putBundle, run } = world()
    const one = await createAgent('Spaced')
    const { id } = await createCoordinator('Untidy', [one.slug])
    await putBundle(id, [' spaced', '', 'spaced ', '  '])
    const { detail } = await run(id)
    expect(detail.tools.map(({ name, state }) => [name, state])).toEqual([['ask_spaced', 'done']])
    const renamed = await ada.call(agents.update, { body: { id, name: 'Still untidy' } })
    expect(renamed.status).toBe(200)
    expect(renamed.data.config).toEqual({ bundle: [' spaced', '', 'spaced ', '  '] })
  })

  it('learns why an agent can’t answer and continues', async () => {
    const { ada, createAgent, createCoordinator, run } = world()
    const tired = await createAgent('Tired')
    const broken = await createAgent('Broken', { model_settings: { model: 'fault-status-401' } })
    const voice = await createAgent('Voice', { model_provider: 'elevenlabs' })
    const { id } = await createCoordinator('Patient', [tired.slug, broken.slug, voice.slug])
    await ada.call(agents.update, { body: { id: tired.id, status: 'error' } })
    const { answer, detail } = await run(id)
    expect(answer.status).toBe(200)
    expect(detail.tools.map(({ state, result }) => [state, result])).toEqual([
      ['failed', 'Tired is not ready.'],
      ['failed', expect.stringContaining('OpenAI did not accept the key')],
      ['failed', 'Voice only reads text aloud and can’t answer.'],
    ])
    const span = detail.spans.find(({ name }) => name === 'Broken')
    expect(span?.failure).toBe('key-rejected')
    expect(detail.status).toBe('success')
    expect(detail.error_code).toBeNull()
    expect(answer.data.response).toContain('Tired is not ready.')
  })

  it('can’t be saved with a cycle or too deep', async () => {
    const { ada, createAgent, createCoordinator } = world()
    const one = await createAgent('One')
    const two = await createCoordinator('Two', [one.slug])
    const three = await createCoordinator('Three', [two.slug])
    const back = await ada.call(agents.update, {
      body: { id: one.id, agent_class: 'Coordinator', config: { bundle: [three.slug] } },
    })
    expect(back).toMatchObject({
      status: 400,
      body: { error: 'A Coordinator can’t end up calling itself: one → three → two → one.' },
    })
    const four = await createCoordinator('Four', [three.slug])
    const deep = await ada.call(agents.create, {
      body: { name: 'Five', purpose: 'p', agent_class: 'Coordinator', config: { bundle: [four.slug] } },
    })
    expect(deep).toMatchObject({ status: 400, body: { error: expect.stringContaining('3 levels deep') } })
  })

  it('stops at a cycle or depth limit that arose after saving', async () => {
    const { createAgent, createCoordinator, putBundle, run } = world()
    const last = await createAgent('Last')
    const links = [await createCoordinator('Link 0', [last.slug])]
    for (let index = 1; index <= 4; index += 1) {
      const link = await createCoordinator(`Link ${index}`, [last.slug])
      await putBundle(link.id, [links[index - 1]?.slug ?? ''])
      links.push(link)
    }
    const { detail } = await run(links[4]?.id ?? '')
    expect(detail.tools.filter(({ state }) => state === 'failed').map(({ result }) => result)).toEqual([
      expect.stringContaining('Link 0 wasn’t called: agents can call agents at most 3 levels deep.'),
    ])
    const self = await createCoordinator('Mirror', [last.slug])
    await putBundle(self.id, [self.slug])
    const mirrored = await run(self.id)
    expect(mirrored.detail.tools).toMatchObject([
      { state: 'failed', result: expect.stringContaining('is already working on this') },
    ])
    expect(mirrored.detail.attempts).toBe(2)
  })

  it('is stopped together with its agents', async () => {
    const { app, ada, createAgent, createCoordinator, replyWith } = world()
    await createAgent('Slow')
    const { id } = await createCoordinator('Waiting', ['slow'])
    replyWith({ 'Slow helps.': () => ({ text: 'late', afterMs: 5000 }) })
    const running = ada.call(agents.run, { body: { agentId: id, input: 'go' } })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const [liveRun] = app.services.runs.list()
    await ada.call(runs.stop, { params: { runId: liveRun?.id ?? '' } })
    const answer = await running
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 409, code: 'stopped' })
    const { data } = await ada.call(runs.show, { params: { runId: liveRun?.id ?? '' } })
    expect(data.spans.every(({ ended_ms }) => ended_ms !== null)).toBe(true)
    expect(data.spans.find(({ name }) => name === 'Slow')?.failure).toBe('stopped')
  })

  it('ends after a hundred answers of agents calling each other', async () => {
    const { app, ada, createAgent, createCoordinator, replyWith } = world()
    await createAgent('Leaf')
    await createCoordinator('Branch', ['leaf'])
    await createCoordinator('Trunk', ['branch'])
    const root = await createCoordinator('Root', ['trunk'])
    const callRepeatedly = (request: RecordedRequest): FakeReply => {
      const [name = ''] = parseConversation(request).tools
      return { calls: Array.from({ length: 8 }, (_, index) => ({ name, arguments: { input: `Go on ${index}` } })) }
    }
    replyWith({ 'Root helps.': callRepeatedly, 'Trunk helps.': callRepeatedly, 'Branch helps.': callRepeatedly })
    const previousCount = app.providerRequestCount()
    const answer = await ada.call(agents.run, { body: { agentId: root.id, input: 'go' } })
    expect(app.providerRequestCount() - previousCount).toBe(100)
    expect(answer.body).toMatchObject({
      success: false,
      code: 'tool-loop',
      error: 'The agents in this run gave 100 answers in total without finishing.',
    })
    expect(app.services.runs.size).toBe(0)
  })
})
