import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const keeperInput = {
  title: 'Harbour Year',
  purpose: 'Kept by the water.',
  keeperType: 'journal',
  memoryPattern: 'sole',
}

test('the first keeper is created by keyboard, despite a reload and a failure', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await page.getByRole('link', { name: 'Create your first keeper' }).press('Enter')
  await expect(page).toHaveURL(/\/keeper\/new$/)

  const next = page.getByRole('button', { name: 'Next' })
  await expect(next).toBeDisabled()
  await page.getByLabel('Title').focus()
  await page.keyboard.type('Tide Tables')
  await expect(next, 'a title alone is not enough').toBeDisabled()
  await page.keyboard.press('Tab')
  await page.keyboard.type('What came in with the water.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(next).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'How it remembers' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(page.getByRole('radio', { name: /^Journal/ })).toBeChecked()
  await expect(next, 'a type alone is not enough').toBeDisabled()

  // Drafts are written 250 ms after the last key.
  await page.waitForTimeout(500)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'How it remembers' })).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Journal/ })).toBeChecked()
  await page.getByRole('radio', { name: /^Associative/ }).focus()
  await page.keyboard.press('Space')
  await next.press('Enter')

  await page.getByRole('radio', { name: 'Forest Deep' }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('region', { name: 'Preview' })).toHaveAttribute('data-theme', 'forest-deep')
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('Tide Tables')
  await expect(page.getByText('Public page (coming later)')).toBeVisible()

  await page.route('**/api/keeper/keepers', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  const create = page.getByRole('button', { name: 'Create Keeper' })
  await create.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Failed to create keeper')
  await expect(page.getByRole('heading', { name: 'How it looks' })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Forest Deep' })).toBeChecked()
  await page.unroute('**/api/keeper/keepers')

  const startedAt = Date.now()
  await create.press('Enter')
  await expect(page).toHaveURL(/\/keeper\/[0-9a-f]{32}\/dashboard$/)
  expect(Date.now() - startedAt, 'creating is shown for 1,500 ms').toBeGreaterThanOrEqual(1500)
  await page.goto('/keeper/new')
  await expect(page.getByLabel('Title'), 'a created keeper is no longer a draft').toHaveValue('')
  await page.getByLabel('Title').fill('Never made')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/keeper$/)
  await expect(page.getByRole('list', { name: 'Keepers' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Tide Tables', exact: true })).toBeVisible()
})

test('keepers are searched, filtered, opened, deleted and restored @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 503/)
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/keeper' })
  await expect(page.getByText('The shelf is empty')).toBeVisible()
  await page.goto('/keeper/1/echo-writer')
  await expect(page.getByRole('link', { name: 'Create your first keeper' })).toBeVisible()
  await page.goto('/keeper')
  const first = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  await keeper.callApi(
    '/api/keeper/keepers',
    { ...keeperInput, title: 'Tidal Clocks', keeperType: 'project' },
    { token },
  )
  await page.reload()
  const keeperCards = page.getByRole('list', { name: 'Keepers' }).getByRole('listitem')
  await expect(keeperCards).toHaveCount(2)
  await expect(page.getByText('Two keepers on the shelf.')).toBeVisible()

  await page.getByRole('searchbox').fill('tidal')
  await expect(keeperCards).toHaveCount(1)
  await page.getByRole('searchbox').fill('WATER')
  await expect(keeperCards, 'the search covers the purpose').toHaveCount(2)
  await page.getByRole('button', { name: 'Project' }).click()
  await expect(keeperCards).toHaveText(/Tidal Clocks/)
  await page.getByRole('searchbox').fill('nothing like it')
  await expect(page.getByText('No keepers match')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).last().click()
  await expect(keeperCards).toHaveCount(2)

  const getMode = (name: string) => page.getByRole('radiogroup').getByRole('radio', { name })
  await getMode('My Keeper').check({ force: true })
  await expect(page.getByRole('button', { name: /^Delete/ }), 'View only in this mode').toHaveCount(0)
  await expect(page.getByRole('complementary', { name: 'Sidebar' })).toContainText('Harbour Year')
  await page.getByRole('link', { name: 'View Harbour Year' }).click()
  await expect(page).toHaveURL(new RegExp(`/keeper/${first.id}/dashboard$`))
  await page.goBack()
  await getMode('Architect').check({ force: true })
  await expect(page.getByRole('link', { name: /^View/ })).toHaveCount(0)
  await page.getByRole('link', { name: 'Harbour Year', exact: true }).click()
  await expect(page).toHaveURL(`/keeper/selected/metadata?id=${first.id}`)
  await page.goBack()

  await page.getByRole('button', { name: 'Delete Harbour Year' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('cannot be undone')
  await expect(dialog).toContainText('30 days')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(keeperCards).toHaveCount(2)
  await page.getByRole('button', { name: 'Delete Harbour Year' }).click()
  await dialog.getByRole('button', { name: 'Delete Keeper' }).click()
  await expect(keeperCards).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(keeperCards).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)

  await keeper.callApi(`/api/keeper/keepers/${first.id}`, undefined, { token, method: 'DELETE' })
  await page.goto('/keeper/bin')
  let restoreRequests = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/restore')) restoreRequests += 1
  })
  await page.getByRole('button', { name: 'Restore keeper Harbour Year' }).dblclick()
  await expect(page.getByText('Keeper was restored.')).toBeVisible()
  await expect(page.getByText('No deleted entries')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(restoreRequests, 'a second press does nothing').toBe(1)
  await page.goto('/keeper')
  await expect(keeperCards).toHaveCount(2)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('tidal')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.route('**/api/keeper/keepers', (route) => route.fulfill({ status: 503, body: '' }))
  await page.goto('/keeper')
  await expect(page.getByRole('alert')).toContainText('Failed to load keepers')
  await page.unroute('**/api/keeper/keepers')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(keeperCards).toHaveCount(2)
})

test('a keeper is edited on two pages, and drafts survive a reload @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of (404|409|500)/)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  const fetchKeeper = () => keeper.callApi<Keeper>(`/api/keeper/keepers/${id}`, undefined, { token })
  await page.goto('/keeper/manage')
  await page.getByRole('button', { name: 'Edit Harbour Year' }).click()
  await page.getByRole('switch', { name: 'Editing' }).check({ force: true })
  const save = page.getByRole('button', { name: 'Save' })
  await page.getByLabel('Title').fill('')
  await expect(save).toBeDisabled()
  await page.getByLabel('Title').pressSequentially('Harbour, second year')
  await page.reload()
  await expect(page.getByLabel('Title'), 'including the last letter').toHaveValue('Harbour, second year')
  const patterns = page.getByLabel('Memory pattern').getByRole('option')
  await expect(patterns).toHaveText(['SOLE', 'Journal', 'Tracker', 'Palace'])
  await page.getByLabel('Memory pattern').selectOption('palace')
  await page.route(`**/api/keeper/keepers/${id}`, (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  await save.click()
  await expect(page.getByRole('alert')).toContainText('Failed to update keeper')
  await expect(page.getByLabel('Title')).toHaveValue('Harbour, second year')
  expect((await fetchKeeper()).title).toBe('Harbour Year')
  await page.unroute(`**/api/keeper/keepers/${id}`)
  await save.click()
  await expect(page.getByText('Keeper saved.')).toBeVisible()
  expect(await fetchKeeper()).toMatchObject({ title: 'Harbour, second year', memoryPattern: 'palace', rev: 2 })

  await page.goto(`/keeper/selected/metadata?id=${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbour, second year')
  await expect(page.getByRole('definition').filter({ hasText: 'Ada Lindqvist' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Memory Tools' })).toHaveAttribute(
    'href',
    `/keeper/selected/memory-tools?id=${id}`,
  )
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Theme').selectOption('ocean-calm')
  await expect(page.locator('html'), 'the page has the selected theme').toHaveAttribute('data-theme', 'ocean-calm')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'keeper-classic')
  expect((await fetchKeeper()).rev).toBe(2)

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Purpose').fill('Kept by the water, again.')
  await keeper.callApi(`/api/keeper/keepers/${id}`, { theme: 'sunset-warm' }, { token, method: 'PUT' })
  await save.click()
  await expect(page.getByText('Keeper saved.')).toBeVisible()
  expect(await fetchKeeper(), 'a change of another field stays').toMatchObject({
    purpose: 'Kept by the water, again.',
    theme: 'sunset-warm',
  })

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Title').fill('Mine')
  await keeper.callApi(`/api/keeper/keepers/${id}`, { title: 'Theirs' }, { token, method: 'PUT' })
  await save.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog, 'both versions are shown').toContainText('Theirs')
  await dialog.getByRole('button', { name: 'Decide later' }).click()
  await expect(page.getByLabel('Title'), 'the typed text waits').toHaveValue('Mine')
  expect((await fetchKeeper()).title).toBe('Theirs')
  await save.click()
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mine')
  expect((await fetchKeeper()).title).toBe('Mine')

  await page.goto(`/keeper/selected/metadata?id=${'0'.repeat(32)}`)
  await expect(page.getByText('Keeper not found')).toBeVisible()
  await expect(
    page.getByText("The requested keeper could not be found or you don't have permission to view it."),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Back to All Keepers' }).click()
  await expect(page).toHaveURL(/\/keeper$/)
})

test('keeper types are edited by their author, and system ones locked @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 409/)
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/keeper/types' })
  const types = page.getByRole('navigation', { name: 'Keeper types' }).getByRole('button')
  await expect(types).toHaveCount(6)
  await expect(types.first()).toHaveAttribute('aria-current', 'true')
  await expect(types.first()).toContainText('System')
  await expect(page.getByText('This is a system-reserved Keeper Type. Editing is disabled.')).toBeVisible()
  await expect(page.getByText('System Reserved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit Type' })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Engagement Templates' }).click()
  await expect(page.getByRole('button', { name: 'Link Template' })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Memory Pattern' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('CRM Timeline')
  await types.filter({ hasText: 'Wellness' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('Read-only preview')

  await page.getByRole('button', { name: 'New Keeper Type' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Walks')
  await dialog.getByLabel('Memory pattern').fill('trail')
  await dialog.getByRole('button', { name: 'Create Type' }).click()
  await expect(page.getByRole('heading', { name: 'Walks', level: 2 })).toBeVisible()
  await expect(page.getByText('User Created')).toBeVisible()
  await page.getByRole('tab', { name: 'Memory Pattern' }).click()
  await expect(page.getByText('Custom memory pattern implementation.')).toBeVisible()
  await page.getByRole('tab', { name: 'Metadata' }).click()
  await page.getByRole('button', { name: 'Edit Type' }).click()
  await dialog.getByLabel('Name').fill('Long walks')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Long walks', level: 2 })).toBeVisible()
  await expect(dialog).toHaveCount(0)

  const keeperTypes = await keeper.callApi<KeeperType[]>('/api/keeper/keeper-types', undefined, { token })
  const walks = keeperTypes.find(({ name }) => name === 'Long walks')
  const usingKeeper = await keeper.callApi<Keeper>(
    '/api/keeper/keepers',
    { ...keeperInput, keeperTypeId: walks?.id },
    { token },
  )
  await page.getByRole('button', { name: 'Delete Type' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Type' }).click()
  await expect(page.getByRole('alertdialog').getByRole('alert')).toContainText('Keepers use this type.')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await keeper.callApi(`/api/keeper/keepers/${usingKeeper.id}`, undefined, { token, method: 'DELETE' })
  await page.getByRole('button', { name: 'Delete Type' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Type' }).click()
  await expect(types).toHaveCount(6)
})

test('keeper pages have no WCAG violations @long', async ({ page, keeper }) => {
  test.slow()
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await expectNoViolations(page, 'the root without a keeper')
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  await page.goto('/keeper')
  await expect(page.getByRole('link', { name: 'Harbour Year', exact: true })).toBeVisible()
  await expectNoViolations(page, 'the keeper list')
  await page.goto('/keeper/new')
  await page.getByLabel('Title').fill('Tide Tables')
  await page.getByLabel('Purpose').fill('What came in.')
  await expectNoViolations(page, 'the first step of the wizard')
  await page.getByRole('button', { name: 'Next' }).click()
  await expectNoViolations(page, 'the second step')
  await page.getByRole('radio', { name: /^Journal/ }).check({ force: true })
  await page.getByRole('radio', { name: /^Spatial/ }).check({ force: true })
  await page.getByRole('button', { name: 'Next' }).click()
  await expectNoViolations(page, 'the third step')
  await page.goto('/keeper/manage')
  await expect(page.getByRole('table')).toBeVisible()
  await expectNoViolations(page, 'the registry')
  await page.goto(`/keeper/selected/metadata?id=${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expectNoViolations(page, 'editing')
  for (const tab of ['metadata', 'engagement-templates', 'memory-pattern']) {
    await page.goto(`/keeper/types?tab=${tab}&type=wellness`)
    await expect(page.getByRole('tabpanel')).toBeVisible()
    await expectNoViolations(page, `a keeper type’s ${tab}`)
  }
})
