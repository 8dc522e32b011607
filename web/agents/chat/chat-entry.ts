import type { AudioOutput, RunSource, RunStatus } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'

/** Shown below text from before a restart or a provider failure. */
export const cutOffText = 'The answer was cut off here. Everything before this point is saved.'

/** `unsent`: never reached the server. */
export type EntryStatus = RunStatus | 'unsent'

export interface ChatEntry {
  key: string
  /** Message id on the server; null until known. */
  id: string | null
  sender: 'user' | 'agent'
  content: string
  /** The model's reasoning as received by this page; not stored. */
  reasoning: string
  status: EntryStatus
  runId: string | null
  mock: boolean
  createdAt: string
  /** Ids of the alternatives at this position, oldest first; empty until known. */
  branches: string[]
  tools: ToolCall[]
  sources: RunSource[]
  audio: AudioOutput | null
}
