import type { Page } from '@playwright/test'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, signIn, test } from './fixtures.ts'
import { getButton, getStatusMessage } from './locators.ts'

const path = '/root/domain'
const getDomainList = (page: Page) => page.getByRole('list', { name: 'Domains' })
const getField = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

async function createDomain(page: Page, name: string, slug = '', description = '') {
  await getButton(page, 'New domain').click()
  await getField(page, 'Name').fill(name)
  await getField(page, 'Slug').fill(slug)
  await getField(page, 'Description').fill(description)
  await getButton(page, 'Create domain').click()
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
}

async function addMember(page: Page, name: string, role: string) {
  await page.getByRole('combobox', { name: 'Role of the new member' }).selectOption(role)
  await page.getByRole('searchbox', { name: 'Add by name or email' }).fill(name.slice(0, 3))
  await getButton(page, `Add ${name} as a ${role}`).click()
  await expect(getStatusMessage(page, 'Member added successfully')).toBeVisible()
}

test('Ada creates a domain, edits it, adds Ben and makes him an admin', async ({ page, keeper, anotherPage }) => {
  await registerAndSignIn(page, keeper, 'ada', { path })
  const benPage = await anotherPage()
  await registerAndSignIn(benPage, keeper, 'ben', { path })
  await createDomain(page, 'Quay Choir', '', 'Tuesdays at seven')
  await expect(getStatusMessage(page, 'Domain saved successfully')).toBeVisible()
  await expect(getDomainList(page).getByRole('button', { name: /Quay Choir/ })).toContainText('quay-choir, Owner')
  await expect(getStatusMessage(page, 'Domain saved successfully'), 'it closes automatically').toHaveCount(0)

  await getButton(page, 'Edit').focus()
  await page.keyboard.press('Enter')
  await expect(getField(page, 'Name'), 'the focus returns to the form').toBeFocused()
  await getField(page, 'Slug').fill('tenors')
  await page.reload()
  await expect(getField(page, 'Slug'), 'typed text survives a reload').toHaveValue('tenors')
  await getButton(page, 'Save').click()
  await expect(getStatusMessage(page, 'Domain saved successfully')).toBeVisible()
  await expect(getDomainList(page).getByRole('button', { name: /Quay Choir/ })).toContainText('tenors, Owner')

  await expect(getDomainList(benPage).getByRole('listitem')).toHaveCount(1)
  await addMember(page, 'Ben Haugen', 'friend')
  await expect(getDomainList(benPage).getByRole('button', { name: /Quay Choir/ }), 'right away').toContainText(
    'tenors, Friend',
  )
  await getDomainList(benPage)
    .getByRole('button', { name: /Quay Choir/ })
    .click()
  await expect(benPage.getByRole('list', { name: 'Members of Quay Choir' })).toContainText('Ada Lindqvist')
  for (const absent of ['Edit', 'More for Quay Choir', 'Remove Ada Lindqvist', 'Invite people'])
    await expect(getButton(benPage, absent), 'not for a friend').toHaveCount(0)
  await expect(benPage.getByRole('searchbox', { name: 'Add by name or email' })).toHaveCount(0)

  const benRoleSelect = page.getByRole('combobox', { name: 'Role of Ben Haugen' })
  await expect(benRoleSelect.getByRole('option')).toHaveText(['Admin', 'User', 'Friend', 'Connection'])
  await benRoleSelect.selectOption('admin')
  await expect(getStatusMessage(page, 'Member role updated')).toBeVisible()
  await expect(getButton(benPage, 'Edit')).toBeVisible()
  await expect(getButton(benPage, 'More for Quay Choir'), 'only for the owner').toHaveCount(0)
})

