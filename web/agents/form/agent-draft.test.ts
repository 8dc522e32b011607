import { expect, test } from 'vitest'
import { createAgentDraft, getDraftValues } from './agent-draft.ts'
import { newAgentValues } from './agent-form-values.ts'

function createStorage(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as Storage
}

test('a draft is restored with empty number fields still empty', () => {
  const draftStorage = createStorage()
  const values = { ...newAgentValues, name: 'Evening Round', max_tokens: Number.NaN }
  createAgentDraft(null, () => draftStorage).write({ values, rev: null, slugTyped: false })
  const draft = createAgentDraft(null, () => draftStorage).read()
  expect(draft && getDraftValues(draft)).toEqual(values)
  createAgentDraft(null, () => draftStorage).clear()
  expect(createAgentDraft(null, () => draftStorage).read()).toBeUndefined()
})

test('an unreadable draft is ignored', () => {
  const draftStorage = createStorage()
  draftStorage.setItem('keeper-draft-new-agent', '{"values":{"name":"Old"}}')
  expect(createAgentDraft(null, () => draftStorage).read()).toBeUndefined()
  draftStorage.setItem('keeper-draft-new-agent', '{{{')
  expect(createAgentDraft(null, () => draftStorage).read()).toBeUndefined()
})

test('blocked storage only loses the draft', () => {
  const refusing = () => {
    throw new Error('SecurityError')
  }
  const draft = createAgentDraft(null, refusing)
  draft.write({ values: newAgentValues, rev: null, slugTyped: false })
  expect(draft.read()).toBeUndefined()
})
