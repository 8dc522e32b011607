import * as z from 'zod/mini'
import { dayIn } from '#contract/keepers/lived-time.ts'
import { truncate } from '#contract/truncate.ts'
import type { Person } from '#server/accounts/person.ts'
import type { PromptItem } from '#server/agents/keeper-memory.ts'
import { sourceOf } from '#server/agents/keeper-memory.ts'
import { argumentsAs, textArgument } from '#server/agents/tools/arguments.ts'
import type { Tool, ToolContext, ToolResult } from '#server/agents/tools/tool.ts'
import { quoteLines, toOneLine } from '#server/models/data-in-prompts.ts'
import { createEcho } from '../echoes/save-echo.ts'
import { createLogbookEntry } from '../logbook/save-logbook-entry.ts'
import { createReflection } from '../reflections/save-reflection.ts'
import { bestCards } from './best-cards.ts'
import { itemsThatFit } from './items-that-fit.ts'
import { noteReads } from './note-reads.ts'
import { momentItems, soleItem } from './prompt-items.ts'
import { type KnownKeeper, keepersKnownTo } from './whose-keepers.ts'

interface Described<Schema extends z.ZodMiniType> {
  name: string
  description: string
  schema: Schema
  title(args: z.output<Schema>): string
}
type Reach = { context: ToolContext; person: Person; keepers: KnownKeeper[] }

const usualLimit = 10
const limit = z.optional(
  z.int('Give a whole number.').check(z.minimum(1), z.maximum(50), z.describe('At most so many; 10 when left out.')),
)
const keeper = z.optional(
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(200),
      z.describe('The title of the keeper to write in, where the person has several; the first one when left out.'),
    ),
)

const word = (described: string) =>
  z.string().check(z.trim(), z.maxLength(80, 'Use at most 80 characters.'), z.describe(described))

function quoted(text: string): string {
  return `“${text.length > 80 ? `${truncate(text, 79).trimEnd()}…` : text}”`
}

/** A reading tool: only items that reach the model are cited and recorded as read. */
function reading<Schema extends z.ZodMiniType>(
  described: Described<Schema>,
  find: (reach: Reach, args: z.output<Schema>) => Promise<PromptItem[]>,
  nothing: string,
): Tool {
  return tool(described, false, async (reach, args) => {
    const { context, person, keepers } = reach
    const titles = new Map(keepers.map((one) => [one.id, one.title]))
    const of = (item: PromptItem) =>
      titles.size > 1 ? `, of the keeper ${quoted(titles.get(item.keeperId) ?? '')}` : ''
    const found = await find(reach, args)
    if (found.length === 0) return { text: nothing, summary: 'Nothing found' }
    const told = (item: PromptItem) => `${toOneLine(item.title + of(item))}\n${quoteLines(item.text)}`
    const items = itemsThatFit(found, told)
    const left = found.length - items.length
    const { services, runId, agent } = context
    const writes = noteReads(services, { person, runId, agent, purpose: `Tool ${described.name}` }, items)
    await services.db.batch(writes)
    const leftOut =
      left > 0
        ? `(${left} more found and left out: they do not fit beside these. Narrow what you ask for to read them.)`
        : ''
    return {
      text: [...items.map(told), leftOut].filter(Boolean).join('\n\n'),
      summary: `${items.length} ${items.length === 1 ? 'item' : 'items'}${left > 0 ? `, ${left} left out for their length` : ''}`,
      memory: items,
      sources: items.map(sourceOf),
    }
  })
}

/** A writing tool, which writes as the person in the agent's name after an approval. */
function writing<Schema extends z.ZodMiniType>(
  described: Described<Schema>,
  write: (reach: Reach & { keeper: KnownKeeper }, args: z.output<Schema>) => Promise<string>,
): Tool {
  const title = (args: z.output<Schema>) => {
    const { keeper: named } = args as { keeper?: string }
    return `${described.title(args)}${named ? `, in ${quoted(named)}` : ''}`
  }
  const carriedOut = tool({ ...described, title }, true, async (reach, args) => {
    const wanted = (args as { keeper?: string }).keeper
    const into = wanted === undefined ? reach.keepers[0] : keeperTitled(reach.keepers, wanted)
    if (!into) {
      const titles = reach.keepers.map(({ title }) => quoted(title)).join(', ')
      throw new Error(`Nothing was written: there is no keeper with this title. There are ${titles}.`)
    }
    const summary = await write({ ...reach, keeper: into }, args)
    return { text: `${summary} Keeper: ${into.title}.`, summary }
  })
  return { ...carriedOut, settled: intoWhichKeeper }
}

/** Fixes the target keeper before the approval, when the person has several. */
async function intoWhichKeeper(asking: Parameters<NonNullable<Tool['settled']>>[0], args: unknown): Promise<unknown> {
  const { person } = asking.runner
  if (!person || (args as { keeper?: string }).keeper !== undefined) return args
  const { keepers } = await keepersKnownTo(asking.services, person, asking, { anyType: true })
  const [first] = keepers
  return first && keepers.length > 1 ? { ...(args as object), keeper: first.title } : args
}

function keeperTitled(keepers: KnownKeeper[], title: string): KnownKeeper | undefined {
  const folded = title.toLowerCase()
  return keepers.find((one) => one.title.toLowerCase() === folded)
}

