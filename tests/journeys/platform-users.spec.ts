import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { cast } from '../cast.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, registerPerson, test } from './fixtures.ts'

const getDrawer = (page: Page) => page.getByRole('dialog', { name: 'User Details' })

async function openDetails(page: Page, name: string) {
  await page.getByRole('button', { name: `View Details of ${name}` }).click()
  await expect(getDrawer(page).getByRole('heading', { name })).toBeVisible()
}

async function confirmDialog(page: Page, button: string) {
  await page.getByRole('alertdialog').getByRole('button', { name: button, exact: true }).click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
}

test('signing a person out everywhere ends their session right away @long', async ({ page, anotherPage, keeper }) => {
  const benPage = await anotherPage()
  await registerAndSignIn(benPage, keeper, 'ben', { path: '/root' })
  await expect(benPage.getByRole('heading', { level: 1 })).toBeVisible()
  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/users', isSuperAdmin: true })
  await expect(page.getByText('2 users')).toBeVisible()
  await openDetails(page, cast.ben.name)
  await getDrawer(page).getByRole('button', { name: 'Sign out everywhere' }).click()
  await confirmDialog(page, 'Sign Out Everywhere')
  await expect(getDrawer(page).getByText(`${cast.ben.name} is signed out everywhere.`)).toBeVisible()
  await expect(getDrawer(page).getByText('No active sessions.')).toBeVisible()
  await expect(getDrawer(page).getByText('Signed out everywhere', { exact: true })).toBeVisible()
  await expect(benPage).toHaveURL(/\/login/)
  expect(await benPage.evaluate(() => localStorage.getItem('keeper_token'))).toBeNull()
})

