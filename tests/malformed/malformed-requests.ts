import { type Arbitrary, array, constantFrom, integer, nat, oneof, sample, tuple, uint8Array } from 'fast-check'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { hostileTexts, hostileValues, type JsonSchema, nearSchema } from './hostile-values.ts'

/** A valid request of a call; the permission matrix has one for each. */
export interface ValidInput {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: object
  bytes?: { mime: string; data: Uint8Array<ArrayBuffer> }
}

export interface MalformedRequest {
  /** Names of the mutations applied to a valid request. */
  mutations: string[]
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

interface RequestDraft extends MalformedRequest {
  /** Encoded already, or malformed on purpose. */
  params: Record<string, string>
  query: [name: string, value: string][]
  value: unknown
}
type Mutation = (draft: RequestDraft) => void

/**
 * Creates malformed requests for a call, deterministic per seed: each is a valid request with one to three mutations.
 * `foreignIds` are ids of other people's entities.
 */
export function createMalformedRequests(
  endpoint: Endpoint,
  valid: ValidInput,
  { times, seed, foreignIds }: { times: number; seed: number; foreignIds: string[] },
): MalformedRequest[] {
  const mutations = oneof(...listMutations(endpoint, foreignIds))
  return sample(array(mutations, { minLength: 1, maxLength: 3 }), { numRuns: times, seed }).map((chosen) => {
    const draft = createDraft(endpoint, valid)
    for (const mutation of chosen) mutation(draft)
    return toRequest(endpoint, draft)
  })
}

export function toJsonSchema(schema: z.ZodMiniType | undefined): JsonSchema {
  return schema ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema) : {}
}

function createDraft(endpoint: Endpoint, valid: ValidInput): RequestDraft {
  const fixedQuery = Object.entries(endpoint.match?.query ?? {}).filter(([, value]) => value !== '*')
  const hasBody = endpoint.body !== undefined || endpoint.match?.body !== undefined
  return {
    mutations: [],
    method: endpoint.method,
    path: '',
    headers: {
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(valid.bytes && { 'content-type': valid.bytes.mime }),
    },
    params: Object.fromEntries(
      Object.entries(valid.params ?? {}).map(([name, value]) => [name, encodeURIComponent(value)]),
    ),
    query: [...fixedQuery, ...Object.entries(valid.query ?? {})].map(([name, value]) => [name, String(value)]),
    value: hasBody ? structuredClone({ ...endpoint.match?.body, ...valid.body }) : undefined,
    body: valid.bytes?.data,
  }
}

function toRequest(endpoint: Endpoint, draft: RequestDraft): MalformedRequest {
  const { mutations, method, headers } = draft
  let path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => draft.params[name] ?? 'missing')
  const query = draft.query.map(([name, value]) => `${encodeComponent(name)}=${encodeComponent(value)}`).join('&')
  if (query) path += `?${query}`
  const body = draft.body ?? (draft.value === undefined ? undefined : JSON.stringify(draft.value))
  const takesBody = method !== 'GET' && method !== 'HEAD' && body !== undefined
  return { mutations, method, path, headers, ...(takesBody && { body }) }
}

const encodeComponent = (text: string) => encodeURIComponent(text.toWellFormed())

