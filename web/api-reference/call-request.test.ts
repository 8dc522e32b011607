import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOpenApiDocument } from '../../server/http/openapi/build-document.ts'
import { type ApiCall, findCalls, type OpenApiDocument, readCalls } from './api-calls.ts'
import { createBlankForm, findFormProblems, toCallInput, toCurlCommand, toEndpoint } from './call-request.ts'
import { describeType, listFields } from './describe-schema.ts'

const calls = readCalls(buildOpenApiDocument() as unknown as OpenApiDocument)
const getCall = (id: string): ApiCall => {
  const call = calls.find((candidate) => candidate.id === id)
  if (!call) throw new Error(`no ${id}`)
  return call
}

describe('the calls of the document', () => {
  it('include every call, even if two share an address', () => {
    expect(calls.length).toBeGreaterThan(400)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
    expect(getCall('agents.run')).toMatchObject({ method: 'POST', path: '/api/kip/agents', conditions: ['action=run'] })
  })

  it('say who can make them', () => {
    expect(getCall('moments.create')).toMatchObject({ isPublic: false, scopes: ['capture'], permissions: [] })
    expect(getCall('backups.overview').permissions).toEqual(['system_configuration'])
    expect(getCall('diagnostics.ping').isPublic).toBe(true)
    expect(getCall('moments.create').refusals).toContainEqual({
      status: '403',
      code: 'scope-missing',
      text: 'This access token isn’t allowed to do this.',
    })
  })

  it('are found by words and by who can make them', () => {
    const ids = (query: string, audience: Parameters<typeof findCalls>[2] = '') =>
      findCalls(calls, query, audience).map(({ id }) => id)
    expect(ids('create moment')).toContain('moments.create')
    expect(ids('nothing like this')).toEqual([])
    expect(ids('', 'token').toSorted()).toEqual(['logbook.create', 'moments.create', 'reflections.create'])
    expect(ids('', 'permission')).toContain('backups.overview')
    expect(ids('', 'public').length + ids('', 'session').length + ids('', 'permission').length).toBe(calls.length)
  })

  it('can be sent with their initial form and the required parameters', () => {
    for (const call of calls) {
      const form = createBlankForm(call)
      const values = { ...form.values }
      for (const { in: location, name, required } of call.parameters)
        if (required) values[`${location} ${name}`] ??= 'x'
      const problems = findFormProblems(call, { ...form, values })
      expect({ id: call.id, problems }).toEqual({
        id: call.id,
        problems: call.uploadTypes.length > 0 ? { body: 'Choose a file.' } : {},
      })
    }
  })
})

it('a form without a parameter or with broken JSON says so', () => {
  const call = getCall('moments.create')
  const form = createBlankForm(call)
  expect(Object.keys(findFormProblems(call, { ...form, body: '{"body": }' }))).toEqual(['path id', 'body'])
  const values = { 'path id': 'a/b', 'header Idempotency-Key': 'once' }
  expect(toCallInput(call, { ...form, values, body: '{"body":"Hi"}' })).toEqual({
    params: { id: 'a/b' },
    query: {},
    idempotencyKey: 'once',
    body: { body: 'Hi' },
  })
  expect(toEndpoint(call)).toMatchObject({ method: 'POST', path: '/api/keeper/keepers/:id/moments' })
})

describe('the curl command', () => {
  const requests: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, url, headers } = request
      requests.push({ ...(method && { method }), ...(url && { url }), headers, body: String(Buffer.concat(chunks)) })
      response.end('{}')
    })
  })
  let origin = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  async function run(id: string, form: Partial<ReturnType<typeof createBlankForm>>) {
    const call = getCall(id)
    const command = toCurlCommand(call, { ...createBlankForm(call), ...form }, origin)
    await promisify(execFile)('bash', ['-c', command], { env: { ...process.env, KEEPER_TOKEN: 'a-token' } })
    return requests.at(-1)
  }

  it('sends the same request, whatever quotes its texts have', async () => {
    const body = JSON.stringify({ body: `It's "quoted", $HOME and \`date\`\nnext line` })
    const values = { 'path id': 'a b', 'header Idempotency-Key': "it's once" }
    expect(await run('moments.create', { values, body })).toMatchObject({
      method: 'POST',
      url: '/api/keeper/keepers/a%20b/moments',
      headers: { authorization: 'Bearer a-token', 'content-type': 'application/json', 'idempotency-key': "it's once" },
      body,
    })
  })

  it('leaves out the token where anyone can call, and shows what is still to fill in', async () => {
    const request = await run('diagnostics.ping', {})
    expect(request).toMatchObject({ method: 'GET', url: '/ping' })
    expect(request?.headers.authorization).toBeUndefined()
    const call = getCall('moments.create')
    expect(toCurlCommand(call, createBlankForm(call), origin)).toContain('/api/keeper/keepers/{id}/moments')
  })
})

describe('a schema in words', () => {
  it.each([
    [{ type: 'string', minLength: 1, maxLength: 80 }, 'text, 1 to 80 characters'],
    [{ type: 'string', maxLength: 20_000 }, 'text, at most 20,000 characters'],
    [{ anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] }, 'day or null'],
    [{ type: 'array', items: { type: 'integer' }, maxItems: 3 }, 'list of whole number, at most 3'],
    [{ type: 'integer', minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 }, 'whole number'],
    [{ enum: ['a', 'b'] }, '"a" or "b"'],
    [{ const: 'run' }, '"run"'],
    [{ type: 'object', properties: {} }, 'object'],
    [{}, 'any value'],
  ])('%j is %s', (schema, text) => {
    expect(describeType(schema)).toBe(text)
  })

  it('names the fields of objects in lists, and stops in depth', () => {
    const call = getCall('moments.list')
    const getMaxDepth = (fields: ReturnType<typeof listFields>): number =>
      Math.max(0, ...fields.map((field) => 1 + getMaxDepth(field.fields)))
    const fields = listFields(call.answer?.schema ?? {})
    expect(fields.map(({ name }) => name)).toEqual(['success', 'data'])
    expect(getMaxDepth(fields)).toBeLessThanOrEqual(5)
  })
})
