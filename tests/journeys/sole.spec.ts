import { randomUUID } from 'node:crypto'
import type { SignInResult } from '#contract/accounts/accounts.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { type SoleVersion, submitSoleDraftTool } from '#contract/keepers/sole.ts'
import type { FakeReply, RecordedRequest } from '../fakes/model-providers/start-provider-fake.ts'
import { parseConversation } from '../model-conversation.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, registerPerson, signIn, test } from './fixtures.ts'

const cardTexts = [
  'I walked to the **harbour** before the coffee. It was cold.',
  'Per moved to Bergen on Wednesday. The flat is quiet.',
  'She waved at the bend, where I could not see her.',
]
const getFirstSentence = (text: string) => `${text.split('.')[0]}.`

/** Drafts the first sentence of every card, and explains its draft on request. */
function answer(_prompt: string, request: RecordedRequest): string | FakeReply {
  const { tools, results, system } = parseConversation(request)
  if (system.includes('You explain the draft')) return '1. **The first** rests on its quote: “walked to the harbour”.'
  if (!tools.includes(submitSoleDraftTool) || results.length > 0) return 'It is about the harbour and about Per.'
  const cards = system
    .split('\n')
    .filter((line) => line.startsWith('{"entity":"card"'))
    .map((line) => JSON.parse(line) as { id: string; text: string })
  const statements = cards.map(({ id, text }) => ({
    text: getFirstSentence(text).replaceAll('*', ''),
    kind: 'add',
    sources: [{ entity: 'card', id, quote: getFirstSentence(text) }],
  }))
  return { text: '', calls: [{ name: submitSoleDraftTool, arguments: { statements } }] }
}

test.use({ providerBehavior: { answer, wordDelayMs: 15 } })

async function createKeeperWithCards(
  keeper: BuiltKeeper,
  { token }: SignInResult,
  memoryPattern = 'sole',
): Promise<Keeper> {
  const keeperInput = { title: 'The Harbour Year', purpose: 'Keep it.', keeperType: 'journal', memoryPattern }
  const createdKeeper = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  for (const content of cardTexts) {
    const id = randomUUID().replaceAll('-', '')
    const path = `/api/keeper/keepers/${createdKeeper.id}/reflections`
    const reflection = await keeper.callApi<Reflection>(path, { id, content }, { token })
    await keeper.callApi(`/api/keeper/reflections/${reflection.id}/promote`, {}, { token })
  }
  return createdKeeper
}

test('an agent drafts; a person checks sources, approves parts and rejects', async ({
  page,
  keeper,
  modelProviders,
}) => {
  test.slow()
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await createKeeperWithCards(keeper, ada)
  await page.goto(`/keeper/${id}/memory`)
  await expect(page.getByRole('heading', { name: 'Memory (SOLE)' })).toBeVisible()
  await expect(page.getByText('Phase 2 Feature')).toBeVisible()
  await expect(page.getByText('No SOLE yet')).toBeVisible()

  await page.getByRole('button', { name: 'Ask for a draft' }).click()
  const draft = page.getByRole('region', { name: 'Pending draft' })
  await expect(draft.getByText('Awaiting Review')).toBeVisible()
  await expect(draft).toContainText('Platform Agent')
  const statements = draft.getByRole('list', { name: 'Statements of the draft' }).getByRole('listitem')
  await expect(statements).toHaveCount(3)
  await expect(page.getByRole('link', { name: 'View run' })).toHaveAttribute('href', /\/studio\/kip\/logs\?run=\w+/)

  const harbour = statements.filter({ hasText: 'harbour' })
  await harbour.getByRole('button', { name: /^Memory card, / }).click()
  const source = page.getByRole('dialog', { name: /^Source: Memory card/ })
  await expect(source.locator('mark')).toHaveText('I walked to the **harbour** before the coffee.')
  await expect(source).toContainText('It was cold.')
  await expect(source.getByRole('link', { name: 'Open the memory card' })).toHaveAttribute(
    'href',
    /memory-cards\?card=/,
  )
  await page.keyboard.press('Escape')
  await expect(source).toBeHidden()

  const logged = page.waitForEvent('console', (message) => message.text().includes('Request explanation'))
  await draft.getByRole('button', { name: 'Request Explanation' }).click()
  await logged
  await expect(draft.getByRole('region', { name: 'Explanation of the draft' })).toContainText('“walked to the harbour”')

  await statements
    .filter({ hasText: 'bend' })
    .getByRole('checkbox', { name: /^Approve: / })
    .uncheck()
  await draft.getByRole('button', { name: 'Approve 2 of 3' }).click()
  await expect(draft).toBeHidden()
  const approved = page.getByRole('list', { name: 'Approved statements' }).locator(':scope > li')
  await expect(approved).toHaveCount(2)
  await expect(approved.filter({ hasText: 'bend' })).toHaveCount(0)
  await page.getByText('Raw JSON').click()
  await expect(page.getByRole('region', { name: 'SOLE architecture as JSON' })).toContainText('"type": "narrative"')
  await page.getByText('Raw JSON').click()
  await expect(page.getByRole('list', { name: 'Versions' })).toContainText('1 not approved')

  const invalidDraftError = page.getByText('The agent didn’t submit a valid draft.')
  await expect(invalidDraftError, 'the draft was valid').toHaveCount(0)
  await page.getByRole('button', { name: 'Ask for a draft' }).click()
  await expect(statements.filter({ hasText: 'Added' })).toHaveCount(1)
  await draft.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('The bend is hers, not mine.')
  await page.getByRole('dialog').getByRole('button', { name: 'Reject draft' }).click()
  await expect(draft).toBeHidden()
  await expect(page.getByRole('list', { name: 'Versions' })).toContainText('The bend is hers, not mine.')
  await expect(invalidDraftError, 'its draft was rejected').toHaveCount(0)
  await page.getByRole('button', { name: 'Ask for a draft' }).click()
  await expect(draft).toBeVisible()
  const draftRequests = modelProviders.openai.requests
    .map(parseConversation)
    .filter(({ tools }) => tools.includes(submitSoleDraftTool))
  expect(draftRequests.at(-1)?.system).toContain('The bend is hers, not mine.')
  await draft.getByRole('button', { name: 'Approve' }).click()
  await expect(approved).toHaveCount(3)

  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
  await expect(approved).toHaveCount(2)
  await expect(page.getByRole('list', { name: 'Versions' })).toContainText('Restored from version 1')
  await page.reload()
  await expect(approved).toHaveCount(2)
})

