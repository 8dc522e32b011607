import { renderToStaticMarkup as html } from 'react-dom/server'
import { expect, test } from 'vitest'
import { QueryError, QueryState } from './query-error.tsx'
import { QueryStatus } from './query-status.tsx'

const createFailedQuery = (data?: string[]) => ({
  data,
  error: new Error('The server is restarting.'),
  isFetching: false,
  isPending: false,
  refetch: () => undefined,
})

test('a query without data says why and offers Retry', () => {
  for (const panel of [
    <QueryError key="error" query={createFailedQuery()} />,
    <QueryState key="state" query={createFailedQuery()} skeleton="Loading" />,
    <QueryStatus key="status" query={createFailedQuery()} skeletonClassName="h-4" />,
  ]) {
    expect(html(panel)).toContain('The server is restarting.')
    expect(html(panel)).toContain('Retry')
  }
})

test('a failed refetch is reported only where the previous data stays visible below', () => {
  const query = createFailedQuery(['Harbour'])
  for (const reportsRefetch of [true, false])
    for (const panel of [
      <QueryError key="error" query={query} reportsRefetch={reportsRefetch} />,
      <QueryState key="state" query={query} reportsRefetch={reportsRefetch} skeleton="Loading" />,
      <QueryStatus key="status" query={query} reportsRefetch={reportsRefetch} skeletonClassName="h-4" />,
    ])
      expect(html(panel).includes('Retry')).toBe(reportsRefetch)
})

test('a query that loads or has loaded shows no error', () => {
  const loaded = { ...createFailedQuery(['Harbour']), error: null }
  expect(html(<QueryStatus reportsRefetch query={loaded} skeletonClassName="h-4" />)).toBe('')
  expect(html(<QueryState query={{ ...loaded, data: undefined, isPending: true }} skeleton="Loading" />)).toBe(
    'Loading',
  )
})
