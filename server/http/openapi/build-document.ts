import { connectionScopes, scopeLabels } from '#contract/connections/scopes.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { listEndpoints } from '#contract/index.ts'
import { apiHeaders } from '../security-headers.ts'
import { type Coding, chooseCoding, compressors, getEtag, matchesEtag } from '../web-files.ts'
import { createExample } from './create-example.ts'
import { type JsonSchema, type OpenApiObject, toJsonSchema } from './json-schema.ts'
import { listRefusals, listSharedResponses, problemSchemas, toResponseName } from './refusals.ts'

export type OpenApiDocument = Record<string, unknown> & { paths: Record<string, Record<string, OpenApiOperation>> }

export interface OpenApiOperation extends OpenApiObject {
  operationId: string
  security: Record<string, string[]>[]
  /** Calls with the same method and path: `when` names the query or body values that choose one. */
  'x-alternatives'?: OpenApiOperation[]
}

const description = `Every call of this Keeper.

**Sign in.** Send \`Authorization: Bearer <token>\`. \`POST /api/kam/auth/login\` returns the token of a session. A personal access token (\`keeper_pat_…\`, created under Your API Keys) is sent the same way and can make the calls that name one of its scopes.

**Answers.** \`{ "success": true, "data": … }\`, or the data alone where the schema says so. An error has a status, a stable \`code\`, a text for people and a \`requestId\`. Each call lists the errors that are common for its kind, and can return others. Unknown keys of a request are ignored.

**Revisions.** Entries that people edit have a \`rev\`. Send it as \`If-Match\`; an outdated one is answered with 409 and both versions. Calls that create something take an \`Idempotency-Key\`, so that a repeated request creates nothing twice.

**Lists** are paged with \`cursor\` and \`limit\`: send the \`next_cursor\` of the previous page.

**One address, several calls.** Where a value of the query or the body chooses the call, the others are in \`x-alternatives\`.`

/** OpenAPI 3.1, from the contract alone: the same for everyone. */
export function buildOpenApiDocument(): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  const areas = new Set<string>()
  for (const { area, name, endpoint } of listEndpoints()) {
    areas.add(area)
    const path = toTemplate(endpoint)
    const method = endpoint.method.toLowerCase()
    paths[path] ??= {}
    const operations = paths[path]
    const existing = operations[method]
    const operation = toOperation(area, name, endpoint)
    operations[method] = existing
      ? { ...existing, 'x-alternatives': [...(existing['x-alternatives'] ?? []), operation] }
      : operation
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Keeper', version: '1', description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: [...areas].map((name) => ({ name })),
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'The token of someone who is signed in.' },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'keeper_pat_…',
          description: `A personal access token with the scope that is named. ${connectionScopes
            .map((scope) => `\`${scope}\`: ${scopeLabels[scope].description}`)
            .join(' ')}`,
        },
      },
      schemas: problemSchemas,
      responses: listSharedResponses(listEndpoints().map(({ endpoint }) => endpoint)),
    },
    paths,
  }
}

const toTemplate = ({ path }: Endpoint) => path.replace(/:(\w+)/g, '{$1}')

function toOperation(area: string, name: string, endpoint: Endpoint): OpenApiOperation {
  const body = toRequestBody(endpoint)
  return {
    operationId: `${area}.${name}`,
    tags: [area],
    summary: endpoint.summary,
    description: formatAccess(endpoint),
    ...(endpoint.match && { 'x-when': endpoint.match }),
    security: toSecurity(endpoint),
    parameters: [...toParameters(endpoint, 'path'), ...toParameters(endpoint, 'query'), ...listHeaders(endpoint)],
    ...(body && { requestBody: body }),
    responses: toResponses(endpoint),
  }
}

/** Each entry is one way in; its names are the scopes or permissions that are needed. */
function toSecurity({ access, scope }: Endpoint): Record<string, string[]>[] {
  if (access === 'public') return []
  const session = { session: access === 'person' ? [] : [access.permission] }
  return scope ? [session, { accessToken: [scope] }] : [session]
}

function formatAccess({ access, match, scope, proof, canStream }: Endpoint): string {
  const sentences = [
    formatCaller(access, scope),
    proof &&
      'The person confirmed who they are within the last 5 minutes, by signing in or with `POST /api/kam/auth/proof`.',
    match && `Only for requests with ${formatMatch(match)}.`,
    canStream && 'With `Accept: text/event-stream` the answer is a stream of events.',
  ]
  return sentences.filter(Boolean).join(' ')
}

function formatCaller(access: Endpoint['access'], scope: Endpoint['scope']): string {
  if (access === 'public') return 'Anyone can make this call.'
  if (access !== 'person')
    return `Needs a session with the permission \`${access.permission}\`. Access tokens can’t make this call.`
  if (scope) return `Needs a session, or an access token with the scope \`${scope}\`.`
  return 'Needs a session. Access tokens can’t make this call.'
}

