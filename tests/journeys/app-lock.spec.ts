import type { Page } from '@playwright/test'
import { cast } from '../cast.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const pin = '482915'
const getLockHeading = (page: Page) => page.getByRole('heading', { name: 'Keeper is locked' })
const getHomeHeading = (page: Page) => page.getByRole('heading', { name: 'Root Dashboard' })

async function turnOnLock(page: Page, { withPin = true } = {}): Promise<void> {
  await page.goto('/root/profile')
  await page.getByLabel('Lock this and your other tabs').selectOption('1')
  if (withPin) await page.getByLabel(/^PIN/).fill(pin)
  await page.getByRole('button', { name: 'Save app lock' }).click()
  await expect(page.getByText('App lock saved.')).toBeVisible()
}

async function unlock(page: Page, text = pin, label = /^PIN/): Promise<void> {
  await page.getByLabel(label).fill(text)
  await page.getByRole('button', { name: 'Unlock' }).click()
}

test.beforeEach(({ watch }) => {
  watch.expectLine(/status of (423|400|401)/)
  watch.expectLine(/ERR_INTERNET_DISCONNECTED/)
})

test('an idle page is covered in every tab and on the server, and keeps its text', async ({
  page,
  keeper,
  context,
  watch,
}) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  await page.clock.install()
  await turnOnLock(page)
  await page.goto('/root')
  const box = page.getByRole('textbox', { name: 'What is worth keeping from today?' })
  await box.fill('The harbour was quiet.')
  const otherTab = await context.newPage()
  await watch.watchPage(otherTab)
  await otherTab.clock.install()
  await otherTab.goto('/root')
  await expect(getHomeHeading(otherTab)).toBeVisible()
  await page.clock.fastForward('00:50')
  await page.mouse.move(200, 200)
  await page.clock.fastForward('00:50')
  await expect(getLockHeading(page)).toHaveCount(0)

  await page.clock.fastForward('01:05')
  await expect(getLockHeading(page)).toBeVisible()
  await expect(getLockHeading(otherTab)).toBeVisible()
  await expect(box).toBeHidden()
  await expect(getHomeHeading(otherTab)).toBeHidden()
  expect(await page.title()).toBe('Keeper')
  await expectNoViolations(page, 'the page')
  const getSession = () => page.request.get('/api/kam/auth/session', { headers: { authorization: `Bearer ${token}` } })
  await expect.poll(async () => (await getSession()).status()).toBe(423)

  await unlock(page, '000000')
  await expect(page.getByText('4 tries are left')).toBeVisible()
  await unlock(page)
  await expect(getLockHeading(page)).toHaveCount(0)
  await expect(box).toHaveValue('The harbour was quiet.')
  await expect(getHomeHeading(otherTab)).toBeVisible()
  expect((await getSession()).status()).toBe(200)
})

test('a locked page stays locked after a reload, and the password opens it @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada')
  await page.clock.install()
  await turnOnLock(page, { withPin: false })
  await page.goto('/root')
  await expect(getHomeHeading(page)).toBeVisible()
  await page.clock.fastForward('01:05')
  await expect(getLockHeading(page)).toBeVisible()
  await page.reload()
  await expect(getLockHeading(page)).toBeVisible()
  await expect(page.getByText('Root Dashboard')).toHaveCount(0)
  await unlock(page, cast.ada.password, /^Password/)
  await expect(getHomeHeading(page)).toBeVisible()
})

test('a page opened after the idle time has passed is locked @long', async ({ page, keeper, context, watch }) => {
  await registerAndSignIn(page, keeper, 'ada')
  await turnOnLock(page)
  await page.goto('about:blank')
  const later = await context.newPage()
  await watch.watchPage(later)
  await later.clock.install({ time: Date.now() + 120_000 })
  await later.goto('/root')
  await expect(getLockHeading(later)).toBeVisible()
  await unlock(later)
  await expect(getHomeHeading(later)).toBeVisible()
})

test('an idle page locks while offline, and the PIN unlocks it @long', async ({ page, keeper, context }) => {
  await registerAndSignIn(page, keeper, 'ada')
  await page.clock.install()
  await turnOnLock(page)
  await page.goto('/root')
  await expect(getHomeHeading(page)).toBeVisible()
  await context.setOffline(true)
  await page.clock.fastForward('01:05')
  await expect(getLockHeading(page)).toBeVisible()
  await unlock(page, '111111')
  await expect(page.getByText('4 of 5 tries are left')).toBeVisible()
  await unlock(page)
  await expect(getHomeHeading(page)).toBeVisible()
  await context.setOffline(false)
})

test('five wrong PINs end the session in this browser @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada')
  await page.clock.install()
  await turnOnLock(page)
  await page.goto('/root')
  await expect(getHomeHeading(page)).toBeVisible()
  await page.clock.fastForward('01:05')
  for (let index = 0; index < 5; index++) {
    await expect(page.getByLabel(/^PIN/)).toHaveValue('')
    await unlock(page, '000000')
  }
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => localStorage.getItem('keeper_token'))).toBeNull()
})
