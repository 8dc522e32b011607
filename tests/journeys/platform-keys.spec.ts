import type { Page } from '@playwright/test'
import { cast } from '../cast.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const key = 'sk-ant-of-the-platform-0123456789-wxyz'

test('without permission the platform keys say so and request nothing @long', async ({ page, keeper }) => {
  const keyRequests: string[] = []
  page.on('request', (request) => request.url().includes('/api/kip/platform-keys') && keyRequests.push(request.url()))
  await registerAndSignIn(page, keeper, 'ben', { path: '/studio/kip/api-keys' })
  await expect(page.getByRole('heading', { level: 1, name: 'Platform API Keys' })).toBeVisible()
  await expect(page.getByText('Your account can’t manage platform keys')).toBeVisible()
  await expect(page).toHaveURL(/\/studio\/kip\/api-keys$/)
  await expect(page.getByRole('button', { name: /Add .*Key/ })).toHaveCount(0)
  expect(keyRequests).toEqual([])
})

test('an administrator adds, replaces and deletes a platform key', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'cleo', { path: '/studio/kip/api-keys', isSuperAdmin: true })
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Anthropic' }) })
  const warning = page.getByText(/Users without personal keys get mock responses/)
  await expectTiles(page, { 'Total Keys': '0', 'Active Keys': '0', Providers: '0', Status: 'Warning' })
  await expect(warning).toBeVisible()
  for (const [name, tier] of [
    ['OpenAI', 'High'],
    ['Anthropic', 'High'],
    ['Together AI', 'Medium'],
    ['ElevenLabs', 'Medium'],
  ] as const) {
    const providerCard = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
    await expect(providerCard).toContainText(tier)
    await expect(providerCard.getByText('No Key', { exact: true })).toBeVisible()
    await expect(providerCard.getByRole('button', { name: `Add ${name} Key` })).toBeVisible()
  }

  await page.getByRole('button', { name: 'Add New Platform API Key' }).click()
  await page.getByLabel('Provider').selectOption({ label: 'Anthropic' })
  await page.getByLabel('Label').fill('For the whole house')
  const field = page.getByRole('textbox', { name: 'API key' })
  await field.fill('short')
  await expect(field).toHaveAccessibleDescription('Invalid format. Expected format: at least 6 characters')
  await expect(page.getByRole('button', { name: 'Add Key', exact: true })).toBeDisabled()
  await field.fill(key)
  await expect(field).toHaveAccessibleDescription('✓ Valid key format')
  await expect(field).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show API key' }).click()
  await expect(field).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Add Key', exact: true }).click()
  const added = page.getByText('Platform key for Anthropic saved.')
  await expect(added).toBeVisible()
  await expect(card.getByText('Active', { exact: true })).toBeVisible()
  await expect(card).toContainText('For the whole house')
  await expect(card).toContainText('wxyz')
  await expect(warning).toHaveCount(0)
  await expectTiles(page, { 'Total Keys': '1', 'Active Keys': '1', Providers: '1', Status: 'Healthy' })
  await expect(added, 'the success message closes automatically').toHaveCount(0)

  await card.getByRole('button', { name: 'Edit' }).click()
  await expect(page.getByLabel('Provider')).toHaveCount(0)
  await field.fill(key.replace('wxyz', 'abcd'))
  await page.getByRole('button', { name: 'Update Key' }).click()
  await expect(card).toContainText('abcd')
  await expectTiles(page, { 'Total Keys': '1', 'Active Keys': '1', Providers: '1', Status: 'Healthy' })

  await page.getByRole('button', { name: 'Add New Platform API Key' }).click()
  const providerField = page.getByLabel('Provider')
  await expect(providerField).not.toHaveAccessibleDescription(/has a key/)
  await providerField.selectOption({ label: 'Anthropic' })
  await expect(providerField).toHaveAccessibleDescription(
    /^Anthropic already has a key, .*abcd\. This key replaces it\.$/,
  )
  await page.getByRole('button', { name: 'Cancel' }).click()

  await card.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Are you sure you want to delete the Anthropic platform key?')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(card).toContainText('abcd')
  await card.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete Key' }).click()
  await expect(card.getByText('No Key', { exact: true })).toBeVisible()
  await expect(warning).toBeVisible()
  await expectTiles(page, { 'Total Keys': '0', 'Active Keys': '0', Providers: '0', Status: 'Warning' })
  expect(await page.content()).not.toContain(key)
  expect(keeper.lines.join('\n')).not.toContain(key)
})

