import { describe, expect, it } from 'vitest'
import { createEmptyWizard, getReachableStep, listMissingInputs, type WizardDraft } from './wizard-rules.ts'

const empty = createEmptyWizard('a'.repeat(32))
const whole: WizardDraft = {
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
    expect(listMissingInputs(1, { ...whole, keeperType: null })).toEqual([])
  })

  it('requires type and pattern in the second', () => {
    expect(listMissingInputs(2, empty)).toEqual(['a keeper type', 'a memory pattern'])
    expect(listMissingInputs(2, { ...whole, title: '' })).toEqual([])
  })

  it('requires all four to create', () => {
    for (const missing of [{ title: '' }, { purpose: ' ' }, { keeperType: null }, { memoryPattern: null }])
      expect(listMissingInputs(3, { ...whole, ...missing })).toHaveLength(1)
    expect(listMissingInputs(3, whole)).toEqual([])
  })

  it('reopens at the last step, but not past missing inputs', () => {
    expect(getReachableStep({ ...whole, step: 3 })).toBe(3)
    expect(getReachableStep({ ...whole, step: 3, memoryPattern: null })).toBe(2)
    expect(getReachableStep({ ...whole, step: 3, purpose: '' })).toBe(1)
    expect(getReachableStep({ ...whole, step: 1 })).toBe(1)
  })
})