test("a deactivated account can't sign in until reactivated, and both are audited", async ({
  page,
  anotherPage,
  keeper,
  watch,
}) => {
  watch.expectLine(/status of 403/)
  await registerPerson(keeper, 'ben')
  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/users', isSuperAdmin: true })
  await openDetails(page, cast.ben.name)
  await getDrawer(page).getByRole('button', { name: 'Deactivate' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(getDrawer(page).getByRole('button', { name: 'Deactivate' })).toBeVisible()
  await getDrawer(page).getByRole('button', { name: 'Deactivate' }).click()
  await confirmDialog(page, 'Deactivate')
  await expect(getDrawer(page).getByRole('button', { name: 'Reactivate' })).toBeVisible()

  const benPage = await anotherPage()
  const signIn = async () => {
    await benPage.goto('/login')
    await benPage.getByLabel(/e-?mail/i).fill(cast.ben.email)
    await benPage.getByLabel('Password', { exact: true }).fill(cast.ben.password)
    await benPage
      .locator('form')
      .getByRole('button', { name: /sign in|login/i })
      .click()
  }
  await signIn()
  await expect(benPage.getByText('This account is deactivated. Ask your administrator.')).toBeVisible()

  await getDrawer(page).getByRole('button', { name: 'Reactivate' }).click()
  await confirmDialog(page, 'Reactivate')
  await signIn()
  await expect(benPage).toHaveURL(/\/root$/)

  await getDrawer(page).getByRole('link', { name: 'View all in the audit log' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Audit Log' })).toBeVisible()
  const log = page.getByRole('table', { name: 'Audit log' })
  for (const action of ['Registered', 'Deactivated', 'Reactivated', 'Signed in'])
    await expect(log.getByRole('row').filter({ hasText: action })).toHaveCount(1)
  await expect(log.getByRole('row').filter({ hasText: 'Deactivated' })).toContainText(cast.cleo.name)
  const downloadEvent = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await downloadEvent
  expect(file.suggestedFilename()).toMatch(/^keeper-audit-.*\.csv$/)
  const text = readFileSync(await file.path(), 'utf8')
  expect(text.split('\r\n').filter((line) => line.includes('account-deactivated'))).toHaveLength(1)
  expect(text).not.toContain(cast.ben.email)

  await page.getByLabel('Action').selectOption({ label: 'Deactivated' })
  await expect(page).toHaveURL(/action=account-deactivated/)
  await expect(log.getByRole('row')).toHaveCount(2)
  const when = page.getByRole('combobox', { name: 'When' })
  await expect(page.getByLabel('From (UTC)')).toHaveCount(0)
  await when.selectOption('7 days')
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d$/)
  await expect(log.getByRole('row')).toHaveCount(2)
  await page.reload()
  await expect(when).toHaveValue('7')
  await when.selectOption('Choose…')
  await page.getByLabel('From (UTC)').fill('2001-01-01')
  await page.getByLabel('To (UTC)').fill('2001-01-02')
  await expect(page.getByText('No entries match these filters.')).toBeVisible()
  await expect(
    page.getByText(/links to boards, .*budgets, prices, context texts, tool servers and Keeper’s own agents/),
  ).toBeVisible()
  await page.getByLabel('From (UTC)').fill('2001-01-03')
  await expect(page.getByLabel('From (UTC)')).toHaveAccessibleDescription('From must be on or before To.')
  await page.getByLabel('To (UTC)').fill('2001-01-03')
  await expect(page.getByLabel('From (UTC)')).toHaveAccessibleDescription('')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(log.getByRole('row').filter({ hasText: cast.cleo.name }).first()).toBeVisible()
  await page.getByRole('searchbox', { name: 'Find a person...' }).fill('ben@')
  await page.getByRole('button', { name: new RegExp(cast.ben.name) }).click()
  await expect(page).toHaveURL(/userId=/)
  await expect(log.getByRole('row').filter({ hasText: 'Reactivated' })).toHaveCount(1)
})

test('reset links, roles and data of a person are in their details @long', async ({ page, anotherPage, keeper }) => {
  const { user } = await registerPerson(keeper, 'ben')
  await registerAndSignIn(page, keeper, 'cleo', { path: `/admin/users?user=${user.id}`, isSuperAdmin: true })
  await expect(getDrawer(page).getByRole('heading', { name: cast.ben.name })).toBeVisible()
  await getDrawer(page).getByRole('button', { name: 'Reset link' }).click()
  await confirmDialog(page, 'Create Link')
  const link = await getDrawer(page).getByLabel('Reset link', { exact: true }).inputValue()
  expect(link).toContain('/login?reset=')

  await getDrawer(page).getByRole('checkbox', { name: 'support' }).click()
  await expect(getDrawer(page).getByText('Granted a role')).toBeVisible()
  await expect(
    getDrawer(page).getByLabel('Reset link', { exact: true }),
    'granting a role revokes the link',
  ).toHaveCount(0)
  await page.reload()
  await expect(getDrawer(page).getByRole('checkbox', { name: 'support' })).toBeChecked()

  const downloadEvent = page.waitForEvent('download')
  await getDrawer(page).getByRole('button', { name: 'Export data' }).click()
  const exported = JSON.parse(readFileSync(await (await downloadEvent).path(), 'utf8'))
  expect(exported.account).toMatchObject({ id: user.id, email: cast.ben.email, platformRoles: ['support'] })
  expect(JSON.stringify(exported)).not.toContain(new URL(link).searchParams.get('reset'))

  const benPage = await anotherPage()
  await benPage.goto(new URL(link).pathname + new URL(link).search)
  await expect(benPage.getByLabel(/new password/i).first()).toBeVisible()
  await expectNoViolations(page, 'User Details')
  await page.keyboard.press('Escape')
  await expect(getDrawer(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/admin\/users$/)
  await expectNoViolations(page, 'Platform User Management')
})

test("one's own account offers no action that would be refused @long", async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/users', isSuperAdmin: true })
  await openDetails(page, cast.cleo.name)
  await expect(getDrawer(page).getByText('This is your own account')).toBeVisible()
  for (const name of ['Sign out everywhere', 'Deactivate', 'Reset link'])
    await expect(getDrawer(page).getByRole('button', { name })).toHaveCount(0)
  await expect(getDrawer(page).getByText('(this session)')).toBeVisible()
})

test('the user list is searched, and a failed load can be retried @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  await registerPerson(keeper, 'ada')
  await registerPerson(keeper, 'ben')
  let isBroken = true
  await page.route('**/api/admin/users?*', (route) =>
    isBroken
      ? route.fulfill({ status: 500, contentType: 'application/json', body: '{"success":false}' })
      : route.continue(),
  )
  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/users', isSuperAdmin: true })
  await expect(page.getByText('Failed to load users')).toBeVisible()
  isBroken = false
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('3 users')).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveText(['User', 'Email', 'Platform Roles', 'Joined', 'Actions'])
  await page.getByRole('searchbox', { name: 'Search users...' }).fill('LINDQ')
  await expect(page.getByText('1 user', { exact: true })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('searchbox').fill('%')
  await expect(page.getByText('No people match.')).toBeVisible()
})

test('pages without permission say so and request nothing @long', async ({ page, keeper }) => {
  const adminRequests: string[] = []
  page.on('request', (request) => request.url().includes('/api/admin/') && adminRequests.push(request.url()))
  await registerAndSignIn(page, keeper, 'ben', { path: '/admin/users' })
  await expect(page.getByText('Your account can’t manage users')).toBeVisible()
  await page.goto('/admin/audit')
  await expect(page.getByText('Your account can’t read the audit log')).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/audit$/)
  expect(adminRequests).toEqual([])
})

test('on a phone users and audit log have no WCAG violations @long', async ({ page, keeper }) => {
  await registerPerson(keeper, 'ben')
  await keeper.callApi('/api/kam/auth/register', {
    email: 'grandmother.elisabeth.of.the.harbour@willowbrook.example',
    password: 'lamp-and-tide-77',
    name: 'Elisabeth Marie Lindqvist Sundsbø of the Harbour',
  })
  await page.setViewportSize({ width: 320, height: 844 })
  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/users', isSuperAdmin: true })
  await expect(page.getByRole('rowheader').filter({ hasText: cast.ben.email })).toBeVisible()
  const buttons = page.getByRole('button', { name: /^View Details/ })
  await expect(buttons).toHaveCount(3)
  const rightEdges = await buttons.evaluateAll((all) =>
    all.map((element) => Math.ceil(element.getBoundingClientRect().right)),
  )
  expect(Math.max(...rightEdges), 'a long name pushes no button out of view').toBeLessThanOrEqual(320)
  await page.setViewportSize({ width: 390, height: 844 })
  await openDetails(page, cast.ben.name)
  await expect(getDrawer(page).getByRole('button', { name: 'Deactivate' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Audit Log' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Registered' })).toHaveCount(3)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectNoViolations(page, 'Audit Log')
})

test('the total below the users covers no focused button of a phone @long', async ({ page, keeper }) => {
  insertUsers(keeper, 30)
  await page.setViewportSize({ width: 390, height: 700 })
  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/users', isSuperAdmin: true })
  const buttons = page.getByRole('button', { name: /^View Details/ })
  await expect(buttons).toHaveCount(31)
  await buttons.first().focus()
  for (let index = 1; index < 30; index += 1) {
    await page.keyboard.press('Tab')
    const button = buttons.nth(index)
    await expect(button).toBeFocused()
    const isInFront = await button.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })
    expect(isInFront, `button ${index}`).toBe(true)
  }
})

