import type { Page } from '@playwright/test'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const today = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' }).format(new Date())
const getCard = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

test('a rejected key is flagged on both pages until it is replaced @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'cleo', { path: '/root/api-keys', isSuperAdmin: true })
  const addKey = async (key: string) => {
    await page.getByRole('button', { name: /(Add|Replace) key for OpenAI/ }).click()
    await page.getByRole('textbox', { name: 'OpenAI API key' }).fill(key)
    await page.getByRole('button', { name: 'Add Key', exact: true }).click()
    await expect(page.getByText('Successfully added OpenAI API key!')).toBeVisible()
  }
  await addKey('sk-wrong-harbour-0123456789-abcdef')
  const rejected = getCard(page, 'OpenAI').getByText(`OpenAI rejected this key on ${today}`)
  await expect(rejected).toBeVisible()
  await expect(getCard(page, 'OpenAI').getByRole('status')).toContainText(
    /OpenAI did not accept the key\..*OpenAI said:/,
  )
  await expect(page.getByRole('link', { name: 'Ask Kip something' })).toHaveCount(0)
  await addKey('sk-right-harbour-0123456789-abcdef')
  await expect(rejected).toHaveCount(0)

  const body = { provider: 'anthropic', api_key: 'sk-ant-wrong-0123456789-0123456789-abc', label: 'The house' }
  await keeper.callApi('/api/kip/platform-keys', body, { token })
  await keeper.callApi('/api/kip/models?provider=anthropic', undefined, { token })
  await page.goto('/studio/kip/api-keys')
  await expect(getCard(page, 'Anthropic').getByText(`Anthropic rejected this key on ${today}`)).toBeVisible()

  await getCard(page, 'Anthropic').getByRole('button', { name: 'Edit' }).click()
  await expect(page.getByLabel('Label'), 'the label is kept').toHaveValue('The house')
  await page.getByRole('textbox', { name: 'API key' }).fill('sk-ant-right-0123456789-0123456789-xyz')
  await page.getByRole('switch', { name: 'Active' }).uncheck()
  await page.getByRole('button', { name: 'Update Key' }).click()
  await expect(getCard(page, 'Anthropic').getByText('Inactive')).toBeVisible()
  await expect(getCard(page, 'Anthropic')).toContainText('The house')
  await expect(getCard(page, 'Anthropic')).not.toContainText('rejected')
  await expect(getCard(page, 'Anthropic').getByRole('status'), 'a disabled key is not used').toContainText(
    'lists its models, with or without a key.',
  )
  await expect(page.getByText(/Users without personal keys get mock responses/)).toBeVisible()
})

test('saving a key tests it, shows the result and links to Kip @long', async ({ page, keeper, modelProviders }) => {
  await registerAndSignIn(page, keeper, 'cleo', { path: '/root/api-keys', isSuperAdmin: true })
  const openai = getCard(page, 'OpenAI')
  const host = new URL(modelProviders.openai.baseUrl).host
  await openai.getByRole('button', { name: 'Add key' }).click()
  const field = page.getByRole('textbox', { name: 'OpenAI API key' })
  await expect(field).toHaveAccessibleDescription('Expected format: at least 6 characters')
  await field.fill('short')
  await expect(field).toHaveAccessibleDescription('Invalid format. Expected format: at least 6 characters')
  await field.fill('lm-studio')
  await expect(field).toHaveAccessibleDescription('✓ Valid key format')
  modelProviders.openai.script(['status-503'])
  await page.getByRole('button', { name: 'Add Key', exact: true }).click()
  await expect(page.getByText('Successfully added OpenAI API key!')).toBeVisible()
  await expect(openai.getByRole('status')).toContainText('The key couldn’t be tested: OpenAI')
  await openai.getByRole('button', { name: 'Try again' }).click()
  await expect(openai.getByRole('status')).toHaveText(`${host} accepts this key.Ask Kip something`)
  await expect(page.getByText('Successfully added OpenAI API key!')).toHaveCount(0)
  await expectNoViolations(page, 'a tested key')
  const opening = page.waitForEvent('popup')
  await openai.getByRole('link', { name: 'Ask Kip something' }).click()
  await expect(await opening).toHaveURL(/\/kip$/)

  await page.goto('/studio/kip/api-keys')
  await page.getByRole('button', { name: 'Add Together AI Key' }).click()
  await page.getByRole('textbox', { name: 'API key' }).fill('wrong-0123456789')
  await page.getByRole('button', { name: 'Add Key', exact: true }).click()
  await expect(page.getByText('Platform key for Together AI saved.')).toBeVisible()
  await expect(getCard(page, 'Together AI').getByRole('status')).toContainText('Together AI did not accept the key.')
})

test('a local provider is named, along with the key it is called with @long', async ({
  page,
  keeper,
  modelProviders,
}) => {
  const getHost = (provider: keyof typeof modelProviders) => new URL(modelProviders[provider].baseUrl).host
  const { token } = await registerAndSignIn(page, keeper, 'cleo', { path: '/root/api-keys', isSuperAdmin: true })
  const together = getCard(page, 'Together AI')
  await expect(together).toContainText(`Local server at ${getHost('together')}, no key needed`)
  await expect(together).not.toContainText('mock responses')
  await keeper.callApi('/api/kip/platform-keys', { provider: 'together', api_key: 'together-0123456789' }, { token })
  await keeper.callApi('/api/kip/user-keys', { provider: 'openai', apiKey: 'sk-harbour-0123456789-abcdef' }, { token })
  await page.reload()
  await expect(together).toContainText(`Local server at ${getHost('together')}, called with the platform key`)
  await expect(getCard(page, 'OpenAI')).toContainText(`Local server at ${getHost('openai')}, called with your key`)
  await page.goto('/studio/admin/api-keys')
  await expect(together).toContainText(`Local server at ${getHost('together')}, called with the platform key`)
  await expect(getCard(page, 'ElevenLabs')).toContainText(`Local server at ${getHost('elevenlabs')}, no key needed`)
})

test.describe('with the real provider URLs', () => {
  test.use({ settings: { OPENAI_BASE_URL: '', ANTHROPIC_BASE_URL: '' } })

  test("keys must have their provider's format on both pages @long", async ({ page, keeper }) => {
    await registerAndSignIn(page, keeper, 'cleo', { path: '/root/api-keys', isSuperAdmin: true })
    await page.getByRole('button', { name: 'Add key for OpenAI' }).click()
    const personalKeyField = page.getByRole('textbox', { name: 'OpenAI API key' })
    await expect(personalKeyField).toHaveAccessibleDescription('Expected format: sk-…')
    await personalKeyField.fill('gsk_aBcDeFGhIjKlMnOpQrStUvWxYz12345')
    await expect(personalKeyField).toHaveAccessibleDescription('Invalid format. Expected format: sk-…')
    await expect(page.getByRole('button', { name: 'Add Key', exact: true })).toBeDisabled()
    await page.goto('/studio/admin/api-keys')
    await page.getByRole('button', { name: 'Add Anthropic Key' }).click()
    const platformKeyField = page.getByRole('textbox', { name: 'API key' })
    await platformKeyField.fill('sk-of-somebody-else-0123456789')
    await expect(platformKeyField).toHaveAccessibleDescription('Invalid format. Expected format: sk-ant-…')
  })
})
