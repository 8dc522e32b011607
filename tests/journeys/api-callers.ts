import { expect } from '@playwright/test'
import type { SignInResult } from '#contract/accounts/accounts.ts'
import type { Board } from '#contract/boards/boards.ts'
import type { BuiltKeeper } from './built-keeper.ts'

/** Calls the API as that person. */
export const createApiCaller =
  (keeper: BuiltKeeper, { token }: SignInResult) =>
  <Data>(path: string, body?: unknown, method?: string) =>
    keeper.callApi<Data>(path, body, { token, ...(method && { method }) })

/** Board calls answer without an envelope. */
export const createBoardApiCaller =
  (keeper: BuiltKeeper, { token }: SignInResult) =>
  async (path: string, body: unknown, method = 'POST'): Promise<Board> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(keeper.url + path, { method, headers, body: JSON.stringify(body) })
    expect(answer.ok, `${path} answers ${answer.status}`).toBe(true)
    return (await answer.json()) as Board
  }
