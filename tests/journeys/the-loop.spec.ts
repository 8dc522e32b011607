import type { Locator, Page } from '@playwright/test'
import type { RunDetail } from '#contract/agents/runs.ts'
import type { Echo } from '#contract/keepers/echoes.ts'
import { submitSoleDraftTool } from '#contract/keepers/sole.ts'
import type { FakeReply, RecordedRequest } from '../fakes/model-providers/start-provider-fake.ts'
import { parseConversation } from '../model-conversation.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expect, getConversation, register, signIn, test } from './fixtures.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const firstReflection = 'I walked to the harbour before the coffee. The ladder was white.'
const secondReflection = 'Per moved to Bergen on Wednesday. The flat is quiet.'
const privateReflection = 'The letter lies in the tin behind the stove.'
const privateBelief = 'Nobody should know that I sing.'
const sharedBelief = 'The tide forgives.'
/** These texts are in no card: only the SOLE contains them. */
const harbourStatement = 'My days begin beside the water.'
const brotherStatement = 'My brother lives away from me.'

const draftedStatements: Record<string, { text: string; quote: string }> = {
  harbour: { text: harbourStatement, quote: 'I walked to the harbour before the coffee.' },
  Per: { text: brotherStatement, quote: 'Per moved to Bergen on Wednesday.' },
}
let quoting: 'literal' | 'false' = 'literal'

/** Drafts from the cards it gets, with true or false quotes; other requests get all citations. */
function answer(_prompt: string, request: RecordedRequest): string | FakeReply {
  const { tools, results, system } = parseConversation(request)
  if (!tools.includes(submitSoleDraftTool)) {
    const numbers = [...system.matchAll(/^\[(\d+)\] /gm)].map(([, number]) => `[${number}]`)
    return `This is what I know of it.${numbers.join('')}`
  }
  if (results.length > 0) return quoting === 'literal' ? 'It waits for you.' : 'I have no better one.'
  const cards = system
    .split('\n')
    .filter((line) => line.startsWith('{"entity":"card"'))
    .map((line) => JSON.parse(line) as { id: string; text: string })
  const activeVersion = /The active version, \d+:\n(.*?)\n\n/s.exec(system)?.[1] ?? ''
  const statements = Object.entries(draftedStatements).flatMap(([word, { text, quote }]) => {
    const card = cards.find((candidate) => candidate.text.includes(word))
    if (!card || activeVersion.includes(text)) return []
    const citedQuote =
      quoting === 'literal' ? quote : quote.replace('I walked', 'I ran').replace('Wednesday', 'Thursday')
    return { text, kind: 'add', sources: [{ entity: 'card', id: card.id, quote: citedQuote }] }
  })
  return { text: '', calls: [{ name: submitSoleDraftTool, arguments: { statements } }] }
}

test.use({ clocked: true, providerBehavior: { answer, wordDelayMs: 5 }, contextOptions: { reducedMotion: 'reduce' } })

const getTab = (page: Page, name: RegExp) => page.getByRole('tab', { name })
const getStatements = (draft: Locator) =>
  draft.getByRole('list', { name: 'Statements of the draft' }).getByRole('listitem')

async function createReflection(
  page: Page,
  keeperPath: string,
  content: string,
  { notForAi = false } = {},
): Promise<void> {
  await page.goto(`${keeperPath}/reflection-journal?tab=write`)
  await page.getByRole('textbox', { name: 'Reflection', exact: true }).fill(content)
  if (notForAi) await page.getByRole('switch', { name: 'Not for AI' }).check({ force: true })
  await page.getByRole('textbox', { name: 'Reflection', exact: true }).press('Control+Enter')
  await expect(page.getByRole('status').filter({ hasText: /^Saved / })).toBeVisible()
}

async function createBelief(page: Page, keeperPath: string, label: string, belief: string, { notForAi = false } = {}) {
  await page.goto(`${keeperPath}/voice-panel`)
  await page.getByRole('button', { name: 'Add Voice Entry' }).first().click()
  const form = page.getByRole('form', { name: 'New voice entry' })
  await form.getByLabel('Label').fill(label)
  await form.getByLabel('Belief').fill(belief)
  if (notForAi) await form.getByRole('switch', { name: 'Not for AI' }).check({ force: true })
  await form.getByRole('button', { name: /^(Create|Save|Add) / }).click()
  await expect(form).toHaveCount(0)
  await expect(page.getByRole('heading', { name: label })).toBeVisible()
}

