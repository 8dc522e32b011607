import { renderToStaticMarkup as html } from 'react-dom/server'
import { expect, test } from 'vitest'
import { QueryError, QueryState } from './query-error.tsx'
import { QueryStatus } from './query-status.tsx'

const failed = (data?: string[]) => ({
  data,
  error: new Error('The server is restarting.'),
  isFetching: false,
  isPending: false,
  refetch: () => undefined,
})

test('a query without data says why and offers Retry', () => {
  for (const panel of [
    <QueryError key="error" query={failed()} />,
    <QueryState key="state" query={failed()} skeleton="Loading" />,
    <QueryStatus key="status" query={failed()} skeleton="h-4" />,
  ]) {
    expect(html(panel)).toContain('The server is restarting.')
    expect(html(panel)).toContain('Retry')
  }
})

test('a failed refetch is reported only where the previous data stays visible below', () => {
  const query = failed(['Harbour'])
  for (const reportsRefetch of [true, false])
    for (const panel of [
      <QueryError key="error" query={query} reportsRefetch={reportsRefetch} />,
      <QueryState key="state" query={query} reportsRefetch={reportsRefetch} skeleton="Loading" />,
      <QueryStatus key="status" query={query} reportsRefetch={reportsRefetch} skeleton="h-4" />,
    ])
      expect(html(panel).includes('Retry')).toBe(reportsRefetch)
})

test('a query that loads or has loaded shows no error', () => {
  const loaded = { ...failed(['Harbour']), error: null }
  expect(html(<QueryStatus reportsRefetch query={loaded} skeleton="h-4" />)).toBe('')
  expect(html(<QueryState query={{ ...loaded, data: undefined, isPending: true }} skeleton="Loading" />)).toBe(
    'Loading',
  )
})
