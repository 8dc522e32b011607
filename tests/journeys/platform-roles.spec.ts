import type { Page } from '@playwright/test'
import { cast } from '../cast.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, registerPerson, test } from './fixtures.ts'

const getCheckbox = (page: Page, role: string, name: string) =>
  page.getByRole('checkbox', { name: `${role} for ${name}`, exact: true })
const notPermitted = 'Your account can’t view platform roles'

test('granting or revoking a role takes effect for the person right away', async ({ page, anotherPage, keeper }) => {
  await registerPerson(keeper, 'dot')
  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/roles', isSuperAdmin: true })
  const benPage = await anotherPage()
  await registerAndSignIn(benPage, keeper, 'ben', { path: '/admin/users' })
  await expect(benPage.getByText('Your account can’t manage users')).toBeVisible()
  await expect(benPage).toHaveURL(/\/admin\/users$/)

  await page.reload()
  await expect(page.getByRole('columnheader', { name: /^admin/ })).toContainText('0')
  await getCheckbox(page, 'admin', cast.ben.name).click()
  await expect(getCheckbox(page, 'admin', cast.ben.name)).toBeChecked()
  await expect(page.getByRole('columnheader', { name: /^admin/ })).toContainText('1')
  await expect(benPage.getByRole('row', { name: new RegExp(cast.dot.name) })).toBeVisible()

  await page.reload()
  await getCheckbox(page, 'admin', cast.ben.name).click()
  await expect(getCheckbox(page, 'admin', cast.ben.name)).not.toBeChecked()
  await expect(benPage.getByText('Your account can’t manage users')).toBeVisible()
})

test('a refused role change is reverted, explained and can be retried @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  await registerPerson(keeper, 'ben')
  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/roles', isSuperAdmin: true })
  let isBroken = true
  await page.route('**/api/admin/roles/assign', (route) =>
    isBroken
      ? route.fulfill({ status: 500, contentType: 'application/json', body: '{"success":false}' })
      : route.continue(),
  )
  const checkbox = getCheckbox(page, 'developer', cast.ben.name)
  const alert = page.getByRole('alert')
  await checkbox.click()
  await expect(alert).toContainText(`Failed to update role assignment. ${cast.ben.name} doesn’t have developer.`)
  await expect(checkbox).not.toBeChecked()
  await alert.getByRole('button', { name: 'Dismiss' }).click()
  await expect(alert).toHaveCount(0)

  await checkbox.click()
  await expect(alert).toBeVisible()
  isBroken = false
  // The checkbox updates before the server confirms, and a reload would cancel the request.
  const assignResponse = page.waitForResponse((response) => response.url().endsWith('/api/admin/roles/assign'))
  await alert.getByRole('button', { name: 'Retry' }).click()
  await expect(checkbox).toBeChecked()
  await assignResponse
  await expect(alert).toHaveCount(0)
  await page.reload()
  await expect(checkbox).toBeChecked()
})

test("the last super-admin can't step down until there is another @long", async ({ page, keeper }) => {
  await registerPerson(keeper, 'ben')
  await registerAndSignIn(page, keeper, 'cleo', { path: '/root/profile', isSuperAdmin: true })
  const deleteAccountButton = page.getByRole('button', { name: 'Delete my account' })
  await expect(deleteAccountButton).toBeDisabled()
  await expect(deleteAccountButton).toHaveAccessibleDescription(/^You’re the last super-admin/)

  await page.goto('/admin/users')
  await page
    .getByRole('row', { name: new RegExp(cast.cleo.name) })
    .getByRole('button')
    .first()
    .click()
  const role = page.getByRole('dialog', { name: 'User Details' }).getByRole('checkbox', { name: 'super-admin' })
  await expect(role).toBeDisabled()
  await expect(role).toHaveAccessibleDescription('This is the last super-admin. Grant the role to someone else first.')

  await page.goto('/admin/roles')
  const ownCheckbox = getCheckbox(page, 'super-admin', cast.cleo.name)
  await expect(ownCheckbox).toBeDisabled()
  await expect(ownCheckbox).toHaveAccessibleDescription(
    `${cast.cleo.name} is the last super-admin. You can remove the role once someone else has it too.`,
  )
  await expectNoViolations(page, 'with the last super-admin')
  await ownCheckbox.focus()
  await page.keyboard.press('Space')
  await expect(ownCheckbox).toBeChecked()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)

  const benCheckbox = getCheckbox(page, 'super-admin', cast.ben.name)
  const grantDialog = page.getByRole('alertdialog', { name: `Make ${cast.ben.name} a super-admin?` })
  await benCheckbox.click()
  await grantDialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(grantDialog).toHaveCount(0)
  await expect(benCheckbox).not.toBeChecked()
  await expect(ownCheckbox).toBeDisabled()
  await benCheckbox.click()
  await grantDialog.getByRole('button', { name: 'Grant Role' }).click()
  await expect(benCheckbox).toBeChecked()
  await expect(ownCheckbox).toBeEnabled()
  await ownCheckbox.click()
  const question = page.getByRole('alertdialog', { name: 'Remove your own super-admin role?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(ownCheckbox).toBeChecked()
  await page.goto('/root/profile')
  await expect(deleteAccountButton).toBeEnabled()
})

test('a new last super-admin is refused to step down @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 409/)
  await registerAndSignIn(page, keeper, 'cleo', { path: '/root/dashboard', isSuperAdmin: true })
  // The page has outdated data with a deleted super-admin.
  await page.route(/\/api\/admin\/roles\/users/, async (route) => {
    const response = await route.fetch()
    const { data, ...others } = await response.json()
    const deletedUser = { ...data[0], id: 'gone', name: 'Gone', email: 'gone@willowbrook.example' }
    await route.fulfill({ response, json: { ...others, data: [...data, deletedUser] } })
  })
  await page.goto('/admin/roles')
  const ownCheckbox = getCheckbox(page, 'super-admin', cast.cleo.name)
  await ownCheckbox.click()
  await page.getByRole('button', { name: 'Remove My Role' }).click()
  await expect(page.getByRole('alert')).toContainText(
    `This is the last super-admin. Grant the role to someone else first. ${cast.cleo.name} still has super-admin.`,
  )
  await expect(ownCheckbox).toBeChecked()
})

