import { describe, expect, it } from 'vitest'
import { createDemoKeeper, createDemoState } from '../demo/demo-state.ts'
import { getKeeperChanges, getKeeperConflicts, isComplete, toKeeperValues } from './keeper-values.ts'

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

  it('reports a conflict only for texts that both sides changed', () => {
    const current = { ...keeper, title: 'Theirs' }
    const local = { title: 'Mine', purpose: 'My purpose' }
    expect(getKeeperConflicts(toKeeperValues(keeper), { yours: { ...keeper, ...local }, current }, local)).toEqual([
      { name: 'title', label: 'Title', yours: 'Mine', current: 'Theirs' },
    ])
    const same = { title: 'Theirs' }
    expect(getKeeperConflicts(toKeeperValues(keeper), { yours: { ...keeper, ...same }, current }, same)).toEqual([])
  })
})
