import { expectNoViolations } from '../../tests/journeys/expect-no-violations.ts'
import { expect, test } from '../../tests/journeys/fixtures.ts'

// Negative controls: each test must fail.

test.beforeEach(async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a button has no name', async ({ page }) => {
  await page.evaluate("document.querySelector('main').append(document.createElement('button'))")
  await expectNoViolations(page, '/login')
})

test('text is unreadable', async ({ page }) => {
  await page.evaluate(`
    const words = document.createElement('p')
    words.append('Hardly here')
    words.style.color = 'rgb(128 128 128 / 20%)'
    document.querySelector('main').append(words)
  `)
  await expectNoViolations(page, '/login')
})

test('the console has an error', async ({ page }) => {
  await page.evaluate("console.error('Something went wrong.')")
})
