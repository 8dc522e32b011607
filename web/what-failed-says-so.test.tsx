import { QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Moment } from '#contract/keepers/moments.ts'
import { ApiError } from '#web/api.ts'
import { administrationKey, roleUsersKey, useRoleUsers } from './administration/admin-queries.ts'
import { RoleAssignment } from './administration/roles/role-assignment.tsx'
import { BackupLine } from './diagnostics/backup-line.tsx'
import { keeperTypesKey } from './keeper-types-query.ts'
import { KnowingAgent } from './keepers/dashboard/knowing-agent.tsx'
import { RecentDays } from './keepers/dashboard/recent-days.tsx'
import { demoKeepers } from './keepers/demo/demo-keepers.ts'
import { keeperKey } from './keepers/keeper-queries.ts'
import { goesOnByItself } from './keepers/list-end.tsx'
import { MomentField } from './keepers/logbook/moment-field.tsx'
import { CardGrid } from './keepers/memory-cards/card-grid.tsx'
import { MediaWall } from './keepers/moments/media-wall.tsx'
import { Timeline } from './keepers/moments/timeline.tsx'
import { Trial } from './keepers/templates/engagement-page.tsx'
import { TopicMentions } from './keepers/topics/topic-mentions.tsx'
import type { WholeTopic } from './keepers/topics/topic-queries.ts'
import { BringIn } from './keepers/transfer/bring-in.tsx'

interface Reads {
  known?: [QueryKey, unknown][]
  failed?: QueryKey[]
  /** The next page of a partly read list. */
  failedMore?: QueryKey
  reason?: Error
  address?: string
}

const broken = new Error('Boom.')

/** Renders part of a page and returns its text once its reads are over. */
function wordsOf(part: ReactNode, reads: Reads = {}): string {
  const { known = [], failed = [], failedMore, reason = broken, address = '/' } = reads
  const queries = new QueryClient({ defaultOptions: { queries: { retryOnMount: false, staleTime: Infinity } } })
  for (const [key, data] of known) queries.setQueryData(key, data)
  const fail = (queryKey: QueryKey, fetchMeta = {}) =>
    queries.getQueryCache().build(queries, { queryKey }).setState({ status: 'error', error: reason, fetchMeta })
  for (const key of failed) fail(key)
  if (failedMore) fail(failedMore, { fetchMore: { direction: 'forward' } })
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[address]}>{part}</MemoryRouter>
    </QueryClientProvider>,
  )
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}

const restFailed = 'The rest couldn’t be loaded. Try again.'
const nothing = () => undefined
const rolesKey = [...administrationKey, 'roles']
const everybody = { pages: [{ users: [], next: 'more' }], pageParams: [null] }
const keeper = { ...demoKeepers.demo, id: 'k', title: 'Harbour', keeperTypeId: 't' } as never

test('the role matrix reports roles that could not be loaded', () => {
  const words = wordsOf(<RoleAssignment ownId="cleo" />, {
    known: [[[...roleUsersKey, ''], everybody]],
    failed: [rolesKey],
  })
  expect(words).toContain('Error: Boom.')
  expect(words).toContain('Retry')
})

let told: ReturnType<typeof useRoleUsers> | undefined
function Search() {
  told = useRoleUsers('ada', true)
  return null
}

test('a failed people search is reported, an earlier failure is not', () => {
  const known: Reads['known'] = [[[...roleUsersKey, ''], everybody]]
  wordsOf(<Search />, { known, failed: [[...roleUsersKey, 'ada']] })
  expect(told).toMatchObject({ found: undefined, failed: { isError: true, error: broken } })
  wordsOf(<Search />, {
    known: [[[...roleUsersKey, ''], { ...everybody, pages: [{ users: [], next: null }] }]],
    failed: [[...roleUsersKey, 'ada']],
  })
  expect(told).toMatchObject({ found: [], failed: undefined })
})

test('the age of the last backup can be unknown', () => {
  const words = wordsOf(<BackupLine />, { failed: [['diagnostics', 'backups']] })
  expect(words).toContain('The age of the last backup could not be loaded. Boom.')
  expect(words).toContain('Retry')
})

