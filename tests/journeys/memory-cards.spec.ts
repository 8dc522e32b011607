import type { Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const longContent =
  'He measured flour in the blue cup and lied about it to everyone. The blue cup holds 1.3 of what a cup should hold, and every recipe we have from him is short of flour, and every one of them works.'

/** Signs Ada in with a keeper and a few cards. */
async function createCardsOfAda(page: Page, keeper: BuiltKeeper) {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const callApi = <Data>(path: string, body?: unknown) => keeper.callApi<Data>(path, body, { token })
  const { id } = await callApi<Keeper>('/api/keeper/keepers', {
    title: 'The Harbour Year',
    purpose: 'p',
    keeperType: 'journal',
    memoryPattern: 'sole',
  })
  const createCard = async (content: string, topic: string) => {
    const reflection = await callApi<Reflection>(`/api/keeper/keepers/${id}/reflections`, { content, topic })
    return callApi<MemoryCard>(`/api/keeper/reflections/${reflection.id}/promote`, {})
  }
  const father = await createCard(longContent, 'Father')
  await createCard('At five the harbour sounds like somebody putting away cutlery.', 'Harbour')
  await createCard('The lamp Ida leaves on is how she says goodnight to the house.', 'The house')
  return { id, callApi, father, address: `/keeper/${id}/memory-cards` }
}

const getCard = (page: Page, name: string) => page.getByRole('article', { name })

test('cards are read, filtered, found by text and opened by URL', async ({ page, keeper }) => {
  const { address, father } = await createCardsOfAda(page, keeper)
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Harbour Year - Memory Cards')
  for (const [label, value] of [
    ['Total Cards', '3'],
    ['Embedded', '3'],
    ['Topics', '3'],
  ])
    await expect(page.locator('dl > div').filter({ hasText: label })).toContainText(value ?? '')
  await expect(page.getByText('matches words, not meaning')).toBeVisible()

  const expand = getCard(page, 'Father').getByRole('button', { name: 'Expand' })
  await expect(getCard(page, 'Harbour').getByRole('button', { name: 'Expand' })).toHaveCount(0)
  await expand.click()
  await expect(getCard(page, 'Father').getByText('every one of them works.')).toBeVisible()
  await expect(getCard(page, 'Father').getByRole('link', { name: /reflection from/ })).toBeVisible()
  await getCard(page, 'Father').getByRole('button', { name: 'Collapse' }).click()
  await expectNoViolations(page, 'cards')

  await page.getByRole('button', { name: 'Harbour', exact: true }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByRole('button', { name: 'All topics' }).click()
  await page.getByRole('searchbox', { name: 'Search by words and by meaning' }).fill('Goodnight lam')
  await expect(page.getByText('1 card matches, best first.')).toBeVisible()
  await expect(getCard(page, 'The house').locator('mark')).toHaveText(['lamp', 'goodnight'])
  await expect(getCard(page, 'The house').getByText('Words and similar words', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('searchbox', { name: 'Search by words and by meaning' })).toHaveValue('Goodnight lam')
  await expect(page.getByRole('article')).toHaveCount(1)
  await expectNoViolations(page, 'cards')

  await page.goto(`${address}?card=${father.id}`)
  const openedCard = page.getByRole('region', { name: 'Opened card' })
  await expect(openedCard.getByText('every one of them works.')).toBeVisible()
  await openedCard.getByRole('button', { name: 'Close' }).click()
  await expect(openedCard).toHaveCount(0)
  await page.getByText('By topic', { exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Father', level: 2 })).toBeVisible()
})

test('a card is edited, hidden from models, deleted and restored @long', async ({ page, keeper }) => {
  const { address } = await createCardsOfAda(page, keeper)
  await page.goto(address)
  const chooseCardAction = async (topic: string, item: string) => {
    await getCard(page, topic)
      .getByRole('button', { name: `More for the card ${topic}` })
      .click()
    await page
      .getByRole('menuitem', { name: item })
      .or(page.getByRole('menuitemcheckbox', { name: item }))
      .click()
  }
  await chooseCardAction('Harbour', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit memory card' })
  await dialog.getByLabel('Text').fill('At six the harbour is quiet.')
  await page.reload()
  await chooseCardAction('Harbour', 'Edit')
  await expect(dialog.getByLabel('Text')).toHaveValue('At six the harbour is quiet.')
  await dialog.getByLabel('Topic').fill('Quay')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(getCard(page, 'Quay').getByText('At six the harbour is quiet.')).toBeVisible()

  await chooseCardAction('Quay', 'Earlier versions')
  const earlier = page.getByRole('dialog', { name: 'Earlier versions' })
  await expect(earlier.locator('li')).toContainText('Harbour')
  await earlier.getByRole('button', { name: 'Restore this version' }).click()
  await expect(getCard(page, 'Harbour')).toBeVisible()
  await chooseCardAction('Harbour', 'Earlier versions')
  await expect(earlier.locator('li').first()).toBeVisible()
  await page.keyboard.press('Escape')

  await chooseCardAction('Harbour', 'Not for AI')
  await expect(getCard(page, 'Harbour').getByText('Not for AI')).toBeVisible()
  await chooseCardAction('Harbour', 'Delete')
  await expect(getCard(page, 'Harbour')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(getCard(page, 'Harbour')).toBeVisible()
})

test('with a key, cards are embedded with progress and found by meaning @long', async ({
  page,
  keeper,
  modelProviders,
}) => {
  const { address, callApi } = await createCardsOfAda(page, keeper)
  await callApi('/api/kip/user-keys', { provider: 'openai', apiKey: 'sk-canary0personal0openai0Zq81' })
  await page.goto(address)
  await expect(page.getByText('text-embedding-3-small')).toBeVisible()
  await expect(page.getByText('Pending', { exact: true }).first()).toBeVisible()
  modelProviders.openai.script(['status-401'])
  await page.getByRole('button', { name: 'Embed 3 cards' }).click()
  await expect(page.getByText(/^Error: .*key/)).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('dl > div').filter({ hasText: 'Embedded' })).toContainText('3')
  await expect(page.getByText(/^Error/)).toHaveCount(0)
  await page.getByRole('searchbox').fill('bedtime')
  await expect(getCard(page, 'The house').getByText('Meaning', { exact: true })).toBeVisible()
  modelProviders.openai.script(['status-500'])
  await page.getByRole('searchbox').fill('harbour at five')
  await expect(page.getByText('Found by words only.')).toBeVisible()
  await expect(getCard(page, 'Harbour').getByText('Words', { exact: true })).toBeVisible()
})

test('on a phone nothing is cut off, and the sample requests no cards @long', async ({ page, keeper }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { address } = await createCardsOfAda(page, keeper)
  await page.goto(address)
  await expect(getCard(page, 'Father')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectNoViolations(page, 'matching cards')
  const cardRequests: string[] = []
  page.on('request', (request) => request.url().includes('memory-cards') && cardRequests.push(request.url()))
  await page.goto('/keeper/demo/memory-cards')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Demo Keeper - Memory Cards')
  await page.getByRole('button', { name: 'Embed 2 cards' }).click()
  await expect(page.getByText('Pending', { exact: true })).toHaveCount(1)
  expect(cardRequests.filter((url) => url.includes('/api/'))).toEqual([])
})

test('cards that fail to load say so and can be retried @long', async ({ page, keeper, watch }) => {
  const { address } = await createCardsOfAda(page, keeper)
  watch.expectLine(/status of (500|404)/)
  await page.route('**/memory-cards/embedding-status', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto(address)
  await expect(page.getByText('Error: Failed to fetch memory cards')).toBeVisible()
  await page.unroute('**/memory-cards/embedding-status')
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(page.locator('main'), 'the focus stays when the button disappears').toBeFocused()
  await expect(getCard(page, 'Father')).toBeVisible()
  await page.goto(`/keeper/${'f'.repeat(32)}/memory-cards`)
  await expect(page.getByText('Keeper not found')).toBeVisible()
})
