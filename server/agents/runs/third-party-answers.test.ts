import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { emptyAnswer } from '#contract/agents/answer-texts.ts'
import { runs } from '#contract/agents/runs.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import {
  type ScriptedAnswer,
  type ScriptedRequest,
  startScriptedServer,
  toChunk,
  toStream,
  toUsageChunk,
} from '#tests/fakes/model-providers/scripted-server.ts'
import { createTestApp } from '#tests/test-app.ts'

beforeEach(resetBreakers)

const say = (text: string) => ({
  body: toStream(toChunk({ content: text }), toChunk({}, 'stop'), toUsageChunk(12, 5), '[DONE]'),
})

describe.each(engines)('runs with third-party servers on %s', (engine) => {
  async function start(
    answer: (request: ScriptedRequest, number: number) => ScriptedAnswer,
    { provider = 'openai', model = 'house-model' }: { provider?: 'openai' | 'anthropic'; model?: string } = {},
  ) {
    const server = await startScriptedServer(answer)
    const address = provider === 'openai' ? 'OPENAI_BASE_URL' : 'ANTHROPIC_BASE_URL'
    const app = await createTestApp(engine, {
      environment: { [address]: server.baseUrl },
      modelRuntime: { sleep: async () => {} },
    })
    onTestFinished(() => app.close())
    const ada = await app.as('ada')
    const data = await createTestAgent(ada, {
      name: 'Lead',
      purpose: 'Count herons.',
      agent_class: 'Lead',
      model_provider: provider,
      model_settings: { model },
      memory_enabled: true,
    })
    const run = (input: string, sessionId?: string | null) =>
      ada.call(agents.run, { body: { agentId: data.id, input, sessionId } })
    const stream = (input: string) => ada.stream(agents.run, { body: { agentId: data.id, input } })
    return { app, server, ada, run, stream }
  }

  it('fail and say what to raise if thinking used all tokens', async () => {
    const { ada, run, stream } = await start(() => ({
      body: toStream(
        toChunk({ role: 'assistant', reasoning_content: 'Let me see. ' }),
        toChunk({}, 'length'),
        toUsageChunk(12, 200, { completion_tokens_details: { reasoning_tokens: 200 } }),
        '[DONE]',
      ),
    }))
    const { body, text } = await run('How many?')
    expect(body).toMatchObject({
      success: false,
      code: 'max-tokens',
      error: expect.stringMatching(/thinking.*Raise max tokens/),
    })
    expect(text).not.toContain(emptyAnswer)
    const { events } = await stream('How many?')
    expect(events.map(({ event }) => event)).toContain('reasoning')
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'max-tokens' } })
    const detail = await ada.call(runs.show, { params: { runId: String(events[0]?.data.run_id) } })
    expect(detail.data).toMatchObject({ status: 'error', error_code: 'max-tokens' })
    expect(detail.data.spans.find(({ kind }) => kind === 'model')?.reasoning).toBe('Let me see. ')
    expect(JSON.stringify([detail.data, events])).not.toContain(emptyAnswer)
  })

  it('fail if the answer ends empty for an unknown reason', async () => {
    const { run } = await start(() => ({ body: toStream(toChunk({}, 'tide_turned'), '[DONE]') }))
    expect((await run('How many?')).body).toMatchObject({ success: false, code: 'provider-failed' })
  })

  it('keep tagged thinking out of the answer and the next request', async () => {
    const { run, server } = await start(() => say('<think>\nThe user greets me.\n</think>\n\nGood morning.'))
    const first = await run('Hello')
    expect(first.data.response).toBe('Good morning.')
    await run('And now?', first.data.session_id)
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toMatch(/greets me|think>/)
    expect(
      server.requests
        .at(-1)
        ?.body.messages.map(({ content }: { content: string }) => content)
        .slice(1),
    ).toEqual(['Hello', 'Good morning.', 'And now?'])
  })

  it('treat a blank answer as empty and continue the chat', async () => {
    const { run } = await start(
      ({ body }, number) => {
        const blank = JSON.stringify(body.messages).match(/"text":"\s*(?:\\n)*\s*"/)
        if (blank)
          return {
            status: 400,
            type: 'application/json',
            body: '{"type":"error","error":{"type":"invalid_request_error","message":"text content blocks must be non-empty"}}',
          }
        const text = number === 1 ? '\n\n' : 'Seven herons.'
        const message = {
          type: 'message',
          content: [{ type: 'text', text }],
          stop_reason: 'end_turn',
          usage: { input_tokens: 5, output_tokens: 5 },
        }
        return { type: 'application/json', body: JSON.stringify(message) }
      },
      { provider: 'anthropic', model: 'claude-haiku-5-5' },
    )
    const first = await run('How many?')
    expect(first.data.response).toBe(emptyAnswer)
    const second = await run('And now?', first.data.session_id)
    expect(second.body).toMatchObject({ success: true, data: { response: 'Seven herons.' } })
  })

  it.each(['gpt-5', 'gpt-4.1', 'o3', 'qwen3-32b', 'gpt-4o'])('send a long chat in full to %s', async (model) => {
    const { run, server } = await start(() => say('heron '.repeat(670).slice(0, 4000)), { model })
    let sessionId: string | null = null
    for (let question = 1; question <= 17; question++) {
      const { data, body } = await run(`Question ${question}`, sessionId)
      expect(body).toMatchObject({ success: true })
      sessionId = data.session_id
    }
    const sent = JSON.stringify(server.requests.at(-1)?.body)
    for (let question = 1; question <= 17; question++) expect(sent).toContain(`Question ${question}"`)
  })
})
