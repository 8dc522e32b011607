import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { type RunSpan, runs } from '#contract/agents/runs.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { type CollectedSpan, startTraceCollector } from '#tests/fakes/trace-collector.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'

beforeEach(resetBreakers)

describe.each(engines)('an exported run, on %s', (engine) => {
  async function startWithCollector() {
    const collector = await startTraceCollector()
    const app = await createProviderApp(
      engine,
      {},
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        KEEPER_METRICS_TOKEN: 'a token only for tests'.replaceAll(' ', '-'),
      },
    )
    onTestFinished(async () => {
      await app.close()
      await collector.close()
    })
    const ada = await app.as('ada')
    await saveKeys(ada, 'openai', 'anthropic')
    const agent = await createTestAgent(ada, {
      name: 'Harbour guide',
      purpose: 'canary purpose',
      model_provider: 'openai',
      model: 'gpt-6-luna',
      model_settings: { retry: { max_retries: 1, retry_delay_ms: 100 } },
    })
    return { app, ada, agent, collector }
  }

  const getValue = ({ attributes }: CollectedSpan, key: string) =>
    Object.values(attributes.find((attribute) => attribute.key === key)?.value ?? {})[0]
  /** The path of names from the root, with times and failure. */
  const listPaths = <Step>(
    steps: readonly Step[],
    readStep: (step: Step) => [id: string, parent: string | null, text: string],
  ) => {
    const byId = new Map(steps.map((item) => [readStep(item)[0], readStep(item)]))
    const getPath = (id: string | null): string => {
      const entry = id === null ? undefined : byId.get(id)
      return entry ? `${getPath(entry[1])}/${entry[2]}` : ''
    }
    return steps.map((item) => getPath(readStep(item)[0])).toSorted()
  }

  it('has the steps and sums of its trace page, and none of its texts', async () => {
    const { app, ada, agent, collector } = await startWithCollector()
    app.fakes.openai.script(['status-503', 'ok'])
    const { data } = await ada.call(agents.run, { body: { agentId: agent.id, input: 'canary question' } })
    const { data: detail } = await ada.call(runs.show, { params: { runId: data.run_id } })
    await app.services.traceExporter?.stop()
    const { spans, violations } = collector
    expect(violations).toEqual([])
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([data.run_id]))
    const operations: Record<RunSpan['kind'], string> = {
      agent: 'invoke_agent ',
      coordinator: 'invoke_agent ',
      model: 'chat ',
      tool: 'execute_tool ',
      memory: 'search_memory ',
      wait: '',
    }
    const expectedTree = listPaths(detail.spans, ({ id, parent_id, kind, name, started_ms, ended_ms, failure }) => [
      id,
      parent_id,
      `${operations[kind]}${name} ${(ended_ms ?? 0) - started_ms} ${failure ?? ''}`,
    ])
    const tree = listPaths(spans, (span) => [
      span.spanId,
      span.parentSpanId ?? null,
      `${span.name} ${Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6} ${span.status.message ?? ''}`,
    ])
    expect(tree).toEqual(expectedTree)
    expect(tree.filter((path) => path.includes('/chat gpt-6-luna'))).toHaveLength(2)
    const chats = spans.filter(({ name }) => name.startsWith('chat '))
    const root = spans.find(({ parentSpanId }) => parentSpanId === undefined)
    for (const [key, total] of [
      ['gen_ai.usage.input_tokens', detail.usage.input_tokens],
      ['gen_ai.usage.output_tokens', detail.usage.output_tokens],
    ] as const) {
      expect(chats.reduce((sum, span) => sum + Number(getValue(span, key) ?? 0), 0)).toBe(total)
      expect(Number(root && getValue(root, key))).toBe(total)
    }
    expect(chats.map((span) => [span.kind, getValue(span, 'gen_ai.provider.name')])).toEqual([
      [3, 'openai'],
      [3, 'openai'],
    ])
    expect(chats.map((span) => getValue(span, 'error.type')).filter(Boolean)).toHaveLength(1)
    const sentText = collector.requests.map(({ body }) => body).join('')
    expect(sentText).not.toContain('canary')
    expect(sentText).not.toContain(data.response.slice(0, 20))
    for (const secret of [ada.id, 'willowbrook', 'sk-']) expect(sentText).not.toContain(secret)
  })

  it('doesn’t wait for a collector, and dropped spans are counted in the metrics', async () => {
    const { app, ada, agent, collector } = await startWithCollector()
    collector.script({ status: 400 })
    expect((await ada.call(agents.run, { body: { agentId: agent.id, input: 'Hello' } })).status).toBe(200)
    expect(collector.requests).toEqual([])
    await app.services.traceExporter?.stop()
    const answer = await app.fetch('/metrics', { headers: { authorization: 'Bearer a-token-only-for-tests' } })
    const text = await answer.text()
    expect(text).toMatch(/^keeper_trace_spans_dropped_total [1-9]/m)
    expect(text).toMatch(/^keeper_runs_total\{provider="openai",outcome="success"\} 1$/m)
    expect(text).toMatch(/^keeper_run_tokens_total\{provider="openai",direction="input"\} [1-9]/m)
  })
})
