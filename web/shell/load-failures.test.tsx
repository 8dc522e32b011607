import { QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Moment } from '#contract/keepers/moments.ts'
import { ApiError } from '#web/api/api.ts'
import { shouldAutoLoad } from '#web/ui/controls/show-more.tsx'
import { roleUsersKey, useRoleUsers } from '../administration/admin-queries.ts'
import { RoleAssignment } from '../administration/roles/role-assignment.tsx'
import { BackupLine } from '../diagnostics/backup-line.tsx'
import { KeeperAgents } from '../keepers/dashboard/keeper-agents.tsx'
import { RecentDays } from '../keepers/dashboard/keeper-dashboard-page.tsx'
import { createDemoKeeper, createDemoState } from '../keepers/demo/demo-state.ts'
import { keeperKey } from '../keepers/keeper-queries.ts'
import { MomentField } from '../keepers/logbook/moment-field.tsx'
import { CardGrid } from '../keepers/memory-cards/card-grid.tsx'
import { MediaWall } from '../keepers/moments/media-wall.tsx'
import { OpenedMoment } from '../keepers/moments/opened-moment.tsx'
import { Timeline } from '../keepers/moments/timeline.tsx'
import { EngagementTrial } from '../keepers/templates/engagement-page.tsx'
import { TopicMentions } from '../keepers/topics/topic-panel.tsx'
import type { TopicDetails } from '../keepers/topics/topic-queries.ts'
import { ImportSection } from '../keepers/transfer/import-section.tsx'
import { keeperTypesKey } from '../queries/keeper-types-query.ts'

interface Reads {
  cached?: [QueryKey, unknown][]
  failed?: QueryKey[]
  /** The next page of a partly read list. */
  failedMore?: QueryKey
  reason?: Error
  address?: string
}

const broken = new Error('Boom.')

/** Renders part of a page and returns its text once its reads are over. */
function renderText(part: ReactNode, reads: Reads = {}): string {
  const { cached = [], failed = [], failedMore, reason = broken, address = '/' } = reads
  const queryClient = new QueryClient({ defaultOptions: { queries: { retryOnMount: false, staleTime: Infinity } } })
  for (const [key, data] of cached) queryClient.setQueryData(key, data)
  const fail = (queryKey: QueryKey, fetchMeta = {}) =>
    queryClient.getQueryCache().build(queryClient, { queryKey }).setState({ status: 'error', error: reason, fetchMeta })
  for (const key of failed) fail(key)
  if (failedMore) fail(failedMore, { fetchMore: { direction: 'forward' } })
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>{part}</MemoryRouter>
    </QueryClientProvider>,
  )
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}

const moreFailedText = 'The rest couldn’t be loaded. Try again.'
const nothing = () => undefined
const firstPage = { pages: [{ users: [], next: 'more' }], pageParams: [null] }
const keeper = { ...createDemoKeeper(createDemoState('demo')), id: 'k', title: 'Harbour', keeperTypeId: 't' } as never

test('the role matrix reports users that failed to load', () => {
  const text = renderText(<RoleAssignment currentUserId="cleo" />, { failed: [[...roleUsersKey, '']] })
  expect(text).toContain('Error: Boom.')
  expect(text).toContain('Retry')
})

let roleUsers: ReturnType<typeof useRoleUsers> | undefined
function Search() {
  roleUsers = useRoleUsers('ada')
  return null
}

test('a failed people search is reported, an earlier failure is not', () => {
  const cached: Reads['cached'] = [[[...roleUsersKey, ''], firstPage]]
  renderText(<Search />, { cached, failed: [[...roleUsersKey, 'ada']] })
  expect(roleUsers).toMatchObject({ matches: undefined, failedPages: { isError: true, error: broken } })
  renderText(<Search />, {
    cached: [[[...roleUsersKey, ''], { ...firstPage, pages: [{ users: [], next: null }] }]],
    failed: [[...roleUsersKey, 'ada']],
  })
  expect(roleUsers).toMatchObject({ matches: [], failedPages: undefined })
})

test('the age of the last backup can be unknown', () => {
  const text = renderText(<BackupLine />, { failed: [['diagnostics', 'backups']] })
  expect(text).toContain('The time of the last backup couldn’t be loaded. Boom.')
  expect(text).toContain('Retry')
})

test('an agent list that failed to load does not offer to create an agent', () => {
  const text = renderText(<KeeperAgents keeper={keeper} />, { failed: [[...keeperTypesKey, 'agents', 't']] })
  expect(text).toContain('The agents for this keeper couldn’t be loaded. Retry')
  expect(text).not.toContain('Make an agent')
})

