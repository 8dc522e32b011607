import * as z from 'zod/mini'
import { maxProposalLength } from '#contract/connections/proposals.ts'
import { getLocalDay } from '#contract/keepers/local-time.ts'
import { ellipsize, truncate } from '#contract/truncate.ts'
import type { Person } from '#server/accounts/person.ts'
import type { PromptItem } from '#server/agents/keeper-memory.ts'
import { quoteInstruction, toRunSource } from '#server/agents/keeper-memory.ts'
import { defineArguments, defineTextArgument } from '#server/agents/tools/arguments.ts'
import { truncationMark } from '#server/agents/tools/result-for-model.ts'
import type { Tool, ToolContext, ToolResult } from '#server/agents/tools/tool.ts'
import { quoteLines, toOneLine } from '#server/models/data-in-prompts.ts'
import { createEcho } from '../echoes/save-echo.ts'
import { createLogbookEntry } from '../logbook/save-logbook-entry.ts'
import { describeProposal, submitProposal } from '../proposals/submit-proposal.ts'
import { createReflection } from '../reflections/save-reflection.ts'
import { findBestCards } from './best-cards.ts'
import { findBestExcerpts } from './best-excerpts.ts'
import { loadMomentItems, loadSoleItems } from './prompt-items.ts'
import { createMemoryReadInserts, findByTitle, findReadableKeepers, type ReadableKeeper } from './readable-keepers.ts'

/** All items together; leaves room in the limit of a tool result for its other text. */
const maxCharacters = 48_000

/** Skips items that exceed the remaining space. The first is always included, cut if necessary. */
function limitItems(items: readonly PromptItem[], format: (item: PromptItem) => string): PromptItem[] {
  let remainingCharacters = maxCharacters
  return items.flatMap((item, index) => {
    const fittedItem = index === 0 ? cutToFit(item, format) : item
    const length = format(fittedItem).length
    if (length > remainingCharacters) return []
    remainingCharacters -= length
    return fittedItem
  })
}

function cutToFit(item: PromptItem, format: (item: PromptItem) => string): PromptItem {
  let fittedItem = item
  let cutLength = maxCharacters
  // Formatting marks each line, so the final length is only known afterwards.
  while (format(fittedItem).length > maxCharacters) {
    fittedItem = { ...item, text: `${truncate(item.text, cutLength)}\n${truncationMark}` }
    cutLength = Math.floor(cutLength * 0.9)
  }
  return fittedItem
}

interface KeeperToolDescription<Schema extends z.ZodMiniType> {
  name: string
  description: string
  schema: Schema
  title(args: z.output<Schema>): string
}
type KeeperAccess = { context: ToolContext; person: Person; keepers: ReadableKeeper[] }

const defaultLimit = 10
const defaultExcerpts = 5
const maxExcerpts = 10
const limitArgument = z.optional(
  z
    .int('Give a whole number.')
    .check(z.minimum(1), z.maximum(50), z.describe('The maximum number of results; 10 by default.')),
)
const keeperArgument = z.optional(
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(200),
      z.describe('The title of the keeper to write to, if the person has several; the first one by default.'),
    ),
)

const createShortTextArgument = (description: string) =>
  z.string().check(z.trim(), z.maxLength(80, 'Use at most 80 characters.'), z.describe(description))

const quoteText = (text: string) => `“${ellipsize(text, 80)}”`

function createReadingTool<Schema extends z.ZodMiniType>(
  description: KeeperToolDescription<Schema>,
  find: (access: KeeperAccess, args: z.output<Schema>) => Promise<PromptItem[]>,
  emptyText: string,
): Tool {
  return createTool({ ...description, writes: false }, async (access, args) => {
    const { context, person, keepers } = access
    const titles = new Map(keepers.map((keeper) => [keeper.id, keeper.title]))
    const formatKeeper = (item: PromptItem) =>
      titles.size > 1 ? `, of the keeper ${quoteText(titles.get(item.keeperId) ?? '')}` : ''
    const results = await find(access, args)
    if (results.length === 0) return { text: emptyText, summary: 'Nothing found' }
    const format = (item: PromptItem) => `${toOneLine(item.title + formatKeeper(item))}\n${quoteLines(item.text)}`
    const items = limitItems(results, format)
    const omitted = results.length - items.length
    const { services, runId, agent } = context
    const writes = createMemoryReadInserts(
      services,
      { person, runId, agent, purpose: `Tool ${description.name}` },
      items,
    )
    await services.db.batch(writes)
    const omittedNote =
      omitted > 0
        ? `(${omitted} more found and left out, because they don’t fit here. Narrow your request to read them.)`
        : ''
    return {
      text: [...items.map(format), omittedNote].filter(Boolean).join('\n\n'),
      summary: `${items.length} ${items.length === 1 ? 'item' : 'items'}${omitted > 0 ? `, ${omitted} left out for their length` : ''}`,
      memory: items,
      sources: items.map(toRunSource),
    }
  })
}