test('an agent list that failed to load does not offer to create an agent', () => {
  const words = wordsOf(<KnowingAgent keeper={keeper} />, { failed: [[...keeperTypesKey, 'agents', 't']] })
  expect(words).toContain('The agents for this keeper couldn’t be loaded. Retry')
  expect(words).not.toContain('Make an agent')
})

test('imports that failed to load are not reported as missing', () => {
  expect(wordsOf(<BringIn />, { failed: [['imports']] })).toContain('Your imports could not be loaded.')
  expect(wordsOf(<BringIn />, { known: [[['imports'], []]] })).not.toContain('could not be loaded')
})

test('a logbook moment counts as deleted only when the server says so', () => {
  const field = <MomentField keeper={keeper} momentId="m" onMomentId={nothing} error={undefined} />
  const failed = [keeperKey('k', 'moment', 'one', 'm')]
  expect(wordsOf(field, { failed })).toContain('A moment that couldn’t be loaded')
  const reason = new ApiError({ status: 404, statusText: 'Not Found' }, '')
  expect(wordsOf(field, { failed, reason })).toContain('A deleted moment')
})

test('a dashboard whose moments failed to load does not say there are none', () => {
  const key = keeperKey('k', 'moment', 'list', {})
  const words = wordsOf(<RecentDays keeper={keeper} />, { failed: [key] })
  expect(words).toContain('The moments could not be loaded.')
  expect(words).not.toContain('No moments yet')
  const page = { items: [], next_cursor: null }
  const none = wordsOf(<RecentDays keeper={keeper} />, { known: [[key, { pages: [page], pageParams: [undefined] }]] })
  expect(none).toContain('No moments yet')
})

test('a template preview reports base templates that failed to load', () => {
  const address = '/?template=weekly'
  const template = [['engagement-templates', 'one', 'weekly'], { id: 't', kind: 'process' }] as [QueryKey, unknown]
  const all: QueryKey = ['engagement-templates', 'all']
  const trial = <Trial />
  expect(wordsOf(trial, { known: [template], failed: [all], address })).toContain('Failed to load the template')
  const reason = new ApiError({ status: 404, statusText: 'Not Found' }, '')
  const gone = wordsOf(trial, { known: [[all, []]], failed: [template[0]], reason, address })
  expect(gone).toContain('Nothing to answer here')
})

test('an auto-loading list stops and reports a page that failed to load', () => {
  const going = { hasMore: true, fetching: false, loadingMore: false, failedMore: false }
  expect(goesOnByItself(going)).toBe(true)
  expect(goesOnByItself({ ...going, failedMore: true })).toBe(false)
  expect(goesOnByItself({ ...going, loadingMore: true })).toBe(false)
  expect(goesOnByItself({ ...going, fetching: true }), 'the list is being refetched').toBe(false)
  for (const list of [
    <Timeline key="t" items={[]} {...going} failedMore onMore={nothing} show={nothing} />,
    <CardGrid key="c" label="Cards" cards={[]} {...going} failedMore onMore={nothing} />,
  ])
    expect(wordsOf(list)).toContain(`${restFailed} Show more`)
  expect(wordsOf(<Timeline items={[]} {...going} onMore={nothing} show={nothing} />)).not.toContain(restFailed)
})

test('a load-more button reports that the last attempt failed', () => {
  const earlier = { load: nothing, isLoading: false, hasFailed: true }
  const topic = {
    name: 'Per',
    mentions: [{ entity: 'moment', id: 'm', at: '2026-11-20T10:00:00Z', excerpt: 'Per came' }],
  }
  const mentions = <TopicMentions topic={topic as never as WholeTopic} earlier={earlier} keeperId="k" />
  expect(wordsOf(mentions)).toContain(restFailed)
  const media = [{ id: 'p', kind: 'image', mime: 'image/png', alt: 'A quay', name: null }]
  const moment = { id: 'm', localDate: '2026-11-20', body: '', media } as never as Moment
  const key = keeperKey('k', 'moment', 'list', { withMedia: 'true' })
  const words = wordsOf(<MediaWall keeper={keeper} />, {
    known: [[key, { pages: [{ items: [moment], next_cursor: 'c' }], pageParams: [undefined] }]],
    failedMore: key,
  })
  expect(words).toContain(`${restFailed} Earlier ones`)
})
