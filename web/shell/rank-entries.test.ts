import { describe, expect, it } from 'vitest'
import { arrangeEntries, maxVisiblePerGroup, type PaletteEntry, rankEntry } from './rank-entries.ts'

const entry = (title: string, more: Partial<PaletteEntry> = {}): PaletteEntry => ({
  id: title,
  group: 'Go to',
  title,
  ...more,
})
const titles = (entries: PaletteEntry[], input: string, expanded: ReadonlySet<PaletteEntry['group']> = new Set()) =>
  arrangeEntries(entries, input, { expanded }).flatMap(({ visible }) => visible.map(({ entry }) => entry.title))

describe('a match', () => {
  it('has every word in any order, but no scattered letters', () => {
    expect(rankEntry(entry('Manage Agents'), 'agents manage')).toBeDefined()
    expect(rankEntry(entry('Manage Agents'), 'manage keepers')).toBeUndefined()
    expect(rankEntry(entry('Light colors'), 'lgs')).toBeUndefined()
  })

  it('ranks whole title, title prefix, word prefix, substring, then search terms', () => {
    const entries = [
      entry('Skipper'),
      entry('Chat with Kip'),
      entry('Agent', { hint: 'Kip' }),
      entry('Kip Studio'),
      entry('Kip'),
    ]
    expect(titles(entries, 'kip')).toEqual(['Kip', 'Kip Studio', 'Chat with Kip', 'Skipper', 'Agent'])
  })

  it('stays when the server matched hidden text', () => {
    const match = entry('Eleven cormorants', { group: 'In your keepers', isServerMatch: true })
    expect(rankEntry(match, 'rope ladder')).toMatchObject({ marks: [] })
    expect(rankEntry({ ...match, isServerMatch: undefined as never }, 'rope ladder')).toBeUndefined()
  })

  it('ignores accents and is marked at its position', () => {
    const rank = rankEntry(entry('Der Gruß aus Göteborg'), 'gote')
    expect(rank?.marks).toEqual([[13, 17]])
    expect(rankEntry(entry('Manage Agents'), 'ag man')?.marks).toEqual([
      [0, 3],
      [7, 9],
    ])
  })
})

describe('the groups', () => {
  const many = Array.from({ length: 10 }, (_, index) => entry(`Place ${index}`))

  it('are limited with a count of hidden entries until expanded', () => {
    const [group] = arrangeEntries(many, 'place', { expanded: new Set() })
    expect(group?.visible).toHaveLength(maxVisiblePerGroup)
    expect(group?.hidden).toHaveLength(10 - maxVisiblePerGroup)
    expect(titles(many, 'place', new Set(['Go to']))).toHaveLength(10)
  })

  it('keep their order while nothing is typed, then sort by best match', () => {
    const entries = [
      entry('Sign out', { group: 'Do' }),
      entry('Signals', { group: 'Keepers' }),
      entry('Signs', { group: 'Recent' }),
      entry('Design', { group: 'Agents' }),
    ]
    expect(titles(entries, ' ')).toEqual(['Signs', 'Signals', 'Design', 'Sign out'])
    expect(titles(entries, 'sign')).toEqual(['Signals', 'Sign out', 'Design'])
    expect(titles(entries, 'sign out')).toEqual(['Sign out'])
  })

  it('rank recently visited pages above equal matches', () => {
    const two = [entry('Harbour one', { to: '/one' }), entry('Harbour two', { to: '/two' })]
    const [group] = arrangeEntries(two, 'harbour', { expanded: new Set(), recentPaths: ['/two'] })
    expect(group?.visible.map(({ entry }) => entry.to)).toEqual(['/two', '/one'])
  })
})
