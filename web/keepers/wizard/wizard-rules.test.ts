import { describe, expect, it } from 'vitest'
import { createEmptyWizard, getReachableStep, listMissingInputs, type WizardDraft } from './wizard-rules.ts'

const empty = createEmptyWizard('a'.repeat(32))
const completeDraft: WizardDraft = {
  ...empty,
  title: 'Walks',
  purpose: 'Where I went',
  keeperType: 'journal',
  memoryPattern: 'chronological',
}

describe('the steps of the wizard', () => {
  it('requires a nonblank title and purpose in the first', () => {
    expect(listMissingInputs(1, empty)).toEqual(['a title', 'a purpose'])
    expect(listMissingInputs(1, { ...empty, title: '  ', purpose: 'x' })).toEqual(['a title'])
    expect(listMissingInputs(1, { ...completeDraft, keeperType: null })).toEqual([])
  })

  it('requires type and pattern in the second', () => {
    expect(listMissingInputs(2, empty)).toEqual(['a keeper type', 'a memory pattern'])
    expect(listMissingInputs(2, { ...completeDraft, title: '' })).toEqual([])
  })

  it('requires all four to create', () => {
    for (const missing of [{ title: '' }, { purpose: ' ' }, { keeperType: null }, { memoryPattern: null }])
      expect(listMissingInputs(3, { ...completeDraft, ...missing })).toHaveLength(1)
    expect(listMissingInputs(3, completeDraft)).toEqual([])
  })

  it('reopens at the last step, but not past missing inputs', () => {
    expect(getReachableStep({ ...completeDraft, step: 3 })).toBe(3)
    expect(getReachableStep({ ...completeDraft, step: 3, memoryPattern: null })).toBe(2)
    expect(getReachableStep({ ...completeDraft, step: 3, purpose: '' })).toBe(1)
    expect(getReachableStep({ ...completeDraft, step: 1 })).toBe(1)
  })
})
