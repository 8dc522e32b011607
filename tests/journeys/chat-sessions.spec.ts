import type { Page, Request } from '@playwright/test'
import { expect, getConversation, registerAndSignIn, test } from './fixtures.ts'

test('Ada finds, opens, renames and permanently deletes sessions', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  const box = page.getByLabel('Write to Kip')
  for (const text of ['About the lamp', 'About the harbour']) {
    await box.fill(text)
    await box.press('Enter')
    await expect(getConversation(page).getByText('That is all.')).toBeVisible()
    await page.getByRole('button', { name: 'New session' }).click()
    await expect(page.getByText('0 messages')).toBeVisible()
    await expect(box).toBeFocused()
  }
  await page.getByRole('button', { name: 'Sessions', exact: true }).focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Sessions' })
  const rows = drawer.getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText('About the harbour')
  await expect(rows.nth(2)).toContainText('About the lamp')
  await expect(rows.nth(2)).toContainText('2 messages')

  await drawer.getByRole('button', { name: 'Rename About the lamp' }).click()
  const name = drawer.getByLabel('Session name')
  await name.fill('The lamp')
  await name.press('Escape')
  await expect(rows.nth(2)).toContainText('About the lamp')
  await drawer.getByRole('button', { name: 'Rename About the lamp' }).click()
  await name.fill('The lamp')
  await name.press('Enter')
  await expect(rows.nth(2)).toContainText('The lamp')

  await rows.nth(2).getByRole('button', { name: 'The lamp' }).first().click()
  await expect(drawer).toHaveCount(0)
  await expect(getConversation(page).getByText('About the lamp', { exact: true })).toBeVisible()
  await page.reload()
  await expect(getConversation(page).getByText('About the lamp', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Sessions', exact: true }).click()
  await drawer.getByRole('button', { name: 'Delete The lamp' }).click()
  const confirmation = page.getByRole('alertdialog')
  await expect(confirmation).toContainText('permanently deletes every message')
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await expect(rows).toHaveCount(3)
  await drawer.getByRole('button', { name: 'Delete The lamp' }).click()
  await confirmation.getByRole('button', { name: 'Delete session' }).click()
  await expect(rows).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(page.getByText('0 messages')).toBeVisible()
  expect(page.url()).not.toContain('sessionId')
  const token = await page.evaluate(() => localStorage.getItem('keeper_token'))
  const { logs } = await keeper.callApi<{ logs: { input: string }[] }>('/api/kip/agents?logs=true', undefined, {
    token: token ?? '',
  })
  expect(logs.map(({ input }) => input).sort()).toEqual(['', 'About the harbour'])
})

/** Sends a question and switches sessions before the server responds. Returns a function that settles the request. */
async function leaveBeforeAnswer(page: Page, text: string) {
  const { promise, resolve } = Promise.withResolvers<'arrives' | 'is lost'>()
  const isQuestion = (request: Request) => request.postDataJSON()?.action === 'run'
  await page.route('**/api/kip/agents', async (route) => {
    if (!isQuestion(route.request())) return route.continue()
    return (await promise) === 'arrives' ? route.continue() : route.abort()
  })
  const questionRequest = page.waitForRequest((request) => request.method() === 'POST' && isQuestion(request))
  await page.getByLabel('Write to Kip').fill(text)
  await page.keyboard.press('Enter')
  await questionRequest
  const previousUrl = page.url()
  await page.getByRole('button', { name: 'New session' }).click()
  await expect(page).not.toHaveURL(previousUrl)
  await expect(page).toHaveURL(/sessionId=/)
  return resolve
}

test("leaving before an answer starts restores the text only if it wasn't sent @long", async ({
  page,
  watch,
  modelProviders,
}) => {
  watch.expectLine(/ERR_FAILED/)
  const box = page.getByLabel('Write to Kip')
  await page.goto('/kip')
  await expect(page).toHaveURL(/sessionId=/)
  let settleRequest = await leaveBeforeAnswer(page, 'About the lamp')
  settleRequest('is lost')
  await expect(box).toHaveValue('About the lamp')
  await expect(page.getByText('0 messages'), 'the other session shows none of it').toBeVisible()
  await page.unroute('**/api/kip/agents')

  settleRequest = await leaveBeforeAnswer(page, 'About the harbour')
  // The page closes the connection once the question is accepted.
  const abortedRequest = page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
  settleRequest('arrives')
  await abortedRequest
  await page.reload()
  await expect(page.getByText('0 messages')).toBeVisible()
  await expect(box).toHaveValue('')
  await expect.poll(() => JSON.stringify(modelProviders.openai.requests)).toContain('About the harbour')
})

test('a visitor has sessions by cookie, in a sheet on a phone @long', async ({ page, anotherPage }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/kip')
  await page.getByLabel('Write to Kip').fill('A visitor speaks')
  await page.getByLabel('Write to Kip').press('Enter')
  await expect(getConversation(page).getByText('That is all.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sessions', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sessions' }).click()
  const sheet = page.getByRole('dialog', { name: 'Sessions' })
  await expect(sheet.getByRole('listitem')).toHaveCount(1)
  await expect(sheet.getByRole('listitem')).toContainText('A visitor speaks')
  const stranger = await anotherPage()
  await stranger.goto('/kip')
  await stranger.getByRole('button', { name: 'Sessions', exact: true }).click()
  await expect(stranger.getByRole('dialog', { name: 'Sessions' })).not.toContainText('A visitor speaks')
})

test('a text that is too long is kept, and the page says by how much @long', async ({ page, modelProviders }) => {
  await page.goto('/kip')
  const box = page.getByLabel('Write to Kip')
  await box.fill('x'.repeat(4321))
  await expect(page.getByText('321 characters too long. The maximum is 4,000.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
  await box.press('Enter')
  expect((await box.inputValue()).length).toBe(4321)
  expect(modelProviders.openai.requests).toEqual([])
  await box.fill('x'.repeat(4000))
  await expect(page.getByText('too long')).toHaveCount(0)
  await box.press('Enter')
  await expect(getConversation(page).getByText('That is all.')).toBeVisible()
})

test('the DEBUG button never covers the message box @long', async ({ page }) => {
  for (const size of [
    { width: 1440, height: 900 },
    { width: 880, height: 700 },
    { width: 390, height: 844 },
    { width: 320, height: 568 },
  ]) {
    await page.setViewportSize(size)
    await page.goto('/kip')
    const pill = await page.getByRole('link', { name: 'DEBUG' }).boundingBox()
    const box = await page.getByRole('button', { name: 'Send' }).locator('xpath=ancestor::div[2]').boundingBox()
    expect(pill && box && pill.y >= box.y + box.height, `${size.width} px`).toBe(true)
  }
  await page.getByRole('link', { name: 'DEBUG' }).click()
  await expect(page).toHaveURL(/\/debug$/)
})
