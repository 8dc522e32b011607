import { describe, expect, it } from 'vitest'
import { createDemoKeeper, createDemoState } from '../demo/demo-state.ts'
import { getKeeperChanges, isComplete, toKeeperValues } from './keeper-fields.tsx'

const keeper = createDemoKeeper(createDemoState('demo'))
const original = toKeeperValues({ ...keeper, keeperTypeId: 'system-journal' })

describe('the values of a keeper’s form', () => {
  it('sends only changes, and sends no type as null', () => {
    expect(getKeeperChanges(original, original)).toEqual({})
    expect(getKeeperChanges(original, { ...original, title: 'New' })).toEqual({ title: 'New' })
    expect(getKeeperChanges(original, { ...original, keeperTypeId: '', isPublic: true })).toEqual({
      keeperTypeId: null,
      isPublic: true,
    })
  })

  it('is complete with a nonblank title and purpose', () => {
    expect({
      isCompleteOriginal: isComplete(original),
      firstIsComplete: isComplete({ title: ' ', purpose: 'x' }),
      secondIsComplete: isComplete({ title: 'x', purpose: '' }),
    }).toEqual({ isCompleteOriginal: true, firstIsComplete: false, secondIsComplete: false })
  })
})