test('platform keys that fail to load show the reason and no tiles @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  await page.route('**/api/kip/platform-keys', (route) => route.fulfill({ status: 500, json: { success: false } }))
  await registerAndSignIn(page, keeper, 'cleo', { path: '/studio/admin/api-keys', isSuperAdmin: true })
  await expect(
    page.getByText('Failed to load platform API keys: Failed to load platform keys: 500 Internal Server Error'),
  ).toBeVisible()
  await expectTiles(page, { 'Total Keys': '0', 'Active Keys': '0', Providers: '0', Status: 'Warning' })
  await page.unroute('**/api/kip/platform-keys')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText(/Failed to load/)).toHaveCount(0)
})

async function expectTiles(page: Page, tiles: Record<string, string>) {
  for (const [label, value] of Object.entries(tiles)) {
    await expect(
      page.getByRole('main').getByText(new RegExp(`^(${label}${value}|${value}${label})$`)),
      label,
    ).toBeVisible()
  }
}

test('an expired session is shown in place of the keys, and sign-in returns @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 401/)
  const { token } = await registerAndSignIn(page, keeper, 'cleo', {
    path: '/studio/kip/api-keys',
    isSuperAdmin: true,
  })
  await expect(page.getByText('Total Keys')).toBeVisible()
  await keeper.callApi('/api/kam/auth/logout', {}, { token })
  await expect(page.getByText('Authentication required to access platform API keys.')).toBeVisible()
  await expect(page).toHaveURL(/\/studio\/kip\/api-keys$/)
  await expect(page.getByText('Total Keys')).toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/login\?next=/)
  await page.getByLabel('Email').fill(cast.cleo.email)
  await page.getByLabel('Password', { exact: true }).fill(cast.cleo.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/studio\/kip\/api-keys$/)
  await expect(page.getByText('Total Keys')).toBeVisible()
})

test('a visitor at the platform keys is sent to sign in @long', async ({ page }) => {
  await page.goto('/studio/kip/api-keys')
  await expect(page).toHaveURL(/\/login/)
})

test('a pasted key stays and is rechecked when its provider is chosen @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'cleo', { path: '/studio/kip/api-keys', isSuperAdmin: true })
  await page.getByRole('button', { name: 'Add New Platform API Key' }).click()
  const field = page.getByRole('textbox', { name: 'API key' })
  await field.fill('sk-ant-of-the-platform-0123456789-wxyz')
  await page.getByLabel('Provider').selectOption({ label: 'Anthropic' })
  await expect(field).toHaveValue('sk-ant-of-the-platform-0123456789-wxyz')
})

test('a key pasted while another is being saved stays in the form @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'cleo', { path: '/studio/kip/api-keys', isSuperAdmin: true })
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/kip/platform-keys', async (route) => {
    if (route.request().method() === 'POST') await gate.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Add New Platform API Key' }).click()
  await page.getByLabel('Provider').selectOption({ label: 'Anthropic' })
  const field = page.getByRole('textbox', { name: 'API key' })
  await field.fill(key)
  await page.getByRole('button', { name: 'Add Key', exact: true }).click()
  await page.getByLabel('Provider').selectOption({ label: 'Together AI' })
  await field.fill('together-0123456789')
  gate.resolve()
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Anthropic' }) })
  await expect(card).toContainText('wxyz')
  await expect(field).toHaveValue('together-0123456789')
  await expect(page.getByLabel('Provider')).toHaveValue('together')
  await page.getByRole('button', { name: 'Add Key', exact: true }).click()
  await expect(field).toHaveCount(0)
})
