import type { Page } from '@playwright/test'
import { expect, register, test } from './fixtures.ts'

const key = 'sk-a-key-of-nobody-0123456789'

test('a newcomer opens the set-up link, saves a key, makes an agent, watches it answer word by word, and finds the run in the logs', async ({
  page,
  keeper,
  modelProviders,
}) => {
  await register(page, 'ada', keeper.setupPath)

  await page.goto('/root/api-keys')
  await page
    .getByRole('button', { name: /add key/i })
    .first()
    .click()
  const keyField = page.getByRole('textbox', { name: 'OpenAI API key' })
  await keyField.fill('sk-short')
  await expect(page.getByText(/Invalid format\. Expected format: /)).toBeVisible()
  await keyField.fill(key)
  await expect(page.getByText('✓ Valid key format')).toBeVisible()
  await page.getByRole('button', { name: 'Add Key', exact: true }).click()
  await expect(page.getByText('Successfully added OpenAI API key!')).toBeVisible()
  await expect(page.locator('body')).not.toContainText(key)

  await page.goto('/studio/agents')
  await page.getByRole('button', { name: 'Create New Agent' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: false }).first().fill('Harbour Keeper')
  await expect(page.getByRole('textbox', { name: /^Slug/ })).toHaveValue('harbour-keeper')
  await page.getByRole('textbox', { name: /^Purpose/ }).fill('Reads the day and says what repeats.')
  await page.getByRole('button', { name: 'Create Agent' }).first().click()
  await expect(page.getByRole('heading', { name: 'Harbour Keeper' })).toBeVisible()

  await page.goto('/studio/agents/harbour-keeper')
  await page.getByPlaceholder('A line of test input').fill('What repeats this week?')
  const grewOver = await watchGrowing(page)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText('success').first()).toBeVisible()
  expect(await grewOver(), 'the answer came in pieces, not at once').toBeGreaterThan(3)

  const request = modelProviders.openai.requests.at(-1)
  expect(request?.headers.authorization).toBe(`Bearer ${key}`)
  expect(JSON.stringify(request?.body)).toContain('Reads the day and says what repeats.')

  await page.goto('/studio/kip/logs')
  await expect(page.getByRole('main').getByRole('heading', { name: 'Harbour Keeper', level: 2 })).toBeVisible()
  await expect(page.getByText('What repeats this week?').first()).toBeVisible()
  expect(keeper.lines.join('\n'), 'what the server printed').not.toContain(key)
})

/** From now on counts how often what stands on the page grew. */
async function watchGrowing(page: Page): Promise<() => Promise<number>> {
  const count = await page.evaluateHandle(() => {
    const main = document.querySelector('main') as HTMLElement
    const seen = { times: 0, length: main.textContent.length }
    new MutationObserver(() => {
      const { length } = main.textContent
      if (length > seen.length) seen.times++
      seen.length = length
    }).observe(main, { childList: true, subtree: true, characterData: true })
    return seen
  })
  return () => count.evaluate(({ times }) => times)
}
