import type { Board } from '#contract/boards/boards.ts'
import { openStudio, studioPath } from './board-studio-page.ts'
import { expect, test } from './fixtures.ts'
import { getButton, getFrame } from './locators.ts'

test('samples appear offline, and a missing or broken board says so @long', async ({ page, keeper, watch }) => {
  watch.expectLine(
    /ERR_FAILED|status of (500|502|404|401)|Board Studio failed|exception|A page failed|TypeError|frames|Failed to load boards/,
  )
  await page.route('**/api/board-data', (route) => route.abort())
  const { token, callApi } = await openStudio(page, keeper)
  const samples = page.getByRole('list', { name: 'Your boards' }).getByRole('link')
  await expect(samples).toHaveCount(5)
  await expect(getButton(page, 'New Board')).toBeDisabled()
  await samples.first().click()
  await expect(page.getByText('Offline, showing samples. Nothing here can be changed.')).toBeVisible()
  await expect(getButton(page, 'Save')).toBeDisabled()
  await expect(page.getByRole('region', { name: 'Frame Library' })).toHaveCount(0)
  await page.unroute('**/api/board-data')

  await page.route('**/api/board-data', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>A proxy</h1>' }),
  )
  await page.reload()
  await expect(samples, 'also while something other than the server answers').toHaveCount(5)
  await page.unroute('**/api/board-data')
  await getButton(page, 'Retry').click()
  await expect(samples).toHaveCount(0)
  await expect(page.getByText('Your boards will be listed here.')).toBeVisible()

  const { id } = await callApi<Board>('/api/boards', { name: 'Far away' })
  let response: 'error' | 'malformed' | 'normal' = 'error'
  await page.route(`**/api/board-data/${id}`, async (route) => {
    if (response === 'error') return route.fulfill({ status: 500, json: { success: false, error: 'No luck.' } })
    if (response === 'normal') return route.fallback()
    const answer = await route.fetch()
    return route.fulfill({ json: { ...(await answer.json()), frames: null } })
  })
  await page.goto(`${studioPath}?board=${id}`)
  await expect(page.getByText('Error Loading Board')).toBeVisible()
  await expect(page.getByText(/Failed to load board: No luck\./)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Far away' }), 'the details from the list').toBeVisible()
  response = 'normal'
  await getButton(page, 'Try Again').click()
  await expect(getFrame(page, 'Cover')).toBeVisible()

  response = 'malformed'
  await page.reload()
  await expect(page.getByText('Board Studio recovered from an error')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  response = 'normal'
  await page.getByRole('link', { name: 'Reload Board Studio' }).click()
  await expect(getFrame(page, 'Cover')).toBeVisible()

  await page.evaluate(() => {
    const frame = {
      id: 'a',
      entityType: null,
      entityId: null,
      FrameConfig: { engagementMode: 'gallery', theme: null },
      data: {
        frameType: 'dialog',
        name: 'Talk',
        description: '',
        category: 'interaction',
        icon: 'messages',
        slug: 'talk',
        position: { x: 0, y: 0 },
        size: { width: 320, height: 260 },
        content: {},
      },
    }
    const clipboardData = new DataTransfer()
    clipboardData.setData('application/x-keeper-frames', JSON.stringify({ boardId: 'b', frames: [frame] }))
    document
      .querySelector('[aria-label="Board canvas"]')
      ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  })
  const alert = page.getByRole('alertdialog', { name: 'Failed to add frame to board' })
  await expect(alert).toContainText(
    '“Talk” wasn’t added. Dialog Frame doesn’t work in gallery. Choose dialogic or canvas.',
  )
  await alert.getByRole('button', { name: 'OK' }).click()

  await page.goto(`${studioPath}?board=${'0'.repeat(32)}`)
  await expect(page.getByText('This board was deleted or isn’t shared with you.')).toBeVisible()

  await page.goto(`${studioPath}?board=${id}`)
  await expect(getFrame(page, 'Cover')).toBeVisible()
  await keeper.callApi('/api/kam/auth/logout', {}, { token })
  await expect(page.getByRole('heading', { name: 'Board Studio - Loading...' })).toBeVisible()
  await expect(page.getByText('Waiting for authentication...')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in again' })).toHaveAttribute('href', /next=.*board-studio/)
})
