import { createApiCaller, createBoardApiCaller } from './api-callers.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const pngBase64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('a visitor tries every layout of a sample board without API calls', async ({ page }) => {
  const apiRequests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) apiRequests.push(pathname)
  })
  await page.goto('/board-demo')
  const authStatus = page.getByRole('heading', { name: 'Authentication status' }).locator('..')
  await expect(authStatus).toContainText('AuthenticatedNo')
  await expect(authStatus).toContainText('TokenMissing')
  await expect(authStatus.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', /^\/login/)
  const board = page.getByRole('region', { name: 'Sample board', exact: true })
  await expect(board.locator('[data-frame]')).toHaveCount(3)
  for (const layout of ['column', 'row', 'wizard', 'focus', 'canvas', 'grid']) {
    await page.getByRole('radio', { name: layout, exact: true }).check({ force: true })
    await expect(board.locator(`[data-layout="${layout}"]`)).toBeVisible()
  }
  await page.getByRole('checkbox', { name: /Process Frame/ }).check({ force: true })
  await expect(board.locator('[data-frame="process_frame"]')).toBeVisible()
  await expectNoViolations(page, 'the demo')
  expect(apiRequests).toEqual([])
})

test('a board link hides its token, survives a reload and can be revoked @long', async ({
  page,
  keeper,
  watch,
  anotherPage,
}) => {
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const callApi = createApiCaller(keeper, ada)
  const boards = createBoardApiCaller(keeper, ada)
  const { id, frames } = await boards('/api/boards', { name: 'For the choir' })
  const uploadResponse = await fetch(`${keeper.url}/api/boards/${id}/pictures`, {
    method: 'POST',
    headers: { 'content-type': 'image/png', authorization: `Bearer ${ada.token}` },
    body: Buffer.from(pngBase64, 'base64'),
  })
  const { data: picture } = (await uploadResponse.json()) as { data: { id: string } }
  const withPicture = frames.map(({ id: frameId, data, FrameConfig: { engagementMode } }) => ({
    id: frameId,
    data: { ...data, content: { ...data.content, mediaId: picture.id, alt: 'The lamp' } },
    FrameConfig: { engagementMode },
  }))
  await boards(`/api/boards/${id}`, { frames: withPicture }, 'PATCH')
  const { link } = await callApi<{ link: string }>(`/api/boards/${id}/link`, {})
  const token = link.split('#link=')[1] ?? ''
  expect(token.length).toBeGreaterThan(20)

  const visitorPage = await anotherPage()
  const addresses: string[] = []
  visitorPage.on('request', (request) => addresses.push(request.url(), request.headers().referer ?? ''))
  await visitorPage.goto(`/board-demo#link=${token}`)
  await expect(visitorPage.getByRole('heading', { name: 'For the choir' })).toBeVisible()
  await expect(
    visitorPage.getByRole('region', { name: 'Cover', exact: true }).getByRole('img', { name: 'The lamp' }),
  ).toBeVisible()
  await expect(visitorPage).toHaveURL(/\/board-demo\?shared$/)
  await visitorPage.reload()
  await expect(visitorPage.getByRole('heading', { name: 'For the choir' })).toBeVisible()
  await expect(visitorPage.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)
  expect(addresses.filter((address) => address.includes(token) && !address.includes('#'))).toEqual([])
  await expectNoViolations(visitorPage, 'a linked board')

  watch.expectLine(/status of 404/)
  await callApi(`/api/boards/${id}/link`, undefined, 'DELETE')
  await visitorPage.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(visitorPage.getByText('This link no longer opens a board.')).toBeVisible()
  await expect(visitorPage.getByText('For the choir')).toHaveCount(0)
  await visitorPage.reload()
  await expect(visitorPage.getByText('This link no longer opens a board.')).toBeVisible()
  await visitorPage.goto('/board-demo#link=kpb_made-up')
  await expect(visitorPage.getByText('This link no longer opens a board.')).toBeVisible()
})