test('a moment waits, is kept, drafted, approved, cited and returns', async ({
  page,
  keeper,
  modelProviders,
  watch,
}) => {
  test.setTimeout(300_000)
  watch.expectLine(/status of 401/)
  await page.clock.install()
  const passTime = async (milliseconds: number) => {
    await keeper.passTime(milliseconds)
    await page.clock.fastForward(milliseconds)
  }
  const getRequests = () => modelProviders.openai.requests
  let keeperPath = ''
  const aYearLater = new Date()

  await test.step('register on an empty Keeper and create a keeper', async () => {
    await register(page, 'ada', keeper.setupPath)
    await page.getByRole('link', { name: 'Create your first keeper' }).click()
    await page.getByLabel('Title').fill('The Harbour Year')
    await page.getByLabel('Purpose').fill('Keep what the harbour says.')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('radio', { name: /^Journal/ }).check({ force: true })
    await page.getByRole('radio', { name: /^Associative/ }).check({ force: true })
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Create Keeper' }).click()
    await expect(page).toHaveURL(/\/keeper\/[0-9a-f]{32}\/dashboard$/)
    keeperPath = new URL(page.url()).pathname.replace('/dashboard', '')
  })

  await test.step('write', async () => {
    await page.goto(`${keeperPath}/moments`)
    const composer = page.getByRole('form', { name: 'New moment' })
    await composer.getByRole('textbox', { name: 'What is worth keeping from today?' }).fill('Frost on the rope ladder.')
    await composer.getByRole('button', { name: 'Add' }).click()
    await expect(page.getByRole('article').filter({ hasText: 'Frost on the rope ladder.' })).toBeVisible()
    await createBelief(page, keeperPath, 'Sea', sharedBelief)
    await createBelief(page, keeperPath, 'Singing', privateBelief, { notForAi: true })
    await page.goto(`${keeperPath}/echo-writer`)
    await page.getByRole('button', { name: 'Write an Echo' }).first().click()
    const form = page.getByRole('form', { name: 'New echo' })
    await form.getByLabel('Message').fill('You were not afraid of it.')
    await form
      .getByLabel('On a date', { exact: true })
      .fill(new Date(Date.now() + 12 * dayMs).toISOString().slice(0, 10))
    await form.getByRole('button', { name: 'Create Echo' }).click()
    await expect(form).toHaveCount(0)
    await expect(page.getByText('You were not afraid of it.')).toBeVisible()
    await createReflection(page, keeperPath, secondReflection)
    await createReflection(page, keeperPath, privateReflection, { notForAi: true })
    await createReflection(page, keeperPath, firstReflection)
  })

  await test.step('wait exactly a day', async () => {
    await passTime(dayMs - minuteMs)
    await page.goto(`${keeperPath}/reflection-journal?tab=suggested`)
    await expect(getTab(page, /Suggested Promotions/)).toBeVisible()
    await expect(page.getByRole('tabpanel').getByText('before the coffee')).toHaveCount(0)
    await passTime(2 * minuteMs)
    await page.reload()
    await expect(getTab(page, /Suggested Promotions\s*3/)).toBeVisible()
    await expect(page.getByRole('tabpanel').getByText('before the coffee')).toBeVisible()
  })

  await test.step('keep', async () => {
    const items = page.getByRole('tabpanel').getByRole('listitem')
    for (const text of ['before the coffee', 'The flat is quiet', 'behind the stove']) {
      const item = items.filter({ hasText: text })
      await item.getByRole('button', { name: 'Keep', exact: true }).click()
      await expect(item).toContainText('Kept as a memory card')
    }
    await page.goto(`${keeperPath}/memory-cards`)
    await page.getByRole('searchbox', { name: 'Search by words and by meaning' }).fill('harbour')
    await expect(page.getByRole('article').filter({ hasText: 'before the coffee' })).toBeVisible()
  })

  await test.step('create an agent that can read keepers of this type', async () => {
    await page.goto('/studio/agents')
    await page.getByRole('button', { name: 'Create New Agent' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbour Friend')
    await page.getByRole('textbox', { name: 'Purpose', exact: true }).fill('Remembers with you.')
    await page.getByRole('radio', { name: /^Lead/ }).check({ force: true })
    await page.getByRole('button', { name: 'Reach', exact: true }).click()
    await page.getByLabel(/Context Scope/i).selectOption('keeper')
    await page.getByRole('button', { name: 'Visibility and Sharing' }).click()
    await page.getByRole('switch', { name: 'Enable Memory' }).check({ force: true })
    await page.getByRole('button', { name: 'Create Agent', exact: true }).first().click()
    const card = page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Harbour Friend' }) })
    await card
      .getByRole('link', { name: /^Edit/ })
      .or(card.getByRole('button', { name: /^Edit/ }))
      .first()
      .click()
    await getTab(page, /^Keeper Types/).click()
    await page.getByRole('button', { name: 'Assign New' }).click()
    await page.getByRole('button', { name: 'Assign Journal', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('list', { name: 'Keeper types of Harbour Friend' })).toContainText('Journal')
  })

  /** Asks in the chat; returns the answer and everything sent to the model. */
  async function askInChat(question: string): Promise<{ sent: string; answerItem: Locator }> {
    const requestIndex = getRequests().length
    await page.goto('/harbour-friend')
    await page.getByLabel('Write to Harbour Friend').fill(question)
    await page.getByLabel('Write to Harbour Friend').press('Enter')
    const questionItem = getConversation(page, 'Harbour Friend').locator(':scope > li').filter({ hasText: question })
    const answerItem = questionItem.locator('xpath=following-sibling::li[1]')
    await expect(answerItem).toContainText('what I know of it')
    await expect(answerItem.getByRole('button', { name: 'Regenerate' })).toBeAttached()
    const sent = getRequests().slice(requestIndex)
    expect(sent.length, 'a model was called').toBeGreaterThan(0)
    return { sent: JSON.stringify(sent.map(({ body }) => body)), answerItem }
  }
  const draft = page.getByRole('region', { name: 'Pending draft' })
  const approved = page.getByRole('list', { name: 'Approved statements' }).locator(':scope > li')
  async function requestDraft() {
    await page.goto(`${keeperPath}/memory`)
    await page.getByRole('button', { name: 'Ask for a draft' }).click()
  }

  await test.step('draft: false quotes are refused, literal ones are shown', async () => {
    quoting = 'false'
    await requestDraft()
    await expect(page.getByText('The agent didn’t submit a valid draft.')).toBeVisible()
    await expect(draft).toHaveCount(0)
    quoting = 'literal'
    await requestDraft()
    await expect(draft.getByText('Awaiting Review')).toBeVisible()
    await expect(getStatements(draft).filter({ hasText: 'Added' })).toHaveCount(2)
  })

  await test.step('consent: a rejection reason reaches the next draft', async () => {
    await draft.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Too much about water.')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject draft' }).click()
    await expect(draft).toBeHidden()
    await requestDraft()
    await expect(draft).toBeVisible()
    const draftRequests = getRequests().filter((request) =>
      parseConversation(request).tools.includes(submitSoleDraftTool),
    )
    expect(parseConversation(draftRequests.at(-1) as RecordedRequest).system).toContain('Too much about water.')
  })

  await test.step('consent: only approved statements are used', async () => {
    const firstAnswer = await askInChat('What do you know of the harbour?')
    expect(firstAnswer.sent).toContain('before the coffee')
    expect(firstAnswer.sent).not.toContain(harbourStatement)
    await page.goto(`${keeperPath}/memory`)
    await getStatements(draft).filter({ hasText: brotherStatement }).getByRole('checkbox').uncheck()
    await draft.getByRole('button', { name: 'Approve 1 of 2' }).click()
    await expect(approved).toHaveCount(1)
    const secondAnswer = await askInChat('And of the harbour since?')
    expect(secondAnswer.sent).toContain(harbourStatement)
    expect(secondAnswer.sent, 'the unapproved statement is not used').not.toContain(brotherStatement)

    await requestDraft()
    await expect(draft).toBeVisible()
    expect((await askInChat('What of the brother so far?')).sent).not.toContain(brotherStatement)
    await page.goto(`${keeperPath}/memory`)
    await draft.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(approved).toHaveCount(2)
  })

  await test.step('use: the answer cites exactly its context, and each source opens', async () => {
    const { sent, answerItem } = await askInChat('Tell me of the brother.')
    expect(sent).toContain(brotherStatement)
    await expectSources(page, keeper, answerItem)
    await page.goto('/studio/agents/harbour-friend')
    await page.getByPlaceholder('A line of test input').fill('Once more, of the brother.')
    await page.getByRole('button', { name: 'Run', exact: true }).first().click()
    const chips = page.getByRole('list', { name: 'Sources' })
    await expect(chips.getByRole('listitem')).toHaveCount(4)
    await expect(page.getByRole('link', { name: /^Source \d$/ })).toHaveCount(4)
  })

  await test.step('consent withdrawn: an earlier version is restored', async () => {
    await page.goto(`${keeperPath}/memory`)
    await page
      .getByRole('button', { name: /^Restore version \d+$/ })
      .first()
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
    await expect(approved).toHaveCount(1)
    const requestIndex = getRequests().length
    await askInChat('And of the brother, once more?')
    const { system } = parseConversation(getRequests()[requestIndex] as RecordedRequest)
    expect(system).toContain(harbourStatement)
    expect(system).not.toContain(brotherStatement)
  })

  await test.step('entries marked "not for AI" were in no request', async () => {
    const requestTexts = JSON.stringify(getRequests().map(({ body, path, headers }) => [body, path, headers]))
    expect(requestTexts).toContain(sharedBelief)
    for (const privateText of [privateReflection, privateBelief, 'behind the stove', 'Singing'])
      expect(requestTexts).not.toContain(privateText)
    for (const fake of Object.values(modelProviders)) {
      if (fake !== modelProviders.openai) expect(fake.requests).toEqual([])
    }
  })

  await test.step('return: an echo on its day', async () => {
    await page.goto(`${keeperPath}/dashboard`)
    await expect(page.getByRole('heading', { name: 'The Harbour Year' }).first()).toBeVisible()
    const readyEchoes = page.getByRole('list', { name: 'Ready echoes' })
    await expect(readyEchoes).toHaveCount(0)
    await passTime(12 * dayMs)
    await page.goto(`${keeperPath}/dashboard`)
    await expect(readyEchoes).toContainText('You were not afraid of it.')
    await readyEchoes.getByRole('button', { name: 'Deliver' }).click()
    await expect(readyEchoes).toContainText('Delivered')
    const token = (await page.evaluate(() => localStorage.getItem('keeper_token'))) ?? ''
    const echoes = await keeper.callApi<Echo[]>(`/api/keeper/keepers/${keeperPath.split('/')[2]}/echoes`, undefined, {
      token,
    })
    expect(echoes.map(({ state }) => state)).toEqual(['delivered'])
    await page.goto(`${keeperPath}/dashboard`)
    const readHeights = () => page.evaluate(() => localStorage.getItem('keeper-heights'))
    await expect.poll(readHeights, 'nothing is reserved for delivered echoes').toMatch(/"ready \w+",0\]/)
  })

  await test.step('return: on this day, a year later', async () => {
    // At noon, because midnight may have passed since the moment was written.
    aYearLater.setUTCFullYear(aYearLater.getUTCFullYear() + 1)
    aYearLater.setUTCHours(12, 0, 0, 0)
    await passTime(aYearLater.getTime() - Date.now() - 13 * dayMs)
    await page.evaluate(() => localStorage.clear())
    await signIn(page, 'ada')
    await page.goto(`${keeperPath}/dashboard`)
    await expect(page.getByRole('region', { name: 'On this day' })).toContainText('Frost on the rope ladder.')
  })
})

