import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { cursorQuery, id } from '../keepers/keeper-fields.ts'
import { displayLine } from '../one-line-text.ts'

export const builtInTools = [
  'search_memory',
  'read_sole',
  'list_moments',
  'search_documents',
  'propose_memory',
  'write_reflection',
  'add_logbook_entry',
  'schedule_echo',
  'run_agent',
  'http_fetch',
] as const
export type BuiltInTool = (typeof builtInTools)[number]

export const toolLimits = { turns: 8, depth: 3, concurrentCalls: 8, callsPerTurn: 32, turnsOfAllAgents: 100 } as const

export const approvalReasons = ['writes', 'sends'] as const
export type ApprovalReason = (typeof approvalReasons)[number]

export const toolStates = ['running', 'asks', 'done', 'failed', 'refused'] as const
export const toolCall = z.object({
  id: z.string(),
  name: displayLine,
  title: displayLine,
  /** `asks`: waits for approval. `refused`: by the person or a rule. */
  state: z.enum(toolStates),
  agent_slug: z.string(),
  arguments: z.unknown(),
  result: z.nullable(z.string()),
  /** Absent if no approval was needed, and on calls from earlier versions. */
  asks_because: z.optional(z.enum(approvalReasons)),
  /** The receiving tool server and its name for the tool; absent for built-in tools. */
  server: z.optional(
    z.object({
      name: displayLine,
      host: z.string(),
      tool: displayLine,
      personal: z.optional(z.literal(true)),
    }),
  ),
})
export type ToolCall = z.infer<typeof toolCall>

export const toolDescription = z.object({
  name: displayLine,
  description: z.string(),
  parameters: z.unknown(),
  /** Changes something, so it always needs approval. */
  writes: z.boolean(),
  /** Can send content out, so it needs approval in a run with keeper content. */
  sends: z.boolean(),
  source: z.string(),
})
export type ToolDescription = z.infer<typeof toolDescription>

const unavailableTool = z.object({
  server: z.string(),
  tool: z.nullable(displayLine),
  reason: z.string(),
})
export type UnavailableTool = z.infer<typeof unavailableTool>

/** Without its address and headers, which can hold secrets. */
export const toolServer = z.object({
  id: z.string(),
  name: displayLine,
  host: z.string(),
  /** Why its tools can't be read; `null` if they can. Counts are from the last successful read. */
  reason: z.nullable(z.string()),
  tools: z.number(),
  /** Tools not declared as closed-world. */
  sending: z.number(),
  /** Tools not declared as read-only; they need approval even on a trusted server. */
  writing: z.number(),
  /** `null`: not trusted, so tools that can send need approval. */
  trust: z.nullable(
    z.object({
      source: z.enum(['settings', 'administrator']),
      /** Has no name if the account was deleted. */
      by: z.nullable(z.object({ id: z.string(), name: z.nullable(displayLine) })),
      at: z.nullable(z.string()),
    }),
  ),
})
export type ToolServer = z.infer<typeof toolServer>

const configurationAccess = { permission: 'system_configuration' } as const

export const tools = {
  list: defineEndpoint('GET /api/kip/tools', {
    summary:
      'List every tool an agent can use, with its arguments, cached for a minute; unavailable servers and unusable tools are listed too',
    access: 'person',
    query: z.object({
      /** Reads the servers again instead of using the cached lists. */
      fresh: z.optional(z.literal('true')),
    }),
    response: z.object({
      tools: z.array(toolDescription),
      /** Servers whose tools can't be read, and tools that can't be used. */
      unreachable: z.array(unavailableTool),
    }),
  }),
  servers: defineEndpoint('GET /api/admin/tool-servers', {
    summary:
      'List the connected tool servers with the number of their tools, how many of them can send data, and who trusts each server',
    access: configurationAccess,
    query: z.object(cursorQuery),
    response: z.object({ items: z.array(toolServer), next_cursor: z.nullable(z.string()) }),
  }),
  trustServer: defineEndpoint('PUT /api/admin/tool-servers/:id/trust', {
    summary:
      'Trust a tool server or stop trusting it; read-only tools of a trusted server run without asking. 409 when ending trust that comes from Keeper’s settings',
    access: configurationAccess,
    params: z.object({ id }),
    body: z.object({ trusted: z.boolean('Use true or false.') }),
    response: toolServer,
  }),
}
