import type { MemoryItem, RunSource } from '#contract/agents/runs.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from './agent-row.ts'
import type { Tool } from './tools/tool.ts'

declare const forPrompt: unique symbol

/** Approved content allowed for AI. Only server/keepers/prompt/ creates these; the symbol keeps other objects out. */
export interface PromptItem extends MemoryItem {
  readonly [forPrompt]: true
  keeperId: string
  href: string
}

export interface KeeperContext {
  items: PromptItem[]
  traceNote: string
}

export interface AgentCallPath {
  agent: AgentRow
  callers: readonly AgentRow[]
}

export interface MemoryReading {
  person: Pick<Person, 'id'>
  runId: string
  agent: Pick<AgentRow, 'id' | 'name'>
  purpose: string
}

export interface KeeperMemory {
  /** For the scope `keeper`. @param pending memory included as if it were already approved */
  getContext(
    services: Services,
    person: Person,
    callPath: AgentCallPath,
    input: string,
    pending?: readonly PromptItem[],
  ): Promise<KeeperContext>
  buildReadWrites(services: Services, reading: MemoryReading, items: readonly PromptItem[]): Write[]
  getTimeZone(services: Services, personId: string): Promise<string>
  tools: Tool[]
}

export function toRunSource({ entity, id, title, href }: PromptItem): Omit<RunSource, 'n'> {
  return { entity, id, title, href }
}
