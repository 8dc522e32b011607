import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { extractOrderedCalls, hostileMemories } from '../hostile-memories.ts'
import { parseConversation } from '../model-conversation.ts'
import { expect, getConversation, registerAndSignIn, test } from './fixtures.ts'

const keeperInput = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }

test.use({
  providerBehavior: {
    // Obeys the memory first, then repeats it.
    answer: (_, request) => {
      const { system, results } = parseConversation(request)
      const calls = results.length === 0 ? extractOrderedCalls(system).slice(0, 1) : []
      if (calls.length > 0) return { text: '', calls }
      const quotedLines = system.split('\n').filter((line) => line.startsWith('> '))
      return `${quotedLines.map((line) => line.slice(2)).join('\n')}\n\nThe end.`
    },
  },
})

test('orders in a keeper need consent, and hostile answers lead nowhere', async ({ page, keeper }) => {
  test.slow()
  const foreignRequests: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(keeper.url)) foreignRequests.push(request.url())
  })
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  // The exfiltration attempts come last, because the newest beliefs are sent to the model.
  for (const [index, belief] of hostileMemories.slice(-20).entries())
    await keeper.callApi(`/api/keeper/keepers/${id}/voice-entries`, { label: `Belief ${index}`, belief }, { token })
  const order = `${hostileMemories[0]} (harbour)`
  const reflection = await keeper.callApi<Reflection>(
    `/api/keeper/keepers/${id}/reflections`,
    { content: order },
    { token },
  )
  await keeper.callApi(`/api/keeper/reflections/${reflection.id}/promote`, {}, { token })
  const agent = await keeper.callApi<{ id: string; slug: string }>(
    '/api/kip/agents',
    {
      name: 'Obedient',
      purpose: 'You help.',
      agent_class: 'Lead',
      memory_enabled: true,
      context_scope: 'keeper',
      tools: ['write_reflection', 'add_logbook_entry', 'schedule_echo'],
    },
    { token },
  )
  await keeper.callApi(`/api/keeper/agents/${agent.id}/keeper-types/system-journal`, {}, { token })

  await page.goto(`/${agent.slug}`)
  await page.getByLabel('Write to Obedient').fill('What of the harbour?')
  await page.getByLabel('Write to Obedient').press('Enter')
  const conversationList = getConversation(page, 'Obedient')
  await expect(conversationList.getByText('Waiting for you')).toBeVisible()
  await conversationList.getByRole('button', { name: 'Don’t allow' }).click()
  const answer = conversationList.locator(':scope > li').last()
  await expect(answer.getByText('The end.')).toBeVisible()
  for (const round of ['streamed', 'read again from the server']) {
    await test.step(round, async () => {
      await expect(answer.getByText('The end.')).toBeVisible()
      await expect(
        answer.locator('script, iframe, style, form, img, object, embed, base, link, meta, svg image'),
      ).toHaveCount(0)
      const links = await answer
        .getByRole('link')
        .evaluateAll((all) => all.map((anchor) => anchor.getAttribute('href') ?? ''))
      for (const href of links) expect(href).toMatch(/^(https:\/\/evil\.example\/(login|now)$|\/keeper\/|#)/)
      expect(foreignRequests).toEqual([])
    })
    await page.reload()
  }
  const savedReflections = await keeper.callApi<Reflection[]>(`/api/keeper/keepers/${id}/reflections`, undefined, {
    token,
  })
  expect(savedReflections.map(({ content }) => content)).toEqual([order])
  for (const collection of ['logbook-entries', 'echoes'])
    expect(await keeper.callApi(`/api/keeper/keepers/${id}/${collection}`, undefined, { token })).toEqual([])
})

test('an old moment opens by its id, has the focus and leads to its day @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 404/)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  const path = `/api/keeper/keepers/${id}/moments`
  const oldMoment = await keeper.callApi<Moment>(
    path,
    { body: 'The first frost.', occurredAt: '2019-03-04T08:00:00Z' },
    { token },
  )
  for (let index = 0; index < 120; index += 1) await keeper.callApi(path, { body: `Moment ${index}` }, { token })
  await page.goto(`/keeper/${id}/moments?moment=${oldMoment.id}`)
  const openedMoment = page.getByRole('region', { name: 'Opened moment' })
  await expect(openedMoment).toBeFocused()
  await expect(openedMoment).toContainText('The first frost.')
  await openedMoment.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Read by' }).click()
  await expect(page.getByRole('dialog', { name: 'Read by' })).toContainText('No agents have read this entry yet.')
  await page.keyboard.press('Escape')
  await openedMoment.getByRole('button', { name: 'The whole day' }).click()
  await expect(page).toHaveURL(/view=calendar&day=2019-03-04$/)
  await expect(page.getByRole('article').filter({ hasText: 'The first frost.' })).toBeVisible()
  await page.goto(`/keeper/${id}/moments?moment=${'0'.repeat(32)}`)
  await expect(page.getByText('Moment not found')).toBeVisible()
})
