import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { connections } from '#contract/connections/connections.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const origin = 'http://localhost:3000'
const webUiTitlePrompt = `### Task:
Generate a title.
### Output:
JSON format: { "title": "your title" }
### Chat History:
<chat_history>
USER: When is high tide in Bergen?
</chat_history>`
const libreChatTitlePrompt = `Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title itself.

Conversation:
User: When is high tide in Bergen?
AI: At noon.`

describe.each(engines)('agents for OpenAI clients on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })
  const connect = async (scopes = ['run:agents'], actor = ada) => {
    const { data } = await actor.call(connections.createToken, { body: { name: 'WebUI', scopes } })
    const fetchFn = ((url: string | URL, init?: RequestInit) =>
      app.fetch(String(url).replace(origin, ''), init)) as typeof fetch
    return new OpenAI({ apiKey: data.token, baseURL: `${origin}/v1`, fetch: fetchFn, maxRetries: 0 })
  }
  const createUserMessage = (content: string) => ({ role: 'user' as const, content })
  const createAssistantMessage = (content: string) => ({ role: 'assistant' as const, content })

  it('lists each agent that the person can run as a model', async () => {
    const agent = await createTestAgent(ada, { name: 'Harbor guide' })
    const ownModels = (await (await connect()).models.list()).data.map(({ id }) => id)
    expect(ownModels).toContain(agent.slug)
    const otherModels = (await (await connect(['run:agents'], ben)).models.list()).data.map(({ id }) => id)
    expect(otherModels).not.toContain(agent.slug)
  })

  it('answers plain and streamed, and finds the chat again', async () => {
    const agent = await createTestAgent(ada, { name: 'Harbor guide', memory_enabled: true })
    const client = await connect()
    const first = await client.chat.completions.create({
      model: agent.slug,
      messages: [createUserMessage('When is high tide?')],
    })
    const answer = first.choices[0]?.message.content ?? ''
    expect(first).toMatchObject({ object: 'chat.completion', model: agent.slug })
    expect(answer).not.toBe('')
    expect(first.usage?.total_tokens).toBe((first.usage?.prompt_tokens ?? 0) + (first.usage?.completion_tokens ?? 0))
    const messages = [
      { role: 'system' as const, content: 'Be kind.' },
      createUserMessage('When is high tide?'),
      createAssistantMessage(answer),
    ]
    const stream = await client.chat.completions.create({
      model: agent.slug,
      messages: [...messages, createUserMessage('And low tide?')],
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks: OpenAI.ChatCompletionChunk[] = []
    for await (const chunk of stream) chunks.push(chunk)
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
    expect(text).not.toBe('')
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
    expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0)
    const sessions = await app.services.db.selectFrom('runs').select(['session_id', 'input']).orderBy('id').execute()
    expect(sessions.map(({ input }) => input)).toEqual(['When is high tide?', 'And low tide?'])
    expect(new Set(sessions.map(({ session_id }) => session_id)).size).toBe(1)
  })

  it('takes an earlier conversation along and runs nothing for a title', async () => {
    const agent = await createTestAgent(ada, { name: 'Harbor guide' })
    const client = await connect()
    const messages = [
      createUserMessage('I sail on Sunday.'),
      createAssistantMessage('Noted.'),
      createUserMessage('When do I sail?'),
    ]
    await client.chat.completions.create({ model: agent.slug, messages })
    const title = await client.chat.completions.create({
      model: agent.slug,
      messages: [createUserMessage(webUiTitlePrompt)],
    })
    expect(JSON.parse(title.choices[0]?.message.content ?? '')).toMatchObject({ title: 'When is high tide in Bergen?' })
    const streamed = await client.chat.completions.create({
      model: agent.slug,
      messages: [createUserMessage(libreChatTitlePrompt)],
      stream: true,
    })
    let text = ''
    for await (const { choices } of streamed) text += choices[0]?.delta.content ?? ''
    expect(text).toBe('When is high tide in Bergen?')
    const runs = await app.services.db.selectFrom('runs').select('input').execute()
    expect(runs).toEqual([
      { input: 'Earlier in this conversation:\n> user: I sail on Sunday.\n> \n> assistant: Noted.\n\nWhen do I sail?' },
    ])
  })

  it('answers questions that begin like the prompt of a chat program', async () => {
    const agent = await createTestAgent(ada, { name: 'Harbor guide' })
    const client = await connect()
    const questions = [
      '# Task: write a letter to Ines',
      '### Task:\nRespond to the user query using the provided context.\n<context>\nTides\n</context>\nWhen is high tide?',
    ]
    for (const question of questions)
      await client.chat.completions.create({ model: agent.slug, messages: [createUserMessage(question)] })
    const runs = await app.services.db.selectFrom('runs').select('input').orderBy('id').execute()
    expect(runs.map(({ input }) => input)).toEqual(questions)
  })

  it('reads parts without text and refuses messages without any', async () => {
    const agent = await createTestAgent(ada, { name: 'Harbor guide' })
    const client = await connect()
    const ask = (content: unknown) =>
      client.chat.completions
        .create({ model: agent.slug, messages: [{ role: 'user', content: content as string }] })
        .then(
          () => 'answered',
          (error: Error) => error.message,
        )
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
    expect(
      await ask([
        { type: 'text', text: null },
        { type: 'text', text: 'High tide?' },
      ]),
    ).toBe('answered')
    expect(await ask(' ')).toBe('400 Write a message.')
    const noPicturesMessage = '400 At this address agents read text only. Send the message without the picture or file.'
    expect(await ask([picture])).toBe(noPicturesMessage)
    expect(await ask([{ type: 'text', text: 'What is this?' }, picture])).toBe(noPicturesMessage)
    expect(await app.services.db.selectFrom('runs').select('input').execute()).toEqual([{ input: 'High tide?' }])
  })

  it('describes one model and accepts the scheme in small letters', async () => {
    const agent = await createTestAgent(ada, { name: 'Harbor guide' })
    const client = await connect()
    expect(await client.models.retrieve(agent.slug)).toMatchObject({ id: agent.slug, object: 'model' })
    const missing = client.models.retrieve('no-such-agent')
    await expect(missing).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
    const hidden = (await connect(['run:agents'], ben)).models.retrieve(agent.slug)
    await expect(hidden).rejects.toMatchObject({ status: 404 })
    const { data } = await client.models.list({ headers: { authorization: `bearer ${client.apiKey}` } })
    expect(data.map(({ id }) => id)).toContain(agent.slug)
  })

  it('answers errors in OpenAI’s shape', async () => {
    const agent = await createTestAgent(ada, { name: 'Harbor guide' })
    const ask = async (client: OpenAI, model: string, messages = [createUserMessage('Hello')]) =>
      client.chat.completions.create({ model, messages }).then(
        () => 'answered',
        (error: InstanceType<typeof OpenAI.APIError>) => ({
          status: error.status,
          code: error.code,
          param: error.param,
        }),
      )
    const client = await connect()
    expect(await ask(client, 'no-such-agent')).toEqual({ status: 404, code: 'model_not_found', param: null })
    expect(await ask(await connect(['run:agents'], ben), agent.slug)).toMatchObject({ status: 404 })
    expect(await ask(await connect(['read:memory']), agent.slug)).toMatchObject({ status: 403 })
    expect(await ask(client, agent.slug, [])).toEqual({ status: 400, code: 'bad-input', param: 'messages' })
    client.apiKey = 'sk-wrong'
    expect(await ask(client, agent.slug)).toMatchObject({ status: 401, code: 'invalid_api_key' })
  })
})
