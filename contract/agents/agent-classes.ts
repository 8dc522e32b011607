import * as z from 'zod/mini'
import { catalogEntryFields, entryDescription, shortName } from '../catalog.ts'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse, id, pagedQuery } from '../keepers/keeper-fields.ts'
import { displayLine } from '../one-line-text.ts'
import { agentClasses as builtInClasses, contextScopes, visibilities } from './agent-constants.ts'
import { modelSettings, providerInput } from './model-settings.ts'

export const classDefaults = z.object({
  model_provider: z.optional(providerInput),
  model_settings: z.optional(z.partial(modelSettings)),
  memory_enabled: z.optional(z.boolean()),
  context_scope: z.optional(z.enum(contextScopes)),
  visibility: z.optional(z.enum(visibilities)),
  tools: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(50))),
})
export type ClassDefaults = z.infer<typeof classDefaults>

export const agentClassEntry = z.object({
  ...catalogEntryFields,
  name: displayLine,
  base: z.enum(builtInClasses),
  defaults: classDefaults,
  updatedAt: z.string(),
  _count: z.object({ Agent: z.number() }),
})
export type AgentClassEntry = z.infer<typeof agentClassEntry>

const base = z.enum(['Standard', 'Coordinator', 'Lead'], 'Choose Standard, Coordinator or Lead.')

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
    body: z.object({ name: shortName, base, description: entryDescription, defaults: z.optional(classDefaults) }),
    response: agentClassEntry,
    supportsIdempotencyKey: true,
  }),
  update: defineEndpoint('PUT /api/agent-classes/:id', {
    summary: 'Update one of your agent classes',
    access: 'person',
    params: z.object({ id }),
    body: z.object({
      name: z.optional(shortName),
      base: z.optional(base),
      description: entryDescription,
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
