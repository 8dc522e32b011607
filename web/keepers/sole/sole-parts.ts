import { type ComponentType, createContext, useContext } from 'react'

export interface SoleParts {
  useRun: () => SoleRun
  PeoplePicker: ComponentType<{ excludedIds: string[]; busy: boolean; onPick: (person: { id: string }) => void }>
  useAgents: () => { id: string; name: string }[]
}

export interface SoleRun {
  /** `undefined` before the run starts. */
  status: 'running' | 'success' | 'failed' | undefined
  runId: string | undefined
  /** The result of the last tool call. */
  toolResult: string | null | undefined
  start(request: (signal: AbortSignal, onEvent: (event: string, data: unknown) => void) => Promise<void>): Promise<void>
  forget(): void
  /** The streamed answer with run details and a link to its trace. */
  content: React.ReactNode
}

const SolePartsContext = createContext<SoleParts | null>(null)
export const SolePartsProvider = SolePartsContext.Provider

export function useSoleParts(): SoleParts {
  const parts = useContext(SolePartsContext)
  if (!parts) throw new Error('useSoleParts outside of a SolePartsProvider')
  return parts
}
