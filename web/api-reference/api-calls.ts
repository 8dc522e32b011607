/** The parts of the server's OpenAPI document that the page uses. */
export interface JsonSchema {
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

export interface ApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

interface MediaType {
  schema?: JsonSchema
  example?: unknown
  examples?: Record<string, { value: { error: unknown } }>
}

interface OpenApiResponse {
  $ref?: string
  content?: Record<string, MediaType>
}

interface OpenApiOperation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters: ApiParameter[]
  requestBody?: { content: Record<string, MediaType> }
  responses: Record<string, OpenApiResponse>
  'x-when'?: { query?: Record<string, string>; body?: Record<string, string> }
  'x-alternatives'?: OpenApiOperation[]
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { responses: Record<string, OpenApiResponse> }
}

export type ApiMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface ApiRefusal {
  status: string
  code: string
  text: string
}

export interface ApiCall {
  /** Such as `moments.create`. */
  id: string
  group: string
  method: ApiMethod
  /** With parameters as `{id}`. */
  path: string
  summary: string
  description: string
  isPublic: boolean
  permissions: string[]
  scopes: string[]
  parameters: ApiParameter[]
  body?: { schema: JsonSchema; example: unknown }
  uploadTypes: string[]
  conditions: string[]
  answer?: { schema: JsonSchema; example: unknown }
  refusals: ApiRefusal[]
  canStream: boolean
}

export function readCalls({ paths, components }: OpenApiDocument): ApiCall[] {
  const getRefusals = ([status, { $ref }]: [string, OpenApiResponse]): ApiRefusal[] => {
    const shared = $ref === undefined ? undefined : components.responses[$ref.slice($ref.lastIndexOf('/') + 1)]
    const examples = Object.entries(shared?.content?.['application/json']?.examples ?? {})
    return examples.map(([code, { value }]) => ({ status, code, text: toMessage(value.error) }))
  }
  const toCall = (path: string, method: string, operation: OpenApiOperation): ApiCall => {
    const { operationId, tags, summary, description, security, parameters, requestBody, responses } = operation
    const body = requestBody?.content['application/json']
    const success = responses[200]?.content ?? {}
    const answer = success['application/json']
    const getNames = (scheme: string) => security.flatMap((requirement) => requirement[scheme] ?? [])
    const matchedValues = { ...operation['x-when']?.query, ...operation['x-when']?.body }
    return {
      id: operationId,
      group: toGroupName(tags[0] ?? ''),
      method: method.toUpperCase() as ApiMethod,
      path,
      summary,
      description,
      parameters,
      isPublic: security.length === 0,
      permissions: getNames('session'),
      scopes: getNames('accessToken'),
      ...(body?.schema && { body: { schema: body.schema, example: body.example } }),
      uploadTypes: Object.keys(requestBody?.content ?? {}).filter(() => body?.schema === undefined),
      conditions: Object.entries(matchedValues).map(([name, value]) => (value === '*' ? name : `${name}=${value}`)),
      ...(answer?.schema && { answer: { schema: answer.schema, example: answer.example } }),
      refusals: Object.entries(responses).flatMap(getRefusals),
      canStream: 'text/event-stream' in success,
    }
  }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      [operation, ...(operation['x-alternatives'] ?? [])].map((alternative) => toCall(path, method, alternative)),
    ),
  )
}

function toMessage(error: unknown): string {
  return typeof error === 'string' ? error : String((error as { message?: unknown } | null)?.message ?? '')
}

/** `memoryCards` as `Memory cards`. */
function toGroupName(area: string): string {
  const spaced = area.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

export type ApiAudience = '' | 'public' | 'session' | 'token' | 'permission'

/** Calls with every word of the query in their name, path or summary. */
export function findCalls(calls: ApiCall[], query: string, audience: ApiAudience): ApiCall[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return calls.filter((call) => {
    const text =
      `${call.id} ${call.group} ${call.method} ${call.path} ${call.summary} ${call.conditions.join(' ')}`.toLowerCase()
    return isForAudience(call, audience) && words.every((word) => text.includes(word))
  })
}

function isForAudience({ isPublic, permissions, scopes }: ApiCall, audience: ApiAudience): boolean {
  if (audience === 'public') return isPublic
  if (audience === 'token') return scopes.length > 0
  if (audience === 'permission') return permissions.length > 0
  return audience === '' || (!isPublic && permissions.length === 0)
}