test('the role grid and its search work by keyboard alone @long', async ({ page, keeper }) => {
  await registerPerson(keeper, 'ada')
  await registerPerson(keeper, 'ben')
  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/roles', isSuperAdmin: true })
  const search = page.getByRole('searchbox', { name: 'Search users...' })
  await expect(getCheckbox(page, 'super-admin', cast.cleo.name)).toBeVisible()
  await search.focus()
  await page.keyboard.press('Tab')
  await expect(getCheckbox(page, 'super-admin', cast.cleo.name)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect(getCheckbox(page, 'viewer', cast.ada.name)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(getCheckbox(page, 'viewer', cast.ada.name)).toBeChecked()
  await expect(getCheckbox(page, 'viewer', cast.ada.name), 'the row does not move').toBeFocused()
  await page.keyboard.press('Control+Home')
  await expect(getCheckbox(page, 'super-admin', cast.cleo.name)).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(search).toBeFocused()
  await page.keyboard.type('BEN@willow')
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await expect(page.getByRole('rowheader')).toContainText(cast.ben.name)
  await search.fill('nobody at all')
  await expect(page.getByText('No people match.')).toBeVisible()
})

test('roles that fail to load can be retried @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  let isBroken = true
  await page.route(/\/api\/admin\/roles\/users/, (route) =>
    isBroken
      ? route.fulfill({ status: 500, contentType: 'application/json', body: '{"success":false}' })
      : route.continue(),
  )
  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/roles', isSuperAdmin: true })
  await expect(page.getByText('Error: Failed to load roles and users')).toBeVisible()
  isBroken = false
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(getCheckbox(page, 'super-admin', cast.cleo.name)).toBeChecked()
})

test('without permission roles say so, and details match the role table @long', async ({
  page,
  anotherPage,
  keeper,
}) => {
  const benPage = await anotherPage()
  await registerAndSignIn(benPage, keeper, 'ben', { path: '/admin/roles' })
  await expect(benPage.getByText(notPermitted)).toBeVisible()
  await expect(benPage).toHaveURL(/\/admin\/roles$/)
  await expect(benPage.getByRole('tab')).toHaveCount(0)

  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/roles', isSuperAdmin: true })
  await expect(getCheckbox(page, 'super-admin', cast.cleo.name)).toBeVisible()
  await expectNoViolations(page, 'Role Assignment')
  await page.getByRole('tab', { name: 'Role Details' }).click()
  await expect(page).toHaveURL(/\?tab=details$/)
  const support = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'support' }) })
  await expect(support).toContainText('view_logs')
  await expect(support).toContainText('assist_users')
  await expectNoViolations(page, 'Role Details')
  await page.getByRole('tab', { name: 'Permissions' }).click()
  await page.reload()
  const row = page.getByRole('row', { name: /^manage_users/ })
  await expect(row.getByRole('cell')).toHaveText(['Enforced', 'Enforced', 'No', 'No', 'No', 'No', 'No'])
  await expectNoViolations(page, 'Permissions')
})

test('on a phone a person has all roles below their name @long', async ({ page, keeper }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/roles', isSuperAdmin: true })
  const lastCheckbox = getCheckbox(page, 'viewer', cast.cleo.name)
  await expect(lastCheckbox).toBeInViewport({ ratio: 1 })
  await lastCheckbox.click()
  await expect(lastCheckbox).toBeChecked()
  const [name, cell] = [page.getByRole('rowheader'), page.getByRole('gridcell').first()]
  const nameBox = await name.boundingBox()
  expect((await cell.boundingBox())?.y).toBeGreaterThanOrEqual((nameBox?.y ?? 0) + (nameBox?.height ?? 0) - 1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth), 'the page itself does not scroll').toBe(390)
})
