import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const key = 'harbour-key-0123456789'

test('an administrator adds, uses, edits and deletes a service', async ({ page, keeper, modelProviders, watch }) => {
  watch.expectLine(/status of (400|409)/)
  const { baseUrl } = modelProviders.openai
  await registerAndSignIn(page, keeper, 'cleo', { path: '/studio/kip/api-keys', isSuperAdmin: true })
  await page.getByRole('button', { name: 'Add a service' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a service' })
  const address = dialog.getByLabel('Base URL')

  await test.step('a preset fills in the URL, and a correction is explained', async () => {
    await dialog.getByLabel('Start from').selectOption({ label: 'DeepSeek' })
    await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('DeepSeek')
    await expect(address).toHaveValue('https://api.deepseek.com/v1')
    await expect(address).toHaveAccessibleDescription('/v1 was added, so Keeper calls https://api.deepseek.com/v1.')
    await dialog.getByLabel('Start from').selectOption({ label: 'Azure OpenAI' })
    await expect(dialog.getByLabel('Header 1 name')).toHaveValue('api-key')
    await dialog.getByRole('button', { name: 'Add service' }).click()
    await expect(address).toBeFocused()
    await expect(address).toHaveAccessibleDescription('Replace YOUR-RESOURCE with the name of your resource.')
    await address.fill(baseUrl)
    await dialog.getByRole('button', { name: 'Add service' }).click()
    await expect(dialog.getByLabel('Header 1 value')).toBeFocused()
    await expect(dialog.getByLabel('Header 1 value')).toHaveAccessibleDescription('Enter the value of this header.')
    await dialog.getByRole('button', { name: 'Remove header api-key' }).click()
  })

  await test.step('refusals appear at their field, and typed text stays', async () => {
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbour models')
    await dialog.getByRole('textbox', { name: 'ID', exact: true }).fill('openai')
    await address.fill('http://169.254.169.254/v1')
    await dialog.getByRole('textbox', { name: 'API key' }).fill(key)
    await dialog.getByRole('button', { name: 'Add service' }).click()
    await expect(dialog.getByRole('textbox', { name: 'ID', exact: true })).toHaveAccessibleDescription(
      /A built-in provider has this ID/,
    )
    await expect(dialog.getByRole('textbox', { name: 'ID', exact: true })).toBeFocused()
    await dialog.getByRole('textbox', { name: 'ID', exact: true }).fill('harbour')
    await dialog.getByRole('button', { name: 'Add service' }).click()
    await expect(address).toHaveAccessibleDescription(/^169\.254\.169\.254 is a link-local address/)
    await expect(dialog.getByRole('textbox', { name: 'API key' })).toHaveValue(key)
    await expectNoViolations(page, 'the form of a service')
  })

  const agent = page.getByRole('article').filter({ hasText: 'Tide Reader' })
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Harbour models' }) })
  await test.step('the corrected URL is saved, and the service lists its models', async () => {
    await address.fill(`${baseUrl}/chat/completions`)
    await address.blur()
    await expect(address).toHaveValue(baseUrl)
    await expect(address).toHaveAccessibleDescription(
      `/chat/completions at the end was removed, so Keeper calls ${baseUrl}.`,
    )
    await dialog.getByRole('button', { name: 'Add service' }).press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(card.getByText(/^Harbour models answers with \d+ models?: /)).toBeVisible()
    await expect(card).toContainText(baseUrl)
    await expect(card.getByText('Active', { exact: true })).toBeVisible()
    await expectNoViolations(page, 'the card of a service')
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await card.getByRole('button', { name: 'Edit service Harbour models' }).click()
    await expectNoViolations(page, 'the form of a service on a phone')
    await page.keyboard.press('Escape')
    await expect(card.getByRole('button', { name: 'Edit service Harbour models' })).toBeFocused()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('an agent of that service answers', async () => {
    await page.goto('/studio/agents')
    await page.getByRole('button', { name: 'Create New Agent' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tide Reader')
    await page.getByRole('textbox', { name: 'Purpose', exact: true }).fill('Reads the tides.')
    await page.getByRole('button', { name: 'Change the model' }).click()
    await page.getByRole('radio', { name: 'harbour' }).check({ force: true })
    await page.getByRole('combobox', { name: 'Model', exact: true }).fill('gpt-4o-mini')
    await page.getByRole('button', { name: 'Create Agent', exact: true }).click()
    await agent.getByRole('button', { name: /^Run/ }).click()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alertdialog', { name: /^Agent executed successfully/ })).toContainText('That is all.')
    expect(modelProviders.openai.requests.at(-1)?.headers.authorization).toBe(`Bearer ${key}`)
  })

  await test.step('it is renamed, and its key stays', async () => {
    await page.goto('/studio/kip/api-keys')
    await expect(card).toContainText('Used by 1 agent.')
    await card.getByRole('button', { name: 'Edit service Harbour models' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Harbour models' })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Port models')
    await form.getByRole('button', { name: 'Add a header' }).click()
    await form.getByLabel('Header 1 name').fill('x-team')
    await form.getByLabel('Header 1 value').fill('herons')
    await form.getByRole('button', { name: 'Save service' }).click()
    await expect(page.getByText('Port models saved.')).toBeVisible()
  })

  await test.step('deleting it names the number of agents, and their runs explain the failure', async () => {
    const renamedService = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Port models' }) })
    await expect(renamedService.getByText(/^Port models answers with/)).toBeVisible()
    await expect(renamedService).toContainText('Sends the header x-team.')
    await renamedService.getByRole('button', { name: 'Delete service Port models' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete Port models?' })
    await expect(question).toContainText(
      '1 agent uses Port models. Its runs fail until it gets another model provider.',
    )
    await question.getByRole('button', { name: 'Delete service' }).click()
    await expect(page.getByText('Port models deleted.')).toBeVisible()
    await expect(renamedService).toHaveCount(0)
    await page.goto('/studio/agents')
    await agent.getByRole('button', { name: /^Run/ }).click()
    await page.keyboard.press('Enter')
    await expect(page.getByText(/The model service “harbour” is no longer set up on this server/).first()).toBeVisible()
  })
  expect(await page.content()).not.toContain(key)
  expect(keeper.lines.join('\n')).not.toContain(key)
})