function formatMatch({ query, body }: NonNullable<Endpoint['match']>): string {
  const format = (values: Record<string, string> = {}, location: string) =>
    Object.entries(values).map(([name, value]) =>
      value === '*' ? `\`${name}\` in the ${location}` : `\`${name}\` = \`${value}\` in the ${location}`,
    )
  return [...format(query, 'query'), ...format(body, 'body')].join(' and ')
}

function toParameters(endpoint: Endpoint, location: 'path' | 'query'): OpenApiObject[] {
  const { properties = {}, required = [] } = toInputSchema(endpoint, location) ?? {}
  return Object.entries(properties).map(([name, schema]) => {
    const isRequired = location === 'path' || required.includes(name)
    return {
      name,
      in: location,
      required: isRequired,
      schema,
      ...(isRequired && { example: createExample(schema, { name, onlyRequired: true }) }),
    }
  })
}

/** The schema of a part of the request, with the values that choose this call. */
function toInputSchema(endpoint: Endpoint, part: 'path' | 'query' | 'body'): JsonSchema | undefined {
  const declared = part === 'path' ? endpoint.params : endpoint[part]
  const values = part === 'path' ? undefined : endpoint.match?.[part]
  const schema: JsonSchema | undefined = declared && toJsonSchema(declared, 'input')
  if (!values) return schema
  const constants = Object.entries(values).filter(([, value]) => value !== '*')
  return {
    type: 'object',
    ...schema,
    properties: {
      ...Object.fromEntries(constants.map(([name, value]) => [name, { const: value }])),
      ...schema?.properties,
    },
    required: [...new Set([...Object.keys(values), ...(schema?.required ?? [])])],
  }
}

function listHeaders({ method, supportsIdempotencyKey }: Endpoint): OpenApiObject[] {
  const toHeader = (name: string, text: string, example: unknown) => ({
    name,
    in: 'header',
    required: false,
    description: text,
    schema: { type: 'string' },
    example,
  })
  return [
    ...(method === 'PUT' || method === 'PATCH'
      ? [toHeader('If-Match', 'The `rev` that this change is based on, where the entry has one.', '3')]
      : []),
    ...(supportsIdempotencyKey
      ? [
          toHeader(
            'Idempotency-Key',
            'The same key again gets the first answer, and nothing is created twice.',
            'moment-2026-03-14',
          ),
        ]
      : []),
  ]
}

function toRequestBody(endpoint: Endpoint): OpenApiObject | undefined {
  if (endpoint.upload)
    return {
      required: true,
      description: 'The bytes of one file.',
      content: Object.fromEntries(endpoint.upload.contentTypes.map((type) => [type, {}])),
    }
  const schema = toInputSchema(endpoint, 'body')
  if (!schema) return undefined
  const example = createExample(schema, { name: '', onlyRequired: true })
  const isRequired = (schema.required ?? []).length > 0
  return { required: isRequired, content: { 'application/json': { schema, example } } }
}

function toResponses(endpoint: Endpoint): OpenApiObject {
  const refusals = Map.groupBy(listRefusals(endpoint), ({ status }) => status)
  const toReference = (name: string) => ({ $ref: `#/components/responses/${name}` })
  const refused = [...refusals].map(([status, codes]) => [
    status,
    toReference(
      toResponseName(
        endpoint,
        codes.map(({ code }) => code),
      ),
    ),
  ])
  return {
    200: { description: 'Success', content: toSuccess(endpoint) },
    ...Object.fromEntries(refused),
    default: toReference(toResponseName(endpoint, [])),
  }
}

function toSuccess(endpoint: Endpoint): OpenApiObject {
  const data: JsonSchema = toJsonSchema(endpoint.response, 'output')
  const schema: JsonSchema =
    endpoint.responseFormat === 'bare'
      ? data
      : { type: 'object', required: ['success', 'data'], properties: { success: { const: true }, data } }
  const example = createExample(schema, { name: '', onlyRequired: false })
  return {
    'application/json': { schema, example },
    ...(endpoint.canStream && { 'text/event-stream': { schema: { type: 'string' } } }),
  }
}

interface DocumentVersion {
  bytes: Uint8Array<ArrayBuffer>
  etag: string
}

/** Browsers can cache the document, since it contains no one's data. It is built and compressed on first request. */
export function createOpenApiEndpoint() {
  const versions: Partial<Record<Coding, Promise<DocumentVersion>>> = {}
  return async (request: Request): Promise<Response> => {
    const coding = chooseCoding(request.headers.get('accept-encoding'))
    versions[coding] ??= createVersion(coding)
    const { bytes, etag } = await versions[coding]
    const headers = {
      ...apiHeaders,
      'cache-control': 'no-cache',
      etag,
      vary: 'Accept-Encoding',
      ...(coding !== 'identity' && { 'content-encoding': coding }),
    }
    if (matchesEtag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
    return new Response(bytes, { headers })
  }
}

async function createVersion(coding: Coding): Promise<DocumentVersion> {
  const text = new TextEncoder().encode(JSON.stringify(buildOpenApiDocument()))
  const bytes = coding === 'identity' ? text : new Uint8Array(await compressors[coding](text))
  return { bytes, etag: getEtag(bytes) }
}
