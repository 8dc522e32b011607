import { expect, registerAndSignIn, test } from './fixtures.ts'

test('the form shows what visitors can read, and they read nothing else', async ({ page, anotherPage, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/studio/agents' })
  await page.getByRole('button', { name: 'Create New Agent' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tide Table')
  await page.getByRole('textbox', { name: 'Purpose', exact: true }).fill('Answer only about tides.')
  await page.getByRole('radio', { name: /^Lead/ }).check({ force: true })
  await expect(page.getByText('Visitors see')).toHaveCount(0)
  await page.getByRole('button', { name: 'Visibility and Sharing' }).click()
  await page.getByRole('combobox', { name: 'Visibility' }).selectOption('public')
  await expect(page.getByText('Visitors see the purpose, since there’s no tagline.')).toBeVisible()
  const tagline = page.getByRole('textbox', { name: 'Tagline' })
  await page.getByRole('button', { name: 'Chat page' }).click()
  await tagline.fill('Ask me about tides')
  await expect(page.getByText('Visitors see the tagline.')).toBeVisible()
  await tagline.fill('  ')
  await expect(page.getByText('Visitors see the purpose, since there’s no tagline.')).toBeVisible()
  await tagline.fill('Ask me about tides')
  await page.getByRole('button', { name: 'Create Agent', exact: true }).click()
  await expect(page).toHaveURL(/\/studio\/agents$/)

  const visitor = await anotherPage()
  const answers: string[] = []
  visitor.on('response', async (response) => {
    if (response.url().includes('/api/')) answers.push(await response.text().catch(() => ''))
  })
  await visitor.goto('/tide-table')
  await expect(visitor.getByText('Ask me about tides').first()).toBeVisible()
  await expect(visitor.getByText('Hello, I am Tide Table.')).toBeVisible()
  expect(answers.join('')).toContain('Ask me about tides')
  expect(answers.join('')).not.toContain('Answer only about tides.')
  expect(await visitor.content()).not.toContain('Answer only about tides.')
})