function tool<Schema extends z.ZodMiniType>(
  { schema, title, ...described }: Described<Schema>,
  writes: boolean,
  run: (reach: Reach, args: z.output<Schema>) => Promise<ToolResult>,
): Tool {
  return {
    ...described,
    ...argumentsAs(schema),
    writes,
    sends: false,
    source: 'keeper',
    title: (args) => title(args as z.output<Schema>),
    async run(context, args) {
      const { person } = context.runner
      if (!person) throw new Error('Visitors have no keepers.')
      const { keepers, because } = await keepersKnownTo(context.services, person, context, { anyType: true })
      if (because !== null && writes) throw new Error(`Nothing was written: ${because}.`)
      if (because !== null)
        return {
          text: `There is nothing to read: ${because}. Say so.`,
          summary: because.includes('no keeper yet') ? 'No keeper yet' : 'Nothing to read',
        }
      return run({ context, person, keepers }, args as z.output<Schema>)
    },
  }
}

/** Interleaves the results of all keepers, so that none crowds out the others. */
async function ofEach(
  keepers: KnownKeeper[],
  find: (keeper: KnownKeeper) => Promise<PromptItem[]>,
): Promise<PromptItem[]> {
  const found = await Promise.all(keepers.map(find))
  const longest = Math.max(0, ...found.map((items) => items.length))
  return Array.from({ length: longest }, (_, place) => found.flatMap((items) => items[place] ?? [])).flat()
}

export const keeperTools: Tool[] = [
  reading(
    {
      name: 'search_memory',
      description:
        "Searches the person's memory cards by words and by meaning. Use it before saying anything about them.",
      schema: z.object({ query: textArgument('What to look for, in a few words.', 500), limit }),
      title: ({ query }) => `Search memory for ${quoted(query)}`,
    },
    async ({ context, keepers }, { query, limit: most = usualLimit }) => {
      const found = await ofEach(keepers, (one) => bestCards(context.services, one, query, most))
      return found.slice(0, most)
    },
    'No memory card fits. Say so instead of guessing.',
  ),
  reading(
    {
      name: 'read_sole',
      description: "Reads the approved SOLE of the person's keeper: their one standing story, statement by statement.",
      schema: z.object({}),
      title: () => 'Read the SOLE',
    },
    ({ context, keepers }) => ofEach(keepers, (one) => soleItem(context.services, one)),
    'No SOLE was approved yet. Say so instead of guessing.',
  ),
  reading(
    {
      name: 'list_moments',
      description: "Lists the person's moments, newest first, between two days where they are given.",
      schema: z.object({
        from: z.optional(z.iso.date('Give a day as 2026-03-01.')),
        to: z.optional(z.iso.date('Give a day as 2026-03-31.')),
        limit,
      }),
      title: ({ from, to }) => `List moments${from ? ` from ${from}` : ''}${to ? ` to ${to}` : ''}`,
    },
    async ({ context, keepers }, { from, to, limit: most = usualLimit }) => {
      const found = await ofEach(keepers, (one) => momentItems(context.services, one, { from, to, limit: most }))
      return found.slice(0, most)
    },
    'There is no moment in these days.',
  ),
  writing(
    {
      name: 'write_reflection',
      description: 'Writes a reflection for the person, in their own voice. The person is asked first.',
      schema: z.object({
        content: textArgument('The reflection, as Markdown.', 20_000),
        topic: z.optional(word('What it is about, in a word or two, as the person calls it.')),
        keeper,
      }),
      title: ({ content }) => `Write a reflection: ${quoted(content)}`,
    },
    async ({ context, person, keeper: into }, { content, topic }) => {
      await createReflection(context.services, person, into.id, { content, topic, agentId: context.agent.id })
      return 'Reflection written.'
    },
  ),
  writing(
    {
      name: 'add_logbook_entry',
      description: "Adds an entry to the keeper's logbook. The person is asked first.",
      schema: z.object({
        content: textArgument('What happened, in a line or two.', 5000),
        label: z.optional(z.string().check(z.trim(), z.maxLength(120), z.describe('A few words as its heading.'))),
        category: z.optional(word('Such as Work or Family.')),
        tags: z.optional(z.array(word('A word to find it by.')).check(z.maxLength(20))),
        keeper,
      }),
      title: ({ content }) => `Add to the logbook: ${quoted(content)}`,
    },
    async ({ context, person, keeper: into }, { content, label, category, tags }) => {
      const { services } = context
      await createLogbookEntry(services, person, into.id, {
        entry: content,
        label: label || firstWords(content),
        category: category || 'General',
        tags,
        occurredOn: dayIn(into.zone, services.now().getTime()),
        agentId: context.agent.id,
      })
      return 'Added to the logbook.'
    },
  ),
  writing(
    {
      name: 'schedule_echo',
      description:
        'Lets a text come back to the person on a later day, or sooner when a topic is said again. The person is asked first.',
      schema: z.object({
        content: textArgument('What shall come back.', 5000),
        on: z.iso.date('Give a day as 2026-03-01.').check(z.describe('The day it comes back.')),
        topic: z.optional(word('It also comes back when this is said again.')),
        keeper,
      }),
      title: ({ content, on }) => `Let ${quoted(content)} come back on ${on}`,
    },
    async ({ context, person, keeper: into }, { content, on, topic }) => {
      await createEcho(context.services, person, into.id, {
        message: content,
        triggerDate: on,
        triggerTimezone: into.zone,
        triggerConditions: topic ? { topic } : null,
        agentId: context.agent.id,
      })
      return `It comes back on ${on}.`
    },
  ),
]

function firstWords(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 60 ? `${truncate(line, 59).trimEnd()}…` : line
}
