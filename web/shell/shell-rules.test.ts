import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, NetworkError } from '#web/api/api.ts'
import { findPageRoute } from '../page/page-routes.ts'
import { shouldRetryRead } from '../page/query-client.ts'
import { getRetryDelay, getStaleQueryKeys } from '../page/use-live-events.ts'
import { parseViewMode, readViewMode, type ViewMode } from '../page/view-mode.ts'
import { getDomainLabel } from './domain-label.ts'
import { getSections, isActiveLink } from './navigation.ts'
import { findShortcut, type Shortcut } from './use-keyboard-shortcuts.ts'

describe('the view mode', () => {
  it('is read from the stored record', () => {
    expect(parseViewMode('{"mode":"Admin","timestamp":1}')).toBe('Admin')
  })

  afterEach(() => vi.unstubAllGlobals())

  it('is Architect when storage is blocked', () => {
    const denied = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    vi.stubGlobal('localStorage', { getItem: denied })
    expect(readViewMode()).toBe('Architect')
  })

  it.each([null, '', '{half', 'null', '{"mode":"Root"}', '7'])('is Architect for %s', (stored) => {
    expect(parseViewMode(stored)).toBe('Architect')
  })
})

describe('a route', () => {
  it('matches its exact path before any pattern', () => {
    expect(findPageRoute('/keeper/types')?.title).toBe('Keeper Types')
    expect(findPageRoute('/keeper/1/moments/')?.title).toBe('Moments')
    expect(findPageRoute('/studio/agents/kip')?.title).toBe('Agent')
    expect(findPageRoute('/nowhere/at/all')).toBeUndefined()
  })
})

describe('the sections of the sidebar', () => {
  const getVisible = (mode: ViewMode, pathname: string, title?: string, search = '') => {
    const { visited, sections } = getSections(mode, { pathname, search }, title)
    const links = [...(visited ? [visited] : []), ...sections].flatMap((section) => section.links)
    const activeLabels = links.filter((link) => isActiveLink(link, pathname)).map(({ label }) => label)
    return { visited, sections, activeLabels }
  }

  it('show the sections of the mode on its own pages', () => {
    const { visited, sections, activeLabels } = getVisible('MyKeeper', '/root', 'The Harbour Year')
    expect(visited).toBeUndefined()
    expect(activeLabels).toEqual(['Root Dashboard'])
    expect(sections.map(({ title }) => title)).toEqual(['Home', 'The Harbour Year'])
    expect(sections[1]?.links.map(({ to }) => to)).toEqual(
      ['dashboard', 'journeys', 'moments', 'topics', 'voice', 'logbook'].map((page) => `/keeper/1/${page}`),
    )
  })

  it('list every section of the open keeper under its id', () => {
    const { visited, sections, activeLabels } = getVisible('MyKeeper', '/keeper/k2/memory-cards', 'Garden Log')
    expect(visited).toBeUndefined()
    expect(activeLabels).toEqual(['Memory Cards'])
    const links = sections[1]?.links.map(({ to }) => to) ?? []
    expect(links).toHaveLength(13)
    expect(links.filter((to) => !to.includes('k2'))).toEqual([])
    expect(links.at(-1)).toBe('/keeper/selected/metadata?id=k2')
  })

  it.each([
    ['Architect', '/keeper/k2/identity-logbook', '', 'Garden Log', 'Logbook'],
    ['Admin', '/keeper/selected/metadata', '?id=k2', 'Garden Log', 'Settings'],
    ['Architect', '/admin/audit', '', 'Admin', 'User Management'],
    ['MyKeeper', '/studio/kip', '', 'Agents', 'Manage Agents'],
    ['Architect', '/root/profile', '', 'Home', 'Root Dashboard'],
    ['Admin', '/keeper', '', 'Keepers', 'Manage Keepers'],
    ['Architect', '/admin/backups', '', 'Admin', 'Backups'],
    ['MyKeeper', '/studio/admin', '', 'Admin', 'Studio Admin'],
    ['Architect', '/studio/admin/api-keys', '', 'Admin', 'Platform API Keys'],
    ['Architect', '/api', '', 'Home', 'API'],
    ['Admin', '/oauth/authorize', '', 'Home', 'Connect a program'],
  ] as const)('begin in %s at %s%s with the visited %s', (mode, pathname, search, title, label) => {
    const { visited, activeLabels } = getVisible(mode, pathname, 'Garden Log', search)
    expect(visited?.title).toBe(title)
    expect(activeLabels).toEqual([label])
  })

  it('show no visited section at an unknown address', () => {
    expect(getVisible('Architect', '/nothing/is/here')).toMatchObject({ visited: undefined, activeLabels: [] })
  })
})

