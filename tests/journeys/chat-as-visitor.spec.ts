import type { Page } from '@playwright/test'
import { expect, getConversation, registerAndSignIn, test } from './fixtures.ts'

const steps = Array.from({ length: 60 }, (_, index) => `step${index + 1}`)
const longAnswer = steps.join(' ')

/** The server receives the next question, but its connection breaks before it answers. */
async function loseNextAnswer(page: Page) {
  let isLost = false
  await page.route('**/api/kip/agents', async (route) => {
    const request = route.request()
    if (isLost || request.postDataJSON()?.action !== 'run') return route.continue()
    isLost = true
    const { cookie = '', accept = '', 'content-type': type = '' } = await request.allHeaders()
    const headers = { cookie, accept, 'content-type': type }
    const response = await fetch(request.url(), { method: 'POST', headers, body: request.postData() })
    expect(response.status).toBe(200)
    await response.body?.cancel()
    return route.abort('connectionreset')
  })
}

test.describe('a slow answer', () => {
  test.use({ providerBehavior: { wordDelayMs: 50, answer: () => longAnswer } })

  test('a visitor writes to Kip with Enter and sees the answer grow', async ({ page, modelProviders }) => {
    await page.goto('/kip')
    await expect(page.getByRole('heading', { level: 1, name: 'Kip' })).toBeVisible()
    const tagline = 'Knows where everything is kept, and what is not worth keeping.'
    await expect(page.getByRole('banner').getByText(tagline)).toBeVisible()
    await expect(page.getByRole('region', { name: 'Conversation', exact: true }).getByText(tagline)).toBeVisible()
    await expect(page.getByText('Memory on')).toBeVisible()
    await expect(page.getByText('0 messages')).toBeVisible()
    const box = page.getByLabel('Write to Kip')
    await expect(box).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()

    await page.keyboard.type('A first line')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('and a second')
    await expect(box).toHaveValue('A first line\nand a second')
    expect(modelProviders.openai.requests, 'a line break sends nothing').toEqual([])
    await page.keyboard.press('Enter')
    const messageItems = getConversation(page).getByRole('listitem')
    await expect(messageItems.first()).toContainText('A first line and a second')
    await expect(box).toHaveValue('')
    const answer = messageItems.filter({ hasText: 'step3' })
    await expect(answer).toBeVisible()
    await expect(answer).not.toContainText('step60')

    await page.keyboard.type('Too early')
    await page.keyboard.press('Enter')
    await expect(box).toHaveValue('Too early')
    await expect(answer).toContainText(longAnswer)
    await expect(page.getByText('2 messages')).toBeVisible()
    expect(modelProviders.openai.requests).toHaveLength(1)
  })

  test('reloading mid-answer loses nothing, and the answer continues @long', async ({ page, modelProviders }) => {
    await page.goto('/kip')
    await page.getByLabel('Write to Kip').fill('Tell me all sixty')
    await page.keyboard.press('Enter')
    await expect(getConversation(page).getByText('step5')).toBeVisible()
    await expect(page).toHaveURL(/sessionId=/)
    await page.reload()
    const messageItems = getConversation(page).getByRole('listitem')
    await expect(getConversation(page).getByText('step6')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
    await expect(messageItems.filter({ hasText: 'step1' })).toContainText(longAnswer)
    await expect(messageItems.filter({ hasText: 'Tell me all sixty' })).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
    expect(modelProviders.openai.requests, 'the model was called once').toHaveLength(1)
  })

  test('a question whose connection broke is answered once and leaves the box', async ({
    page,
    watch,
    modelProviders,
  }) => {
    watch.expectLine(/ERR_CONNECTION_RESET/)
    await page.goto('/kip')
    const box = page.getByLabel('Write to Kip')
    await loseNextAnswer(page)
    await box.fill('Tell me all sixty')
    await page.keyboard.press('Enter')
    const messageItems = getConversation(page).getByRole('listitem')
    await expect(messageItems.filter({ hasText: 'step1' })).toContainText(longAnswer)
    await expect(messageItems.filter({ hasText: 'Tell me all sixty' })).toHaveCount(1)
    await expect(page.getByText('Not sent')).toHaveCount(0)
    await expect(box).toHaveValue('')
    await expect(page.getByText('2 messages')).toBeVisible()
    expect(modelProviders.openai.requests).toHaveLength(1)
  })

  test("Send doesn't repeat a question that was answered while offline @long", async ({
    page,
    watch,
    modelProviders,
  }) => {
    watch.expectLine(/ERR_CONNECTION_RESET|ERR_FAILED/)
    await page.goto('/kip')
    await expect(page).toHaveURL(/sessionId=/)
    const box = page.getByLabel('Write to Kip')
    await loseNextAnswer(page)
    const messages = '**/api/kip/agents?*messages=true*'
    await page.route(messages, (route) => route.abort())
    await box.fill('Tell me all sixty')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Not sent')).toBeVisible()
    await expect(box).toHaveValue('Tell me all sixty')
    await expect.poll(() => modelProviders.openai.requests.length).toBe(1)
    await expect.poll(() => modelProviders.openai.getInFlightCount()).toBe(0)
    await page.unroute(messages)
    await page.getByRole('button', { name: 'Send' }).click()
    const messageItems = getConversation(page).getByRole('listitem')
    await expect(messageItems.filter({ hasText: 'step1' })).toContainText(longAnswer)
    await expect(messageItems.filter({ hasText: 'Tell me all sixty' })).toHaveCount(1)
    await expect(page.getByText('Not sent')).toHaveCount(0)
    await expect(box).toHaveValue('')
    expect(modelProviders.openai.requests).toHaveLength(1)

    await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
    await box.fill('Tell me all sixty')
    await page.keyboard.press('Enter')
    await expect(page.getByText('4 messages')).toBeVisible()
    await expect.poll(() => modelProviders.openai.requests.length, 'sent again, it is a new question').toBe(2)
  })

  test('reconnecting to an answer backs off instead of polling constantly @long', async ({
    page,
    watch,
    modelProviders,
  }) => {
    watch.expectLine(/status of 4(29|03)/)
    // The answer hangs until it is stopped.
    modelProviders.openai.script(['silent-mid'])
    await page.goto('/kip')
    await page.getByLabel('Write to Kip').fill('Tell me all sixty')
    await page.keyboard.press('Enter')
    await expect(getConversation(page).getByText('step3')).toBeVisible()
    const refusals = [429, 429, 403]
    await page.route('**/api/kip/runs/*/stream', (route) => {
      const status = refusals.shift()
      return status ? route.fulfill({ status, json: { success: false, error: 'Not now.' } }) : route.continue()
    })
    const requestedKinds: string[] = []
    page.on('request', (request) => {
      if (/messages=true|\/stream$/.test(request.url()))
        requestedKinds.push(request.url().includes('/stream') ? 'run' : 'messages')
    })
    await page.reload()
    await expect.poll(() => refusals).toEqual([])
    await expect(getConversation(page).getByText('Connection lost, reconnecting')).toBeVisible()
    await expect(getConversation(page).getByText('Connection lost')).toHaveCount(0, { timeout: 20_000 })
    await expect(getConversation(page).getByText('step3')).toBeVisible()
    expect(requestedKinds).toEqual(['messages', 'run', 'run', 'run', 'messages', 'run'])
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(page.getByText('Stopped', { exact: true })).toBeVisible()
    expect(modelProviders.openai.requests).toHaveLength(1)
  })

  test('Stop works before the first word and can be retried when it fails @long', async ({
    page,
    watch,
    modelProviders,
  }) => {
    watch.expectLine(/ERR_FAILED/)
    modelProviders.openai.script(['silent-mid'])
    await page.goto('/kip')
    await expect(page).toHaveURL(/sessionId=/)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/kip/agents', async (route) => {
      await released
      await route.continue()
    })
    await page.route('**/api/kip/runs/*/stop', (route) => route.abort())
    await page.getByLabel('Write to Kip').fill('Tell me all sixty')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Stop' }).click()
    release()
    await expect(page.getByText('The answer couldn’t be stopped: The server couldn’t be reached.')).toBeVisible()
    await page.unroute('**/api/kip/runs/*/stop')
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(page.getByText('Stopped', { exact: true })).toBeVisible()
    await expect.poll(() => modelProviders.openai.getInFlightCount()).toBe(0)
  })

  test('Stop cancels the request at the provider and keeps the text so far @long', async ({ page, modelProviders }) => {
    await page.goto('/kip')
    await page.getByLabel('Write to Kip').fill('Tell me all sixty')
    await page.keyboard.press('Enter')
    await expect(getConversation(page).getByText('step5')).toBeVisible()
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(page.getByText('Stopped', { exact: true })).toBeVisible()
    await expect.poll(() => modelProviders.openai.getInFlightCount()).toBe(0)
    await expect(getConversation(page).getByText('step5')).toBeVisible()
    await expect(getConversation(page).getByText('step60')).toHaveCount(0)
    await expect(getConversation(page).getByText('I apologize')).toHaveCount(0)
    await page.reload()
    await expect(getConversation(page).getByText('step5')).toBeVisible()
    await expect(getConversation(page).getByText('step60')).toHaveCount(0)
  })
})

