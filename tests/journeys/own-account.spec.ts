import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { cast } from '../cast.ts'
import { unzip } from '../unzip.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, registerPerson, signIn, test } from './fixtures.ts'

const dayMs = 24 * 60 * 60 * 1000

const getSection = (page: Page, name: string) => page.getByRole('region', { name })

async function requestDeletion(page: Page, password: string) {
  await getSection(page, 'Delete my account').getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  return dialog
}

test('Ada ends another session, then all others', async ({ page, anotherPage, keeper, watch }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root/profile' })
  const otherPage = await anotherPage()
  await signIn(otherPage, 'ada')
  const sessions = getSection(page, 'Where you’re signed in')
  const rows = sessions.getByRole('listitem')
  await page.reload()
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('This session')
  await expect(rows.nth(1)).toContainText('Chrome on Linux')
  await expect(rows.first().getByRole('button')).toHaveCount(0)
  watch.expectLine(/401/)
  await rows
    .nth(1)
    .getByRole('button', { name: /^Sign out Chrome on Linux/ })
    .click()
  await expect(sessions.getByText('Chrome on Linux was signed out.')).toBeVisible()
  await expect(rows).toHaveCount(1)
  await expect(otherPage, 'right away, without a click there').toHaveURL(/\/login\?next=/)
  await expect(otherPage.getByText('You were signed out.')).toBeVisible()

  await signIn(otherPage, 'ada')
  await page.reload()
  await expect(rows).toHaveCount(2)
  await sessions.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(otherPage).toHaveURL(/\/login\?next=/)
  await expect(rows).toHaveCount(1)
  await expect(sessions.getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0)
})

test('everything is downloaded as one zip with all keepers @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/root/profile' })
  const keeperInput = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal' }
  const storage = getSection(page, 'Storage')
  await expect(storage).toContainText('None yet of 20.00 GB.')
  await expect(storage).toContainText(/Bytes|KB of 2\.00 GB, [\d,]+ of 2,000,000 rows/)
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  await keeper.callApi(`/api/keeper/keepers/${id}/moments`, { body: 'First frost.' }, { token })
  const section = getSection(page, 'Export everything')
  const button = section.getByRole('button', { name: 'Download everything' })
  await page.route('**/api/kam/auth/download', () => undefined, { times: 1 })
  await button.click()
  await expect(section.getByText('Preparing...', { exact: true })).toBeVisible()
  await section.getByRole('button', { name: 'Stop' }).click()
  await expect(section.getByText('Stopped. Nothing was saved.')).toBeVisible()
  const download = page.waitForEvent('download')
  await button.click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^keeper-account-\d{4}-\d\d-\d\d\.zip$/)
  await expect(page.getByRole('status').filter({ hasText: 'is in your downloads.' })).toBeVisible()
  const files = await unzip(await readFile(await file.path()))
  expect(String(files.get('the-harbour-year/moments.md'))).toContain('First frost.')
  expect(JSON.parse(String(files.get('account.json')))).toMatchObject({ profile: { email: cast.ada.email } })
  expect([...files.values()].join('\n')).not.toContain(token)
})

test.describe('with a movable clock', () => {
  test.use({ clocked: true })

  test('Ada requests, cancels and completes the deletion of her account @long', async ({
    page,
    keeper,
    mailbox,
    watch,
  }) => {
    await registerPerson(keeper, 'ben')
    await registerAndSignIn(page, keeper, 'ada', { path: '/root/profile' })
    watch.expectLine(/400/)
    const dialog = await requestDeletion(page, 'not-my-password-1')
    await expect(dialog.getByText('This isn’t your current password.')).toBeVisible()
    await expect(dialog.getByLabel('Your password'), 'it can be corrected').toBeFocused()
    await expect(page.getByRole('button', { name: 'Keep my account' })).toHaveCount(0)
    await dialog.getByLabel('Your password').fill(cast.ada.password)
    await dialog.getByRole('button', { name: 'Delete my account' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(/^Your account will be deleted on \w+ \d+, \d{4}\.$/)).toBeVisible()
    await expect.poll(() => mailbox.mails.length).toBe(1)

    await page.goto('/keeper')
    const banner = page.getByRole('status').filter({ hasText: 'Your account will be deleted on' })
    await expect(banner, 'on every page').toBeVisible()
    await banner.getByRole('button', { name: 'Keep my account' }).click()
    await expect(banner).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(banner).toHaveCount(0)

    await page.goto('/root/profile')
    await requestDeletion(page, cast.ada.password)
    await expect(banner.first()).toBeVisible()
    watch.expectLine(/401/)
    await page.clock.install({ time: Date.now() + 14 * dayMs + 60_000 })
    await keeper.passTime(14 * dayMs + 60_000)
    await banner.first().getByRole('button', { name: 'Keep my account' }).click()
    await expect(page.getByText('Your account was deleted, with everything in it.')).toBeVisible()
    await page.getByLabel(/e-?mail/i).fill(cast.ada.email)
    await page.getByLabel('Password', { exact: true }).fill(cast.ada.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'don’t match' })).toBeVisible()
    await signIn(page, 'ben')
  })
})

test('the account page has no WCAG violations on desktop and phone @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root/profile' })
  await expect(getSection(page, 'Where you’re signed in').getByRole('listitem')).toHaveCount(1)
  await expectNoViolations(page, 'the profile')
  await getSection(page, 'Delete my account').getByRole('button', { name: 'Delete my account' }).click()
  await expectNoViolations(page, 'the confirmation')
  await page.keyboard.press('Escape')
  await requestDeletion(page, cast.ada.password)
  await expect(page.getByRole('button', { name: 'Keep my account' })).toHaveCount(2)
  await expectNoViolations(page, 'the days before the deletion')
  await page.setViewportSize({ width: 320, height: 700 })
  await expectNoViolations(page, 'the same on a phone')
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})

test('changing the password ends all other sessions @long', async ({ page, anotherPage, keeper, watch }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root/profile' })
  const otherPage = await anotherPage()
  await signIn(otherPage, 'ada')
  await page.reload()
  const rows = getSection(page, 'Where you’re signed in').getByRole('listitem')
  await expect(rows).toHaveCount(2)
  watch.expectLine(/401/)
  await page.getByLabel('Current password').fill(cast.ada.password)
  await page.getByLabel('New password').fill('a-fresh-word-77')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed. You’re signed out everywhere else.')).toBeVisible()
  await expect(rows).toHaveCount(1)
})

test('reopening the deletion dialog clears its password error @long', async ({ page, keeper, watch }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root/profile' })
  watch.expectLine(/400/)
  const deleteButton = getSection(page, 'Delete my account').getByRole('button', { name: 'Delete my account' })
  const dialog = await requestDeletion(page, 'not-my-password-1')
  await expect(dialog.getByText('This isn’t your current password.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await deleteButton.click()
  await expect(dialog).toBeVisible()
  await expect(dialog.getByText('This isn’t your current password.')).toHaveCount(0)
})
