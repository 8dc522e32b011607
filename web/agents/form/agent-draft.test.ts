import { expect, test } from 'vitest'
import { agentDraft, valuesOf } from './agent-draft.ts'
import { newAgentValues } from './agent-form-values.ts'

function storage(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as Storage
}

test('a draft is restored with empty number fields still empty', () => {
  const kept = storage()
  const values = { ...newAgentValues, name: 'Evening Round', max_tokens: Number.NaN }
  agentDraft(null, () => kept).write({ values, rev: null, slugTyped: false })
  const draft = agentDraft(null, () => kept).read()
  expect(draft && valuesOf(draft)).toEqual(values)
  agentDraft(null, () => kept).clear()
  expect(agentDraft(null, () => kept).read()).toBeUndefined()
})

test('an unreadable draft is ignored', () => {
  const kept = storage()
  kept.setItem('keeper-draft-new-agent', '{"values":{"name":"Old"}}')
  expect(agentDraft(null, () => kept).read()).toBeUndefined()
  kept.setItem('keeper-draft-new-agent', '{{{')
  expect(agentDraft(null, () => kept).read()).toBeUndefined()
})

test('blocked storage only loses the draft', () => {
  const refusing = () => {
    throw new Error('SecurityError')
  }
  const draft = agentDraft(null, refusing)
  draft.write({ values: newAgentValues, rev: null, slugTyped: false })
  expect(draft.read()).toBeUndefined()
})
