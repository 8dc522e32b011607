import { cast } from '../cast.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const key = 'sk-harbour-0123456789-abcdef'

test("a person changes their name with a confirmation, and can't save a blank one", async ({ page, keeper }) => {
  await page.clock.install()
  await registerAndSignIn(page, keeper, 'ada', { path: '/root/profile' })
  const name = page.getByLabel('Name', { exact: true })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await expect(page.getByLabel('Email')).toHaveValue(cast.ada.email)
  await expect(page.getByLabel('Email')).not.toBeEditable()
  await name.fill('   ')
  await expect(save).toBeDisabled()
  await name.fill('Ada of the Harbour')
  await page.clock.pauseAt(Date.now() + 60_000)
  await save.click()
  const successMessage = page.getByText('Profile updated successfully!')
  await expect(successMessage).toBeVisible()
  await page.clock.runFor(2900)
  await expect(successMessage).toBeVisible()
  await page.clock.runFor(200)
  await expect(successMessage).toHaveCount(0)
  await page.clock.resume()

  await expect(page.getByLabel('Sidebar').getByText('Ada of the Harbour')).toBeVisible()
  await page.reload()
  await expect(name).toHaveValue('Ada of the Harbour')
})

test('typing during a save is kept, and the other tab shows the saved name @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root/profile' })
  const otherTab = await page.context().newPage()
  await otherTab.goto('/root/profile')
  const getNameField = (tab: typeof page) => tab.getByLabel('Name', { exact: true })
  await expect(getNameField(otherTab)).toHaveValue(cast.ada.name)
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/users/**', async (route) => {
    await gate.promise
    await route.continue()
  })
  await getNameField(page).fill('Ada of the Quay')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await getNameField(page).fill('Ada of the Quay and the Lamp')
  gate.resolve()
  await expect(page.getByText('Profile updated successfully!')).toBeVisible()
  await expect(getNameField(page)).toHaveValue('Ada of the Quay and the Lamp')
  await expect(getNameField(otherTab)).toHaveValue('Ada of the Quay')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(getNameField(otherTab)).toHaveValue('Ada of the Quay and the Lamp')
})

test('a profile that fails to save says so and keeps the text @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/ERR_FAILED/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/root/profile' })
  await page.route('**/api/users/**', (route) => route.abort())
  await page.getByLabel('Name', { exact: true }).fill('Ada the Unheard')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Failed to update profile. Please try again.')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada the Unheard')
  expect(await page.evaluate(() => localStorage.keeper_user)).toContain(cast.ada.name)
})

test('a person adds, views and deletes a key that appears nowhere else', async ({ page, keeper }) => {
  const responseTexts: Promise<string>[] = []
  page.on('response', (response) => {
    // Live events never end, so their text can't be read.
    if (response.headers()['content-type']?.includes('json')) responseTexts.push(response.text().catch(() => ''))
  })
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await page.getByRole('tab', { name: 'Personal API Keys' }).click()
  await expect(page.getByRole('heading', { name: 'Your API Keys' })).toBeVisible()
  const openai = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'OpenAI' }) })
  await expect(openai.getByRole('link', { name: 'Get API Key' })).toHaveAttribute('rel', /noopener/)
  for (const [name, cost] of [
    ['OpenAI', '$$'],
    ['Anthropic', '$$'],
    ['Together AI', '$'],
    ['ElevenLabs', '$'],
  ] as const) {
    const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
    await expect(row.getByText(cost, { exact: true })).toBeVisible()
  }

  await openai.getByRole('button', { name: 'Add key' }).click()
  const field = page.getByRole('textbox', { name: 'OpenAI API key' })
  const add = page.getByRole('button', { name: 'Add Key', exact: true })
  await expect(field).toHaveAttribute('type', 'password')
  await expect(add).toBeDisabled()
  await field.fill('short')
  await expect(field).toHaveAccessibleDescription('Invalid format. Expected format: at least 6 characters')
  await expect(add).toBeDisabled()
  await field.fill(`  ${key}  `)
  await expect(field).toHaveAccessibleDescription('✓ Valid key format')
  await add.click()
  await expect(page.getByText('Successfully added OpenAI API key!')).toBeVisible()

  await expect(openai.getByText('Personal key')).toBeVisible()
  await openai.getByRole('button', { name: 'Show OpenAI key' }).click()
  await expect(openai.getByText('cdef')).toBeVisible()
  await page.reload()
  await expect(openai.getByText('Personal key')).toBeVisible()
  const pageAndStorage = await page.evaluate(() =>
    JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }]),
  )
  expect(pageAndStorage, 'page and storage').not.toContain(key)
  expect((await Promise.all(responseTexts)).join('\n'), 'the server responses').not.toContain(key)
  expect(keeper.lines.join('\n'), 'the server output').not.toContain(key)

  await openai.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(openai.getByText('Personal key')).toBeVisible()
  await openai.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete Key' }).click()
  await expect(page.getByText('Successfully deleted OpenAI API key!')).toBeVisible()
  await expect(openai.getByText('No key', { exact: true })).toBeVisible()
})

test('a failing key stays in its field, and failed keys can be reloaded @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/ERR_FAILED|status of [45]00/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/root/api-keys' })
  await expect(page.getByRole('heading', { level: 1, name: 'Your API Keys' })).toBeVisible()
  await page.route('**/api/kip/user-keys', (route) => route.abort())
  await page.getByRole('button', { name: 'Add key for OpenAI' }).click()
  await page.getByRole('textbox', { name: 'OpenAI API key' }).fill(key)
  await page.getByRole('button', { name: 'Add Key', exact: true }).click()
  await expect(page.getByText('Failed to save API key. Please try again.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'OpenAI API key' })).toHaveValue(key)
  await page.unroute('**/api/kip/user-keys')
  const refusal = { success: false, error: 'Wrong.', fields: { apiKey: 'This key is on the list of lost keys.' } }
  await page.route('**/api/kip/user-keys', (route) => route.fulfill({ status: 400, json: refusal }))
  await page.getByRole('button', { name: 'Add Key', exact: true }).click()
  await expect(page.getByText('This key is on the list of lost keys.')).toBeVisible()
  await page.getByRole('textbox', { name: 'OpenAI API key' }).fill(`${key}another`)
  await expect(
    page.getByText('This key is on the list of lost keys.'),
    'the error was about the refused key',
  ).toHaveCount(0)
  await expect(page.getByText('✓ Valid key format')).toBeVisible()

  await page.unroute('**/api/kip/user-keys')
  await page.route('**/api/kip/user-keys', (route) => route.fulfill({ status: 500, json: { success: false } }))
  await page.reload()
  await expect(page.getByText('Failed to load your API keys. Please try again.')).toBeVisible()
  await page.unroute('**/api/kip/user-keys')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'OpenAI' })).toBeVisible()
})

test('a key pasted while another is being saved stays in its field @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root/api-keys' })
  let gate = Promise.withResolvers<void>()
  await page.route('**/api/kip/user-keys', async (route) => {
    if (route.request().method() === 'POST') await gate.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Add key for OpenAI' }).click()
  await page.getByRole('textbox', { name: 'OpenAI API key' }).fill(key)
  await page.getByRole('button', { name: 'Add Key', exact: true }).click()
  await page.getByRole('button', { name: 'Add key for Together AI' }).click()
  const field = page.getByRole('textbox', { name: 'Together AI API key' })
  await field.fill('together-0123456789')
  gate.resolve()
  await expect(page.getByText('Successfully added OpenAI API key!')).toBeVisible()
  await expect(field).toHaveValue('together-0123456789')

  gate = Promise.withResolvers<void>()
  await page.getByRole('button', { name: 'Add Key', exact: true }).click()
  await field.fill('together-9876543210')
  gate.resolve()
  await expect(page.getByText('Successfully added Together AI API key!')).toBeVisible()
  await expect(field, 'also in the same field').toHaveValue('together-9876543210')
})