function listMutations(endpoint: Endpoint, foreignIds: string[]): { weight: number; arbitrary: Arbitrary<Mutation> }[] {
  const bodySchema = toJsonSchema(endpoint.body)
  const hasBody = endpoint.body !== undefined || endpoint.match?.body !== undefined
  const parameters = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const queryNames = Object.keys((toJsonSchema(endpoint.query).properties ?? {}) as object)
  const mutations: { weight: number; arbitrary: Arbitrary<Mutation> }[] = [
    { weight: 1, arbitrary: otherMethods },
    { weight: 2, arbitrary: oddHeaders },
    { weight: 1, arbitrary: strangeQueries },
  ]
  if (parameters.length > 0) mutations.push({ weight: 3, arbitrary: mutateParameters(parameters, foreignIds) })
  if (queryNames.length > 0) mutations.push({ weight: 4, arbitrary: mutateQueryValues(queryNames, foreignIds) })
  if (endpoint.upload) mutations.push({ weight: 6, arbitrary: otherBytes })
  if (hasBody) {
    mutations.push(
      { weight: 6, arbitrary: mutateOneField(bodySchema, foreignIds) },
      {
        weight: 4,
        arbitrary: nearSchema(bodySchema).map((value) =>
          nameMutation('another body', (draft) => mergeBody(draft, value)),
        ),
      },
      { weight: 2, arbitrary: forbiddenKeys },
      {
        weight: 1,
        arbitrary: hostileValues.map((value) =>
          nameMutation('an unrelated value as body', (draft) => (draft.value = value)),
        ),
      },
      { weight: 2, arbitrary: brokenJson },
      { weight: 1, arbitrary: wrongContentTypes },
    )
  }
  return mutations
}

function nameMutation(name: string, mutation: Mutation): Mutation {
  return (draft) => {
    draft.mutations.push(name)
    mutation(draft)
  }
}

