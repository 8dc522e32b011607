import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it, test } from 'vitest'
import type * as z from 'zod/mini'
import { connections } from '#contract/connections/connections.ts'
import { connectionScopes } from '#contract/connections/scopes.ts'
import { permissions } from '#contract/endpoint.ts'
import { type EndpointEntry, listEndpoints } from '#contract/index.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { buildOpenApiDocument, type OpenApiDocument, type OpenApiOperation } from './build-document.ts'

const calls = listEndpoints()
const getCallName = ({ area, name }: EndpointEntry) => `${area}.${name}`
const document = JSON.parse(JSON.stringify(buildOpenApiDocument())) as OpenApiDocument
const operations = new Map(
  Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .flatMap((operation) => [operation, ...(operation['x-alternatives'] ?? [])])
    .map((operation) => [operation.operationId, operation]),
)

interface Content {
  content: Record<string, { schema: object; example: unknown; examples?: Record<string, { value: { code: string } }> }>
}
interface Parameter {
  name: string
  in: string
  required: boolean
  example: unknown
}

const findOperation = (call: EndpointEntry) => {
  const operation = operations.get(getCallName(call))
  if (!operation) throw new Error(`${getCallName(call)} is not in the document`)
  return operation as OpenApiOperation & {
    parameters: Parameter[]
    requestBody?: Content
    responses: Record<string, { $ref?: string } & Content>
  }
}
const getExamples = ({ parameters }: { parameters: Parameter[] }, location: string) =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === location && parameter.required)
      .map(({ name, example }) => [name, example]),
  ) as Record<string, string>

