import type { Request } from '@playwright/test'
import { expect, getConversation, registerAndSignIn, signIn, test } from './fixtures.ts'

const isQuestion = (request: Request) => request.method() === 'POST' && request.url().endsWith('/api/kip/agents')
const steps = Array.from({ length: 60 }, (_, index) => `step${index + 1}`).join(' ')

test('a provider failure shows one apology, and Try again gets the answer', async ({
  page,
  keeper,
  modelProviders,
}) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  modelProviders.openai.script(['status-400'])
  await page.getByLabel('Write to Kip').fill('What repeats this week?')
  await page.keyboard.press('Enter')
  const apology = page.getByText('I apologize, but I encountered an error processing your request. Please try again.')
  await expect(apology).toBeVisible()
  await expect(apology).toHaveCount(1)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(
    getConversation(page).getByText('You asked about “What repeats this week?”', { exact: false }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  await page.reload()
  await expect(
    getConversation(page).getByText('You asked about “What repeats this week?”', { exact: false }),
  ).toBeVisible()
})

for (const supportsFieldSizing of [true, false])
  test(`typing in a tall box leaves the conversation at its end ${supportsFieldSizing ? 'with' : 'without'} field-sizing`, async ({
    page,
    keeper,
  }) => {
    if (!supportsFieldSizing)
      await page.addInitScript(() => {
        CSS.supports = () => false
      })
    await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
    const box = page.getByLabel('Write to Kip')
    if (!supportsFieldSizing) await box.evaluate((textarea) => textarea.style.setProperty('field-sizing', 'fixed'))
    await box.fill('A line of the log.\n'.repeat(60))
    await box.press('Enter')
    await expect(getConversation(page).getByText('You asked about', { exact: false })).toBeVisible()
    for (let line = 0; line < 6; line += 1) await box.press('Shift+Enter')
    await expect.poll(async () => (await box.boundingBox())?.height).toBe(120)
    const measureDistanceToEnd = () =>
      getConversation(page).evaluate((list) => {
        let outer = list.parentElement
        while (outer && !/auto|scroll/.test(getComputedStyle(outer).overflowY)) outer = outer.parentElement
        return outer ? Math.round(outer.scrollHeight - outer.scrollTop - outer.clientHeight) : null
      })
    await expect.poll(measureDistanceToEnd).toBe(0)
    await box.press('a')
    await expect(box).toHaveValue('\n\n\n\n\n\na')
    expect(await measureDistanceToEnd()).toBe(0)
  })

test('an empty chat offers starters, which fill the box without sending @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const body = { name: 'Harbour Friend', purpose: 'Weighs decisions with you: calmly.', agent_class: 'Lead' }
  await keeper.callApi('/api/kip/agents', { ...body, tools: ['list_moments'] }, { token })
  await page.goto('/harbour-friend')
  const questions: string[] = []
  page.on('request', (request) => isQuestion(request) && questions.push(request.url()))
  const starters = page.getByRole('list', { name: 'Ways to start' })
  await expect(starters.getByRole('button')).toHaveText([
    'What did I note this week?',
    'Weigh decisions with me',
    'What can you help me with?',
  ])
  await starters.getByRole('button', { name: 'Weigh decisions with me' }).click()
  const box = page.getByLabel('Write to Harbour Friend')
  await expect(box).toHaveValue('Weigh decisions with me')
  await expect(box).toBeFocused()
  await box.fill('My own words')
  await expect(starters, 'typed words are not replaced').toHaveCount(0)
  expect(questions, 'nothing was sent').toEqual([])
  await box.press('Enter')
  await expect(getConversation(page, 'Harbour Friend').getByText('My own words', { exact: true })).toBeVisible()
  await expect(starters, 'a conversation needs no start').toHaveCount(0)
})

test('the chat header of a phone is one line, with the session in its menu @long', async ({ page, keeper }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  await page.getByLabel('Write to Kip').fill('Good evening')
  await page.keyboard.press('Enter')
  await expect(getConversation(page).getByText('That is all.')).toBeVisible()
  const header = page.getByRole('banner')
  expect((await header.boundingBox())?.height).toBe(56)
  const sessionId = new URL(page.url()).searchParams.get('sessionId')?.slice(0, 8) ?? 'none'
  await expect(header.getByText(sessionId)).toBeHidden()
  await header.getByRole('button', { name: 'More', exact: true }).click()
  const menu = page.getByRole('menu')
  await expect(menu).toContainText(`Session ${sessionId}`)
  await expect(menu).toContainText('2 messages')
  await expect(menu).toContainText('Memory on')
})

test('a context that is too long is explained next to the apology @long', async ({ page, keeper, modelProviders }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  modelProviders.openai.script(['status-400-context'])
  await page.getByLabel('Write to Kip').fill('Read all of this')
  await page.keyboard.press('Enter')
  await expect(getConversation(page).getByText('I apologize', { exact: false })).toHaveCount(1)
  const notice = page.getByRole('status').filter({ hasText: 'longer than this' })
  await expect(notice).toContainText('Shorten the text, lower max tokens, or choose another model.')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(getConversation(page).getByText('You asked about “Read all of this”', { exact: false })).toBeVisible()
  await expect(notice).toHaveCount(0)
})