test('Ada transfers a domain and leaves; Ben deletes another one @long', async ({
  page,
  keeper,
  anotherPage,
  watch,
}) => {
  // Panels may briefly refetch a deleted domain.
  watch.expectLine(/status of 404/)
  await registerAndSignIn(page, keeper, 'ada', { path })
  const benPage = await anotherPage()
  await registerAndSignIn(benPage, keeper, 'ben', { path })
  await createDomain(page, 'Quay Choir')
  await addMember(page, 'Ben Haugen', 'friend')
  const members = page.getByRole('list', { name: 'Members of Quay Choir' })
  await expect(members.getByRole('listitem').filter({ hasText: 'Ben' })).toContainText('Added, hasn’t joined yet')
  await expect(getDomainList(benPage).getByRole('button', { name: /Quay Choir/ })).toContainText('Not joined yet')
  await getDomainList(benPage)
    .getByRole('button', { name: /Quay Choir/ })
    .click()
  await expect(getStatusMessage(benPage, 'Ada Lindqvist added you to Quay Choir as a friend.')).toContainText(
    'Until you join, people there see only your name.',
  )
  await expectNoViolations(benPage, 'a domain Ben was added to')
  await getButton(benPage, 'Join').click()
  await expect(getStatusMessage(benPage, 'You joined Quay Choir.')).toBeVisible()
  await expect(getButton(benPage, 'Join')).toHaveCount(0)
  await expect(members, 'Ada sees it right away').toContainText('ben@willowbrook.example')
  await getButton(page, 'More for Quay Choir').click()
  await page.getByRole('menuitem', { name: 'Transfer ownership' }).click()
  await getButton(page, 'Continue').click()
  await expect(page.getByText('Choose a member.')).toBeVisible()
  await page.getByRole('combobox', { name: 'New owner' }).selectOption({ index: 1 })
  await getButton(page, 'Continue').click()
  const question = page.getByRole('alertdialog', { name: 'Make Ben Haugen the owner of Quay Choir?' })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name: 'Transfer ownership' }).click()
  await expect(getDomainList(benPage).getByRole('button', { name: /Quay Choir/ })).toContainText('quay-choir, Owner')
  await expect(getButton(page, 'More for Quay Choir')).toHaveCount(0)

  await getButton(page, 'Leave').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave domain' }).click()
  await expect(getDomainList(page).getByRole('button', { name: /Quay Choir/ })).toHaveCount(0)

  await getButton(benPage, 'More for Quay Choir').click()
  await benPage.getByRole('menuitem', { name: 'Make primary' }).click()
  await expect(getDomainList(benPage).getByRole('listitem').first()).toContainText('Primary')
  await expect(getDomainList(benPage).getByRole('listitem').first()).toContainText('Quay Choir')
  await expect(getButton(benPage, 'More for Quay Choir'), 'a primary domain stays').toHaveCount(0)
  await getDomainList(benPage)
    .getByRole('button', { name: /Ben Haugen/ })
    .click()
  await getButton(benPage, 'More for Ben Haugen').click()
  await benPage.getByRole('menuitem', { name: 'Delete domain' }).click()
  await benPage.getByRole('alertdialog', { name: 'Delete Ben Haugen?' }).getByRole('button', { name: 'Cancel' }).click()
  await expect(getDomainList(benPage).getByRole('listitem')).toHaveCount(2)
  await getButton(benPage, 'More for Ben Haugen').click()
  await benPage.getByRole('menuitem', { name: 'Delete domain' }).click()
  await benPage.getByRole('alertdialog').getByRole('button', { name: 'Delete domain' }).click()
  await expect(getStatusMessage(benPage, 'Domain deleted successfully')).toBeVisible()
  await expect(getDomainList(benPage).getByRole('listitem')).toHaveCount(1)
})