describe('a key press', () => {
  const press = (key: string, more: Partial<Parameters<typeof findShortcut>[0]> = {}) => ({
    key,
    ctrl: false,
    alt: false,
    shift: false,
    ...more,
  })
  const reading = { typing: false, singleKeys: true, waitingFor: undefined }

  it('opens the palette even while typing', () => {
    expect(findShortcut(press('K', { ctrl: true }), { ...reading, typing: true })).toEqual<Shortcut>({
      action: 'palette',
    })
  })

  it('does nothing on its own while typing or with single keys off', () => {
    expect(findShortcut(press('['), { ...reading, typing: true })).toBeUndefined()
    expect(findShortcut(press('['), { ...reading, singleKeys: false })).toBeUndefined()
    expect(findShortcut(press('['), reading)).toEqual<Shortcut>({ action: 'sidebar' })
  })

  it('navigates with G and a second key', () => {
    expect(findShortcut(press('g'), reading)).toEqual<Shortcut>({ action: 'wait', firstKey: 'g' })
    expect(findShortcut(press('a'), { ...reading, waitingFor: 'g' })).toEqual<Shortcut>({
      action: 'go',
      to: '/studio/agents',
    })
    expect(findShortcut(press('x'), { ...reading, waitingFor: 'g' })).toBeUndefined()
  })

  it('changes the mode with Alt and a digit', () => {
    expect(findShortcut(press('2', { alt: true }), reading)).toEqual<Shortcut>({ action: 'mode', mode: 'MyKeeper' })
  })

  it('searches the page with /, which some layouts type with Shift', () => {
    expect(findShortcut(press('/'), reading)).toEqual<Shortcut>({ action: 'search-here' })
    expect(findShortcut(press('/', { shift: true }), reading)).toEqual<Shortcut>({ action: 'search-here' })
    expect(findShortcut(press('/'), { ...reading, typing: true })).toBeUndefined()
    expect(findShortcut(press('/'), { ...reading, singleKeys: false })).toBeUndefined()
  })

  it.each([
    ['n', 'new-here'],
    ['j', 'next-item'],
    ['K', 'previous-item'],
    ['r', 'run-item'],
    ['e', 'edit-item'],
  ])('%s acts on the open page, but not while typing or with Shift', (key, action) => {
    expect(findShortcut(press(key), reading)).toEqual({ action } as Shortcut)
    expect(findShortcut(press(key), { ...reading, typing: true })).toBeUndefined()
    expect(findShortcut(press(key), { ...reading, singleKeys: false })).toBeUndefined()
    expect(findShortcut(press(key, { shift: true }), reading)).toBeUndefined()
    expect(findShortcut(press(key), { ...reading, waitingFor: 'g' })).not.toEqual({ action } as Shortcut)
  })

  it('leaves browser shortcuts alone', () => {
    expect(findShortcut(press('r', { ctrl: true }), reading)).toBeUndefined()
    expect(findShortcut(press('k', { ctrl: true, shift: true }), reading)).toBeUndefined()
  })
})

describe('a domain in the header', () => {
  const domain = {
    id: 'd',
    name: 'Quay',
    slug: 'quay',
    description: null,
    ownerId: 'ada',
    isPrimary: false,
    customDomain: null,
    customDomainVerified: false,
    permissions: [],
    agreed: true,
    leadAgentId: null,
    rev: 1,
  }

  it('is Owner for the primary domain and the role for others', () => {
    expect(getDomainLabel({ ...domain, isPrimary: true })).toBe('Owner.quay')
    expect(getDomainLabel({ ...domain, permissions: [{ role: 'owner' }] })).toBe('Owner.quay')
    expect(getDomainLabel({ ...domain, permissions: [{ role: 'friend' }] })).toBe('friend.quay')
    expect(getDomainLabel(domain)).toBe('Member.quay')
  })
})

describe('live events', () => {
  it('name the queries to invalidate', () => {
    expect(getStaleQueryKeys({ type: 'agents-changed' })).toEqual([['agents']])
    const saved = { type: 'board-saved', boardId: 'b', rev: 2, personId: 'p', tab: null } as const
    expect(getStaleQueryKeys(saved), 'the board itself isn’t refetched: someone may be typing').toEqual([
      ['boards', 'list'],
      ['boards', 'in-frame', 'b'],
    ])
    expect(getStaleQueryKeys({ type: 'run-finished', runId: 'r', agentId: 'a', sessionId: null })).toContainEqual([
      'runs',
      'r',
    ])
  })

  it('reconnect with growing delays below 40 s', () => {
    expect(getRetryDelay(0, { random: () => 0.5 })).toBe(1000)
    expect(getRetryDelay(3, { random: () => 0.5 })).toBe(8000)
    expect(getRetryDelay(50, { random: () => 1 })).toBeLessThan(40_000)
    expect(getRetryDelay(0, { minMs: 5000, random: () => 0 }), 'no sooner than the server says').toBe(5000)
    expect(getRetryDelay(0, { minMs: 5000, random: () => 1 })).toBe(7500)
  })
})

describe('a failed read', () => {
  it('is retried once only where that may help', () => {
    const refused = new ApiError({ status: 404, statusText: '' }, '{}')
    const broken = new ApiError({ status: 500, statusText: '' }, '{}')
    expect(shouldRetryRead(0, new NetworkError('x'))).toBe(true)
    expect(shouldRetryRead(0, broken)).toBe(true)
    expect(shouldRetryRead(0, refused)).toBe(false)
    expect(shouldRetryRead(1, broken)).toBe(false)
    const late = new DOMException('signal timed out', 'TimeoutError')
    expect(shouldRetryRead(0, new NetworkError('x', { cause: late }))).toBe(false)
  })
})
