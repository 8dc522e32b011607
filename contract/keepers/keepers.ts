import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { oneLine, shownLine } from '../one-line-text.ts'
import { shippedSlugs } from '../themes/theme-keys.ts'
import { clientId, id, keeperParams, nothing, pagedQuery } from './keeper-words.ts'
import { soleDocument } from './sole-document.ts'

/** The wizard's keeper types; each is also the slug of a system keeper type. */
export const wizardKeeperTypes = ['journal', 'project', 'educational', 'professional', 'wellness', 'custom'] as const
export const wizardMemoryPatterns = ['chronological', 'associative', 'hierarchical', 'spatial'] as const
export const formMemoryPatterns = ['sole', 'journal', 'tracker', 'palace'] as const

export type MemoryBehaviour = 'sole' | 'journal' | 'tracker' | 'palace'
const behaviours: Record<string, MemoryBehaviour> = {
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
/** How a keeper with this pattern behaves, whatever word it was given in and in whatever case; `undefined` for made ones, which say it themselves. */
export function memoryBehaviour(memoryPattern: string): MemoryBehaviour | undefined {
  return behaviours[memoryPattern.toLowerCase()]
}

export const keeper = z.object({
  id: z.string(),
  title: shownLine,
  purpose: z.string(),
  /** The word it was made with, such as `journal`. */
  keeperType: shownLine,
  keeperTypeId: z.nullable(z.string()),
  /** As written; {@link memoryBehaviour} tells what it means. */
  memoryPattern: shownLine,
  /** Whether its pattern keeps one standing story, the SOLE. */
  keepsStory: z.boolean(),
  theme: z.string(),
  isPublic: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  rev: z.number(),
  ownerId: z.string(),
  owner: z.object({ id: z.string(), name: z.nullable(shownLine) }),
  KeeperType: z.nullable(z.object({ id: z.string(), name: shownLine, memoryPattern: shownLine })),
  /** Those linked to it and those of its type. */
  engagement_templates: z.array(z.object({ id: z.string(), label: shownLine, slug: z.string(), type: z.string() })),
  _count: z.object({ Journey: z.number(), Path: z.number() }),
  /** The approved story; `null` while there is none. */
  sole: z.nullable(soleDocument),
  /** The draft that waits for a person. */
  soleDraft: z.nullable(soleDocument),
  soleSubmittedAt: z.nullable(z.string()),
  entryCount: z.number(),
  /** When the first entry happened: of a moment its own date, else when it was written. */
  firstEntryAt: z.nullable(z.string()),
  lastEntryAt: z.nullable(z.string()),
})
export type Keeper = z.infer<typeof keeper>

const title = oneLine({ max: 120, min: 1, message: 'Enter a title.' })
const purpose = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter a purpose.'), z.maxLength(2000, 'Use at most 2,000 characters.'))
/** Seed clients send what nobody chose as an empty text. */
const orNothing = oneLine({ max: 80 })
const theme = z.enum(shippedSlugs, `Choose one of: ${shippedSlugs.join(', ')}.`)

export const keepers = {
  list: endpoint('GET /api/keeper/keepers', {
    summary:
      'One’s own keepers, oldest first; the sample keeper last. The newest 1,000 come at once, and those before them behind `next_cursor`',
    access: 'person',
    query: pagedQuery,
    returns: z.array(keeper),
  }),
  show: endpoint('GET /api/keeper/keepers/:id', {
    summary: 'One keeper; `1` is one’s first, `new-keeper-id` one’s newest',
    access: 'person',
    params: keeperParams,
    returns: keeper,
  }),
  create: endpoint('POST /api/keeper/keepers', {
    summary: 'Make a keeper; only title and purpose are required, and an empty choice is one that was left out',
    access: 'person',
    body: z.object({
      id: z.optional(clientId),
      title,
      purpose,
      /** The word of its type when left out, and `custom` without a type. */
      keeperType: z.optional(orNothing),
      keeperTypeId: z.optional(z.nullable(id)),
      /** That of its type when left out. */
      memoryPattern: z.optional(orNothing),
      theme: z.optional(theme),
      isPublic: z.optional(z.boolean('Say true or false.')),
    }),
    returns: keeper,
    creates: true,
  }),
  update: endpoint('PUT /api/keeper/keepers/:id', {
    summary: 'Change a keeper; what is absent or an empty choice stays, an empty `keeperTypeId` is no type',
    access: 'person',
    params: keeperParams,
    body: z.object({
      title: z.optional(title),
      purpose: z.optional(purpose),
      keeperTypeId: z.optional(z.nullable(id)),
      keeperType: z.optional(orNothing),
      memoryPattern: z.optional(orNothing),
      theme: z.optional(theme),
      isPublic: z.optional(z.boolean('Say true or false.')),
    }),
    returns: keeper,
  }),
  remove: endpoint('DELETE /api/keeper/keepers/:id', {
    summary: 'Put a keeper with all it holds into the bin; after 30 days it is gone',
    access: 'person',
    params: keeperParams,
    returns: nothing,
  }),
}
