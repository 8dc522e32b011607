import type { Locator, Page } from '@playwright/test'
import { expect, getConversation, registerAndSignIn, test } from './fixtures.ts'

const answers = { count: 0 }
test.beforeEach(() => {
  answers.count = 0
})
test.use({ providerBehavior: { answer: (prompt) => `${prompt} gets answer number ${++answers.count}.` } })

async function sendQuestion(page: Page, text: string, answer: number): Promise<void> {
  await page.getByLabel('Write to Kip').fill(text)
  await page.getByLabel('Write to Kip').press('Enter')
  await expect(getConversation(page).getByText(`${text} gets answer number ${answer}.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send', exact: true }), 'the answer is complete').toBeVisible()
}
const findMessage = (page: Page, text: string): Locator =>
  getConversation(page).getByRole('listitem').filter({ hasText: text })
async function clickInMessage(message: Locator, name: string): Promise<void> {
  await message.hover()
  await message.getByRole('button', { name }).click()
}

test('Ada regenerates an answer, edits a question and finds all branches again', async ({
  page,
  keeper,
  modelProviders,
}) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  await sendQuestion(page, 'One', 1)
  await sendQuestion(page, 'Two', 2)
  await expect(page.getByText('4 messages')).toBeVisible()

  await clickInMessage(findMessage(page, 'answer number 2.'), 'Regenerate')
  await expect(getConversation(page).getByText('Two gets answer number 3.')).toBeVisible()
  await expect(getConversation(page).getByText('answer number 2.')).toHaveCount(0)
  await expect(getConversation(page).getByText('Two', { exact: true }), 'the question appears once').toHaveCount(1)
  await expect(page.getByText('4 messages')).toBeVisible()
  await expect(findMessage(page, 'answer number 3.').getByText('2 of 2')).toBeVisible()

  await clickInMessage(findMessage(page, 'One').first(), 'Edit message')
  const box = page.getByLabel('Your question')
  await expect(box).toBeFocused()
  await expect(box).toHaveValue('One')
  await box.press('Escape')
  await expect(box).toHaveCount(0)
  await clickInMessage(findMessage(page, 'One').first(), 'Edit message')
  await box.fill('Uno')
  await clickInMessage(findMessage(page, 'Two').first(), 'Edit message')
  await expect(box).toHaveValue('Two')
  await box.fill('Due')
  await clickInMessage(findMessage(page, 'One').first(), 'Edit message')
  await expect(box, 'the unsent question waits while another is edited').toHaveValue('Uno')
  await page.reload()
  await expect(box, 'an edit survives a reload').toHaveValue('Uno')
  await page.getByRole('button', { name: 'Save & resend' }).click()
  await expect(getConversation(page).getByText('Uno gets answer number 4.')).toBeVisible()
  await expect(getConversation(page).getByText('Two', { exact: true })).toHaveCount(0)
  await expect(page.getByText('2 messages')).toBeVisible()
  const requestText = JSON.stringify(modelProviders.openai.requests.at(-1)?.body)
  expect(requestText).toContain('Uno')
  expect(requestText, 'the model does not see the other branch').not.toContain('Two')

  await page.getByRole('button', { name: 'Previous version' }).click()
  await expect(getConversation(page).getByText('Two gets answer number 3.')).toBeVisible()
  await expect(page.getByText('4 messages')).toBeVisible()
  await clickInMessage(findMessage(page, 'Two').first(), 'Edit message')
  await expect(box, 'the unsent edit survives sending another question').toHaveValue('Due')
  await box.press('Escape')
  await page.getByRole('button', { name: 'Previous answer' }).click()
  await expect(getConversation(page).getByText('Two gets answer number 2.')).toBeVisible()
  await page.reload()
  await expect(
    getConversation(page).getByText('Two gets answer number 2.'),
    'the open branch is remembered',
  ).toBeVisible()
  await expect(findMessage(page, 'answer number 2.').getByText('1 of 2')).toBeVisible()
  await sendQuestion(page, 'Three', 5)
  expect(JSON.stringify(modelProviders.openai.requests.at(-1)?.body)).toContain('answer number 2.')
})

test('switching a branch in one tab switches it in the other @long', async ({ page, keeper, context, watch }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  await sendQuestion(page, 'One', 1)
  const otherTab = await context.newPage()
  await watch.watchPage(otherTab)
  await otherTab.goto(page.url())
  await expect(getConversation(otherTab).getByText('One gets answer number 1.')).toBeVisible()

  await clickInMessage(findMessage(page, 'answer number 1.'), 'Regenerate')
  await expect(getConversation(otherTab).getByText('One gets answer number 2.')).toBeVisible()
  await page.getByRole('button', { name: 'Previous answer' }).click()
  await expect(getConversation(otherTab).getByText('One gets answer number 1.')).toBeVisible()
  await expect(getConversation(otherTab).getByText('answer number 2.')).toHaveCount(0)
})

test('a failed regeneration keeps the existing answer @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/ERR_FAILED/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  await sendQuestion(page, 'One', 1)
  await page.route('**/api/kip/agents', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await clickInMessage(findMessage(page, 'answer number 1.'), 'Regenerate')
  await expect(page.getByRole('status').filter({ hasText: 'couldn’t be reached' })).toBeVisible()
  await expect(getConversation(page).getByText('One gets answer number 1.')).toBeVisible()
  await clickInMessage(findMessage(page, 'One').first(), 'Edit message')
  await page.getByLabel('Your question').fill('Uno')
  await page.getByLabel('Your question').press('Enter')
  await expect(page.getByLabel('Your question'), 'the text returns').toHaveValue('Uno')
  await page.unroute('**/api/kip/agents')
  await page.getByLabel('Your question').press('Enter')
  await expect(getConversation(page).getByText('Uno gets answer number 2.')).toBeVisible()
})
