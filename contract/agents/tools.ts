import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { shownLine } from '../one-line-text.ts'

/** The names of the tools that come with Keeper (product.md §4); an operator's MCP servers add theirs. */
export const builtInTools = [
  'search_memory',
  'read_sole',
  'list_moments',
  'write_reflection',
  'add_logbook_entry',
  'schedule_echo',
  'run_agent',
  'http_fetch',
] as const
export type BuiltInTool = (typeof builtInTools)[number]

/**
 * Most turns of a model with its tools, agents below agents, and calls side by side (trust.md row 12, providers.md);
 * and most turns of all agents of one run together, which those would let grow to millions.
 */
export const toolLimits = { turns: 8, depth: 3, sideBySide: 8, callsPerTurn: 32, turnsOfAll: 100 } as const

export const toolStates = ['running', 'asks', 'done', 'failed', 'refused'] as const
/** One call of a tool within a run, as it is shown while it happens and kept afterwards. */
export const toolCall = z.object({
  id: z.string(),
  name: shownLine,
  /** What it is doing, in words: "Search memory for “buttermilk”". */
  title: shownLine,
  /** `asks`: waits for the person. `refused`: the person, or a rule, said no. */
  state: z.enum(toolStates),
  /** The slug of the agent that called it; another than the run's in a bundle. */
  agent_slug: z.string(),
  arguments: z.unknown(),
  /** What came of it, in one line; `null` until then. */
  result: z.nullable(z.string()),
})
export type ToolCall = z.infer<typeof toolCall>

export const toolDescription = z.object({
  name: shownLine,
  description: z.string(),
  /** JSON Schema of the arguments. */
  parameters: z.unknown(),
  /** It writes or sends, and asks first. */
  writes: z.boolean(),
  /** It sends what its model chose, and asks first where a run knows of a keeper and the person did not type that. */
  sends: z.boolean(),
  /** `keeper` for the ones that come with it, else the name of the MCP server. */
  source: z.string(),
})
export type ToolDescription = z.infer<typeof toolDescription>

export const tools = {
  list: endpoint('GET /api/kip/tools', {
    summary: 'Every tool an agent may name, with its arguments; servers that did not answer are named',
    access: 'person',
    returns: z.object({
      tools: z.array(toolDescription),
      unreachable: z.array(z.object({ server: z.string(), reason: z.string() })),
    }),
  }),
}
