import { expectNoViolations } from './expect-no-violations.ts'
import { expect, getConversation, registerAndSignIn, test } from './fixtures.ts'

const table =
  '| When | What |\n|---|---|\n| April | `milk` |\n\n```\ncode\n```\n\nSee [the shelf](https://willowbrook.example/).'

test.use({
  contextOptions: { reducedMotion: 'reduce' },
  providerBehavior: {
    answer: (prompt) =>
      prompt.startsWith('Please')
        ? { text: 'Shall I?', calls: [{ name: 'write_reflection', arguments: { content: 'Milk.' } }] }
        : table,
  },
})

test('a conversation keeps a readable height at 400 % @long', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 })
  await page.goto('/kip')
  const conversation = page.getByRole('region', { name: 'Conversation' })
  await expect(conversation).toBeVisible()
  expect((await conversation.boundingBox())?.height).toBeGreaterThan(140)
  await page.getByLabel('Write to Kip').focus()
  await expect(page.getByLabel('Write to Kip')).toBeInViewport({ ratio: 1 })
})

test('a full chat has no WCAG violations, also on a narrow phone @long', async ({ page, keeper }) => {
  test.slow()
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const body = {
    name: 'Scribe',
    purpose: 'Writes.',
    agent_class: 'Lead',
    memory_enabled: true,
    tools: ['write_reflection'],
  }
  await keeper.callApi('/api/kip/agents', body, { token })
  await page.goto('/scribe')
  const conversation = getConversation(page, 'Scribe')
  const box = page.getByLabel('Write to Scribe')
  await box.fill('What is kept?')
  await box.press('Enter')
  await expect(conversation.getByRole('table')).toBeVisible()
  const answer = conversation.getByRole('listitem').filter({ has: page.getByRole('table') })
  await answer.hover()
  await answer.getByRole('button', { name: 'Regenerate' }).click()
  await expect(conversation.getByText('2 of 2')).toBeVisible()
  await answer.hover()
  await expectNoViolations(page, 'an answer with its buttons')
  await answer.getByRole('button', { name: 'Details' }).click()
  await expect(page.getByText('17 in, 23 out')).toBeVisible()
  await expectNoViolations(page, 'its details')
  await page.keyboard.press('Escape')

  await box.fill('Please keep it')
  await box.press('Enter')
  await expect(conversation.getByRole('button', { name: 'Don’t allow' })).toBeVisible()
  await expectNoViolations(page, 'a tool that asks for confirmation')
  await conversation.getByRole('button', { name: 'Don’t allow' }).click()
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()

  const question = conversation.getByRole('listitem').filter({ hasText: 'What is kept?' })
  await question.hover()
  await question.getByRole('button', { name: 'Edit message' }).click()
  await expectNoViolations(page, 'a question being edited')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Sessions', exact: true }).click()
  await page.getByRole('button', { name: 'Rename What is kept?' }).click()
  await expectNoViolations(page, 'the sessions')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoViolations(page, 'a narrow phone')
  const scrollsSideways = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  )
  expect(scrollsSideways, 'no horizontal scrolling').toBe(false)
})
