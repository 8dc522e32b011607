import type { Page } from '@playwright/test'
import type { SignInResult } from '#contract/accounts/accounts.ts'
import type { Board } from '#contract/boards/boards.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'
import { getFrame } from './locators.ts'

/** Opens Ada's board on her page and on Ben's, who can edit or only view it. */
async function openSharedBoard(page: Page, benPage: Page, keeper: BuiltKeeper, friendRight: 'view' | 'edit') {
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const ben = await registerAndSignIn(benPage, keeper, 'ben')
  const { domains } = await keeper.callApi<{ domains: { id: string; isPrimary: boolean }[] }>(
    '/api/kam/auth/session',
    undefined,
    { token: ada.token },
  )
  const domainId = domains.find(({ isPrimary }) => isPrimary)?.id ?? ''
  await keeper.callApi(
    `/api/domains/${domainId}/members`,
    { userId: ben.user.id, role: 'friend' },
    { token: ada.token },
  )
  const board = await createBoard(keeper, ada)
  const rights = { admin: 'none', user: 'none', friend: friendRight, connection: 'none' }
  await keeper.callApi(`/api/boards/${board.id}/shares/${domainId}`, { rights }, { token: ada.token, method: 'PUT' })
  const path = `/studio/board-studio?board=${board.id}`
  await page.goto(path)
  await benPage.goto(path)
  await expect(getFrame(page, 'Cover')).toBeVisible()
  await expect(getFrame(benPage, 'Cover')).toBeVisible()
  return { ada, ben, board, domainId }
}

async function createBoard(keeper: BuiltKeeper, { token }: SignInResult): Promise<Board> {
  const response = await fetch(`${keeper.url}/api/boards`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: 'The Harbour Year' }),
  })
  return (await response.json()) as Board
}

const getBox = async (page: Page, name: string) => (await getFrame(page, name).boundingBox()) ?? { x: 0, y: 0 }

async function drag(page: Page, name: string, offset: { x: number; y: number }) {
  const head = getFrame(page, name).locator('[data-frame-head]')
  const headBox = await head.boundingBox()
  if (!headBox) throw new Error('no header')
  await page.mouse.move(headBox.x + 30, headBox.y + 10)
  await page.mouse.down()
  await page.mouse.move(headBox.x + 40, headBox.y + 16)
  await page.mouse.move(headBox.x + 30 + offset.x, headBox.y + 10 + offset.y, { steps: 6 })
  await page.mouse.up()
}

test('two people move frames live and save without losing changes', async ({ page, keeper, anotherPage }) => {
  const benPage = await anotherPage()
  const { board, ada } = await openSharedBoard(page, benPage, keeper, 'edit')
  await expect(page.getByRole('list', { name: 'Also on this board' })).toContainText('B')
  await expect(benPage.getByRole('list', { name: 'Also on this board' })).toContainText('A')

  const initialBox = await getBox(benPage, 'Cover')
  await drag(page, 'Cover', { x: 120, y: 80 })
  await expect.poll(async () => (await getBox(benPage, 'Cover')).x).toBeGreaterThan(initialBox.x + 60)
  await expect(benPage.locator('[data-pointer-of]')).toContainText('Ada')

  const { y: from } = await getBox(page, 'Settings')
  await drag(benPage, 'Settings', { x: 0, y: 160 })
  const getDifference = async () => Math.abs((await getBox(page, 'Settings')).y - from - 160)
  await expect.poll(getDifference, 'the full distance, on the grid').toBeLessThanOrEqual(10)
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeEnabled()
  const fetchSavedBoard = async () => {
    const response = await fetch(`${keeper.url}/api/board-data/${board.id}`, {
      headers: { authorization: `Bearer ${ada.token}` },
    })
    return (await response.json()) as Board
  }
  await expect.poll(async () => (await fetchSavedBoard()).rev).toBeGreaterThan(board.rev)
  const { frames } = await fetchSavedBoard()
  const getSavedPosition = (name: string) => frames.find(({ data }) => data.name === name)?.data.position
  const getOriginalPosition = (name: string) => board.frames.find(({ data }) => data.name === name)?.data.position
  expect(getSavedPosition('Cover')?.x).toBeGreaterThanOrEqual((getOriginalPosition('Cover')?.x ?? 0) + 120)
  expect(getSavedPosition('Settings')?.y).toBeGreaterThanOrEqual((getOriginalPosition('Settings')?.y ?? 0) + 160)
})

test("a viewer sees changes live and can't edit; unsharing closes the board @long", async ({
  page,
  keeper,
  anotherPage,
  watch,
}) => {
  const benPage = await anotherPage()
  const { domainId, board, ada } = await openSharedBoard(page, benPage, keeper, 'view')
  await expect(benPage.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  const initialBox = await getBox(benPage, 'Cover')
  await drag(benPage, 'Cover', { x: 200, y: 0 })
  await drag(page, 'Cover', { x: 0, y: 100 })
  await expect.poll(async () => (await getBox(benPage, 'Cover')).y).toBeGreaterThan(initialBox.y + 60)
  expect((await getBox(page, 'Cover')).x).toBeCloseTo((await getBox(benPage, 'Cover')).x, -1)

  await getFrame(page, 'Settings').getByLabel('Name').fill('The Quay Year')
  await expect(getFrame(benPage, 'Settings').getByText('The Quay Year')).toBeVisible()

  watch.expectLine(/404/)
  const share = `/api/boards/${board.id}/shares/${domainId}`
  // Presence is sent every 5 s; by then every client knows that the board is closed.
  const refusedPresence = benPage.waitForResponse(
    (answer) => answer.url().endsWith('/presence') && answer.status() === 404,
  )
  await keeper.callApi(share, undefined, { token: ada.token, method: 'DELETE' })
  await expect(benPage.getByText('This board is no longer shared with you')).toBeVisible()
  await expect(getFrame(benPage, 'Cover')).toBeHidden()
  await refusedPresence
  const rights = { admin: 'none', user: 'none', friend: 'view', connection: 'none' }
  await keeper.callApi(share, { rights }, { token: ada.token, method: 'PUT' })
  await expect(getFrame(benPage, 'Cover'), 'reopened after access returns').toBeVisible()
  await expect(benPage.getByRole('list', { name: 'Also on this board' })).toContainText('A')
})
