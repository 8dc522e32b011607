import { createStoredDraft } from '../form/stored-draft.ts'

/** The last request in this tab and its run, restored after a reload. */
export interface SavedIntent {
  input: string
  runId: string
}

export const createIntentDraft = (personId: string) =>
  createStoredDraft<SavedIntent>(`asked/intent-${personId}`, (value): value is SavedIntent => {
    const { input, runId } = (value ?? {}) as Partial<SavedIntent>
    return typeof input === 'string' && typeof runId === 'string'
  })