test('a written draft survives a reload and is shown as changes @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of (500|409)/)
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await createKeeperWithCards(keeper, ada)
  const path = `/api/keeper/keepers/${id}/sole/draft`
  await keeper.callApi(path, { content: 'I live in Bergen. Per is my brother. I sing.' }, ada)
  await keeper.callApi(`/api/keeper/${id}/sole/approve`, {}, ada)
  await page.goto(`/keeper/selected/memory-tools?id=${id}`)

  await page.getByRole('button', { name: 'Write a draft' }).click()
  const story = page.getByRole('textbox', { name: 'The story' })
  await expect(story).toHaveValue('I live in Bergen.\nPer is my brother.\nI sing.')
  await story.fill('I live in Oslo. I sing. Cats are good.')
  await page.waitForTimeout(600)
  await page.reload()
  await page.getByRole('button', { name: 'Write a draft' }).click()
  await expect(story).toHaveValue('I live in Oslo. I sing. Cats are good.')
  await page.getByRole('button', { name: 'Submit for review' }).click()

  const draft = page.getByRole('region', { name: 'Pending draft' })
  await expect(draft.getByRole('heading', { name: 'Pending SOLE Draft' })).toBeFocused()
  await expect(draft).toContainText('1 added, 1 changed, 1 dropped, 1 kept')
  await expect(draft.locator('del').filter({ hasText: 'Per is my brother.' })).toBeVisible()
  await expect(draft.locator('ins')).toHaveText(['Oslo'])

  await page.route('**/sole/approve', (route) =>
    route.fulfill({ status: 500, json: { success: false, error: 'The ink is dry.' } }),
  )
  await draft.getByRole('button', { name: 'Approve' }).click()
  await expect(draft.getByRole('alert')).toContainText('Failed to approve SOLE draft')
  await page.unroute('**/sole/approve')
  let rejections = 0
  await page.route('**/sole/reject', (route) => {
    rejections += 1
    return route.fulfill({ status: 500, body: '' })
  })
  await draft.getByRole('button', { name: 'Reject' }).click()
  const dialog = page.getByRole('dialog')
  const reason = dialog.getByLabel('Reason')
  await expect(reason).toBeFocused()
  await reason.fill('  ')
  await dialog.getByRole('button', { name: 'Reject draft' }).click()
  await expect(reason).toHaveAccessibleDescription('Enter a reason. The next agent to write a draft reads it.')
  await expect(reason).toBeFocused()
  expect(rejections, 'without a reason nothing is sent').toBe(0)
  await reason.fill('The cats are hers.')
  await expect(reason).toHaveAccessibleDescription('The next agent to write a draft reads your reason.')
  await dialog.getByRole('button', { name: 'Reject draft' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to reject SOLE draft')
  await expect(reason).toHaveValue('The cats are hers.')
  await page.reload()
  await draft.getByRole('button', { name: 'Reject' }).click()
  await expect(reason, 'it is there after a reload').toHaveValue('The cats are hers.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  // Another tab decides in the meantime.
  await keeper.callApi(`/api/keeper/${id}/sole/approve`, {}, ada)
  await expect(draft, 'the page updates automatically').toBeHidden()
  await expect(page.getByRole('list', { name: 'Approved statements' })).toContainText('Cats are good.')
})

test('a requested draft gets the focus, other drafts move nothing @long', async ({ page, keeper }) => {
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await createKeeperWithCards(keeper, ada)
  await page.setViewportSize({ width: 390, height: 700 })
  await page.goto(`/keeper/${id}/memory`)
  const heading = page.getByRole('heading', { name: 'Pending SOLE Draft' })
  const askButton = page.getByRole('button', { name: 'Ask for a draft' })
  await askButton.click()
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport()

  await page.reload()
  await expect(heading).toBeVisible()
  await expect(heading).not.toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await keeper.callApi(`/api/keeper/${id}/sole/reject`, {}, ada)
  await expect(heading).toBeHidden()

  const agent = page.getByRole('combobox', { name: 'Agent' })
  await agent.focus()
  await keeper.callApi(`/api/keeper/keepers/${id}/sole/draft`, { content: 'I live in Bergen.' }, ada)
  await expect(heading).toBeAttached()
  await expect(agent).toBeFocused()
  await expect(heading).not.toBeInViewport()

  await keeper.callApi(`/api/keeper/${id}/sole/reject`, {}, ada)
  await expect(heading).toBeHidden()
  const back = page.getByRole('link', { name: 'Back to Keepers' })
  const focusTarget = await back.elementHandle()
  await askButton.evaluate((button: HTMLElement, focusTarget) => {
    button.click()
    ;(focusTarget as HTMLElement | null)?.focus()
  }, focusTarget)
  await expect(heading).toBeAttached()
  await expect(askButton, 'the draft waits to be reviewed').toBeDisabled()
  await expect(back, 'the focus moved on during the run').toBeFocused()
})

test('a reviewer decides in their inbox, and a stranger cannot become one', async ({
  page,
  keeper,
  anotherPage,
  watch,
}) => {
  watch.expectLine(/status of (404|422)/)
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const ben = await registerPerson(keeper, 'ben')
  const { id } = await createKeeperWithCards(keeper, ada)
  await keeper.callApi(`/api/keeper/keepers/${id}/sole/draft`, { content: 'I live in Bergen.' }, ada)
  await page.goto(`/keeper/${id}/memory`)
  await page.getByLabel('Find people by name or email').fill('ben@willowbrook.example')
  await page.getByRole('button', { name: 'Add Ben Haugen' }).click()
  await expect(page.getByText('This person isn’t in a domain you belong to.')).toBeVisible()

  const benPage = await anotherPage()
  await signIn(benPage, 'ben')
  await benPage.goto('/keeper/1/memory?review=')
  await expect(benPage.getByText('Nothing to review')).toBeVisible()
  await benPage.goto(`/keeper/${id}/memory`)
  await expect(benPage.getByText('Keeper not found')).toBeVisible()
  const versions = await fetch(`${keeper.url}/api/keeper/keepers/${id}/sole/versions`, {
    headers: { authorization: `Bearer ${ben.token}` },
  })
  expect(versions.status).toBe(404)

  // Reviewers are domain admins, and no API call creates one yet, so the response is faked.
  const [draft] = await keeper.callApi<SoleVersion[]>(`/api/keeper/keepers/${id}/sole/versions`, undefined, ada)
  const toReview = { keeperId: id, title: 'The Harbour Year', ownerName: 'Ada Lindqvist', draft, active: null }
  await benPage.route('**/api/keeper/sole/to-review', (route) =>
    route.fulfill({ json: { success: true, data: [toReview] } }),
  )
  const sentBodies: unknown[] = []
  await benPage.route('**/sole/approve', (route) => {
    sentBodies.push(route.request().postDataJSON())
    return route.fulfill({ json: { success: true, data: { id, sole: null, soleDraft: null, soleSubmittedAt: null } } })
  })
  await benPage.goto('/keeper/1/memory?review=')
  await benPage.getByRole('link', { name: 'The Harbour Year' }).click()
  await expect(benPage.getByText('Ada Lindqvist asks you to review a draft')).toBeVisible()
  await benPage.getByRole('button', { name: 'Approve' }).click()
  await expect.poll(() => sentBodies).toEqual([{ version: 1 }])
})

test('switching to another draft clears the explanation of the first @long', async ({ page, keeper }) => {
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const toReview: object[] = []
  for (const [title, content] of [
    ['The Harbour Year', 'I live in Bergen.'],
    ['The House', 'The lamp stays on.'],
  ] as const) {
    const { id } = await createKeeperWithCards(keeper, ada)
    const path = `/api/keeper/keepers/${id}/sole`
    await keeper.callApi(`${path}/draft`, { content }, ada)
    const [draft] = await keeper.callApi<SoleVersion[]>(`${path}/versions`, undefined, ada)
    toReview.push({ keeperId: id, title, ownerName: 'Ada Lindqvist', draft, active: null })
  }
  // Reviewers are domain admins, and no API call creates one yet, so the response is faked.
  await page.route('**/api/keeper/sole/to-review', (route) =>
    route.fulfill({ json: { success: true, data: toReview } }),
  )
  await page.goto('/keeper/1/memory?review=')
  await page.getByRole('link', { name: 'The Harbour Year' }).click()
  await page.getByRole('button', { name: 'Request Explanation' }).click()
  const explanation = page.getByRole('region', { name: 'Explanation of the draft' })
  await expect(explanation).toContainText('“walked to the harbour”')
  await page.getByRole('link', { name: 'The House' }).click()
  await expect(page.getByRole('region', { name: 'Draft of The House' })).toContainText('The lamp stays on.')
  await expect(explanation).toHaveCount(0)
})

test('samples can be decided and reset, and another pattern says so @long', async ({ page, keeper }) => {
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const sentUrls: string[] = []
  page.on('request', (request) => request.url().includes('/api/keeper/') && sentUrls.push(request.url()))
  await page.goto('/keeper/demo-sole-keeper/memory')
  const draft = page.getByRole('region', { name: 'Pending draft' })
  await draft.getByRole('button', { name: 'Approve' }).click()
  await expect(draft).toBeHidden()
  await expect(page.getByRole('list', { name: 'Approved statements' })).toContainText('until he moved to Bergen')
  await page.reload()
  await expect(draft).toBeVisible()
  expect(
    sentUrls.filter((url) => url.includes('demo')),
    'samples are never requested',
  ).toEqual([])

  const { id } = await createKeeperWithCards(keeper, ada, 'tracker')
  await page.goto(`/keeper/${id}/memory`)
  await expect(page.getByText('SOLE Memory Pattern Not Active')).toBeVisible()
  await expect(page.getByRole('region', { name: 'By topic' })).toContainText('No topics yet.')

  const { token } = ada
  const sections = [{ key: 'ebb', title: 'Ebb and flow', kind: 'timeline' }]
  await keeper.callApi('/api/memory-patterns', { name: 'Tide table', sections }, { token })
  const tideKeeper = await createKeeperWithCards(keeper, ada, 'tide-table')
  await keeper.callApi(`/api/keeper/keepers/${tideKeeper.id}/moments`, { body: 'The water was low.' }, { token })
  await page.goto(`/keeper/${tideKeeper.id}/memory`)
  await page
    .getByRole('region', { name: 'Ebb and flow' })
    .getByRole('link', { name: /The water was low/ })
    .click()
  await expect(page).toHaveURL(/\/moments\?moment=/)

  await page.goto('/studio/memory-patterns')
  await page.getByRole('button', { name: 'Duplicate SOLE' }).click()
  await expect(page.getByRole('heading', { name: 'Copy of SOLE' })).toBeVisible()
  const keeperOfCopy = await createKeeperWithCards(keeper, ada, 'Copy of SOLE')
  await page.goto(`/keeper/${keeperOfCopy.id}/memory`)
  await expect(page.getByRole('heading', { name: 'Current SOLE Architecture' })).toBeVisible()
})

test('SOLE review works by keyboard, on phones and without WCAG violations @long', async ({ page, keeper }) => {
  test.slow()
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await createKeeperWithCards(keeper, ada)
  await keeper.callApi(`/api/keeper/keepers/${id}/sole/draft`, { content: 'I live in Bergen. I sing.' }, ada)
  await keeper.callApi(`/api/keeper/${id}/sole/approve`, {}, ada)
  await keeper.callApi<{ draft: SoleVersion }>(`/api/keeper/keepers/${id}/sole/ask-for-draft`, {}, ada)
  await page.goto(`/keeper/${id}/memory`)
  const draft = page.getByRole('region', { name: 'Pending draft' })
  await expect(draft).toBeVisible()
  await expectNoViolations(page, 'the memory page with a draft')
  await page.emulateMedia({ colorScheme: 'light' })

  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 780 })
    await expect(draft).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await page.setViewportSize({ width: 1280, height: 800 })

  await draft.getByRole('checkbox').first().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /^Source/ })).toBeVisible()
  await expectNoViolations(page, 'a source in its context')
  await page.keyboard.press('Escape')
  await draft.getByRole('button', { name: 'Reject' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Reason')).toBeVisible()
  await expectNoViolations(page, 'the rejection dialog')
  await page.keyboard.press('Escape')
  const approve = draft.getByRole('button', { name: 'Approve 2 of 3' })
  await approve.focus()
  await page.keyboard.press('Enter')
  await expect(draft).toBeHidden()
  await expect(page.getByRole('list', { name: 'Approved statements' }).locator(':scope > li')).toHaveCount(4)
})
