import { keptDraft } from '../form/kept-draft.ts'

/** The last request in this tab and its run, restored after a reload. */
export interface KeptIntent {
  input: string
  runId: string
}

export const keptIntent = (personId: string) =>
  keptDraft<KeptIntent>(`asked/intent-${personId}`, (value): value is KeptIntent => {
    const { input, runId } = (value ?? {}) as Partial<KeptIntent>
    return typeof input === 'string' && typeof runId === 'string'
  })