/** Merges the fields of another body over the valid one. */
function mergeBody(draft: RequestDraft, value: unknown): void {
  const areObjects = isObject(draft.value) && isObject(value)
  draft.value = areObjects ? { ...(draft.value as object), ...(value as object) } : value
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function mutateOneField(schema: JsonSchema, foreignIds: string[]): Arbitrary<Mutation> {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const names = Object.keys(properties)
  const values = oneof(hostileValues, constantFrom(...foreignIds))
  const wrongValue = tuple(nat(), values, integer({ min: 0, max: 3 })).map(([index, value, depth]) =>
    nameMutation('one field wrong', (draft) => {
      if (!isObject(draft.value)) return
      let target = draft.value
      let keys = [...new Set([...names, ...Object.keys(target)])]
      for (let level = 0; level < depth; level++) {
        const inner = Object.values(target).flat().filter(isObject)
        const next = inner[index % Math.max(1, inner.length)]
        if (!next) break
        target = next
        keys = Object.keys(next)
      }
      target[keys[index % Math.max(1, keys.length)] ?? 'extra'] = value
    }),
  )
  const missingField = nat().map((index) =>
    nameMutation('a field missing', (draft) => {
      if (!isObject(draft.value)) return
      const keys = Object.keys(draft.value)
      delete draft.value[keys[index % Math.max(1, keys.length)] ?? '']
    }),
  )
  if (names.length === 0) return oneof(wrongValue, missingField)
  const boundaryValue = constantFrom(...names).chain((name) =>
    nearSchema(properties[name] ?? {}).map((value) =>
      nameMutation(`${name} at its limits`, (draft) => {
        if (isObject(draft.value)) draft.value[name] = value
      }),
    ),
  )
  return oneof(
    { weight: 3, arbitrary: wrongValue },
    { weight: 1, arbitrary: missingField },
    { weight: 4, arbitrary: boundaryValue },
  )
}

const forbiddenKeys: Arbitrary<Mutation> = tuple(
  constantFrom('__proto__', 'constructor', 'prototype'),
  constantFrom('{"polluted":1}', '{"prototype":{"polluted":1}}', 'null', '[]', '1'),
  nat(),
).map(([key, value, position]) =>
  nameMutation(`the key ${key}`, (draft) => {
    const text = JSON.stringify(draft.value) ?? '{}'
    const starts = [...text.matchAll(/\{/g)].map(({ index }) => index + 1)
    const at = starts[position % Math.max(1, starts.length)] ?? 0
    const comma = text[at] === '}' || at === 0 ? '' : ','
    draft.body = `${text.slice(0, at)}"${key}":${value}${comma}${text.slice(at)}`
  }),
)

const brokenJson: Arbitrary<Mutation> = oneof(
  nat().map((at) =>
    nameMutation('a body cut off', (draft) => {
      const text = JSON.stringify(draft.value) ?? '{}'
      draft.body = text.slice(0, at % text.length)
    }),
  ),
  tuple(nat(), uint8Array({ minLength: 1, maxLength: 4 })).map(([at, bytes]) =>
    nameMutation('broken UTF-8', (draft) => {
      const text = Buffer.from(JSON.stringify(draft.value) ?? '{}')
      const position = at % (text.length + 1)
      draft.body = new Uint8Array(Buffer.concat([text.subarray(0, position), bytes, text.subarray(position)]))
    }),
  ),
  constantFrom(
    '{',
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":1e999}',
    '{"a":\u0001}',
    "{'a':1}",
    '{"a":1,}',
    '{"a":1}{"b":2}',
    '\ufeff{}',
    '"',
    '[1,2',
    'undefined',
    '<xml/>',
    'a=b&c=d',
    '\\',
    '{"a":"\\ud800"}',
    '{"a":"\\x00"}',
    '{"\\u0000":1}',
    '-',
    '['.repeat(20_000),
    '{"a":'.repeat(20_000),
    `[${'1,'.repeat(50_000)}1]`,
    `{"a":"${'x'.repeat(300_000)}"}`,
    `{"a":${'9'.repeat(5000)}}`,
    `"${'\\u0061'.repeat(1000)}"`,
  ).map((text) => nameMutation('broken JSON', (draft) => (draft.body = text))),
)

const wrongContentTypes: Arbitrary<Mutation> = constantFrom(
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'application/json; charset=utf-7',
  'application/json, text/html',
  'application/JSON;;;',
  '/',
  '',
).map((type) => nameMutation(`content type ${type}`, (draft) => (draft.headers['content-type'] = type)))

const otherMethods: Arbitrary<Mutation> = constantFrom(
  'GET',
  'HEAD',
  'PUT',
  'PATCH',
  'DELETE',
  'POST',
  'OPTIONS',
  'BREW',
).map((method) => nameMutation(`method ${method}`, (draft) => (draft.method = method)))

const oddHeaders: Arbitrary<Mutation> = oneof(
  constantFrom<[string, string]>(
    ['if-match', '*'],
    ['if-match', 'abc'],
    ['if-match', '"1", "2"'],
    ['if-match', 'W/"3"'],
    ['if-match', '-1'],
    ['if-match', '1e5'],
    ['if-match', '99999999999999999999'],
    ['if-match', '2147483648'],
    ['if-match', '"'],
    ['if-match', ''],
    ['content-length', '-1'],
    ['content-length', 'abc'],
    ['content-length', '1e9'],
    ['content-length', '999999999999'],
    ['content-length', '0'],
    ['content-length', '5, 6'],
    ['range', 'bytes=5-2'],
    ['range', 'bytes=-'],
    ['range', 'lines=0-1'],
    ['range', 'bytes=0-0,1-1,2-2'],
    ['range', 'bytes=99999999999999999999-'],
    ['accept', 'text/event-stream;q=0'],
    ['accept', 'x/y'],
    ['idempotency-key', ''],
    ['idempotency-key', 'x'.repeat(4000)],
    ['idempotency-key', 'same'],
    ['origin', 'null'],
    ['origin', 'not an address'],
    ['origin', 'http://localhost'],
    ['origin', 'https://evil.example'],
    ['authorization', 'Bearer'],
    ['authorization', 'Bearer kpr_'],
    ['authorization', `Bearer ${'x'.repeat(5000)}`],
    ['authorization', 'Basic YWRhOmFkYQ=='],
    ['cookie', '=;;=; keeper_visitor=; a'],
    ['cookie', `keeper_visitor=${'x'.repeat(4000)}`],
    ['user-agent', 'x'.repeat(8000)],
    ['user-agent', ''],
    ['x-forwarded-for', '1.2.3.4, evil, ::1'],
    ['x-forwarded-host', 'evil.example'],
    ['x-forwarded-proto', 'gopher'],
    ['x-user-id', '1'],
    ['x-http-method-override', 'DELETE'],
    ['accept-language', '*;q=9'],
    ['accept-encoding', 'x'],
    ['if-none-match', '"a", *'],
    ['if-modified-since', 'tomorrow'],
    ['expect', '200-maybe'],
    ['transfer-encoding', 'gzip'],
    ['last-event-id', '\u00ff'],
  ),
  tuple(constantFrom('if-match', 'idempotency-key', 'range', 'accept', 'x-odd'), integer({ min: 33, max: 255 })).map(
    ([name, code]): [string, string] => [name, String.fromCharCode(code).repeat(3)],
  ),
).map(([name, value]) => nameMutation(`${name}: ${value.slice(0, 30)}`, (draft) => (draft.headers[name] = value)))

const strangeQueries: Arbitrary<Mutation> = oneof(
  constantFrom('__proto__', 'constructor', 'a[b][c]', '', 'a[]', 'userId', 'ownerId', 'x'.repeat(500)).map((name) =>
    nameMutation('an unknown query parameter', (draft) => draft.query.push([name, 'x'])),
  ),
  nat().map((index) =>
    nameMutation('a query parameter twice', (draft) => {
      const repeatedQuery = draft.query[index % Math.max(1, draft.query.length)] ?? ['a', 'b']
      draft.query.push(['a', 'b'], [...repeatedQuery], [...repeatedQuery])
    }),
  ),
)

function mutateQueryValues(names: string[], foreignIds: string[]): Arbitrary<Mutation> {
  const values = oneof(hostileTexts, constantFrom(...foreignIds))
  return tuple(constantFrom(...names), values, constantFrom('', '', '[]', '[0]')).map(([name, value, list]) =>
    nameMutation(`query ${name}`, (draft) => {
      draft.query = draft.query.filter(([existing]) => existing !== name)
      // Longer URLs are refused by the HTTP parser.
      draft.query.push([`${name}${list}`, value.slice(0, 6000)])
    }),
  )
}

function mutateParameters(names: string[], foreignIds: string[]): Arbitrary<Mutation> {
  const segments = oneof(
    hostileTexts.map((text) => encodeComponent(text.slice(0, 3000)).replace(/^$/, '%20')),
    constantFrom('%00', '%ff%fe', '%E0%A4%A', '%', '%zz', '%2e%2e', '%2F', '%252F', '..%5c', '%ED%A0%80', ';a=b', '*'),
    constantFrom(...foreignIds),
  )
  return tuple(constantFrom(...names), segments).map(([name, segment]) =>
    nameMutation(`${name} in the address`, (draft) => (draft.params[name] = segment)),
  )
}

const otherBytes: Arbitrary<Mutation> = oneof(
  uint8Array({ maxLength: 400 }).map((bytes) =>
    nameMutation('other bytes', (draft) => (draft.body = new Uint8Array(bytes) as Uint8Array<ArrayBuffer>)),
  ),
  tuple(nat(), nat(255)).map(([at, byte]) =>
    nameMutation('one byte wrong', (draft) => {
      if (!(draft.body instanceof Uint8Array) || draft.body.length === 0) return
      draft.body = draft.body.slice()
      draft.body[at % draft.body.length] = byte
    }),
  ),
  nat().map((at) =>
    nameMutation('bytes cut off', (draft) => {
      if (draft.body instanceof Uint8Array) draft.body = draft.body.slice(0, at % (draft.body.length + 1))
    }),
  ),
  constantFrom('text/html', 'image/svg+xml', 'application/zip', 'image/png', 'audio/webm', 'image/', '', 'a; b="').map(
    (mime) => nameMutation(`bytes as ${mime}`, (draft) => (draft.headers['content-type'] = mime)),
  ),
)
