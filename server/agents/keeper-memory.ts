import type { MemoryItem, RunSource } from '#contract/agents/runs.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from './agent-view.ts'
import type { Runner } from './runs/execute/runner.ts'
import type { Tool } from './tools/tool.ts'

declare const forPrompt: unique symbol

/** Approved content allowed for AI. Only server/keepers/prompt/ creates these; the symbol keeps other objects out. */
export interface PromptItem extends MemoryItem {
  readonly [forPrompt]: true
  keeperId: string
  href: string
}

/** Limits the memory that a run or a program receives; `null` means no limit. */
export interface MemoryLimits {
  keeperIds: readonly string[] | null
  topics: readonly string[] | null
  withoutMoods: boolean
  /** A local day; memory that was written or approved later is left out. */
  asOf: string | null
}

export function getMemoryLimits({ person, asOf = null }: Pick<Runner, 'person' | 'asOf'>): MemoryLimits {
  const { keeperIds = null, topics = null, withoutMoods = false } = person?.connection ?? {}
  return { keeperIds, topics, withoutMoods, asOf }
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
  person: Pick<Person, 'id' | 'connection'>
  /** Empty if a connected program reads. */
  runId: string
  agent: Pick<AgentRow, 'id' | 'name'>
  purpose: string
}

export interface CheckedAnswer {
  text: string
  sources: RunSource[]
}

interface QuotedDocuments {
  /** Keeps the citations of documents that follow a literal quote, and removes the marks of the others. */
  checkQuotes(services: Services, personId: string, answer: CheckedAnswer): Promise<CheckedAnswer>
  /** Finds the documents among `sources` that were deleted or that agents can no longer quote. */
  findWithdrawn(services: Services, personId: string, sources: readonly RunSource[]): Promise<RunSource[]>
}

export interface KeeperMemory {
  /** For the scope `keeper`. @param pendingMemory memory included as if it were already approved */
  getContext(
    services: Services,
    runner: Runner & { person: Person },
    callPath: AgentCallPath,
    input: string,
    pendingMemory?: readonly PromptItem[],
  ): Promise<KeeperContext>
  createMemoryReadInserts(services: Services, reading: MemoryReading, items: readonly PromptItem[]): Write[]
  getTimeZone(services: Services, personId: string): Promise<string>
  documents: QuotedDocuments
  tools: Tool[]
}

/** How a model cites a document; Keeper removes citations of other words from its answer. */
export const quoteInstruction =
  'From a document, quote word for word in double quotation marks, with its number right behind: “exact words” [1]. Its number counts only there.'

export function toRunSource({ entity, id, title, href }: PromptItem): Omit<RunSource, 'n'> {
  return { entity, id, title, href }
}