test('imports that failed to load are not reported as missing', () => {
  expect(renderText(<ImportSection />, { failed: [['imports']] })).toContain('Your imports couldn’t be loaded.')
  expect(renderText(<ImportSection />, { cached: [[['imports'], []]] })).not.toContain('couldn’t be loaded')
})

test('a logbook moment counts as deleted only when the server says so', () => {
  const field = <MomentField keeper={keeper} momentId="m" onMomentChange={nothing} error={undefined} />
  const failed = [keeperKey('k', 'moment', 'one', 'm')]
  expect(renderText(field, { failed })).toContain('A moment that couldn’t be loaded')
  const reason = new ApiError({ status: 404, statusText: 'Not Found' }, '')
  expect(renderText(field, { failed, reason })).toContain('A deleted moment')
})

test('an opened moment that failed to load can be retried', () => {
  const opened = <OpenedMoment keeper={keeper} id="m" onClose={nothing} onShowDay={nothing} openTopic={nothing} />
  const failed = [keeperKey('k', 'moment', 'one', 'm')]
  const text = renderText(opened, { failed })
  expect(text).toMatch(/^ The moment couldn’t be loaded /)
  expect(text).toContain(' Retry ')
  const reason = new ApiError({ status: 404, statusText: 'Not Found' }, '')
  expect(renderText(opened, { failed, reason })).toContain('Moment not found')
})

test('a dashboard whose moments failed to load does not say there are none', () => {
  const key = keeperKey('k', 'moment', 'list', {})
  const text = renderText(<RecentDays keeper={keeper} />, { failed: [key] })
  expect(text).toContain('Moments couldn’t be loaded')
  expect(text).not.toContain('No moments yet')
  const page = { items: [], next_cursor: null }
  const emptyText = renderText(<RecentDays keeper={keeper} />, {
    cached: [[key, { pages: [page], pageParams: [undefined] }]],
  })
  expect(emptyText).toContain('No moments yet')
})

test('a template preview reports base templates that failed to load', () => {
  const address = '/?template=weekly'
  const template = [['engagement-templates', 'one', 'weekly'], { id: 't', kind: 'process' }] as [QueryKey, unknown]
  const allTemplatesKey: QueryKey = ['engagement-templates', 'all']
  const trial = <EngagementTrial />
  expect(renderText(trial, { cached: [template], failed: [allTemplatesKey], address })).toContain(
    'Failed to load the template',
  )
  const reason = new ApiError({ status: 404, statusText: 'Not Found' }, '')
  const notFoundText = renderText(trial, { cached: [[allTemplatesKey, []]], failed: [template[0]], reason, address })
  expect(notFoundText).toContain('Nothing to answer here')
})

test('an auto-loading list stops and reports a page that failed to load', () => {
  const loadingList = {
    hasNextPage: true,
    isFetching: false,
    isFetchingNextPage: false,
    isFetchNextPageError: false,
    fetchNextPage: nothing,
  }
  const failed = { ...loadingList, isFetchNextPageError: true }
  expect(shouldAutoLoad(loadingList)).toBe(true)
  expect(shouldAutoLoad(failed)).toBe(false)
  expect(shouldAutoLoad({ ...loadingList, isFetchingNextPage: true })).toBe(false)
  expect(shouldAutoLoad({ ...loadingList, isFetching: true }), 'the list is being refetched').toBe(false)
  for (const list of [
    <Timeline key="t" items={[]} list={failed} renderMoment={nothing} />,
    <CardGrid key="c" label="Cards" cards={[]} list={failed} />,
  ])
    expect(renderText(list)).toContain(`${moreFailedText} Show more`)
  expect(renderText(<Timeline items={[]} list={loadingList} renderMoment={nothing} />)).not.toContain(moreFailedText)
})

test('a load-more button reports that the last attempt failed', () => {
  const pages = { hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: true, fetchNextPage: nothing }
  const topic = {
    name: 'Per',
    mentions: [{ entity: 'moment', id: 'm', at: '2026-11-20T10:00:00Z', excerpt: 'Per came' }],
  }
  const mentions = <TopicMentions topic={topic as never as TopicDetails} pages={pages} keeperId="k" />
  expect(renderText(mentions)).toContain(moreFailedText)
  const media = [{ id: 'p', kind: 'image', mime: 'image/png', alt: 'A quay', name: null }]
  const moment = { id: 'm', localDate: '2026-11-20', body: '', media } as never as Moment
  const key = keeperKey('k', 'moment', 'list', { withMedia: 'true' })
  const text = renderText(<MediaWall keeper={keeper} />, {
    cached: [[key, { pages: [{ items: [moment], next_cursor: 'c' }], pageParams: [undefined] }]],
    failedMore: key,
  })
  expect(text).toContain(`${moreFailedText} Show earlier`)
})
