import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { createAnswer } from '#tests/keeper-answer.ts'
import { boardListQuery } from './board-queries.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const stubResponse = (status: number, body: string) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => createAnswer(body, { status })),
  )
const fetchBoardList = (queryClient = new QueryClient()) => queryClient.fetchQuery(boardListQuery)
const fetchBoardTypes = async () => (await fetchBoardList()).boards.map(({ type }) => type)
const sampleTypes = ['journey', 'agent', 'domain', 'keeper-type', 'people']

it('the list shows 5 samples while the server is unreachable, failing or unreadable', async () => {
  const consoleError = vi.spyOn(console, 'error').mockReturnValue()
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => {
      throw new TypeError('Failed to fetch')
    }),
  )
  expect(await fetchBoardTypes()).toEqual(sampleTypes)
  expect(consoleError).not.toHaveBeenCalled()
  for (const [status, body] of [
    [500, '{"success": false, "error": "No luck."}'],
    [502, '<h1>A proxy</h1>'],
    [200, '<h1>A proxy</h1>'],
    [200, '{"success": true, "da'],
  ] as const) {
    stubResponse(status, body)
    expect(await fetchBoardTypes(), `${status} ${body}`).toEqual(sampleTypes)
    expect(consoleError).toHaveBeenLastCalledWith('Failed to load boards', expect.any(Error))
  }
})

it.each([401, 403, 404])('a %i is reported, and no sample is shown', async (status) => {
  stubResponse(status, '{"success": false, "error": "From the server."}')
  await expect(fetchBoardList()).rejects.toThrow('From the server.')
})

it('a loaded list stays when a later request fails', async () => {
  const queryClient = new QueryClient()
  stubResponse(200, '{"success": true, "data": []}')
  const loaded = await fetchBoardList(queryClient)
  stubResponse(500, '{"success": false, "error": "No luck."}')
  await expect(fetchBoardList(queryClient)).rejects.toThrow('No luck.')
  expect(queryClient.getQueryData(boardListQuery.queryKey)).toBe(loaded)
})
