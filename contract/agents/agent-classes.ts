import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse, id, pagedQuery } from '../keepers/keeper-fields.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { agentClasses as builtInClasses, contextScopes } from './agent-constants.ts'
import { modelSettings, providerInput } from './model-settings.ts'

export const classDefaults = z.object({
  model_provider: z.optional(providerInput),
  model_settings: z.optional(z.partial(modelSettings)),
  memory_enabled: z.optional(z.boolean()),
  context_scope: z.optional(z.enum(contextScopes)),
  visibility: z.optional(z.enum(['private', 'public', 'shared'])),
  tools: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(50))),
})
export type ClassDefaults = z.infer<typeof classDefaults>

export const agentClassEntry = z.object({
  id: z.string(),
  slug: z.string(),
  name: displayLine,
  description: z.string(),
  system: z.boolean(),
  mine: z.boolean(),
  base: z.enum(builtInClasses),
  defaults: classDefaults,
  createdAt: z.string(),
  updatedAt: z.string(),
  rev: z.number(),
  _count: z.object({ Agent: z.number() }),
})
export type AgentClassEntry = z.infer<typeof agentClassEntry>

const name = oneLine({ max: 80, min: 1, message: 'Enter a name.' })
const base = z.enum(['Standard', 'Coordinator', 'Lead'], 'Choose Standard, Coordinator or Lead.')
const description = z.optional(z.string().check(z.trim(), z.maxLength(1000)))

export const agentClassCalls = {
  list: defineEndpoint('GET /api/agent-classes', {
    summary: 'List agent classes: the four built-in ones, then yours and those of your domains; 1,000 per page',
    access: 'person',
    query: pagedQuery,
    response: z.array(agentClassEntry),
  }),
  create: defineEndpoint('POST /api/agent-classes', {
    summary: 'Create an agent class based on another',
    access: 'person',
    body: z.object({ name, base, description, defaults: z.optional(classDefaults) }),
    response: agentClassEntry,
    supportsIdempotencyKey: true,
  }),
  update: defineEndpoint('PUT /api/agent-classes/:id', {
    summary: 'Update one of your agent classes',
    access: 'person',
    params: z.object({ id }),
    body: z.object({
      name: z.optional(name),
      base: z.optional(base),
      description,
      defaults: z.optional(classDefaults),
    }),
    response: agentClassEntry,
  }),
  remove: defineEndpoint('DELETE /api/agent-classes/:id', {
    summary: 'Delete one of your agent classes; 409 while agents use it',
    access: 'person',
    params: z.object({ id }),
    response: emptyResponse,
  }),
}
