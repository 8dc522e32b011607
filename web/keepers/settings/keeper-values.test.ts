import { describe, expect, it } from 'vitest'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { demoKeepers } from '../demo/demo-keepers.ts'
import { changesIn, conflictFields, isComplete, valuesOf } from './keeper-values.ts'

const keeper = demoKeepers.demo as Keeper
const before = valuesOf({ ...keeper, keeperTypeId: 'system-journal' })

describe('the values of a keeper’s form', () => {
  it('sends only changes, and sends no type as null', () => {
    expect(changesIn(before, before)).toEqual({})
    expect(changesIn(before, { ...before, title: 'New' })).toEqual({ title: 'New' })
    expect(changesIn(before, { ...before, keeperTypeId: '', isPublic: true })).toEqual({
      keeperTypeId: null,
      isPublic: true,
    })
  })

  it('is complete with a nonblank title and purpose', () => {
    expect([
      isComplete(before),
      isComplete({ title: ' ', purpose: 'x' }),
      isComplete({ title: 'x', purpose: '' }),
    ]).toEqual([true, false, false])
  })

  it('reports a conflict only for texts that both sides changed', () => {
    const current = { ...keeper, title: 'Theirs' }
    const mine = { title: 'Mine', purpose: 'My purpose' }
    expect(conflictFields(valuesOf(keeper), { yours: { ...keeper, ...mine }, current }, mine)).toEqual([
      { name: 'title', label: 'Title', yours: 'Mine', current: 'Theirs' },
    ])
    const same = { title: 'Theirs' }
    expect(conflictFields(valuesOf(keeper), { yours: { ...keeper, ...same }, current }, same)).toEqual([])
  })
})
