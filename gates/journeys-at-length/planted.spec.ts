import { expect, test } from '../../tests/journeys/fixtures.ts'
import { expectNoBreach } from '../../tests/journeys/no-breach.ts'

// Each has to fail: what a journey at length looks at is looked at.

test.beforeEach(async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a button without a name', async ({ page }) => {
  await page.evaluate("document.querySelector('main').append(document.createElement('button'))")
  await expectNoBreach(page, '/login')
})

test('words that nobody can read', async ({ page }) => {
  await page.evaluate(`
    const words = document.createElement('p')
    words.append('Hardly here')
    words.style.color = 'rgb(128 128 128 / 20%)'
    document.querySelector('main').append(words)
  `)
  await expectNoBreach(page, '/login')
})

test('an error on the console', async ({ page }) => {
  await page.evaluate("console.error('Something went wrong.')")
})
