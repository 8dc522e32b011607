import type { Locator } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const keeperTitle = 'שנת הנמל'
const journeyTitle = 'الطريق إلى البحر'
const momentText = 'הגעתי לנמל בבוקר, 3 סירות חזרו.'
const topicName = 'הים'
const logbookLabel = 'البيت القديم'
const agentName = 'שומר האור'

test('what people write right to left keeps its direction on every page', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/keeper' })
  const post = <Data>(path: string, body: unknown) => keeper.callApi<Data>(path, body, { token })
  const { id } = await post<Keeper>('/api/keeper/keepers', {
    title: keeperTitle,
    purpose: 'מה שקורה ליד המים',
    keeperType: 'journal',
    memoryPattern: 'sole',
    theme: 'sunset-warm',
  })
  const path = `/api/keeper/keepers/${id}`
  await post(`${path}/journeys`, { title: journeyTitle })
  await post(`${path}/moments`, { body: momentText, topics: [topicName] })
  await post(`${path}/moments`, { body: 'The boats came back.' })
  await post(`${path}/logbook-entries`, { entry: 'انتقلنا في الربيع.', label: logbookLabel, category: 'House' })
  const agent = await post<Agent>('/api/kip/agents', {
    name: agentName,
    slug: 'lamp-lighter',
    purpose: 'מדליק את האור',
    agent_class: 'Lead',
  })
  const main = page.locator('main')

  await test.step('keepers', async () => {
    await page.goto('/keeper')
    await expectRightToLeft(main.getByText(keeperTitle, { exact: true }).first())
  })
  await test.step('moments', async () => {
    await page.goto(`/keeper/${id}/moments`)
    await expectRightToLeft(main.getByText(momentText))
    await expectRightToLeft(main.getByText(topicName, { exact: true }).first())
    await expectLeftToRight(main.getByText('The boats came back.'))
    const box = main.getByRole('textbox').first()
    await expectLeftToRight(box)
    await box.fill('ערב טוב')
    await expectRightToLeft(box)
    await box.fill('')
    await expectRightToLeft(page.getByRole('heading', { level: 1 }).getByText(keeperTitle))
    await expectLeftToRight(page.getByRole('heading', { level: 1 }))
  })
  await test.step('journeys, topics and logbook', async () => {
    await page.goto(`/keeper/${id}/journeys`)
    await expectRightToLeft(main.getByText(journeyTitle, { exact: true }).first())
    await page.goto(`/keeper/${id}/topics`)
    await expectRightToLeft(main.getByText(topicName, { exact: true }).first())
    await page.goto(`/keeper/${id}/logbook`)
    await expectRightToLeft(main.getByText(logbookLabel, { exact: true }).first())
  })
  await test.step('agents', async () => {
    await page.goto('/studio/agents')
    await expectRightToLeft(main.getByText(agentName, { exact: true }).first())
    await expectLeftToRight(page.getByRole('heading', { level: 1 }))
  })
  await test.step('chat', async () => {
    await page.goto(`/${agent.slug}`)
    await expectRightToLeft(page.getByRole('heading', { level: 1 }))
    const box = page.getByRole('textbox')
    await box.fill('מה שלום הסירות?')
    await expectRightToLeft(box)
    await box.press('Enter')
    await expectRightToLeft(page.getByText('מה שלום הסירות?', { exact: true }).first())
    await expectLeftToRight(page.getByRole('button', { name: 'Send' }))
  })
  for (const frame of ['html', 'main']) await expectLeftToRight(page.locator(frame))
})

const expectRightToLeft = (locator: Locator) => expect(locator).toHaveCSS('direction', 'rtl')
const expectLeftToRight = (locator: Locator) => expect(locator).toHaveCSS('direction', 'ltr')
