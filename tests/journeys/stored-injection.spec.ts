import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { callsToldBy, hostileMemories } from '../hostile-memories.ts'
import { conversationOf } from '../model-conversation.ts'
import { arrive, conversation, expect, test } from './fixtures.ts'

const words = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }

test.use({
  manner: {
    // Obeys the memory first, then repeats it.
    answer: (_, request) => {
      const { system, results } = conversationOf(request)
      const calls = results.length === 0 ? callsToldBy(system).slice(0, 1) : []
      if (calls.length > 0) return { text: '', calls }
      const said = system.split('\n').filter((line) => line.startsWith('> '))
      return `${said.map((line) => line.slice(2)).join('\n')}\n\nThe end.`
    },
  },
})

test('orders in a keeper need consent, and hostile answers lead nowhere', async ({
  page,
  keeper,
}) => {
  test.slow()
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(keeper.url)) elsewhere.push(request.url())
  })
  const { token } = await arrive(page, keeper, 'ada')
  const { id } = await keeper.ask<Keeper>('/api/keeper/keepers', words, { token })
  // The exfiltration attempts come last, because the newest beliefs are sent to the model.
  for (const [index, belief] of hostileMemories.slice(-20).entries())
    await keeper.ask(`/api/keeper/keepers/${id}/voice-entries`, { label: `Belief ${index}`, belief }, { token })
  const order = `${hostileMemories[0]} (harbour)`
  const made = await keeper.ask<Reflection>(`/api/keeper/keepers/${id}/reflections`, { content: order }, { token })
  await keeper.ask(`/api/keeper/reflections/${made.id}/promote`, {}, { token })
  const agent = await keeper.ask<{ id: string; slug: string }>(
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
  await keeper.ask(`/api/keeper/agents/${agent.id}/keeper-types/system-journal`, {}, { token })

  await page.goto(`/${agent.slug}`)
  await page.getByLabel('Write to Obedient').fill('What of the harbour?')
  await page.getByLabel('Write to Obedient').press('Enter')
  const talk = conversation(page, 'Obedient')
  await expect(talk.getByText('Waiting for you')).toBeVisible()
  await talk.getByRole('button', { name: 'Don’t allow' }).click()
  const answer = talk.locator(':scope > li').last()
  await expect(answer.getByText('The end.')).toBeVisible()
  for (const round of ['as it came', 'read again from the server']) {
    await test.step(round, async () => {
      await expect(answer.getByText('The end.')).toBeVisible()
      await expect(
        answer.locator('script, iframe, style, form, img, object, embed, base, link, meta, svg image'),
      ).toHaveCount(0)
      const links = await answer
        .getByRole('link')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
      for (const href of links) expect(href).toMatch(/^(https:\/\/evil\.example\/(login|now)$|\/keeper\/|#)/)
      expect(elsewhere).toEqual([])
    })
    await page.reload()
  }
  const kept = await keeper.ask<Reflection[]>(`/api/keeper/keepers/${id}/reflections`, undefined, { token })
  expect(kept.map(({ content }) => content)).toEqual([order])
  for (const room of ['logbook-entries', 'echoes'])
    expect(await keeper.ask(`/api/keeper/keepers/${id}/${room}`, undefined, { token })).toEqual([])
})

test('an old moment opens by its id, has the focus and leads to its day', async ({
  page,
  keeper,
  watch,
}) => {
  watch.expectLine(/status of 404/)
  const { token } = await arrive(page, keeper, 'ada')
  const { id } = await keeper.ask<Keeper>('/api/keeper/keepers', words, { token })
  const at = `/api/keeper/keepers/${id}/moments`
  const old = await keeper.ask<Moment>(at, { body: 'The first frost.', occurredAt: '2019-03-04T08:00:00Z' }, { token })
  for (let index = 0; index < 120; index += 1) await keeper.ask(at, { body: `Moment ${index}` }, { token })
  await page.goto(`/keeper/${id}/moments?moment=${old.id}`)
  const opened = page.getByRole('region', { name: 'Opened moment' })
  await expect(opened).toBeFocused()
  await expect(opened).toContainText('The first frost.')
  await opened.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Read by' }).click()
  await expect(page.getByRole('dialog', { name: 'Read by' })).toContainText('No agent has read this yet.')
  await page.keyboard.press('Escape')
  await opened.getByRole('button', { name: 'The whole day' }).click()
  await expect(page).toHaveURL(/view=calendar&day=2019-03-04$/)
  await expect(page.getByRole('article').filter({ hasText: 'The first frost.' })).toBeVisible()
  await page.goto(`/keeper/${id}/moments?moment=${'0'.repeat(32)}`)
  await expect(page.getByText('This moment isn’t here')).toBeVisible()
})
