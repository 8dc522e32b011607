import * as z from 'zod/mini'
import { argumentsAs, textArgument } from './arguments.ts'
import type { Tool, ToolResult } from './tool.ts'

interface KeeperTool {
  name: string
  description: string
  writes: boolean
  schema: z.ZodMiniType
  title(args: Record<string, unknown>): string
}

function quoted(value: unknown): string {
  const text = String(value ?? '')
  return `“${text.length > 80 ? `${text.slice(0, 79).trimEnd()}…` : text}”`
}
const limit = z.optional(
  z.int('Give a whole number.').check(z.minimum(1), z.maximum(50), z.describe('At most so many; 10 when left out.')),
)

const described: KeeperTool[] = [
  {
    name: 'search_memory',
    description:
      "Searches the person's memory cards by words and by meaning. Use it before saying anything about them.",
    writes: false,
    schema: z.object({ query: textArgument('What to look for, in a few words.', 500), limit }),
    title: ({ query }) => `Search memory for ${quoted(query)}`,
  },
  {
    name: 'read_sole',
    description: "Reads the approved SOLE of the person's keeper: their one standing story, statement by statement.",
    writes: false,
    schema: z.object({}),
    title: () => 'Read the SOLE',
  },
  {
    name: 'list_moments',
    description: "Lists the person's moments, newest first, between two days where they are given.",
    writes: false,
    schema: z.object({
      from: z.optional(z.iso.date('Give a day as 2026-03-01.')),
      to: z.optional(z.iso.date('Give a day as 2026-03-31.')),
      limit,
    }),
    title: ({ from, to }) => `List moments${from ? ` from ${from}` : ''}${to ? ` to ${to}` : ''}`,
  },
  {
    name: 'write_reflection',
    description: 'Writes a reflection for the person, in their own voice. The person is asked first.',
    writes: true,
    schema: z.object({ content: textArgument('The reflection, as Markdown.', 20_000) }),
    title: ({ content }) => `Write a reflection: ${quoted(content)}`,
  },
  {
    name: 'add_logbook_entry',
    description: "Adds an entry to the keeper's logbook. The person is asked first.",
    writes: true,
    schema: z.object({ content: textArgument('What happened, in a line or two.', 5000) }),
    title: ({ content }) => `Add to the logbook: ${quoted(content)}`,
  },
  {
    name: 'schedule_echo',
    description: 'Lets a text come back to the person on a later day. The person is asked first.',
    writes: true,
    schema: z.object({
      content: textArgument('What shall come back.', 5000),
      on: z.iso.date('Give a day as 2026-03-01.').check(z.describe('The day it comes back.')),
    }),
    title: ({ content, on }) => `Let ${quoted(content)} come back on ${on}`,
  },
]

/** Nothing of a keeper can be read by somebody who has none. */
async function nothingToRead(): Promise<ToolResult> {
  return { text: 'This person has no keeper yet, so there is nothing to read. Say so.', summary: 'No keeper yet' }
}

async function nowhereToWrite(): Promise<ToolResult> {
  throw new Error('Nothing was written: this person has no keeper yet.')
}

export const keeperTools: Tool[] = described.map(({ schema, title, ...tool }) => ({
  ...tool,
  ...argumentsAs(schema),
  source: 'keeper',
  title: (args) => title(args as Record<string, unknown>),
  run: tool.writes ? nowhereToWrite : nothingToRead,
}))
