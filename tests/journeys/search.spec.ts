import type { Page } from '@playwright/test'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, test } from './fixtures.ts'
import { openMoments } from './open-moments.ts'

const getBox = (page: Page) => page.getByRole('searchbox', { name: 'Search everything you wrote' })
const getResults = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('link')

test('one search finds what was written anywhere, by keyboard', async ({ page, keeper }) => {
  test.slow()
  const { id, token } = await openMoments(page, keeper, [
    { body: 'Un café à **Zürich**, and the ferry.', occurredAt: '2020-05-01T08:00:00Z', localDate: '2020-05-01' },
    { body: 'Zürich again, by train.', occurredAt: '2024-05-01T08:00:00Z', localDate: '2024-05-01' },
    { body: 'Nothing of the kind.' },
  ])
  const path = `/api/keeper/keepers/${id}`
  await keeper.callApi(`${path}/reflections`, { content: 'What Zürich meant to us.' }, { token })
  await keeper.callApi(`${path}/echoes`, { message: 'Sealed Zürich', sealed: true }, { token })
  await page.goto('/library')
  const file = { name: 'zürich-map.txt', mimeType: 'text/plain', buffer: Buffer.from('The lake and the trains.') }
  await page.locator('input[type=file]').first().setInputFiles(file)
  await expect(page.getByText('zürich-map.txt').first()).toBeVisible()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('zurich')
  await page.getByRole('option', { name: 'All results for “zurich”' }).click()
  await expect(page).toHaveURL(/\/search\?q=zurich$/)
  await expect(getBox(page)).toHaveValue('zurich')
  await expect(getResults(page)).toHaveCount(3)
  await expect(page.getByRole('list', { name: 'Results' }).locator('mark')).toHaveText(['Zürich', 'Zürich', 'Zürich'])
  await expect(page.getByRole('list', { name: 'Documents' })).toContainText('zürich-map.txt')
  await expect(page.getByText('Sealed')).toHaveCount(0)
  await expectNoViolations(page, 'with results')

  await page.getByRole('combobox', { name: 'Type' }).selectOption('Moment')
  await expect(getResults(page)).toHaveCount(2)
  await expect(page.getByRole('list', { name: 'Documents' })).toHaveCount(0)
  await page.getByRole('combobox', { name: 'When' }).selectOption('Choose…')
  await page.getByLabel('To', { exact: true }).fill('2021-01-01')
  await expect(getResults(page)).toHaveText(['Un café à Zürich, and the ferry.'])
  await page.reload()
  await expect(getResults(page), 'the address keeps the filters').toHaveCount(1)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await getBox(page).fill('“zurich” -train')
  await expect(getResults(page)).toHaveCount(2)
  await getBox(page).fill('nowhere')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await expectNoViolations(page, 'without results')

  await getBox(page).fill('cafe ferry')
  await expect(getResults(page)).toHaveCount(1)
  await getBox(page).press('ArrowDown')
  await expect(getResults(page)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(getBox(page)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/moments\?moment=/)
  await expect(page.getByRole('region', { name: 'Opened moment' })).toContainText('Un café à Zürich')
})
