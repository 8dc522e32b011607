import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { type EndpointEntry, listEndpoints } from '#contract/index.ts'
import { isMain } from '#server/start/require-node.ts'
import { root } from './fingerprint.ts'

export const apiReference = 'docs/api.md'
const maxShapeDepth = 2
const maxValues = 8

interface Shape {
  type?: string | string[]
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: Shape | boolean
  items?: Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  enum?: unknown[]
  const?: unknown
}

export function describeCalls(entries: EndpointEntry[]): string {
  const areas = Map.groupBy(entries, ({ area }) => area)
  const sections = [...areas].map(([area, calls]) => [`## ${area}`, ...calls.map(describeCall)].join('\n\n'))
  return `${[formatIntroduction(entries.length), ...sections].join('\n\n')}\n`
}

const formatIntroduction = (count: number) => `# Calls

Generated from [contract/](../contract/index.ts) by \`node scripts/write-api-reference.ts\`; a test keeps the two in sync.
A running Keeper also serves the ${count} calls at \`GET /api/openapi.json\`, and shows them at \`/api\`, where they can be tried.

- Authenticate with \`Authorization: Bearer <token>\`. \`POST /api/kam/auth/login\` returns the token.
- A personal access token (\`keeper_pat_…\`, under Your API Keys) is sent the same way. It opens the calls that name a scope,
  and no others.
- Bodies are JSON unless a call lists content types. Unknown keys are ignored. A body can have at most 50,000 list items and
  keys, or 200,000 if it contains a board; the OpenAPI document lists the limit of each list.
- A response is \`{ success: true, data }\`, with the type below as \`data\`, or the data alone if marked "bare". An error is
  \`{ success: false, error, code, requestId, fields? }\` with its status; under \`/api/kam/auth/\`, \`error\` is \`{ message, code }\`.
- Editable resources have a \`rev\`. Send it as \`If-Match\`; an outdated one gets a 409 with both versions. Calls that create
  something accept an \`Idempotency-Key\`.
- Lists are paged with \`cursor\` and \`limit\`.`

function describeCall({ area, name, endpoint }: EndpointEntry): string {
  const { method, path, summary } = endpoint
  const query = describeSchema(endpoint.query, 'input')
  const body = endpoint.upload ? endpoint.upload.contentTypes.join(', ') : describeSchema(endpoint.body, 'input')
  const lines = [
    `### ${method} ${path}`,
    `${summary}. ${describeAccess(endpoint)}${describeCondition(endpoint)} (\`${area}.${name}\`)`,
    query && `- query: \`${query}\``,
    body && `- body: \`${body}\``,
    `- returns: \`${describeSchema(endpoint.response, 'output') || '{}'}\`${describeNotes(endpoint)}`,
  ]
  const [heading, summaryLine, ...list] = lines.filter((line) => line !== undefined && line !== '')
  return [heading, summaryLine, list.join('\n')].join('\n\n')
}

function describeAccess({ access, scope, proof }: Endpoint): string {
  if (access === 'public') return 'Anyone.'
  const signedIn = scope ? `Signed in, or an access token with \`${scope}\`.` : 'Signed in.'
  const caller = access === 'person' ? signedIn : `Needs \`${access.permission}\`.`
  return proof ? `${caller} Needs a proof younger than 5 minutes.` : caller
}

function describeCondition({ match }: Endpoint): string {
  const requiredValues = [...Object.entries(match?.query ?? {}), ...Object.entries(match?.body ?? {})]
  if (requiredValues.length === 0) return ''
  return ` When ${requiredValues.map(([name, value]) => (value === '*' ? `\`${name}\` is present` : `\`${name}\` is \`${value}\``)).join(' and ')}.`
}

function describeNotes({ responseFormat, canStream, supportsIdempotencyKey }: Endpoint): string {
  const notes = [
    responseFormat === 'bare' && 'bare',
    canStream && 'or an event stream with `Accept: text/event-stream`',
    supportsIdempotencyKey && 'accepts an `Idempotency-Key`',
  ].filter(Boolean)
  return notes.length > 0 ? `, ${notes.join(', ')}` : ''
}

function describeSchema(schema: z.ZodMiniType | undefined, io: 'input' | 'output'): string | undefined {
  if (!schema) return undefined
  return formatShape(z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Shape, 0)
}

function formatShape(shape: Shape, depth: number): string {
  if (shape.const !== undefined) return JSON.stringify(shape.const)
  if (shape.enum) {
    const visibleValues = shape.enum.slice(0, maxValues).map((value) => JSON.stringify(value))
    return [...visibleValues, ...(shape.enum.length > maxValues ? ['…'] : [])].join(' | ')
  }
  const choices = shape.anyOf ?? shape.oneOf
  if (choices) return [...new Set(choices.map((choice) => formatShape(choice, depth)))].join(' | ')
  if (shape.allOf) return shape.allOf.map((choice) => formatShape(choice, depth)).join(' & ')
  if (shape.type === 'array') {
    const items = formatShape(shape.items ?? {}, depth)
    return items.includes(' | ') ? `(${items})[]` : `${items}[]`
  }
  if (shape.type !== 'object') return Array.isArray(shape.type) ? shape.type.join(' | ') : (shape.type ?? 'any')
  const properties = Object.entries(shape.properties ?? {})
  if (properties.length === 0) {
    const values = shape.additionalProperties
    return typeof values === 'object' && depth < maxShapeDepth ? `{ [name]: ${formatShape(values, depth + 1)} }` : '{}'
  }
  if (depth >= maxShapeDepth) return '{…}'
  const formattedFields = properties.map(
    ([name, value]) => `${name}${shape.required?.includes(name) ? '' : '?'}: ${formatShape(value, depth + 1)}`,
  )
  return `{ ${formattedFields.join(', ')} }`
}

if (isMain(import.meta)) writeFileSync(join(root, apiReference), describeCalls(listEndpoints()))
