import { keptDraft } from '../form/kept-draft.ts'

/** What this person asked last in this tab, and its run, so that a reload finds the answer again. */
export interface KeptIntent {
  input: string
  runId: string
}

export const keptIntent = (personId: string) =>
  keptDraft<KeptIntent>(`asked/intent-${personId}`, (value): value is KeptIntent => {
    const { input, runId } = (value ?? {}) as Partial<KeptIntent>
    return typeof input === 'string' && typeof runId === 'string'
  })
