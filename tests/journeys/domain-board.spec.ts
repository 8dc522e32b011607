import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

test('domain setup goes step by step, counts skips and resumes where it stopped', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/studio/domain-board' })
  const progress = page.getByRole('progressbar', { name: 'Setup progress' })
  await expect(progress).toHaveAttribute('aria-valuenow', '0')
  await expect(page.getByText('Step 1 of 4')).toBeVisible()
  await expectNoViolations(page, 'the first step')

  await page.getByLabel('Description').fill('A choir and its harbour.')
  await page.reload()
  await expect(page.getByLabel('Description'), 'a reload loses nothing').toHaveValue('A choir and its harbour.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Domain saved successfully')).toBeVisible()
  await expect(progress).toHaveAttribute('aria-valuenow', '25')

  await page.getByRole('button', { name: 'Next' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'First steps' })).toBeFocused()
  for (const step of ['A first keeper', 'A first agent', 'A theme', 'Your own key'])
    await page.getByRole('button', { name: `Skip: ${step}` }).click()
  await expect(progress).toHaveAttribute('aria-valuenow', '50')
  await page.getByRole('button', { name: 'Don’t skip: A first keeper' }).click()
  await expect(progress).toHaveAttribute('aria-valuenow', '25')
  await expectNoViolations(page, 'the first steps')

  await page.getByRole('link', { name: 'Create a keeper' }).click()
  await expect(page).toHaveURL(/\/keeper\/new$/)
  await keeper.callApi(
    '/api/keeper/keepers',
    { title: 'Harbour Year', purpose: 'By the water.', keeperType: 'journal', memoryPattern: 'sole' },
    { token },
  )

  await page.goto('/studio/domain-board')
  await expect(page.getByText('Step 3 of 4'), 'the first incomplete step').toBeVisible()
  await expect(progress).toHaveAttribute('aria-valuenow', '50')
  await page.getByRole('switch', { name: 'Just me' }).press('Space')
  await expect(progress).toHaveAttribute('aria-valuenow', '75')
  await page.getByRole('button', { name: /^Custom domain/ }).click()
  await page.getByRole('switch', { name: 'Not now' }).press('Space')
  await expect(progress).toHaveAttribute('aria-valuenow', '100')
  await expect(page.getByText('Everything is set up.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Finish' })).toHaveAttribute('href', /\/root\/domain\?domain=/)
  await expectNoViolations(page, 'the last step')
})

test('the sample domain makes no requests and fits a narrow phone @long', async ({ page, keeper }) => {
  await page.setViewportSize({ width: 320, height: 700 })
  await registerAndSignIn(page, keeper, 'ada', { path: '/studio/domain-board?domainId=demo-domain' })
  await expect(page.getByRole('heading', { name: 'Willowbrook' })).toBeVisible()
  const demoRequests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/domains/demo')) demoRequests.push(request.url())
  })
  for (const step of ['Domain information', 'First steps', 'Members', 'Custom domain']) {
    await page.getByRole('button', { name: new RegExp(`^${step}`) }).click()
    await expect(page.getByRole('heading', { name: step })).toBeVisible()
  }
  await expect(page.getByRole('switch', { name: 'Not now' })).toBeDisabled()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  expect(demoRequests).toEqual([])
})

test("an unknown domain isn't found, and a failed load can be retried @long", async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  await registerAndSignIn(page, keeper, 'ada')
  await page.route('**/api/domains/*/setup', (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/studio/domain-board')
  await expect(page.getByText('Error Loading Board')).toBeVisible()
  await page.unroute('**/api/domains/*/setup')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('Step 1 of 4')).toBeVisible()

  await page.goto('/studio/domain-board?domainId=00000000000000000000000000000000')
  await expect(page.getByText('Domain not found')).toBeVisible()
})
