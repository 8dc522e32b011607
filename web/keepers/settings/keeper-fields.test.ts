import { describe, expect, it } from 'vitest'
import { createDemoKeeper, createDemoState } from '../demo/demo-state.ts'
import { getKeeperChanges, isComplete, toKeeperValues } from './keeper-fields.tsx'

const keeper = createDemoKeeper(createDemoState('demo'))
const original = toKeeperValues({ ...keeper, keeperTypeId: 'system-journal' })

describe('the form of a keeper', () => {
  it('sends only changes, and null for no type', () => {
    expect(getKeeperChanges(original, original)).toEqual({})
    expect(getKeeperChanges(original, { ...original, title: 'New' })).toEqual({ title: 'New' })
    expect(getKeeperChanges(original, { ...original, keeperTypeId: '', isPublic: true })).toEqual({
      keeperTypeId: null,
      isPublic: true,
    })
  })

  it('is complete with a nonblank title and purpose', () => {
    expect(isComplete(original)).toBe(true)
    expect(isComplete({ title: ' ', purpose: 'x' })).toBe(false)
    expect(isComplete({ title: 'x', purpose: '' })).toBe(false)
  })
})
