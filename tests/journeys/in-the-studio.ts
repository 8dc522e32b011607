import type { Page } from '@playwright/test'
import type { BuiltKeeper } from './built-keeper.ts'
import { arrive, expect } from './fixtures.ts'

export const studioPath = '/studio/board-studio'
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const boardName = (page: Page) => page.getByRole('heading', { level: 2 }).getByTitle('Rename')
export const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Your boards' }).getByRole('link', { name })
export const frame = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Ada in the studio; `ask` makes calls as she would from elsewhere. */
export async function inTheStudio(page: Page, keeper: BuiltKeeper) {
  const { token } = await arrive(page, keeper, 'ada', { path: studioPath })
  const ask = async <Data>(to: string, body?: unknown, method = body === undefined ? 'GET' : 'POST'): Promise<Data> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await (
      await fetch(keeper.url + to, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
    ).json()
    // Calls of boards answer them bare.
    return 'success' in answer ? answer.data : answer
  }
  await expect(page.getByText('No Board Selected')).toBeVisible()
  return { token, ask }
}
