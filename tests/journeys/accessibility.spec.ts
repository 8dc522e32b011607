import type { Page } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('visitor pages have no WCAG 2.2 AA violations in light and dark @long', async ({ page, watch }) => {
  test.slow()
  watch.expectLine(/status of 404/)
  for (const path of ['/', '/login', '/login?reset=token', '/register', '/kip', '/nobody-here', '/debug']) {
    await open(page, path)
    await expectNoViolations(page, path)
  }
})

test('overlays have no WCAG violations @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/studio/agents' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'DEBUG' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNoViolations(page, 'DEBUG')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNoViolations(page, 'the palette')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Domains/ }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectNoViolations(page, 'the domain menu')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  await expectNoViolations(page, 'the menu on a phone')
})

test('every tab of the usage dialog has no WCAG violations @long', async ({ page, keeper }) => {
  test.slow()
  const { token } = await registerAndSignIn(page, keeper, 'cleo', { isSuperAdmin: true })
  const agent = await keeper.callApi<Agent>('/api/kip/agents', { name: 'Lamp Lighter', purpose: 'Lights.' }, { token })
  await keeper.callApi('/api/kip/agents', { action: 'run', agentId: agent.id, input: 'Is it lit?' }, { token })
  await page.goto('/studio/admin')
  await page.getByRole('button', { name: 'API Usage Analytics' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('table', { name: 'Usage by agent' })).toBeVisible()
  await expectNoViolations(page, 'usage')
  await dialog.getByRole('tab', { name: 'Budgets' }).click()
  await dialog.getByRole('button', { name: 'Change: Your budget' }).click()
  await expectNoViolations(page, 'budgets')
  await dialog.getByRole('tab', { name: 'Prices' }).click()
  await dialog.getByRole('button', { name: 'Add a price' }).click()
  await expectNoViolations(page, 'prices')
})

test('landing, sign-in and registration work without scripts', async ({ browser, keeper }) => {
  const context = await browser.newContext({ baseURL: keeper.url, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Begin the journey of what is worth keeping')
  await expect(page.getByRole('link', { name: 'Begin' }).first()).toHaveAttribute('href', '/register')
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible()
  await expect(page.getByLabel('Email')).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.getByRole('link', { name: "Don't have a keeper yet? Begin here." }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Begin Your Journey' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Already have a keeper? Sign in.' })).toBeVisible()
  await context.close()
})

async function open(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText(/^Loading/)).toHaveCount(0)
}