/** Citations in the answer, its chips and the run's memory must be the same list. */
async function expectSources(page: Page, keeper: BuiltKeeper, answerItem: Locator): Promise<void> {
  await answerItem.hover()
  await answerItem.getByRole('button', { name: 'Details' }).click()
  const link = page.getByRole('dialog').getByRole('link', { name: 'Open the run in the logs' })
  const runId = new URL((await link.getAttribute('href')) ?? '', keeper.url).searchParams.get('run')
  await page.keyboard.press('Escape')
  const token = (await page.evaluate(() => localStorage.getItem('keeper_token'))) ?? ''
  const run = await keeper.callApi<RunDetail>(`/api/kip/runs/${runId}`, undefined, { token })
  const contextItems = run.spans.find(({ kind }) => kind === 'memory')?.memory ?? []
  expect(contextItems.map(({ entity }) => entity)).toEqual(['sole', 'belief', 'card', 'card'])

  const chips = answerItem.getByRole('list', { name: 'Sources' }).getByRole('listitem')
  await expect(chips).toHaveCount(contextItems.length)
  for (const [index, { title }] of contextItems.entries()) {
    await expect(chips.nth(index)).toContainText(title)
    await expect(chips.nth(index)).toContainText(String(index + 1))
  }
  const citedLabels = await answerItem
    .getByRole('link', { name: /^Source \d+$/ })
    .evaluateAll((links) => links.map((candidate) => candidate.ariaLabel ?? candidate.textContent))
  expect(citedLabels.map((candidate) => Number(/\d+/.exec(candidate ?? '')?.[0]))).toEqual(
    contextItems.map((_, index) => index + 1),
  )

  const chat = page.url()
  const openSource = async (index: number) => {
    await page.goto(chat)
    const sources = getConversation(page, 'Harbour Friend').getByRole('list', { name: 'Sources' }).last()
    await sources.getByRole('listitem').nth(index).getByRole('link').click()
  }
  await openSource(0)
  await expect(page.getByRole('list', { name: 'Versions' }).locator(':scope > li:focus')).toContainText(
    brotherStatement,
  )
  await openSource(1)
  await expect(page.getByRole('list', { name: 'Voice entries' }).locator(':scope > li:focus')).toContainText(
    sharedBelief,
  )
  await page.getByRole('button', { name: 'Read by: Sea' }).click()
  await expect(page.getByRole('dialog', { name: 'Read by' })).toContainText('Harbour Friend')
  await page.keyboard.press('Escape')
  for (const [index, item] of contextItems.entries()) {
    if (item.entity !== 'card') continue
    await openSource(index)
    const card = page.getByRole('region', { name: 'Opened card' })
    await expect(card).toBeFocused()
    await expect(card).toContainText(item.text ?? '')
  }
}
