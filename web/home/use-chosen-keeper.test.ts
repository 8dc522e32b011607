import { describe, expect, it } from 'vitest'
import { pickKeeper } from './use-chosen-keeper.ts'

const toKeeper = (id: string, createdAt: string, lastEntryAt: string | null = null) => ({ id, createdAt, lastEntryAt })
const harbour = toKeeper('harbour', '2026-01-01', '2026-11-20')
const garden = toKeeper('garden', '2026-06-01', '2026-11-02')

describe('the keeper to write in', () => {
  it('is the last used keeper', () => {
    expect(pickKeeper([harbour, garden], 'garden')).toBe(garden)
  })

  it('is the keeper last written in when the last used keeper is deleted', () => {
    expect(pickKeeper([garden, harbour], 'deleted')).toBe(harbour)
    expect(pickKeeper([garden, harbour], null)).toBe(harbour)
  })

  it('is the newest while nothing is written', () => {
    expect(pickKeeper([toKeeper('a', '2026-01-01'), toKeeper('b', '2026-02-01')], null)?.id).toBe('b')
  })

  it('is missing without keepers', () => {
    expect(pickKeeper([], 'garden')).toBeUndefined()
  })
})