test('removing a member asks first and ends their access @long', async ({ page, keeper, anotherPage }) => {
  await registerAndSignIn(page, keeper, 'ada', { path })
  const benPage = await anotherPage()
  await registerAndSignIn(benPage, keeper, 'ben', { path })
  await createDomain(page, 'Tidal Clocks')
  await addMember(page, 'Ben Haugen', 'user')
  await expect(getDomainList(benPage).getByRole('button', { name: /Tidal Clocks/ })).toBeVisible()
  await getButton(page, 'Remove Ben Haugen').click()
  const question = page.getByRole('alertdialog', { name: 'Remove Ben Haugen?' })
  await expect(question).toContainText('Are you sure you want to remove this member?')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('list', { name: 'Members of Tidal Clocks' })).toContainText('Ben Haugen')
  await getButton(page, 'Remove Ben Haugen').click()
  await question.getByRole('button', { name: 'Remove member' }).click()
  await expect(getStatusMessage(page, 'Member removed successfully')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Members of Tidal Clocks' })).not.toContainText('Ben Haugen')
  await expect(getDomainList(benPage).getByRole('button', { name: /Tidal Clocks/ })).toHaveCount(0)
})

test('field errors are explained, and typed text survives a failing server @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 409|ERR_FAILED/)
  await registerAndSignIn(page, keeper, 'ada', { path })
  await getButton(page, 'New domain').click()
  await getButton(page, 'Create domain').click()
  await expect(getField(page, 'Name')).toHaveAccessibleDescription('Enter a name.')
  await getField(page, 'Name').fill('Choir of the Quay')
  await getField(page, 'Slug').fill('The Choir')
  await getButton(page, 'Create domain').click()
  await expect(getField(page, 'Slug')).toHaveAccessibleDescription(/For example: the-choir/)
  await getField(page, 'Slug').fill('ada-lindqvist')
  await getButton(page, 'Create domain').click()
  await expect(page.getByRole('alert')).toContainText('Failed to create domain')
  await expect(getField(page, 'Slug')).toHaveAccessibleDescription('This slug is taken. Choose another one.')

  await getField(page, 'Slug').fill('choir-of-the-quay')
  await page.route('**/api/domains', (route) => route.abort())
  await getButton(page, 'Create domain').click()
  await expect(page.getByRole('alert')).toContainText('Failed to save domain')
  await page.reload()
  await expect(getField(page, 'Name')).toHaveValue('Choir of the Quay')
  await page.unroute('**/api/domains')
  await getButton(page, 'Create domain').click()
  await expect(page.getByRole('heading', { name: 'Choir of the Quay' })).toBeVisible()
  await expect(getDomainList(page).getByRole('listitem')).toHaveCount(2)

  await getButton(page, 'Domains: Owner.ada-lindqvist').click()
  await page.getByRole('menuitem', { name: 'Owner.ada-lindqvist' }).click()
  await expect(page.getByRole('heading', { name: 'Ada Lindqvist', level: 3 })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search domains' }).fill('QUAY')
  await expect(getDomainList(page).getByRole('listitem')).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Search domains' }).fill('nothing like it')
  await expect(page.getByText('No domains match your search')).toBeVisible()
  await page.route('**/api/domains/my', (route) => route.abort())
  await page.goto(path)
  await expect(page.getByText('Failed to load domains')).toBeVisible()
  await page.unroute('**/api/domains/my')
  await getButton(page, 'Retry').click()
  await expect(getDomainList(page).getByRole('listitem')).toHaveCount(2)
})

test('concurrent domain edits merge, and conflicts are shown side by side @long', async ({
  page,
  keeper,
  anotherPage,
  watch,
}) => {
  watch.expectLine(/status of 409/)
  await registerAndSignIn(page, keeper, 'ada', { path })
  await createDomain(page, 'Willowbrook', '', 'House and garden')
  const otherPage = await anotherPage()
  await signIn(otherPage, 'ada')
  await otherPage.goto(page.url())
  await getButton(otherPage, 'Edit').click()
  await getField(otherPage, 'Description').fill('Only the garden')
  await getButton(page, 'Edit').click()
  await getField(page, 'Name').fill('Willow House')
  await getButton(page, 'Save').click()
  await expect(getStatusMessage(page, 'Domain saved successfully')).toBeVisible()
  await getButton(otherPage, 'Save').click()
  await expect(otherPage.getByRole('heading', { name: 'Willow House', exact: true })).toBeVisible()
  await expect(otherPage.getByText('Only the garden')).toBeVisible()

  await getButton(otherPage, 'Edit').click()
  await getField(otherPage, 'Description').fill('The orchard')
  await getButton(page, 'Edit').click()
  await getField(page, 'Description').fill('The boathouse')
  await getButton(page, 'Save').click()
  await expect(page.getByText('The boathouse')).toBeVisible()
  await getButton(otherPage, 'Save').click()
  await expect(otherPage.getByRole('dialog')).toContainText('boathouse')
})

