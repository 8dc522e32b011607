import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { addressBook } from '#contract/index.ts'
import { problems } from '#contract/problems.ts'

type JsonSchema = Record<string, unknown>

/** All calls as OpenAPI 3.1. Calls with the same address become one operation with alternatives. */
export function openApiDocument(): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const { area, name, endpoint } of addressBook()) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    const method = endpoint.method.toLowerCase()
    paths[path] ??= {}
    const operations = paths[path]
    const present = operations[method]
    operations[method] = present ? withAlternative(present, area, name, endpoint) : operation(area, name, endpoint)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Keeper',
      version: '1',
      description: 'Every call of Keeper. The bearer token is the only form of identity.',
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Problem: {
          type: 'object',
          required: ['success', 'error', 'code', 'requestId'],
          properties: {
            success: { const: false },
            error: { description: 'A text; under /api/kam/auth/ an object with message and code.' },
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

function operation(area: string, name: string, endpoint: Endpoint): JsonSchema {
  return {
    operationId: `${area}.${name}`,
    tags: [area],
    summary: endpoint.summary,
    description: accessText(endpoint),
    security: endpoint.access === 'public' ? [] : [{ token: [] }],
    parameters: [...parametersOf(endpoint, 'path'), ...parametersOf(endpoint, 'query')],
    ...(endpoint.body && {
      requestBody: { content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } } },
    }),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: answerSchema(endpoint) } } },
      default: {
        description: 'A problem',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

function withAlternative(present: JsonSchema, area: string, name: string, endpoint: Endpoint): JsonSchema {
  const alternatives = (present['x-alternatives'] as JsonSchema[] | undefined) ?? []
  return {
    ...present,
    'x-alternatives': [...alternatives, { when: endpoint.when, ...operation(area, name, endpoint) }],
  }
}

function accessText({ access, when }: Endpoint): string {
  const who =
    access === 'public'
      ? 'Anyone.'
      : access === 'person'
        ? 'Anyone who is signed in.'
        : `Needs the permission ${access.permission}.`
  return when ? `${who} When ${JSON.stringify(when)}.` : who
}

function parametersOf(endpoint: Endpoint, place: 'path' | 'query'): JsonSchema[] {
  const schema = place === 'path' ? endpoint.params : endpoint.query
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function answerSchema(endpoint: Endpoint): JsonSchema {
  const data = schemaOf(endpoint.returns, 'output')
  if (endpoint.answer === 'bare') return data
  return { type: 'object', required: ['success', 'data'], properties: { success: { const: true }, data } }
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
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
