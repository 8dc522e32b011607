import * as z from 'zod/mini'
import { displayLine, oneLine } from '../one-line-text.ts'
import { defineEntityEndpoint, defineRemoval } from './entity-endpoint.ts'
import {
  agentId,
  aiVisible,
  clientId,
  day,
  id,
  instant,
  keeperIdField,
  pagedQuery,
  recordFields,
} from './keeper-fields.ts'

export const logbookEntry = z.object({
  ...recordFields,
  agentId: z.string(),
  entry: z.string(),
  label: displayLine,
  category: displayLine,
  tags: z.array(displayLine),
  occurredOn: z.string(),
  pinned: z.boolean(),
  aiVisible: z.boolean(),
  momentId: z.nullable(z.string()),
  journeyId: z.nullable(z.string()),
})
export type LogbookEntry = z.infer<typeof logbookEntry>

const requiredMessage = 'Entry, label, and category are required'
const entry = z
  .string()
  .check(z.trim(), z.minLength(1, requiredMessage), z.maxLength(50_000, 'Use at most 50,000 characters.'))
const label = oneLine({ max: 120, min: 1, message: requiredMessage })
const category = oneLine({ max: 80, min: 1, message: requiredMessage })
/** Trimmed; the server drops empty and duplicate tags. */
const tags = z.array(oneLine({ max: 80 })).check(z.maxLength(50, 'Use at most 50 tags.'))
const optionalFields = {
  occurredOn: z.optional(day),
  pinned: z.optional(z.boolean('Use true or false.')),
  aiVisible,
  momentId: z.optional(z.nullable(id)),
  journeyId: z.optional(z.nullable(id)),
}
const name = oneLine({ max: 80, min: 1, message: 'Enter a name.' })

export const logbook = {
  list: defineEntityEndpoint('GET /api/keeper/keepers/:id/logbook-entries', {
    summary: 'List logbook entries: pinned ones first, then newest; 1,000 per page',
    query: pagedQuery,
    response: z.array(logbookEntry),
  }),
  categories: defineEntityEndpoint('GET /api/keeper/keepers/:id/logbook-entries/categories', {
    summary: 'List the categories in use, alphabetically',
    response: z.array(displayLine),
  }),
  tags: defineEntityEndpoint('GET /api/keeper/keepers/:id/logbook-entries/tags', {
    summary: 'List the tags in use, alphabetically',
    response: z.array(displayLine),
  }),
  create: defineEntityEndpoint('POST /api/keeper/keepers/:id/logbook-entries', {
    summary: 'Add a logbook entry',
    scope: 'capture',
    body: z.object({
      id: z.optional(clientId),
      ...keeperIdField,
      createdAt: z.optional(instant),
      entry,
      label,
      category,
      tags: z.optional(tags),
      agentId,
      ...optionalFields,
    }),
    response: logbookEntry,
    supportsIdempotencyKey: true,
  }),
  update: defineEntityEndpoint('PUT /api/keeper/logbook-entries/:id', {
    summary: 'Update a logbook entry',
    body: z.object({
      entry: z.optional(entry),
      label: z.optional(label),
      category: z.optional(category),
      tags: z.optional(tags),
      ...optionalFields,
    }),
    response: logbookEntry,
  }),
  remove: defineRemoval('DELETE /api/keeper/logbook-entries/:id', 'Move a logbook entry to the trash'),
  renameWord: defineEntityEndpoint('POST /api/keeper/keepers/:id/logbook-entries/rename', {
    summary: 'Rename a category or tag in every entry',
    body: z.object({ kind: z.enum(['category', 'tag'], 'Use category or tag.'), from: name, to: name }),
    response: z.object({ changed: z.number() }),
  }),
  exportEntries: defineEntityEndpoint('GET /api/keeper/keepers/:id/logbook-entries/export', {
    summary: 'Export the logbook as Markdown, year by year, or as JSON',
    query: z.object({ format: z.enum(['md', 'json'], 'Use md or json.') }),
    response: z.unknown(),
  }),
}
