import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { listEndpoints } from '#contract/index.ts'
import { problems } from '#contract/problems.ts'

type JsonSchema = Record<string, unknown>

export function buildOpenApiDocument(): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const { area, name, endpoint } of listEndpoints()) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    const method = endpoint.method.toLowerCase()
    paths[path] ??= {}
    const operations = paths[path]
    const existing = operations[method]
    operations[method] = existing ? addAlternative(existing, area, name, endpoint) : toOperation(area, name, endpoint)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Keeper',
      version: '1',
      description: 'All endpoints of the Keeper API. Requests authenticate only with a bearer token.',
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Problem: {
          type: 'object',
          required: ['success', 'error', 'code', 'requestId'],
          properties: {
            success: { const: false },
            error: { description: 'A string; under /api/kam/auth/, an object with `message` and `code`.' },
            code: { type: 'string', examples: Object.keys(problems) },
            requestId: { type: 'string' },
            fields: { type: 'object', additionalProperties: { type: 'string' } },
          },
        },
      },
    },
    paths,
  }
}

function toOperation(area: string, name: string, endpoint: Endpoint): JsonSchema {
  return {
    operationId: `${area}.${name}`,
    tags: [area],
    summary: endpoint.summary,
    description: formatAccess(endpoint),
    security: endpoint.access === 'public' ? [] : [{ token: [] }],
    parameters: [...toParameters(endpoint, 'path'), ...toParameters(endpoint, 'query')],
    ...(endpoint.body && {
      requestBody: { content: { 'application/json': { schema: toJsonSchema(endpoint.body, 'input') } } },
    }),
    responses: {
      200: { description: 'Success', content: { 'application/json': { schema: toResponseSchema(endpoint) } } },
      default: {
        description: 'Error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

function addAlternative(existing: JsonSchema, area: string, name: string, endpoint: Endpoint): JsonSchema {
  const alternatives = (existing['x-alternatives'] as JsonSchema[] | undefined) ?? []
  return {
    ...existing,
    'x-alternatives': [...alternatives, { when: endpoint.match, ...toOperation(area, name, endpoint) }],
  }
}

function formatAccess({ access, match }: Endpoint): string {
  const callerText =
    access === 'public'
      ? 'Anyone.'
      : access === 'person'
        ? 'Anyone who is signed in.'
        : `Requires the ${access.permission} permission.`
  return match
    ? `${callerText} Only for requests that match ${JSON.stringify(match)}; "*" means any value.`
    : callerText
}

function toParameters(endpoint: Endpoint, location: 'path' | 'query'): JsonSchema[] {
  const schema = location === 'path' ? endpoint.params : endpoint.query
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: property,
  }))
}

function toResponseSchema(endpoint: Endpoint): JsonSchema {
  const data = toJsonSchema(endpoint.response, 'output')
  if (endpoint.responseFormat === 'bare') return data
  return { type: 'object', required: ['success', 'data'], properties: { success: { const: true }, data } }
}

function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { maxKeys } = zodSchema._zod.def as { maxKeys?: number }
      if (maxKeys !== undefined) jsonSchema.maxProperties = maxKeys
    },
  }) as JsonSchema
  return plain
}
