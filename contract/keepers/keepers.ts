import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { shippedThemeSlugs } from '../themes/theme-keys.ts'
import { defineEntityEndpoint, defineRemoval } from './entity-endpoint.ts'
import { clientId, id, pagedQuery } from './keeper-fields.ts'
import { soleDocument } from './sole-document.ts'

export const wizardKeeperTypes = ['journal', 'project', 'educational', 'professional', 'wellness', 'custom'] as const
export const wizardMemoryPatterns = ['chronological', 'associative', 'hierarchical', 'spatial'] as const
export const formMemoryPatterns = ['sole', 'journal', 'tracker', 'palace'] as const

export type MemoryBehavior = 'sole' | 'journal' | 'tracker' | 'palace'
const behaviorByPattern: Record<string, MemoryBehavior> = {
  sole: 'sole',
  associative: 'sole',
  journal: 'journal',
  chronological: 'journal',
  tracker: 'tracker',
  hierarchical: 'tracker',
  crmtimeline: 'tracker',
  palace: 'palace',
  spatial: 'palace',
}
/** Behavior of a built-in pattern name, ignoring case; `undefined` for custom patterns, which define their own. */
export function getMemoryBehavior(memoryPattern: string): MemoryBehavior | undefined {
  return behaviorByPattern[memoryPattern.toLowerCase()]
}

export const keeper = z.object({
  id: z.string(),
  title: displayLine,
  purpose: z.string(),
  keeperType: displayLine,
  keeperTypeId: z.nullable(z.string()),
  /** As entered; {@link getMemoryBehavior} interprets it. */
  memoryPattern: displayLine,
  keepsStory: z.boolean(),
  theme: z.string(),
  isPublic: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  rev: z.number(),
  ownerId: z.string(),
  owner: z.object({ id: z.string(), name: z.nullable(displayLine) }),
  KeeperType: z.nullable(z.object({ id: z.string(), name: displayLine, memoryPattern: displayLine })),
  engagement_templates: z.array(z.object({ id: z.string(), label: displayLine, slug: z.string(), type: z.string() })),
  _count: z.object({ Journey: z.number(), Path: z.number() }),
  sole: z.nullable(soleDocument),
  soleDraft: z.nullable(soleDocument),
  soleSubmittedAt: z.nullable(z.string()),
  entryCount: z.number(),
  /** Date of the earliest entry: a moment's own date, otherwise the creation time. */
  firstEntryAt: z.nullable(z.string()),
  lastEntryAt: z.nullable(z.string()),
})
export type Keeper = z.infer<typeof keeper>

const title = oneLine({ max: 120, min: 1, message: 'Enter a title.' })
const purpose = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter a purpose.'), z.maxLength(2000, 'Use at most 2,000 characters.'))
/** Some clients send an unselected choice as an empty string. */
const optionalChoice = oneLine({ max: 80 })
const theme = z.enum(shippedThemeSlugs, `Choose one of: ${shippedThemeSlugs.join(', ')}.`)

const optionalFields = {
  keeperType: z.optional(optionalChoice),
  keeperTypeId: z.optional(z.nullable(id)),
  memoryPattern: z.optional(optionalChoice),
  theme: z.optional(theme),
  isPublic: z.optional(z.boolean('Use true or false.')),
}

export const keepers = {
  list: defineEndpoint('GET /api/keeper/keepers', {
    summary:
      'List your keepers, newest 1,000 first; each page is sorted oldest first with the sample keeper last, and `next_cursor` leads to earlier ones',
    access: 'person',
    query: pagedQuery,
    response: z.array(keeper),
  }),
  show: defineEntityEndpoint('GET /api/keeper/keepers/:id', {
    summary: 'Get a keeper; the id `1` means your first keeper, `new-keeper-id` your newest',
    response: keeper,
  }),
  create: defineEndpoint('POST /api/keeper/keepers', {
    summary: 'Create a keeper; only title and purpose are required, and an empty choice counts as omitted',
    access: 'person',
    body: z.object({ id: z.optional(clientId), title, purpose, ...optionalFields }),
    response: keeper,
    supportsIdempotencyKey: true,
  }),
  update: defineEntityEndpoint('PUT /api/keeper/keepers/:id', {
    summary:
      'Update a keeper; omitted fields and empty choices stay the same, and an empty `keeperTypeId` removes the type',
    body: z.object({ title: z.optional(title), purpose: z.optional(purpose), ...optionalFields }),
    response: keeper,
  }),
  remove: defineRemoval(
    'DELETE /api/keeper/keepers/:id',
    'Move a keeper with all its entries to the trash; after 30 days it is deleted permanently',
  ),
}
