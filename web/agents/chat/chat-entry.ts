import type { AudioOutput, RunSource, RunStatus } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'

/** Below the words that came before a restart, or before the provider broke off. */
export const cutOff = 'The answer was cut off here. What came before it is kept.'

/** `unsent`: it never reached the server, which knows nothing of it. */
export type EntryStatus = RunStatus | 'unsent'

export interface ChatEntry {
  key: string
  /** At the server; `null` until it told. */
  id: string | null
  sender: 'user' | 'agent'
  content: string
  /** What the model thought for it, as far as this page heard it; kept nowhere else. */
  reasoning: string
  status: EntryStatus
  runId: string | null
  mock: boolean
  createdAt: string
  /** The ids of the messages that stand at this place, oldest first; empty until the server told. */
  branches: string[]
  /** What the agent did, in order. */
  tools: ToolCall[]
  sources: RunSource[]
  /** The recording of an answer that is spoken. */
  audio: AudioOutput | null
}
