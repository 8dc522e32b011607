import * as z from 'zod/mini'
import { catalogEntryFields, entryDescription, shortName } from '../catalog.ts'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { defineRemoval } from './entity-endpoint.ts'
import { id, pagedQuery } from './keeper-fields.ts'

export const patternSection = z.object({
  key: z.string().check(z.regex(/^[a-z][a-z0-9_]{0,39}$/, 'Use a–z, 0–9 and _, starting with a letter.')),
  title: oneLine({ max: 80, min: 1, message: 'Enter a title.' }),
  kind: z.enum(['text', 'list', 'timeline', 'map']),
})
export const captureSources = ['reflection', 'moment', 'voice', 'logbook'] as const
export const patternPromote = z.object({
  minAgeHours: z.int().check(z.minimum(0), z.maximum(24 * 365)),
  /** Always true: nothing becomes memory automatically. */
  needsHuman: z.literal(true, 'A person always decides.'),
})

export const memoryPattern = z.object({
  ...catalogEntryFields,
  name: displayLine,
  sections: z.array(patternSection),
  captureFrom: z.array(z.enum(captureSources)),
  promote: patternPromote,
  keepsStory: z.boolean(),
  updatedAt: z.string(),
  _count: z.object({ Keeper: z.number() }),
})
export type MemoryPattern = z.infer<typeof memoryPattern>

const fields = {
  description: entryDescription,
  sections: z.optional(z.array(patternSection).check(z.maxLength(20))),
  captureFrom: z.optional(z.array(z.enum(captureSources)).check(z.maxLength(captureSources.length))),
  promote: z.optional(patternPromote),
  keepsStory: z.optional(z.boolean('Use true or false.')),
}

export const memoryPatterns = {
  list: defineEndpoint('GET /api/memory-patterns', {
    summary: 'List memory patterns: built-in ones, then yours and those of your domains; 1,000 per page',
    access: 'person',
    query: pagedQuery,
    response: z.array(memoryPattern),
  }),
  create: defineEndpoint('POST /api/memory-patterns', {
    summary: 'Create a memory pattern',
    access: 'person',
    body: z.object({ name: shortName, ...fields }),
    response: memoryPattern,
    supportsIdempotencyKey: true,
  }),
  update: defineEndpoint('PUT /api/memory-patterns/:id', {
    summary: 'Update one of your memory patterns',
    access: 'person',
    params: z.object({ id }),
    body: z.object({ name: z.optional(shortName), ...fields }),
    response: memoryPattern,
  }),
  remove: defineRemoval(
    'DELETE /api/memory-patterns/:id',
    'Delete one of your memory patterns; 409 while keepers use it',
  ),
}
