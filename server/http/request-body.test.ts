import { anything, assert, asyncProperty, constantFrom, jsonValue, oneof } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'
import { readJsonBody } from './request-body.ts'

const mebibyte = 1024 * 1024

interface Refusal {
  code: string
  error: string
  fields?: Record<string, string>
}

describe.each(engines)('request bodies, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  beforeAll(async () => {
    app = await createTestApp(engine)
    ada = await app.as('ada')
  })
  afterAll(() => app.close())

  const send = async (
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = { 'content-type': 'application/json' },
    path = '/api/kip/agents',
  ) => {
    const response = await ada.fetch(path, {
      method: 'POST',
      headers,
      body,
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    } as RequestInit)
    return { status: response.status, body: (await response.json()) as Refusal }
  }
  const sendJson = (value: unknown) => send(JSON.stringify(value))
  /** A well-formed body of exactly this many bytes, without a purpose. */
  const createBodyOfLength = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`

  it.each([
    [mebibyte - 1, 400],
    [mebibyte, 400],
    [mebibyte + 1, 413],
  ])('%i bytes answer %i, with a declared length and without', async (bytes, status) => {
    const text = createBodyOfLength(bytes)
    expect(text).toHaveLength(bytes)
    const type = { 'content-type': 'application/json' }
    expect((await send(text, { ...type, 'content-length': String(bytes) })).status).toBe(status)
    expect((await send(new Blob([text]).stream(), type)).status).toBe(status)
  })

  it.each([
    [16 * 1024 - 1, 200],
    [16 * 1024, 200],
    [16 * 1024 + 1, 413],
  ])('a call with a smaller limit: %i bytes answer %i', async (bytes, status) => {
    expect((await send(createBodyOfLength(bytes), undefined, '/api/debug/form-debug')).status).toBe(status)
  })

  it('an endless body is read only up to the limit', async () => {
    let pulledBytes = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulledBytes += 64 * 1024
        controller.enqueue(new Uint8Array(64 * 1024).fill(91))
        // Finite, so that a server that reads on fails this test without exhausting the memory.
        if (pulledBytes > 32 * mebibyte) controller.close()
      },
    })
    expect((await send(endless)).status).toBe(413)
    expect(pulledBytes).toBeLessThan(2 * mebibyte)
  })

  it('length is counted in bytes, not characters', async () => {
    expect(await send(`{"name":"${'ä'.repeat(mebibyte / 2)}"}`)).toMatchObject({
      status: 413,
      body: { error: 'Keeper accepts at most 1024 KB here. Shorten what you send, or send it in parts.' },
    })
  })

  it.each([
    ['32 levels', 'purpose', '['.repeat(31) + ']'.repeat(31)],
    ['33 levels', 'Nest', '['.repeat(32) + ']'.repeat(32)],
    ['a million levels', 'Nest', '['.repeat(1_000_000)],
    ['brackets inside a text', 'purpose', JSON.stringify('['.repeat(100))],
    ['an escaped quote before brackets', 'purpose', JSON.stringify(`"\\${'['.repeat(100)}`)],
  ])('a body with %s gets an error that names “%s”', async (_, message, value) => {
    const { status, body } = await send(`{"name":"n","extra":${value}}`)
    expect(status).toBe(400)
    expect(body.error).toContain(message)
  })

  it('2,000 keys are accepted, one more is not', async () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
    expect((await sendJson(keys(2000))).body.fields).toHaveProperty('purpose')
    expect((await sendJson(keys(2001))).body.error).toContain('2000 keys')
  })

  it.each([
    ['list items', (count: number) => `[${'0,'.repeat(count - 2)}0]`],
    ['empty objects', (count: number) => `[${'{},'.repeat(count - 2)}{ }]`],
    ['texts full of marks', (count: number) => `[${'"a,[{\\"\\\\",'.repeat(count - 2)}""]`],
  ])('50,000 values as %s are accepted, one more is refused unread', async (_, buildList) => {
    expect((await send(`{"extra":${buildList(50_000)}}`)).body.fields).toHaveProperty('purpose')
    expect(await send(`{"extra":${buildList(50_001)}}`)).toMatchObject({
      status: 400,
      body: { error: 'Send at most 50,000 list items and keys in one body.' },
    })
    expect((await send(`{"extra":${buildList(50_001)}`)).body.error).toContain('50,000 list items')
  })

  it('a call that accepts more keys accepts as many values', async () => {
    const sendFile = (count: number) => send(`{"file":[${'0,'.repeat(count - 2)}0]}`, undefined, '/api/boards/import')
    expect((await sendFile(200_000)).body.fields).toEqual({ file: 'Send an object.' })
    expect((await sendFile(200_001)).body.error).toBe('Send at most 200,000 list items and keys in one body.')
  })

  it('an object can have 10,000 keys and not one more, whatever the call allows', async () => {
    const keys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')
    const sendFile = (text: string) => send(`{"file":[${text}]}`, undefined, '/api/boards/import')
    expect((await sendFile(`{${keys(10_000)}},{${keys(10_000)}},[${'0,'.repeat(10_001)}0]`)).body.fields).toEqual({
      file: 'Send an object.',
    })
    expect((await sendFile(`{},{${keys(10_001)}}`)).body.error).toBe('Send at most 10,000 keys in one object.')
  })

  it('at most fifty errors are named', async () => {
    const steps = Array.from({ length: 30 }, () => ({}))
    const { status, body } = await send(JSON.stringify({ steps }), undefined, '/api/keeper/engagement-templates')
    expect({ status, fieldCount: Object.keys(body.fields ?? {}).length }).toEqual({ status: 400, fieldCount: 50 })
    expect(JSON.stringify(body).length).toBeLessThan(64 * 1024)
  })

  it('long field names and texts are truncated in the error', async () => {
    const name = '\u0001'.repeat(100_000)
    const { status, body } = await send(`{"${JSON.stringify(name).slice(1, -1)}":"a\\ud800"}`)
    expect(status).toBe(400)
    expect(Object.keys(body.fields ?? {})).toEqual(['\u0001'.repeat(200)])
    expect(JSON.stringify(body).length).toBeLessThan(64 * 1024)
  })

  it.each([
    ['NUL', 'a\u0000b'],
    ['a lone high surrogate', 'a\ud800b'],
    ['a lone low surrogate', '\udc00'],
  ])('%s is refused, naming the field', async (_, text) => {
    const previous = await computeDatabaseHash(app.services.db)
    expect((await sendJson({ name: text, purpose: 'p' })).body.fields).toEqual({ name: expect.any(String) })
    const deep = await sendJson({ name: 'n', purpose: 'p', config: { list: ['x', { inner: text }] } })
    expect({ status: deep.status, fields: Object.keys(deep.body.fields ?? {}) }).toEqual({
      status: 400,
      fields: ['config.list.1.inner'],
    })
    expect((await sendJson({ name: 'n', purpose: 'p', config: { [text]: 1 } })).status).toBe(400)
    expect(await computeDatabaseHash(app.services.db)).toBe(previous)
  })

  it('emoji, bidi and other scripts are stored as sent', async () => {
    const purpose = 'Ünï 🤖👩‍👩‍👧 مرحبا ‮x‬ 守る'
    const { status, body } = await sendJson({ name: 'n', purpose, slug: 'unicode' })
    expect({ status, purpose: (body as unknown as { data: { purpose: string } }).data.purpose }).toEqual({
      status: 200,
      purpose,
    })
  })

  it.each(['__proto__', 'constructor', 'prototype'])(
    'the key %s is refused at any depth and pollutes nothing',
    async (key) => {
      for (const text of [
        `{"name":"n","purpose":"p","${key}":{"polluted":1}}`,
        `{"name":"n","purpose":"p","config":{"a":[{"${key}":{"polluted":1}}]}}`,
      ]) {
        const { status, body } = await send(text)
        expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringContaining(key) })
        expect(Object.keys(body.fields ?? {})).toEqual([text.includes('config') ? `config.a.0.${key}` : key])
      }
      expect(({} as { polluted?: number }).polluted).toBeUndefined()
    },
  )

  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['text/html', 415],
    ['', 415],
    ['application/json', 400],
    ['application/json; charset=utf-8', 400],
    ['APPLICATION/JSON', 400],
  ])('a body of type %j answers %i', async (type, status) => {
    expect((await send('{"name":"n"}', type ? { 'content-type': type } : { 'content-type': '' })).status).toBe(status)
  })

  it.each([
    '{',
    '{"name":}',
    'nope',
    "{'name':'n'}",
    '{"name":"n",}',
    '{"a":1}{"b":2}',
    '\u0000',
    '[1,2',
    'undefined',
    '<xml/>',
  ])('the malformed body %j answers 400 and says why', async (text) => {
    const { status, body } = await send(text)
    expect({ status, code: body.code, fields: body.fields }).toEqual({
      status: 400,
      code: 'bad-input',
      fields: { body: body.error },
    })
  })

  it.each([
    ['an invalid byte', [0xff]],
    ['a letter cut off', [0xc3]],
    ['a surrogate in three bytes', [0xed, 0xa0, 0x80]],
    ['a slash in two bytes', [0xc0, 0xaf]],
  ])('invalid UTF-8 (%s) is refused, with and without a declared length', async (_, bytes) => {
    const text = Buffer.concat([Buffer.from('{"name":"a'), Buffer.from(bytes), Buffer.from('b","purpose":"p"}')])
    const type = { 'content-type': 'application/json' }
    for (const answer of [
      await send(text, { ...type, 'content-length': String(text.length) }),
      await send(new Blob([text]).stream(), type),
    ])
      expect({ status: answer.status, fields: answer.body.fields }).toEqual({
        status: 400,
        fields: { body: 'The body isn’t valid UTF-8.' },
      })
  })

  it.each(['null', '1', '"text"', '[]', 'true'])("the body %s isn't an object and is refused", async (text) => {
    expect((await send(text)).status).toBe(400)
  })

  it('an empty body is an empty object', async () => {
    expect((await send('')).body.fields).toEqual({
      name: 'This field is required.',
      purpose: 'This field is required.',
    })
    expect((await send('  \n')).status).toBe(400)
  })

  it('a wrong type is reported with the expected one, not as missing', async () => {
    const { status, body } = await sendJson({
      name: 5,
      purpose: 'p',
      memory_enabled: 'yes',
      tools: 'a, b',
      config: [],
      model_settings: { max_tokens: 1.5, temperature: 'hot', retry: null },
    })
    expect({ status, fields: body.fields }).toEqual({
      status: 400,
      fields: {
        name: 'Send text.',
        memory_enabled: 'Send true or false.',
        tools: 'Send a list.',
        config: 'Send an object.',
        'model_settings.max_tokens': 'Use a whole number.',
        'model_settings.temperature': 'Use a number from 0 to 2.',
        'model_settings.retry': 'Send an object.',
      },
    })
  })

  it('unknown keys are ignored', async () => {
    expect((await sendJson({ name: 'Extra', purpose: 'p', unknown: 1, extra: { deep: [1] } })).status).toBe(200)
  })

  it('no JSON value makes a call fail with a server error', async () => {
    const kip = { action: 'run', agentId: 'kip', input: 'x' }
    const calls = [
      ['/api/kip/agents', { name: 'n', purpose: 'p', model_settings: {}, config: {}, tools: [] }],
      ['/api/kip/agents', kip],
      ['/api/kam/auth/password', { currentPassword: 'x', newPassword: 'y' }],
      ['/api/kip/user-keys', { provider: 'openai', apiKey: 'x' }],
      ['/api/debug/form-debug', {}],
    ] as const
    for (const [path, valid] of calls) {
      const value = oneof(jsonValue({ maxDepth: 4 }), anything({ maxDepth: 2, withDate: false }))
      const field = constantFrom(...Object.keys(valid), 'extra')
      await assert(
        asyncProperty(value, field, value, async (whole, name, part) => {
          for (const body of [whole, { ...valid, [name]: part }]) {
            const text = tryStringify(body)
            if (text === undefined) continue
            const response = await ada.fetch(path, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: text,
            })
            expect(response.status, text).toBeLessThan(500)
            await response.text()
          }
        }),
        { numRuns: 100 },
      )
    }
  }, 60_000)
})

function tryStringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item))
  } catch {
    return undefined
  }
}

it('an interrupted body is a client error, not an empty object', async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
  const request = new Request('http://localhost/', { method: 'POST', body: broken, duplex: 'half' } as RequestInit)
  await expect(readJsonBody(request, undefined, { maxBytes: 100 })).rejects.toMatchObject({
    status: 400,
    message: 'The body was cut off.',
  })
})