test('the audit log is in the palette and on the Studio Admin home @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'cleo', { path: '/studio/admin', isSuperAdmin: true })
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Audit Log/ })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Audit Log' })).toBeVisible()
  await page.goto('/root')
  await expect(page.getByRole('heading', { level: 1, name: 'Root Dashboard' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('audit')
  await page.getByRole('option', { name: 'Audit Log Admin › Platform' }).click()
  await expect(page).toHaveURL(/\/admin\/audit$/)
})

test('a failed next page of the audit log says so @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  await registerAndSignIn(page, keeper, 'cleo', { path: '/root/profile', isSuperAdmin: true })
  await page.route('**/api/admin/audit?*', (route) =>
    route.request().url().includes('cursor')
      ? route.fulfill({ status: 500, json: { success: false } })
      : route.fetch().then(async (response) => {
          const json = await response.json()
          json.data.next_cursor = 'more'
          await route.fulfill({ response, json })
        }),
  )
  await page.goto('/admin/audit')
  await expect(page.getByRole('alert')).toHaveText('The rest couldn’t be loaded. Try again.')
  await expect(page.getByRole('button', { name: 'Show more' })).toBeEnabled()
})

test('two hundred users load on scroll, with one tab stop per row @long', async ({ page, keeper }) => {
  insertUsers(keeper, 203)
  await registerAndSignIn(page, keeper, 'cleo', { isSuperAdmin: true })
  await page.goto('/admin/users')
  const rows = page.getByRole('rowheader')
  await expect(page.getByText('204 users')).toBeInViewport()
  await expect(rows).toHaveCount(100)
  const table = page.getByRole('table', { name: 'Users' })
  await expect(table.getByText('None')).toHaveCount(0)
  await rows.nth(99).scrollIntoViewIfNeeded()
  await expect(rows).toHaveCount(200)
  await expect(page.getByText('204 users')).toBeInViewport()
  await rows.nth(199).scrollIntoViewIfNeeded()
  await expect(rows).toHaveCount(204)
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
  await expect(page.getByRole('columnheader', { name: 'Platform Roles' })).toBeInViewport()

  const tabStops = await table
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => row.querySelectorAll('a[href], button, input, [tabindex="0"]').length))
  expect(new Set(tabStops)).toEqual(new Set([1]))
  const row = table.locator('tbody tr').nth(150)
  const email = row.getByRole('cell').first()
  await email.scrollIntoViewIfNeeded()
  const { x, y } = (await email.boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.move(x + 20, y + 20)
  await page.mouse.down()
  await page.mouse.move(x + 120, y + 20, { steps: 4 })
  await page.mouse.up()
  expect(await page.evaluate(() => getSelection()?.toString())).not.toBe('')
  await expect(getDrawer(page), 'selecting text opens nothing').toHaveCount(0)
  await email.click()
  await expect(getDrawer(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(getDrawer(page)).toHaveCount(0)
  await expect(row.getByRole('button')).toBeFocused()
  await page.keyboard.press('Tab')
  const nextButton = table.locator('tbody tr').nth(151).getByRole('button')
  await expect(nextButton).toBeFocused()
  await expect(nextButton).toHaveText(/^View Details/)
})

test('the role names stay in sight at row 150 @long', async ({ page, keeper }) => {
  insertUsers(keeper, 203)
  await registerAndSignIn(page, keeper, 'cleo', { isSuperAdmin: true })
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/admin/roles')
    const rows = page.getByRole('rowheader')
    await expect(page.getByText('204 users')).toBeInViewport()
    await expect(rows).toHaveCount(100)
    await rows.nth(99).scrollIntoViewIfNeeded()
    await expect(rows).toHaveCount(200)
    await rows.nth(150).scrollIntoViewIfNeeded()
    for (const role of ['super-admin', 'admin', 'support', 'moderator', 'analyst', 'developer', 'viewer'])
      await expect(page.getByRole('columnheader', { name: new RegExp(`^${role}`) }), role).toBeInViewport({ ratio: 1 })
    const cell = page.getByRole('row').nth(151).getByRole('gridcell').last()
    const box = await cell.boundingBox()
    expect(box?.width).toBeGreaterThanOrEqual(44)
    expect(box?.height).toBeGreaterThanOrEqual(36)
    const checkbox = cell.getByRole('checkbox')
    await expect(checkbox).not.toBeChecked()
    await cell.click({ position: { x: 3, y: 3 } })
    await expect(checkbox, 'the whole cell is the target').toBeChecked()
    await cell.click({ position: { x: (box?.width ?? 0) - 3, y: (box?.height ?? 0) - 3 } })
    await expect(checkbox).not.toBeChecked()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})

/** Directly into the table, because registering hashes each password for a tenth of a second. */
function insertUsers(keeper: BuiltKeeper, count: number): void {
  const database = new DatabaseSync(join(keeper.dataDir, 'data.db'), { timeout: 5000 })
  const insert = database.prepare(
    "insert into people (id, email, email_folded, name, password_hash, created_at) values (?, ?, ?, ?, 'x', ?)",
  )
  for (let number = 1; number <= count; number++) {
    const email = `person-${number}@willowbrook.example`
    insert.run(`${number}`.padStart(32, '0'), email, email, `Person ${number}`, number)
  }
  database.close()
}