function createWritingTool<Schema extends z.ZodMiniType>(
  description: KeeperToolDescription<Schema>,
  write: (access: KeeperAccess & { keeper: ReadableKeeper }, args: z.output<Schema>) => Promise<string>,
): Tool {
  const title = (args: z.output<Schema>) => {
    const { keeper: keeperTitle } = args as { keeper?: string }
    return `${description.title(args)}${keeperTitle ? `, in ${quoteText(keeperTitle)}` : ''}`
  }
  const writingTool = createTool({ ...description, title, writes: true }, async (access, args) => {
    const targetKeeper = requireTargetKeeper(access.keepers, (args as { keeper?: string }).keeper)
    const summary = await write({ ...access, keeper: targetKeeper }, args)
    return { text: `${summary} Keeper: ${targetKeeper.title}.`, summary }
  })
  return { ...writingTool, completeArguments: resolveKeeper }
}

async function resolveKeeper(
  toolRun: Parameters<NonNullable<Tool['completeArguments']>>[0],
  args: unknown,
): Promise<unknown> {
  const { person } = toolRun.runner
  if (!person || (args as { keeper?: string }).keeper !== undefined) return args
  const { keepers } = await findReadableKeepers(toolRun.services, { ...toolRun.runner, person }, toolRun, {
    ifUntyped: 'all',
  })
  const [firstKeeper] = keepers
  return firstKeeper && keepers.length > 1 ? { ...(args as object), keeper: firstKeeper.title } : args
}

/** The first one without a title. @throws Error for the model */
function requireTargetKeeper(keepers: ReadableKeeper[], requestedTitle: string | undefined): ReadableKeeper {
  const keeper = findByTitle(keepers, requestedTitle)
  if (keeper) return keeper
  const titles = keepers.map(({ title }) => quoteText(title)).join(', ')
  throw new Error(
    titles
      ? `Nothing was written: there is no keeper with this title. The titles are ${titles}.`
      : 'Nothing was written: this person has no keeper that you can read.',
  )
}

function createTool<Schema extends z.ZodMiniType>(
  { schema, title, writes, ...description }: KeeperToolDescription<Schema> & { writes: boolean },
  run: (access: KeeperAccess, args: z.output<Schema>) => Promise<ToolResult>,
): Tool {
  return {
    ...description,
    ...defineArguments(schema),
    writes,
    sends: false,
    source: 'keeper',
    title: (args) => title(args as z.output<Schema>),
    async run(context, args) {
      const { person } = context.runner
      if (!person) throw new Error('Visitors have no keepers.')
      const { keepers, reason } = await findReadableKeepers(context.services, { ...context.runner, person }, context, {
        ifUntyped: 'all',
      })
      if (reason !== null && writes) throw new Error(`Nothing was written: ${reason}.`)
      if (reason !== null)
        return {
          text: `There is nothing to read: ${reason}. Tell the user.`,
          summary: reason.includes('no keeper yet') ? 'No keeper yet' : 'Nothing to read',
        }
      return run({ context, person, keepers }, args as z.output<Schema>)
    },
  }
}

/** Takes one item of each keeper in turn. */
async function findInEachKeeper(
  keepers: ReadableKeeper[],
  find: (keeper: ReadableKeeper) => Promise<PromptItem[]>,
  limit?: number,
): Promise<PromptItem[]> {
  const results = await Promise.all(keepers.map(find))
  const maxLength = Math.max(0, ...results.map((items) => items.length))
  return Array.from({ length: maxLength }, (_, index) => results.flatMap((items) => items[index] ?? []))
    .flat()
    .slice(0, limit)
}

