import type { MemoryItem, RunSource } from '#contract/agents/runs.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from './agent-row.ts'
import type { Tool } from './tools/tool.ts'

declare const forPrompt: unique symbol

/**
 * Something of a keeper that may be put before a model: approved, not in the bin, and not marked "not for AI". Only
 * server/keepers/prompt/ makes one, from queries that say so; nothing else fits where one is asked for.
 */
export interface PromptItem extends MemoryItem {
  readonly [forPrompt]: true
  keeperId: string
  /** Where it opens, inside Keeper. */
  href: string
}

/** What an agent is told of its runner's keepers before it answers. */
export interface KeeperContext {
  items: PromptItem[]
  /** What the trace says of it. */
  told: string
}

/** Who would be told something of a keeper: an agent, and those above it in its run, to whom its answer goes. */
export interface AgentOnItsPath {
  agent: AgentRow
  /** The run's own first. */
  askedBy: readonly AgentRow[]
}

export interface MemoryReading {
  person: Pick<Person, 'id'>
  runId: string
  agent: Pick<AgentRow, 'id' | 'name'>
  purpose: string
}

/**
 * What agents know of keepers. Keepers call agents (to draft, to explain), so agents are handed this instead of calling
 * back; `server/keepers/prompt/keeper-memory.ts` is it.
 */
export interface KeeperMemory {
  /**
   * For the scope `keeper`: approved SOLE, beliefs and the cards that fit the input best.
   * @param pending a memory that is about to be approved, as if it were
   */
  contextFor(
    services: Services,
    person: Person,
    asking: AgentOnItsPath,
    input: string,
    pending?: readonly PromptItem[],
  ): Promise<KeeperContext>
  /** The writes that note who had what before them. */
  noteReads(services: Services, reading: MemoryReading, items: readonly PromptItem[]): Write[]
  /** The time zone a person lives in, as far as their keepers tell. */
  zoneOf(services: Services, personId: string): Promise<string>
  /** Tools that read and write keepers, for whoever runs the agent. */
  tools: Tool[]
}

export function sourceOf({ entity, id, title, href }: PromptItem): Omit<RunSource, 'n'> {
  return { entity, id, title, href }
}
