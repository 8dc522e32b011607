import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { cast } from '../cast.ts'
import { unzip } from '../unzip.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const longTimeout = { timeout: 60_000 }
const getTable = (page: Page) => page.getByRole('table', { name: 'Backups' })
const getDialog = (page: Page) => page.getByRole('dialog')

const createKeeper = (keeper: BuiltKeeper, title: string, token: string) =>
  keeper.callApi(
    '/api/keeper/keepers',
    { title, purpose: 'p', keeperType: 'Journal', keeperTypeId: 'system-journal' },
    { token },
  )

async function createBackup(page: Page) {
  await page.getByRole('button', { name: 'Back up now' }).click()
  await expect(getTable(page).getByText('Manual').first()).toBeVisible(longTimeout)
  await expect(page.getByRole('button', { name: 'Back up now' })).toBeEnabled(longTimeout)
}

async function chooseAction(page: Page, item: string) {
  await page
    .getByRole('button', { name: /Actions for/ })
    .last()
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('an administrator makes, checks, downloads and deletes a backup @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/backups', isSuperAdmin: true })
  await expect(page.getByText('No backups yet.')).toBeVisible()
  await expect(page.getByText(/A backup needs .* free on the server’s disk/)).toBeVisible()
  await createBackup(page)
  await expectNoViolations(page, 'the page')
  await chooseAction(page, 'Check')
  await expect(getTable(page).getByText('Intact').filter({ visible: true }).first()).toBeVisible(longTimeout)

  const downloading = page.waitForEvent('download', longTimeout)
  await chooseAction(page, 'Download')
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^keeper-\d{8}T\d{6}Z\.zip$/)
  const files = await unzip(await readFile((await download.path()) ?? ''))
  expect([...files.keys()].map((path) => path.split('/').at(-1))).toEqual(
    expect.arrayContaining(['data.db', 'manifest.json']),
  )

  await chooseAction(page, 'Delete…')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No backups yet.')).toBeVisible(longTimeout)
  await page.goto('/admin/audit')
  const log = page.getByRole('table', { name: 'Audit log' })
  for (const action of ['Made a backup', 'Downloaded a backup', 'Deleted a backup'])
    await expect(log.getByText(action)).toBeVisible()
})

test('the schedule is saved and shows when the next backup is due @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/backups', isSuperAdmin: true })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await expect(save).toBeDisabled()
  await page.getByLabel('Make a backup').selectOption('weekly')
  await page.getByLabel('Day').selectOption('Monday')
  await page.getByLabel('From').selectOption('04:00')
  await page.getByLabel('Keep the newest').fill('')
  await save.click()
  await expect(page.getByText('Enter a whole number.')).toBeVisible()
  await page.getByLabel('Keep the newest').fill('3')
  await save.click()
  await expect(save).toBeDisabled()
  await page.reload()
  await expect(page.getByLabel('Day')).toHaveValue('1')
  await expect(page.getByLabel('Keep the newest')).toHaveValue('3')
  await expect(page.getByText(/Next: .*4:00/)).toBeVisible()
})

test('a restore shows what is lost, brings the data back, and everyone signs in again', async ({
  page,
  anotherPage,
  keeper,
  watch,
}) => {
  test.slow()
  watch.expectLine(/status of (401|503)|ERR_/)
  const { token } = await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/backups', isSuperAdmin: true })
  await createKeeper(keeper, 'Kept', token)
  await createBackup(page)
  await createKeeper(keeper, 'Lost', token)
  const otherPage = await anotherPage()
  await registerAndSignIn(otherPage, keeper, 'ben', { path: '/root' })

  await chooseAction(page, 'Restore…')
  const confirmation = getDialog(page).getByLabel(/to confirm/)
  await expect(confirmation).toBeVisible(longTimeout)
  const lost = getDialog(page).getByRole('row', { name: /Keepers/ })
  await expect(lost.getByRole('cell').last()).toHaveText('1')
  const replace = getDialog(page).getByRole('button', { name: 'Replace all data' })
  await confirmation.fill('elsewhere.example')
  await expect(replace).toBeDisabled()
  await confirmation.fill(new URL(keeper.url).host)
  await replace.click()
  await expect(page.getByRole('heading', { name: 'Restoring a backup' })).toBeVisible()
  await expect(page).toHaveURL(/\/login/, longTimeout)
  await page.getByLabel(/e-?mail/i).fill(cast.cleo.email)
  await page.getByLabel('Password', { exact: true }).fill(cast.cleo.password)
  await page
    .locator('form')
    .getByRole('button', { name: /sign in|login/i })
    .click()
  await expect(page.getByText('A backup was restored.')).toBeVisible(longTimeout)
  await expect(getTable(page).getByText('Before a restore')).toBeVisible()
  await page.goto('/keeper')
  await expect(page.getByText('Kept').first()).toBeVisible()
  await expect(page.getByText('Lost')).toHaveCount(0)
  await otherPage.goto('/root')
  await expect(otherPage).toHaveURL(/\/login/, longTimeout)
})

test('people without the permission see an explanation @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ben', { path: '/admin/backups' })
  await expect(page.getByText('Your account can’t manage backups')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Back up now' })).toHaveCount(0)
})