test('a message that never reaches the server stays in the box @long', async ({
  page,
  keeper,
  watch,
  modelProviders,
}) => {
  watch.expectLine(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  const box = page.getByLabel('Write to Kip')
  await expect(box).toBeFocused()
  await page.route('**/api/kip/agents', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await box.fill('Is anybody there?')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Not sent')).toBeVisible()
  await expect(box).toHaveValue('Is anybody there?')
  expect(modelProviders.openai.requests).toEqual([])
  await page.unroute('**/api/kip/agents')
  await page.keyboard.press('Enter')
  await expect(getConversation(page).getByText('You asked about “Is anybody there?”', { exact: false })).toBeVisible()
  await expect(page.getByText('Not sent')).toHaveCount(0)
})

test('a rejected message returns before newer text, also after a reload @long', async ({
  page,
  keeper,
  watch,
  modelProviders,
}) => {
  watch.expectLine(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 429/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  const box = page.getByLabel('Write to Kip')
  const bothTexts = 'Is anybody there?\n\nAnd what of Tuesday?'
  await expect(box).toBeFocused()
  const answers = ['lost', 'refused']
  let release = () => {}
  await page.route('**/api/kip/agents', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await new Promise<void>((resolve) => {
      release = resolve
    })
    if (answers.shift() === 'lost') return route.abort()
    const refusal = { success: false, error: 'Too many at once.', code: 'rate-limited' }
    return route.fulfill({ status: 429, json: refusal })
  })
  await box.fill('Is anybody there?')
  await Promise.all([page.waitForRequest(isQuestion), page.keyboard.press('Enter')])
  await box.fill('And what of Tuesday?')
  release()
  await expect(page.getByText('Not sent')).toBeVisible()
  await expect(box).toHaveValue(bothTexts)
  await Promise.all([page.waitForRequest(isQuestion), page.getByRole('button', { name: 'Try again' }).click()])
  await expect(box).toHaveValue('And what of Tuesday?')
  release()
  await expect(box, 'rejected this time').toHaveValue(bothTexts)

  await page.unroute('**/api/kip/agents')
  // Drafts are written within 250 ms, and immediately on leaving.
  await page.reload()
  await expect(box).toHaveValue(bothTexts)
  expect(modelProviders.openai.requests).toEqual([])
  await box.press('Enter')
  await expect(getConversation(page).getByText('You asked about', { exact: false })).toBeVisible()
  const requestBody = JSON.stringify(modelProviders.openai.requests[0]?.body)
  for (const text of ['Is anybody there?', 'And what of Tuesday?']) expect(requestBody).toContain(text)
  await expect(box).toHaveValue('')
})

test('text sent before the conversation has opened is sent afterwards @long', async ({ page, keeper }) => {
  const { promise: opened, resolve: openConversation } = Promise.withResolvers<void>()
  await page.route('**/api/kip/agents?*sessions=true*', async (route) => {
    await opened
    await route.continue()
  })
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  await page.getByLabel('Write to Kip').fill('Good morning')
  await page.getByLabel('Write to Kip').press('Enter')
  openConversation()
  await expect(getConversation(page).getByText('You asked about “Good morning”')).toBeVisible()
  await expect(page.getByLabel('Write to Kip')).toHaveValue('')
})

test('a tab revisited while offline keeps its conversation and resumes @long', async ({
  page,
  keeper,
  context,
  watch,
}) => {
  watch.expectLine(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_IO_SUSPENDED/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  await page.getByLabel('Write to Kip').fill('Remember the lamp')
  await page.getByLabel('Write to Kip').press('Enter')
  await expect(getConversation(page).getByText('That is all.')).toBeVisible()
  const setVisibility = (state: 'hidden' | 'visible') =>
    page.evaluate((visibilityState) => {
      Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true })
      Object.defineProperty(document, 'hidden', { value: visibilityState === 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await setVisibility('hidden')
  // A hidden tab closes its event stream after a second.
  await page.waitForTimeout(1500)
  await context.setOffline(true)
  const waitForFailure = (suffix: string) =>
    page.waitForEvent('requestfailed', (request) => request.url().includes(suffix))
  const eventsFailed = waitForFailure('/api/events')
  await setVisibility('visible')
  await eventsFailed
  // The event stream reconnects first and then triggers the refetch.
  const agentRefetch = waitForFailure('slug=kip')
  await page.route(/slug=kip/, (route) => route.abort('internetdisconnected'))
  await context.setOffline(false)
  await agentRefetch
  await page.waitForTimeout(1000)
  await expect(page.getByText('Offline, showing samples.')).toHaveCount(0)
  await expect(getConversation(page).getByText('Remember the lamp', { exact: true })).toBeVisible()
  await page.unroute(/slug=kip/)
  await page.getByLabel('Write to Kip').fill('Still here?')
  await page.getByLabel('Write to Kip').press('Enter')
  await expect(page.getByText('4 messages')).toBeVisible()
})

test.describe('a slow answer', () => {
  test.use({ providerBehavior: { wordDelayMs: 50, answer: () => steps } })

  test('two tabs of one session stay in sync, and only one can ask at a time @long', async ({
    page,
    keeper,
    context,
    watch,
    modelProviders,
  }) => {
    watch.expectLine(/status of 409/)
    await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
    await expect(page).toHaveURL(/sessionId=/)
    const otherTab = await context.newPage()
    await watch.watchPage(otherTab)
    await otherTab.goto(page.url())
    await expect(otherTab.getByText('0 messages')).toBeVisible()

    await page.getByLabel('Write to Kip').fill('From the first tab')
    await page.getByLabel('Write to Kip').press('Enter')
    await expect(getConversation(page).getByText('step3')).toBeVisible()
    await otherTab.getByLabel('Write to Kip').fill('From the second tab')
    await otherTab.getByLabel('Write to Kip').press('Enter')
    await expect(getConversation(otherTab).getByText('From the first tab')).toBeVisible()
    await expect(otherTab.getByLabel('Write to Kip')).toHaveValue('From the second tab')
    for (const tab of [page, otherTab]) await expect(getConversation(tab).getByText(steps)).toBeVisible()
    expect(modelProviders.openai.requests, 'only one question was asked').toHaveLength(1)

    // Enter sends nothing while an answer is streaming.
    await expect(otherTab.getByRole('button', { name: 'Send' })).toBeEnabled()
    await otherTab.getByLabel('Write to Kip').press('Enter')
    await expect(otherTab.getByText('4 messages')).toBeVisible()
    await expect(otherTab.getByRole('button', { name: 'Send' })).toBeVisible()
    const second = JSON.stringify(modelProviders.openai.requests[1]?.body)
    for (const text of ['From the first tab', steps, 'From the second tab']) expect(second).toContain(text)
  })

  test('a stopping server finishes the answer, a crashed one keeps its text', async ({ page, keeper, watch }) => {
    test.slow()
    watch.expectLine(
      /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|status of 50/,
    )
    await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
    const box = page.getByLabel('Write to Kip')
    await box.fill('Tell me all sixty')
    await box.press('Enter')
    await expect(getConversation(page).getByText('step5')).toBeVisible()
    await keeper.restart()
    await expect(getConversation(page).getByText(steps)).toBeVisible()
    await page.reload()
    await expect(getConversation(page).getByText(steps)).toBeVisible()

    await page.getByRole('button', { name: 'New session' }).click()
    await expect(page.getByText('0 messages')).toBeVisible()
    await box.fill('And once more')
    await box.press('Enter')
    // New text is saved every second, so the beginning is on disk by now.
    await expect(getConversation(page).getByText('step40')).toBeVisible()
    const restarted = keeper.restart('SIGKILL')
    await expect(getConversation(page).getByText('Connection lost, reconnecting')).toBeVisible()
    await restarted
    // A run is abandoned when its server restarts, or 30 s after its last heartbeat.
    await expect(
      getConversation(page).getByText('The answer was cut off here. Everything before this point is saved.'),
    ).toBeVisible({
      timeout: 60_000,
    })
    await expect(getConversation(page).getByText('step3')).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(getConversation(page).getByText(steps)).toBeVisible()
  })
})

test('a conversation continues on another machine until New session @long', async ({ page, keeper, anotherPage }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  await page.getByLabel('Write to Kip').fill('Remember the lamp')
  await page.keyboard.press('Enter')
  await expect(getConversation(page).getByText('That is all.')).toBeVisible()

  const machine = await anotherPage()
  await signIn(machine, 'ada')
  await machine.goto('/kip')
  await expect(getConversation(machine).getByText('Remember the lamp', { exact: true })).toBeVisible()
  await expect(machine.getByText(/^Continued from/)).toBeVisible()
  await machine.getByRole('button', { name: 'New session' }).click()
  await expect(getConversation(machine).getByText('Remember the lamp')).toHaveCount(0)
  await expect(machine.getByText('0 messages')).toBeVisible()
})

test("the path of an agent that isn't a Lead says so and links home @long", async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/type-agent' })
  await expect(page.getByRole('heading', { name: 'Agent Not Found' })).toBeVisible()
  await expect(page.getByText('Agent "type-agent" is not a Lead agent')).toBeVisible()
  await expect(page.getByLabel(/^Write to/)).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Go Home' })).toHaveAttribute('href', '/')
})

test.describe('without any key', () => {
  test.use({ settings: { OPENAI_BASE_URL: '' } })

  test('an answer without any key says that no model was asked @long', async ({ page, keeper, modelProviders }) => {
    await registerAndSignIn(page, keeper, 'dot', { path: '/kip' })
    await page.getByLabel('Write to Kip').fill('Who are you?')
    await page.keyboard.press('Enter')
    await expect(
      getConversation(page).getByText('This is a mock answer, because no OpenAI key is set', { exact: false }),
    ).toBeVisible()
    await expect(page.getByText('Mock answer, no model called')).toBeVisible()
    await page.reload()
    await expect(page.getByText('Mock answer, no model called')).toBeVisible()
    expect(modelProviders.openai.requests).toEqual([])
  })
})
