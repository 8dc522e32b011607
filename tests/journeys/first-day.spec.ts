import { expect, register, test } from './fixtures.ts'

const key = 'sk-a-key-of-nobody-0123456789'
const firstHalf = 'The harbour came back on three mornings,'
const secondHalf = 'and each time before the coffee.'
let continuation = Promise.withResolvers<void>()

test.use({
  providerBehavior: { answer: () => ({ text: `${firstHalf} ${secondHalf}`, continueAfter: continuation.promise }) },
})

test('a newcomer sets up a key and an agent, and finds its run in the logs', async ({
  page,
  keeper,
  modelProviders,
}) => {
  continuation = Promise.withResolvers()
  await register(page, 'ada', keeper.setupPath)

  await page.goto('/root/api-keys')
  await page
    .getByRole('button', { name: /add key/i })
    .first()
    .click()
  const keyField = page.getByRole('textbox', { name: 'OpenAI API key' })
  await keyField.fill('short')
  await expect(page.getByText(/Invalid format\. Expected format: /)).toBeVisible()
  await keyField.fill(key)
  await expect(page.getByText('✓ Valid key format')).toBeVisible()
  await page.getByRole('button', { name: 'Add Key', exact: true }).click()
  await expect(page.getByText('Successfully added OpenAI API key!')).toBeVisible()
  await expect(page.locator('body')).not.toContainText(key)

  await page.goto('/studio/agents')
  await page.getByRole('button', { name: 'Create New Agent' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: false }).first().fill('Harbour Keeper')
  await expect(page.getByText('Slug harbour-keeper')).toBeVisible()
  await page.getByRole('textbox', { name: /^Purpose/ }).fill('Reads the day and says what repeats.')
  await page.getByRole('button', { name: 'Create Agent' }).first().click()
  await expect(page.getByRole('heading', { name: 'Harbour Keeper' })).toBeVisible()

  await page.goto('/studio/agents/harbour-keeper')
  await page.getByPlaceholder('A line of test input').fill('What repeats this week?')
  await page.getByRole('button', { name: 'Run', exact: true }).first().click()
  const main = page.getByRole('main')
  await expect(main, 'the first part is shown before the rest arrives').toContainText('three mornings,')
  await expect(main).not.toContainText('before the coffee')
  continuation.resolve()
  await expect(page.getByText('success').first()).toBeVisible()
  await expect(main).toContainText(`${firstHalf} ${secondHalf}`)

  const request = modelProviders.openai.requests.at(-1)
  expect(request?.headers.authorization).toBe(`Bearer ${key}`)
  expect(JSON.stringify(request?.body)).toContain('Reads the day and says what repeats.')

  await page.goto('/studio/kip/logs')
  await expect(page.getByRole('main').getByRole('heading', { name: 'Harbour Keeper', level: 2 })).toBeVisible()
  await expect(page.getByText('What repeats this week?').first()).toBeVisible()
  expect(keeper.lines.join('\n'), 'the server output').not.toContain(key)
})
