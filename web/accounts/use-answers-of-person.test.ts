import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { askAnew, forgetAnswers } from './use-answers-of-person.ts'

let who = 'ada'

function watched(queries: QueryClient, name: string, enabled = true) {
  const asked: string[] = []
  const queryFn = ({ signal }: { signal: AbortSignal }) => {
    asked.push(who)
    const by = who
    return new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      setTimeout(() => resolve(by), 20)
    })
  }
  const observer = new QueryObserver(queries, { queryKey: [name], queryFn, enabled, retry: false })
  const leave = observer.subscribe(() => undefined)
  return { asked, leave, observer, data: () => observer.getCurrentResult().data }
}

it('signing out refetches the mounted queries once and drops the others', async () => {
  who = 'ada'
  const queries = new QueryClient()
  const known = watched(queries, 'known')
  const left = watched(queries, 'left')
  const off = watched(queries, 'off', false)
  await vi.waitFor(() => expect([known.data(), left.data()]).toEqual(['ada', 'ada']))
  const underWay = watched(queries, 'under way')

  who = 'visitor'
  forgetAnswers(queries)
  expect([known.data(), underWay.data()]).toEqual([undefined, undefined])
  left.leave()
  const begun = watched(queries, 'begun')
  askAnew(queries)
  await vi.waitFor(() =>
    expect([known.data(), underWay.data(), begun.data()]).toEqual(['visitor', 'visitor', 'visitor']),
  )
  expect([known.asked, underWay.asked, begun.asked, left.asked, off.asked]).toEqual([
    ['ada', 'visitor'],
    ['ada', 'visitor'],
    ['visitor'],
    ['ada'],
    [],
  ])
  expect(queries.getQueryData(['left'])).toBeUndefined()
})
