import { createStoredDraft } from '../form/stored-draft.ts'

export interface SavedIntent {
  input: string
  runId: string
}

export const createIntentDraft = (personId: string) =>
  createStoredDraft<SavedIntent>(`asked/intent-${personId}`, (value): value is SavedIntent => {
    const { input, runId } = (value ?? {}) as Partial<SavedIntent>
    return typeof input === 'string' && typeof runId === 'string'
  })