test('a session belongs to its browser, and its id opens nothing elsewhere', async ({
  page,
  keeper,
  anotherPage,
  watch,
}) => {
  watch.expectLine(/status of 404/)
  await page.goto('/kip')
  await page.getByLabel('Write to Kip').fill('Where do I keep my father’s recipes?')
  await page.keyboard.press('Enter')
  await expect(getConversation(page).getByText('That is all.')).toBeVisible()
  const sessionId = new URL(page.url()).searchParams.get('sessionId') ?? ''
  await expect(page.getByText(sessionId.slice(0, 8), { exact: true })).toBeVisible()
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'kv')
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  expect(JSON.stringify(await page.evaluate(() => [document.cookie, { ...localStorage }]))).not.toContain(cookie?.value)

  const stranger = await anotherPage()
  await stranger.goto(`/kip?sessionId=${sessionId}`)
  await expect(stranger.getByText('The session at this address was deleted or isn’t yours.')).toBeVisible()
  await expect(stranger.getByText('recipes')).toHaveCount(0)
  await expect(stranger.getByText('0 messages')).toBeVisible()
  expect(stranger.url()).not.toContain(sessionId)
  const response = await stranger.request.get(`${keeper.url}/api/kip/agents?messages=true&sessionId=${sessionId}`)
  expect(response.status()).toBe(404)
  const foreignMessage = await stranger.request.post(`${keeper.url}/api/kip/agents`, {
    data: { action: 'run', agentId: 'kip', input: 'Let me in', sessionId },
  })
  expect(foreignMessage.status()).toBe(404)

  await page.reload()
  await expect(getConversation(page).getByText('recipes').first()).toBeVisible()
  await expect(page.getByText('Let me in')).toHaveCount(0)
})

