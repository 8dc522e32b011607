import type { Page } from '@playwright/test'
import type { Board } from '#contract/boards/boards.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expect, registerAndSignIn } from './fixtures.ts'
import { getButton, getFrame } from './locators.ts'

export const studioPath = '/studio/board-studio'
export const getBoardName = (page: Page) => page.getByRole('heading', { level: 2 }).getByTitle('Rename')
export const getNameBox = (page: Page) => page.getByRole('textbox', { name: 'Board name' })
export const getRow = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Your boards' }).getByRole('link', { name })
export const getBoardId = (page: Page) => new URL(page.url()).searchParams.get('board') ?? ''

/** Opens the studio as Ada; `callApi` calls the server directly. */
export async function openStudio(page: Page, keeper: BuiltKeeper) {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: studioPath })
  const callApi = async <Data>(
    to: string,
    body?: unknown,
    method = body === undefined ? 'GET' : 'POST',
  ): Promise<Data> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await (
      await fetch(keeper.url + to, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
    ).json()
    // Board calls answer without an envelope.
    return 'success' in answer ? answer.data : answer
  }
  await expect(page.getByText('No Board Selected')).toBeVisible()
  return { token, callApi }
}

/** Opens a new board as Ada; `fetchBoard` fetches the saved board. */
export async function openNewBoard(page: Page, keeper: BuiltKeeper) {
  const { callApi } = await openStudio(page, keeper)
  await getButton(page, 'Create New Board').click()
  await getNameBox(page).press('Escape')
  await expect(getBoardName(page)).toHaveText('New Board')
  await expect(getFrame(page, 'Cover')).toBeVisible()
  return { callApi, id: getBoardId(page), fetchBoard: () => callApi<Board>(`/api/board-data/${getBoardId(page)}`) }
}

export async function renameBoard(page: Page, name: string) {
  await getBoardName(page).click()
  await getNameBox(page).fill(name)
  await page.keyboard.press('Enter')
  await expect(getBoardName(page)).toHaveText(name)
}