test('on a phone nothing is cut off and no WCAG violations appear @long', async ({ page, keeper }) => {
  await keeper.callApi('/api/kam/auth/register', {
    email: 'ben@willowbrook.example',
    password: 'quay-choir-tenor-8',
    name: 'Ben Haugen',
  })
  await registerAndSignIn(page, keeper, 'ada', { path })
  await createDomain(page, 'Quay Choir with a rather long name that has to go on to the next line', 'quay', 'Tuesdays')
  await addMember(page, 'Ben Haugen', 'connection')
  await expectNoViolations(page, 'domain settings')
  await expect(page.getByRole('region', { name: 'Invitations' })).toBeVisible()
  const spaceBelow = await getDomainList(page).evaluate(
    (box) => document.documentElement.scrollHeight - scrollY - box.getBoundingClientRect().bottom,
  )
  expect(spaceBelow, 'the panel scrolls, without empty space below it').toBeLessThanOrEqual(100)
  await getButton(page, 'Edit').click()
  await expectNoViolations(page, 'a domain being edited')
  await getButton(page, 'Cancel').click()
  await page.emulateMedia({ colorScheme: 'light' })
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(path)
    await getDomainList(page)
      .getByRole('button', { name: /Quay Choir/ })
      .click()
    await expect(page.getByRole('combobox', { name: 'Role of Ben Haugen' })).toBeVisible()
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, `${width} px wide`).toBeLessThanOrEqual(0)
    const cutOffElements = await page
      .getByRole('tabpanel')
      .locator('button, input, select')
      .evaluateAll((elements) =>
        elements
          .filter((element) => element.getBoundingClientRect().right > innerWidth)
          .map((element) => element.outerHTML),
      )
    expect(cutOffElements).toEqual([])
  }
})

test('domain managers edit any domain, others see what is missing @long', async ({ page, keeper, anotherPage }) => {
  await registerAndSignIn(page, keeper, 'cleo', { path: '/admin/domains', isSuperAdmin: true })
  const adaPage = await anotherPage()
  await registerAndSignIn(adaPage, keeper, 'ada', { path: '/admin/domains' })
  await expect(adaPage).toHaveURL(/\/admin\/domains$/)
  await expect(adaPage.getByText('Your account can’t manage domains')).toBeVisible()
  await expect(adaPage.getByText('manage_domains')).toBeVisible()
  await expect(getButton(adaPage, 'New domain')).toHaveCount(0)

  await page.reload()
  const row = page.getByRole('row').filter({ hasText: 'ada@willowbrook.example' })
  await expect(row).toContainText('Ada Lindqvist')
  await page.getByRole('searchbox', { name: 'Search domains' }).fill('ADA@willow')
  await expect(page.getByRole('row')).toHaveCount(2)
  await expectNoViolations(page, 'domain management')
  await getButton(page, 'Edit Ada Lindqvist').click()
  await getField(page, 'Description').fill('Corrected by an administrator')
  await getButton(page, 'Save').click()
  await expect(getStatusMessage(page, 'Domain saved successfully')).toBeVisible()
  await adaPage.goto(path)
  await expect(adaPage.getByText('Corrected by an administrator')).toBeVisible()

  await page.getByRole('searchbox', { name: 'Search domains' }).fill('')
  await getButton(page, 'New domain').click()
  await getField(page, 'Name').fill('Harbour Office')
  await getButton(page, 'Create domain').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: 'harbour-office' })).toContainText('Cleo')
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.getByRole('searchbox', { name: 'Search domains' }).fill('no such domain')
  await expect(page.getByText('No domains match your search')).toBeVisible()
})
