import { describe, expect, it } from 'vitest'
import {
  filterKeepers,
  formatKeeperContents,
  formatKeeperCount,
  formatTimeSince,
  isWrittenToday,
  listTypeNames,
} from './keeper-list-rules.ts'

const createType = (name: string) => ({ id: name, name, memoryPattern: 'SOLE' })
const harbour = {
  title: 'The Harbour Year',
  purpose: 'A house by the water',
  keeperType: 'journal',
  KeeperType: createType('Journal'),
}
const thesis = {
  title: 'Tidal Clocks',
  purpose: 'Sources and doubts',
  keeperType: 'project',
  KeeperType: createType('Project'),
}
const almanac = { title: 'Almanac', purpose: 'Weather by the water', keeperType: 'almanac', KeeperType: null }
const allKeepers = [harbour, thesis, almanac]
const filterTitles = (query: string, typeName = '') =>
  filterKeepers(allKeepers, query, typeName).map(({ title }) => title)

describe('finding a keeper on the shelf', () => {
  it('matches title or purpose in any case, and nothing else', () => {
    expect(filterTitles('HARBOUR')).toEqual(['The Harbour Year'])
    expect(filterTitles(' by the water ')).toEqual(['The Harbour Year', 'Almanac'])
    expect(filterTitles('journal')).toEqual([])
    expect(filterTitles('')).toHaveLength(3)
  })

  it('filters by exact type name, or by the stored word without a type', () => {
    expect(filterTitles('', 'Journal')).toEqual(['The Harbour Year'])
    expect(filterTitles('', 'Jour')).toEqual([])
    expect(filterTitles('', 'Almanac')).toEqual(['Almanac'])
    expect(filterTitles('water', 'Project')).toEqual([])
    expect(listTypeNames([...allKeepers, harbour])).toEqual(['Almanac', 'Journal', 'Project'])
  })
})

describe('a keeper card', () => {
  it('spells out numbers up to twelve and uses the singular', () => {
    expect({ '1': formatKeeperCount(1), '6': formatKeeperCount(6), '1300': formatKeeperCount(1300) }).toEqual({
      '1': 'One keeper on the shelf.',
      '6': 'Six keepers on the shelf.',
      '1300': '1,300 keepers on the shelf.',
    })
    expect(formatKeeperContents({ _count: { Journey: 1, Path: 0 }, entryCount: 2140 })).toBe('1 journey, 2,140 entries')
    const withoutEntryCount = { _count: { Journey: 2, Path: 0 } } as Parameters<typeof formatKeeperContents>[0]
    expect(formatKeeperContents(withoutEntryCount)).toBe('2 journeys')
  })

  it('has a ribbon only on the reader’s current day', () => {
    const now = new Date(2026, 10, 21, 0, 30)
    expect(isWrittenToday(new Date(2026, 10, 21, 0, 5).toISOString(), now)).toBe(true)
    expect(isWrittenToday(new Date(2026, 10, 20, 23, 55).toISOString(), now)).toBe(false)
    expect(isWrittenToday(null, now)).toBe(false)
  })

  it.each([
    [30 / 60, 'just now'],
    [1, '1 minute ago'],
    [59, '59 minutes ago'],
    [60, '1 hour ago'],
    [47 * 60, '1 day ago'],
    [45 * 24 * 60, '1 month ago'],
    [800 * 24 * 60, '2 years ago'],
    [-5, 'just now'],
  ])('%d minutes are %s', (minutes, text) => {
    const now = new Date('2026-11-21T10:00:00.000Z')
    expect(formatTimeSince(new Date(now.getTime() - minutes * 60_000).toISOString(), now)).toBe(text)
  })
})
