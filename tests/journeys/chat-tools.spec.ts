import { expect, getConversation, registerAndSignIn, test } from './fixtures.ts'

const reflection = 'Dad used sour cream, thinned with coffee.'
const calls = [{ name: 'write_reflection', arguments: { content: reflection } }]

test.use({
  providerBehavior: {
    // A question triggers a call; its result is answered with text.
    answer: (prompt) => (prompt.startsWith('Please') ? { calls } : { text: `The tool said: ${prompt}` }),
  },
})

interface Agent {
  id: string
  slug: string
}

test('a writing tool asks first, also after a reload, and obeys Ada by keyboard', async ({
  page,
  keeper,
  modelProviders,
}) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const body = {
    name: 'Scribe',
    purpose: 'Writes down what is said.',
    agent_class: 'Lead',
    memory_enabled: true,
    tools: ['write_reflection'],
  }
  const agent = await keeper.callApi<Agent>('/api/kip/agents', body, { token })
  await page.goto(`/${agent.slug}`)
  const conversationList = getConversation(page, 'Scribe')
  const sendMessage = async (text: string) => {
    await page.getByLabel('Write to Scribe').fill(text)
    // Enter sends nothing while an answer is streaming.
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
    await page.getByLabel('Write to Scribe').press('Enter')
  }

  await sendMessage('Please keep this')
  await expect(conversationList.getByText('Waiting for you')).toBeVisible()
  await expect(
    conversationList.getByText(reflection, { exact: true }),
    'the content to be written is readable',
  ).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'The agent needs your approval' })).toBeAttached()
  expect(modelProviders.openai.requests, 'nothing continues before the decision').toHaveLength(1)
  await page.reload()
  await expect(conversationList.getByText(reflection, { exact: true })).toBeVisible()
  await conversationList.getByRole('button', { name: 'Allow', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(conversationList.getByText('The tool said:', { exact: false })).toBeVisible()
  await expect(conversationList.getByRole('button', { name: 'Allow', exact: true })).toHaveCount(0)
  await expect(conversationList.getByText(/^failed, Write a reflection/), 'nothing claims to be written').toBeVisible()
  await page.reload()
  await expect(conversationList.getByText(/^failed, Write a reflection/), 'the result is saved').toBeVisible()

  await sendMessage('Please keep that too')
  await conversationList.getByRole('button', { name: 'Don’t allow' }).click()
  await expect(conversationList.getByText(/^not allowed, Write a reflection/)).toBeVisible()
  await expect(conversationList.getByText('The person said no to this', { exact: false })).toBeVisible()

  await sendMessage('Please keep the third')
  await expect(conversationList.getByText('Waiting for you')).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(conversationList.getByText('Stopped', { exact: true })).toBeVisible()
  await expect(conversationList.getByRole('button', { name: 'Allow', exact: true })).toHaveCount(0)
})

test('Ada sees the cost of an answer and saves it as a golden answer @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 400/)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const body = { name: 'Scribe', purpose: 'Writes.', agent_class: 'Lead', memory_enabled: true }
  const agent = await keeper.callApi<Agent>('/api/kip/agents', body, { token })
  await page.goto(`/${agent.slug}`)
  const conversationList = getConversation(page, 'Scribe')
  await page.getByLabel('Write to Scribe').fill('What is kept?')
  await page.getByLabel('Write to Scribe').press('Enter')
  const answer = conversationList.getByRole('listitem').filter({ hasText: 'The tool said' })
  await expect(answer.getByRole('button', { name: 'Regenerate' })).toBeAttached()
  await answer.hover()
  await answer.getByRole('button', { name: 'Details' }).click()
  const details = page.getByRole('dialog', { name: 'Answer details' })
  await expect(details).toContainText('17 in, 23 out')
  await expect(details).toContainText('gpt-6-luna')
  await expect(details.getByRole('link', { name: 'Open the run in the logs' })).toHaveAttribute('href', /logs\?run=\w+/)
  await page.keyboard.press('Escape')

  await answer.hover()
  await answer.getByRole('button', { name: 'Make this a golden answer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make this a golden answer' })
  await expect(dialog.getByLabel('Question')).toHaveValue('What is kept?')
  await dialog.getByLabel('What the answer must say').fill('')
  await dialog.getByRole('button', { name: 'Add golden question' }).click()
  await expect(dialog.getByText('Write what the answer must say.')).toBeVisible()
  await dialog.getByLabel('What the answer must say').fill('The tool')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await answer.hover()
  await answer.getByRole('button', { name: 'Make this a golden answer' }).click()
  await expect(dialog.getByLabel('What the answer must say'), 'the typed text is there').toHaveValue('The tool')
  await dialog.getByRole('button', { name: 'Add golden question' }).click()
  await expect(page.getByText('Golden question added')).toBeVisible()
  const goldenQuestions = await keeper.callApi<
    { question: string; expectation: string; source_run_id: string | null }[]
  >(`/api/kip/agents/${agent.id}/golden-questions`, undefined, { token })
  expect(goldenQuestions).toMatchObject([{ question: 'What is kept?', expectation: 'The tool' }])
  expect(goldenQuestions[0]?.source_run_id).toBeTruthy()
  await page.goto('/kip')
  await page.getByLabel('Write to Kip').fill('And here?')
  await page.getByLabel('Write to Kip').press('Enter')
  await expect(getConversation(page).getByText('The tool said')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Regenerate' })).toBeAttached()
  await expect(page.getByRole('button', { name: 'Make this a golden answer' }), 'Ada cannot edit Kip').toHaveCount(0)
})

test('citations lead to sources, which open only inside Keeper @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 404/)
  await page.route('**/api/kip/agents?*messages=true*', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const last = body.data?.at(-1)
    if (last?.sender === 'agent') {
      last.content = 'Sour cream,[2] not milk.[1]'
      last.sources = [
        { n: 1, entity: 'moment', id: 'm', title: 'Phone call', href: '/keeper/1/moments' },
        { n: 2, entity: 'card', id: 'c', title: 'The card behind the tin', href: 'https://evil.example/' },
      ]
    }
    await route.fulfill({ response, json: body })
  })
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  await page.getByLabel('Write to Kip').fill('What did Dad use?')
  await page.getByLabel('Write to Kip').press('Enter')
  const sources = getConversation(page).getByRole('list', { name: 'Sources' })
  await expect(sources.getByRole('listitem')).toHaveCount(2)
  const address = page.url()
  await getConversation(page).getByRole('link', { name: 'Source 2' }).click()
  await expect(sources.getByRole('listitem').nth(1)).toBeFocused()
  expect(page.url(), 'the URL still has the session').toBe(address)
  await expect(sources.getByRole('link')).toHaveCount(1)
  await sources.getByRole('link', { name: 'Phone call' }).click()
  await expect(page).toHaveURL(/\/keeper\/1\/moments$/)
})