export const keeperTools: Tool[] = [
  createReadingTool(
    {
      name: 'search_memory',
      description:
        "Searches the person's memory cards by words and by meaning. Use it before saying anything about them.",
      schema: z.object({ query: defineTextArgument('What to look for, in a few words.', 500), limit: limitArgument }),
      title: ({ query }) => `Search memory for ${quoteText(query)}`,
    },
    ({ context, keepers }, { query, limit = defaultLimit }) =>
      findInEachKeeper(keepers, (keeper) => findBestCards(context.services, keeper, query, limit), limit),
    'No memory card matches. Say so instead of guessing.',
  ),
  createReadingTool(
    {
      name: 'read_sole',
      description: "Reads the approved SOLE of the person's keeper: their one standing story, statement by statement.",
      schema: z.object({}),
      title: () => 'Read the SOLE',
    },
    ({ context, keepers }) => findInEachKeeper(keepers, (keeper) => loadSoleItems(context.services, keeper)),
    'No SOLE was approved yet. Say so instead of guessing.',
  ),
  createReadingTool(
    {
      name: 'list_moments',
      description: "Lists the person's moments, newest first, optionally between two days.",
      schema: z.object({
        from: z.optional(z.iso.date('Give a day as 2026-03-01.')),
        to: z.optional(z.iso.date('Give a day as 2026-03-31.')),
        limit: limitArgument,
      }),
      title: ({ from, to }) => `List moments${from ? ` from ${from}` : ''}${to ? ` to ${to}` : ''}`,
    },
    ({ context, keepers }, { from, to, limit = defaultLimit }) =>
      findInEachKeeper(keepers, (keeper) => loadMomentItems(context.services, keeper, { from, to, limit }), limit),
    'There are no moments on these days.',
  ),
  createReadingTool(
    {
      name: 'search_documents',
      description: `Searches the documents that the person lets agents quote, and returns excerpts. ${quoteInstruction}`,
      schema: z.object({
        query: defineTextArgument('What to look for, in a few words.', 500),
        limit: z.optional(
          z
            .int('Give a whole number.')
            .check(z.minimum(1), z.maximum(maxExcerpts), z.describe('The maximum number of excerpts; 5 by default.')),
        ),
      }),
      title: ({ query }) => `Search documents for ${quoteText(query)}`,
    },
    ({ context, keepers }, { query, limit = defaultExcerpts }) => {
      const find = (keeper: ReadableKeeper) =>
        findBestExcerpts(context.services, keeper, query, { limit, fallback: 'nothing' })
      return findInEachKeeper(keepers, find, limit)
    },
    'No document that agents can quote has these words. Say so instead of guessing.',
  ),
  createTool(
    {
      name: 'propose_memory',
      description:
        'Proposes one lasting fact about the person, in one or two sentences. It waits for them and isn’t memory before they approve it.',
      schema: z.object({
        content: defineTextArgument('The fact.', maxProposalLength),
        topic: z.optional(createShortTextArgument('A word or two, as the person calls it.')),
        quote: z.optional(
          z
            .string()
            .check(z.trim(), z.maxLength(2_000), z.describe('The person’s own words that say it, word for word.')),
        ),
        keeper: keeperArgument,
      }),
      title: ({ content }) => `Propose a memory: ${quoteText(content)}`,
      writes: false,
    },
    async (access, args) => {
      const keeper = requireTargetKeeper(access.keepers, args.keeper)
      const { services, agent } = access.context
      const result = await submitProposal(
        services,
        { agentId: agent.id, name: agent.name },
        { ...args, keeper, kind: 'memory' },
      )
      const text = describeProposal(result)
      return { text, summary: result.state === 'waiting' ? 'Waits for you' : text }
    },
  ),
  createWritingTool(
    {
      name: 'write_reflection',
      description: 'Writes a reflection for the person, in their own voice. The person is asked first.',
      schema: z.object({
        content: defineTextArgument('The reflection, as Markdown.', 20_000),
        topic: z.optional(createShortTextArgument('What it is about, in a word or two, as the person calls it.')),
        keeper: keeperArgument,
      }),
      title: ({ content }) => `Write a reflection: ${quoteText(content)}`,
    },
    async ({ context, person, keeper: targetKeeper }, { content, topic }) => {
      await createReflection(context.services, person, targetKeeper.id, { content, topic, agentId: context.agent.id })
      return 'Reflection written.'
    },
  ),
  createWritingTool(
    {
      name: 'add_logbook_entry',
      description: "Adds an entry to the keeper's logbook. The person is asked first.",
      schema: z.object({
        content: defineTextArgument('What happened, in a line or two.', 5000),
        label: z.optional(z.string().check(z.trim(), z.maxLength(120), z.describe('A few words as its heading.'))),
        category: z.optional(createShortTextArgument('Such as Work or Family.')),
        tags: z.optional(z.array(createShortTextArgument('A word to find it by.')).check(z.maxLength(20))),
        keeper: keeperArgument,
      }),
      title: ({ content }) => `Add to the logbook: ${quoteText(content)}`,
    },
    async ({ context, person, keeper: targetKeeper }, { content, label, category, tags }) => {
      const { services } = context
      await createLogbookEntry(services, person, targetKeeper.id, {
        entry: content,
        label: label || createLabel(content),
        category: category || 'General',
        tags,
        occurredOn: getLocalDay(targetKeeper.zone, services.now().getTime()),
        agentId: context.agent.id,
      })
      return 'Added to the logbook.'
    },
  ),
  createWritingTool(
    {
      name: 'schedule_echo',
      description:
        'Returns a text to the person on a later day, or sooner when a topic comes up again. The person is asked first.',
      schema: z.object({
        content: defineTextArgument('The text to return.', 5000),
        on: z.iso.date('Give a day as 2026-03-01.').check(z.describe('The day to return it.')),
        topic: z.optional(createShortTextArgument('A topic that returns it sooner when it comes up again.')),
        keeper: keeperArgument,
      }),
      title: ({ content, on }) => `Let ${quoteText(content)} come back on ${on}`,
    },
    async ({ context, person, keeper: targetKeeper }, { content, on, topic }) => {
      await createEcho(context.services, person, targetKeeper.id, {
        message: content,
        triggerDate: on,
        triggerTimezone: targetKeeper.zone,
        triggerConditions: topic ? { topic } : null,
        agentId: context.agent.id,
      })
      return `It comes back on ${on}.`
    },
  ),
]

const createLabel = (text: string) => ellipsize(text.replace(/\s+/g, ' ').trim(), 60)