describe('the OpenAPI document', () => {
  const validate = (candidate: OpenApiDocument) => new Validator().validate(structuredClone(candidate))

  it('is valid OpenAPI 3.1 for an independent validator', async () => {
    expect(await validate(document)).toEqual({ valid: true })
    expect(document.openapi).toBe('3.1.0')
  })

  it.each([
    ['a parameter in an unknown location', { parameters: [{ name: 'id', in: 'somewhere', schema: {} }] }],
    ['a response without a description', { responses: { 200: { content: {} } } }],
    ['a dangling reference', { responses: { default: { $ref: '#/components/responses/nothing' } } }],
  ])('the validator refuses %s', async (_defect, change) => {
    const broken = structuredClone(document)
    Object.assign(broken.paths['/api/users/{id}']?.put ?? {}, change)
    expect((await validate(broken)).valid).toBe(false)
  })

  it('names each call once, with every parameter of its path', () => {
    expect(operations.size).toBe(calls.length)
    const templates = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
    expect(new Set(templates).size).toBe(templates.length)
    for (const call of calls) {
      const declared = findOperation(call).parameters.filter((parameter) => parameter.in === 'path')
      const names = [...call.endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
      expect(declared.map(({ name }) => name).toSorted(), getCallName(call)).toEqual(names.toSorted())
    }
  })

  it('names the sign-in method, scope and permission of each call', () => {
    const { securitySchemes } = document.components as { securitySchemes: Record<string, object> }
    for (const call of calls) {
      const { access, scope } = call.endpoint
      const { security } = findOperation(call)
      const session = access === 'public' ? [] : [{ session: access === 'person' ? [] : [access.permission] }]
      expect(security, getCallName(call)).toEqual([...session, ...(scope ? [{ accessToken: [scope] }] : [])])
      for (const [scheme, names] of security.flatMap((method) => Object.entries(method))) {
        expect(Object.keys(securitySchemes)).toContain(scheme)
        expect([...permissions, ...connectionScopes]).toEqual(expect.arrayContaining(names))
      }
    }
  })
})

test.each(calls.map((call) => [getCallName(call), call] as const))('the examples of %s are accepted', (_name, call) => {
  const { params, query, body, response, responseFormat } = call.endpoint
  const operation = findOperation(call)
  const answer = operation.responses[200]?.content['application/json']?.example as { data: unknown }
  const parse = (schema: z.ZodMiniType | undefined, value: unknown) => schema?.safeParse(value).error?.issues ?? []
  expect({
    params: parse(params, getExamples(operation, 'path')),
    query: parse(query, getExamples(operation, 'query')),
    body: parse(body, operation.requestBody?.content['application/json']?.example),
    response: parse(response, responseFormat === 'bare' ? answer : answer.data),
  }).toEqual({ params: [], query: [], body: [], response: [] })
})

describe('refusals of the server are documented', () => {
  const { app, ada } = useTestApp('sqlite', ['ada'])

  interface SentRequest {
    token?: string | null
    body?: string
    contentType?: string
    repeatsParameter?: boolean
  }

  async function send(
    call: EndpointEntry,
    { token, body, contentType = 'application/json', repeatsParameter = false }: SentRequest,
  ) {
    const operation = findOperation(call)
    const params = getExamples(operation, 'path')
    const path = call.endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
    const query = new URLSearchParams(getExamples(operation, 'query'))
    await app.services.db.deleteFrom('throttle_windows').execute()
    const response = await app.fetch(`${path}?${query}${repeatsParameter ? '&twice=1&twice=2' : ''}`, {
      method: call.endpoint.method,
      headers: { 'content-type': contentType, ...(token && { authorization: `Bearer ${token}` }) },
      ...(call.endpoint.method !== 'GET' && { body: body ?? getBody(operation) }),
    })
    const { code } = JSON.parse(await response.text()) as { code: string }
    return { status: response.status, code, isDocumented: listCodes(operation, response.status).includes(code) }
  }

  const getBody = ({ requestBody }: { requestBody?: Content }) =>
    JSON.stringify(requestBody?.content['application/json']?.example ?? {})

  function listCodes({ responses }: { responses: Record<string, { $ref?: string }> }, status: number): string[] {
    const name = responses[status]?.$ref?.split('/').at(-1) ?? ''
    const shared = (document.components as { responses: Record<string, Content> }).responses[name]
    return Object.keys(shared?.content['application/json']?.examples ?? {})
  }

  const isPublic = ({ endpoint }: EndpointEntry) => endpoint.access === 'public'
  const hasJsonBody = ({ endpoint }: EndpointEntry) => endpoint.body !== undefined || endpoint.match?.body !== undefined

  it.each([
    ['without a token', calls.filter((call) => !isPublic(call)), () => ({}), 'not-signed-in'],
    [
      'with an access token that lacks the scope',
      calls.filter(({ endpoint }) => endpoint.scope === undefined),
      async () => ({ token: (await createToken()).token }),
      'scope-missing',
    ],
    [
      'without the permission',
      calls.filter(({ endpoint }) => typeof endpoint.access === 'object'),
      () => ({ token: ada.token }),
      'permission-missing',
    ],
    [
      'with a body that is no JSON',
      calls.filter((call) => hasJsonBody(call) && call.endpoint.method !== 'GET'),
      () => ({ token: ada.token, body: 'a=1', contentType: 'application/x-www-form-urlencoded' }),
      'wrong-content-type',
    ],
    [
      'with a query that is sent twice',
      calls.filter(({ endpoint }) => endpoint.upload === undefined),
      () => ({ token: ada.token, repeatsParameter: true }),
      'bad-input',
    ],
  ] as [string, EndpointEntry[], () => SentRequest | Promise<SentRequest>, string][])(
    '%s',
    async (_title, chosen, getRequest, code) => {
      expect(chosen.length).toBeGreaterThan(20)
      const request = await getRequest()
      const wrong: unknown[] = []
      for (const call of chosen) {
        const answer = await send(call, request)
        if (answer.code !== code || !answer.isDocumented) wrong.push({ call: getCallName(call), ...answer })
      }
      expect(wrong).toEqual([])
    },
    60_000,
  )

  const createToken = async () =>
    (await ada.call(connections.createToken, { body: { name: 'Script', scopes: [...connectionScopes] } })).data
})

describe('GET /api/openapi.json', () => {
  const { app } = useTestApp('sqlite')
  const get = (headers: Record<string, string> = {}) => app.fetch('/api/openapi.json', { headers })

  it('is compressed, and sent again only if it has changed', async () => {
    const plain = await get()
    const compressed = await get({ 'accept-encoding': 'br, gzip' })
    expect(compressed.headers.get('content-encoding')).toBe('br')
    const countBytes = async (response: Response) => (await response.arrayBuffer()).byteLength
    expect(await countBytes(compressed)).toBeLessThan((await countBytes(plain)) / 10)
    const etag = compressed.headers.get('etag') ?? ''
    expect(etag).not.toBe(plain.headers.get('etag'))
    const again = await get({ 'accept-encoding': 'br, gzip', 'if-none-match': etag })
    expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: '' })
    expect(again.headers.get('cache-control')).toBe('no-cache')
  })

  it('is the same for everyone and sets no cookie', async () => {
    const [visitor, other] = [await get(), await get({ authorization: 'Bearer nobody', cookie: 'keeper_visitor=1' })]
    expect(await other.text()).toBe(await visitor.text())
    expect(other.headers.has('set-cookie')).toBe(false)
  })
})