test('a path without a Lead agent says so and links home @long', async ({ page, watch }) => {
  watch.expectLine(/status of 404/)
  await page.goto('/nobody-here')
  await expect(page.getByRole('heading', { name: 'Agent Not Found' })).toBeVisible()
  await page.getByRole('link', { name: 'Go Home' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Begin the journey')
  await page.goto('/type-agent')
  await expect(page.getByRole('heading', { name: 'Agent Not Found' })).toBeVisible()
})

test.describe('an impatient visitor', () => {
  test.use({ settings: { KEEPER_VISITOR_RUNS_PER_MINUTE: '1' }, clocked: true })

  test('a rate-limited visitor is asked to wait and keeps the typed text @long', async ({
    page,
    keeper,
    watch,
    modelProviders,
  }) => {
    watch.expectLine(/status of 429/)
    // Limits apply per calendar minute, so a new one starts now.
    await keeper.passTime(60_000 - (Date.now() % 60_000))
    await page.goto('/kip')
    await page.getByLabel('Write to Kip').fill('The first')
    await page.keyboard.press('Enter')
    await expect(getConversation(page).getByText('That is all.')).toBeVisible()
    await page.getByLabel('Write to Kip').fill('The second')
    await expect(page.getByRole('button', { name: 'Send' }), 'the answer is complete').toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status').filter({ hasText: /wait|again/i })).toBeVisible()
    await expect(page.getByLabel('Write to Kip')).toHaveValue('The second')
    expect(modelProviders.openai.requests).toHaveLength(1)
  })
})

test('an exhausted visitor budget says when to come back, and sends nothing @long', async ({
  page,
  keeper,
  anotherPage,
  watch,
  modelProviders,
}) => {
  watch.expectLine(/status of 429/)
  const { token } = await registerAndSignIn(await anotherPage(), keeper, 'ada', { isSuperAdmin: true })
  const key = { provider: 'openai', api_key: 'sk-journey0platform0key0Yw91' }
  await keeper.callApi('/api/kip/platform-keys', key, { token })
  await keeper.callApi('/api/kip/usage/budget', { scope: 'visitors', limit_usd: 0 }, { token, method: 'PUT' })
  await page.goto('/kip')
  const box = page.getByLabel('Write to Kip')
  await box.fill('Is anybody there?')
  await box.press('Enter')
  const notice = page.getByRole('status').filter({ hasText: 'Kip has answered all it can for visitors right now.' })
  await expect(notice).toContainText(/send it again (in \d+ (seconds|minutes)|at|tomorrow at)/)
  await expect(notice).not.toContainText('$')
  await expect(box).toHaveValue('Is anybody there?')
  await page.reload()
  await expect(box, 'the text survives a reload').toHaveValue('Is anybody there?')
  expect(modelProviders.openai.requests).toEqual([])
})
