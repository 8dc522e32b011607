import { type ComponentType, createContext, useContext } from 'react'

/** What the pages lend the SOLE from other areas: how runs are followed and shown, and how people are found. */
export interface SoleParts {
  useRun: () => SoleRun
  PeoplePicker: ComponentType<{ without: string[]; busy: boolean; onPick: (person: { id: string }) => void }>
  /** One's own agents and those shared with one, to choose from. */
  useAgents: () => { id: string; name: string }[]
}

export interface SoleRun {
  /** `running`, or how it ended; `undefined` before it begins. */
  status: 'running' | 'success' | 'failed' | undefined
  runId: string | undefined
  /** What the last call of a tool came to. */
  toolResult: string | null | undefined
  begin(ask: (signal: AbortSignal, hear: (event: string, data: unknown) => void) => Promise<void>): Promise<void>
  forget(): void
  /** The answer as it comes, with what is known of the run and a link to its trace. */
  shown: React.ReactNode
}

const Parts = createContext<SoleParts | null>(null)
export const SolePartsProvider = Parts.Provider

export function useSoleParts(): SoleParts {
  const parts = useContext(Parts)
  if (!parts) throw new Error('The SOLE is shown outside of a page that lends it its parts')
  return parts
}
