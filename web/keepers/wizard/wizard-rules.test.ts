import { describe, expect, it } from 'vitest'
import { emptyWizard, missingOn, reachableStep, type WizardDraft } from './wizard-rules.ts'

const empty = emptyWizard('a'.repeat(32))
const whole: WizardDraft = {
  ...empty,
  title: 'Walks',
  purpose: 'Where I went',
  keeperType: 'journal',
  memoryPattern: 'chronological',
}

describe('the steps of the wizard', () => {
  it('requires a nonblank title and purpose in the first', () => {
    expect(missingOn(1, empty)).toEqual(['a title', 'a purpose'])
    expect(missingOn(1, { ...empty, title: '  ', purpose: 'x' })).toEqual(['a title'])
    expect(missingOn(1, { ...whole, keeperType: null })).toEqual([])
  })

  it('requires type and pattern in the second', () => {
    expect(missingOn(2, empty)).toEqual(['a keeper type', 'a memory pattern'])
    expect(missingOn(2, { ...whole, title: '' })).toEqual([])
  })

  it('requires all four to create', () => {
    for (const missing of [{ title: '' }, { purpose: ' ' }, { keeperType: null }, { memoryPattern: null }])
      expect(missingOn(3, { ...whole, ...missing })).toHaveLength(1)
    expect(missingOn(3, whole)).toEqual([])
  })

  it('reopens at the last step, but not past missing inputs', () => {
    expect(reachableStep({ ...whole, step: 3 })).toBe(3)
    expect(reachableStep({ ...whole, step: 3, memoryPattern: null })).toBe(2)
    expect(reachableStep({ ...whole, step: 3, purpose: '' })).toBe(1)
    expect(reachableStep({ ...whole, step: 1 })).toBe(1)
  })
})
