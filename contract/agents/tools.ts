import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { cursorQuery, id } from '../keepers/keeper-words.ts'
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

/** Why a call waits for a person: it writes, or it can send out something of a keeper that its run was given. */
export const askReasons = ['writes', 'sends'] as const
export type AskReason = (typeof askReasons)[number]

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
  /** Why it asks; absent on calls that did not ask, and on those of earlier versions. */
  asks_because: z.optional(z.enum(askReasons)),
  /** The tool server that receives the arguments, and its own name for the tool; absent on Keeper's tools. */
  server: z.optional(
    z.object({
      name: shownLine,
      host: z.string(),
      tool: shownLine,
      /** The person added it for their own agents; what it returns is that person's. */
      personal: z.optional(z.literal(true)),
    }),
  ),
})
export type ToolCall = z.infer<typeof toolCall>

export const toolDescription = z.object({
  name: shownLine,
  description: z.string(),
  /** JSON Schema of the arguments. */
  parameters: z.unknown(),
  /** It writes or sends, and asks first. */
  writes: z.boolean(),
  /** It can send out what its model chose, and asks first in a run that was given something of a keeper. */
  sends: z.boolean(),
  /** `keeper` for the ones that come with it, else the name of the MCP server. */
  source: z.string(),
})
export type ToolDescription = z.infer<typeof toolDescription>

/** What of the tool servers cannot be used just now. */
const unreachableTool = z.object({
  server: z.string(),
  /** The tool that no model can be given; `null`: the whole server could not be read. */
  tool: z.nullable(shownLine),
  reason: z.string(),
})
export type UnreachableTool = z.infer<typeof unreachableTool>

/** A connected tool server, as an administrator sees it. Its address and headers can hold secrets and stay out. */
export const toolServer = z.object({
  id: z.string(),
  name: shownLine,
  host: z.string(),
  /** Why its tools could not be read just now; `null` when they could. The counts are those it gave last. */
  reason: z.nullable(z.string()),
  tools: z.number(),
  /** Tools that do not declare that they stay within the server, and can send. */
  sending: z.number(),
  /** Tools that do not declare to be read-only. They ask on a trusted server too. */
  writing: z.number(),
  /** Who trusts it: the settings of this installation, or an administrator. `null`: its tools that can send ask. */
  trust: z.nullable(
    z.object({
      source: z.enum(['settings', 'administrator']),
      /** The administrator; without a name when the account is deleted. */
      by: z.nullable(z.object({ id: z.string(), name: z.nullable(shownLine) })),
      at: z.nullable(z.string()),
    }),
  ),
})
export type ToolServer = z.infer<typeof toolServer>

const configures = { permission: 'system_configuration' } as const

export const tools = {
  list: endpoint('GET /api/kip/tools', {
    summary:
      'Every tool an agent may name, with its arguments, at most a minute old; servers that did not answer and tools that no model can be given are named',
    access: 'person',
    query: z.object({
      /** Ask the tool servers again although the minute is not over. */
      fresh: z.optional(z.literal('true')),
    }),
    returns: z.object({ tools: z.array(toolDescription), unreachable: z.array(unreachableTool) }),
  }),
  servers: endpoint('GET /api/admin/tool-servers', {
    summary: 'The connected tool servers: how many tools each has, how many of them can send, and who trusts it',
    access: configures,
    query: z.object(cursorQuery),
    returns: z.object({ items: z.array(toolServer), next_cursor: z.nullable(z.string()) }),
  }),
  trustServer: endpoint('PUT /api/admin/tool-servers/:id/trust', {
    summary:
      'Trust a tool server, or stop: the read-only tools of a trusted server run without asking. 409 where the settings decide',
    access: configures,
    params: z.object({ id }),
    body: z.object({ trusted: z.boolean('Say true or false.') }),
    returns: toolServer,
  }),
}
