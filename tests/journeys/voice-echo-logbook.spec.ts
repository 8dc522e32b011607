import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { VoiceEntry } from '#contract/keepers/voice.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, registerPerson, test } from './fixtures.ts'

test.use({ permissions: ['microphone'] })

const keeperInput = { title: 'The Harbour Year', purpose: 'Keep it.', keeperType: 'journal', memoryPattern: 'sole' }

async function signInWithKeeper(page: Page, keeper: BuiltKeeper) {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  return { token, id, api: `/api/keeper/keepers/${id}` }
}

const getSummaryValue = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')

test('a belief is recorded, transcribed, answered, edited, deleted and restored', async ({
  page,
  keeper,
  modelProviders,
}) => {
  test.slow()
  const { token, id } = await signInWithKeeper(page, keeper)
  await page.goto(`/keeper/${id}/voice-panel`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Harbour Year - Voice Panel')
  await page.getByRole('button', { name: 'Add Voice Entry' }).first().click()
  const form = page.getByRole('form', { name: 'New voice entry' })
  await form.getByRole('button', { name: 'Add Voice Entry' }).click()
  await expect(form.getByText('Both label and belief are required')).toBeVisible()
  await form.getByLabel('Label').fill('  Promises ')
  await form.getByLabel('Belief').fill('A promise is kept, also the small ones.')

  await form.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(form.getByRole('timer')).toHaveText('0:01')
  await form.getByRole('button', { name: 'Pause' }).click()
  const pausedTime = await form.getByRole('timer').textContent()
  await page.waitForTimeout(1200)
  expect(await form.getByRole('timer').textContent(), 'a pause is not recorded').toBe(pausedTime)
  await expectNoViolations(page, 'recording')
  await form.getByRole('button', { name: 'Resume' }).click()
  await form.getByRole('button', { name: 'Stop' }).click()
  await expect(form.locator('audio')).toHaveAttribute('src', /^blob:/)

  await page.reload()
  await page.getByRole('button', { name: 'Add Voice Entry' }).first().click()
  await expect(form.getByText('Draft restored.')).toBeVisible()
  await expect(form.locator('audio'), 'the recording is saved too').toHaveAttribute('src', /^blob:/)
  await form.getByLabel('Strength').selectOption('4')
  await form.getByRole('button', { name: 'Add Voice Entry' }).click()
  await expect(form).toHaveCount(0)
  await expect(getSummaryValue(page, 'Total Entries')).toHaveText('1')
  await expect(getSummaryValue(page, 'Updated')).toHaveText('0')
  await expect(page.getByRole('heading', { name: 'Promises' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Transcribe with/ }), 'without a key no agent is offered').toHaveCount(
    0,
  )

  await keeper.callApi(
    '/api/kip/user-keys',
    { provider: 'openai', apiKey: 'sk-journey0journey0journey0journey0' },
    { token },
  )
  await page.reload()
  await page.getByRole('button', { name: 'Transcribe with OpenAI' }).click()
  await page.getByRole('button', { name: 'Raw transcript' }).click()
  await expect(page.getByText('I keep my word, even when nobody looks.')).toBeVisible()
  expect(modelProviders.openai.requests.at(-1)?.path).toBe('/v1/audio/transcriptions')

  await page.getByRole('button', { name: 'Still true?' }).click()
  await page.getByLabel('In a few words (optional)').fill('Not to strangers.')
  await page.getByRole('button', { name: 'No longer' }).click()
  const answers = page.getByRole('list', { name: 'Answers to Promises' })
  await expect(answers.getByText('No longer true')).toBeVisible()
  await expect(page.getByText('A promise is kept, also the small ones.'), 'the belief stays').toBeVisible()
  await expectNoViolations(page, 'the voice panel')

  await page.getByRole('button', { name: 'Edit Promises' }).click()
  await page.getByLabel('Belief').fill('A promise is kept.')
  await page.getByRole('button', { name: 'Save Voice Entry' }).click()
  await expect(getSummaryValue(page, 'Updated')).toHaveText('1')
  await expect(page.locator('audio'), 'the recording stays').toHaveCount(1)

  await page.getByRole('button', { name: 'Delete Promises' }).click()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('heading', { name: 'Promises' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete Promises' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Voice entry deleted')).toBeVisible()
  await expect(getSummaryValue(page, 'Total Entries')).toHaveText('0')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { name: 'Promises' })).toBeVisible()
})

test('an offline belief waits with its recording and is saved once @long', async ({ page, context, keeper, watch }) => {
  test.slow()
  const { token, id, api } = await signInWithKeeper(page, keeper)
  await page.goto(`/keeper/${id}/voice-panel`)
  await page.getByRole('button', { name: 'Add Voice Entry' }).first().click()
  const form = page.getByRole('form', { name: 'New voice entry' })
  watch.expectLine(/ERR_INTERNET_DISCONNECTED|Failed to fetch|net::ERR/)
  await context.setOffline(true)
  await form.getByLabel('Label').fill('Weather')
  await form.getByLabel('Belief').fill('It passes.')
  await form.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(form.getByRole('timer')).toHaveText('0:01')
  await form.getByRole('button', { name: 'Stop' }).click()
  await expect(form.locator('audio')).toHaveAttribute('src', /^blob:/)
  await form.getByRole('button', { name: 'Add Voice Entry' }).click()
  await expect(form).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Weather' })).toBeVisible()
  await expect(page.getByRole('listitem').getByText('Waiting to be sent')).toBeVisible()
  expect(await keeper.callApi<unknown[]>(`${api}/voice-entries`, undefined, { token })).toEqual([])

  await context.setOffline(false)
  await expect(page.getByRole('listitem').getByText('Waiting to be sent')).toHaveCount(0, { timeout: 30_000 })
  const savedEntries = await keeper.callApi<VoiceEntry[]>(`${api}/voice-entries`, undefined, { token })
  expect(savedEntries).toMatchObject([{ label: 'Weather', belief: 'It passes.', audioId: expect.any(String) }])
  expect(savedEntries[0]?.durationMs).toBeGreaterThan(900)
})

test('a belief with a lost response is saved once, apart from the next @long', async ({ page, keeper }) => {
  const { token, id, api } = await signInWithKeeper(page, keeper)
  await page.goto(`/keeper/${id}/voice-panel`)
  const form = page.getByRole('form', { name: 'New voice entry' })
  const submitBelief = async (label: string, belief: string) => {
    await form.getByLabel('Label').fill(label)
    await form.getByLabel('Belief').fill(belief)
    await form.getByRole('button', { name: 'Add Voice Entry' }).click()
  }
  const listBeliefs = async () =>
    (await keeper.callApi<VoiceEntry[]>(`${api}/voice-entries`, undefined, { token }))
      .map(({ belief }) => belief)
      .sort()
  await page.route('**/voice-entries', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
  })
  await page.getByRole('button', { name: 'Add Voice Entry' }).first().click()
  await submitBelief('Sea', 'The tide forgives.')
  await expect.poll(listBeliefs).toEqual(['The tide forgives.'])
  await page.unrouteAll()
  await page.reload()
  await page.getByRole('button', { name: 'Add Voice Entry' }).first().click()
  await expect(form.getByLabel('Label'), 'the form is empty').toHaveValue('')
  await submitBelief('Singing', 'I sing.')
  await expect(form).toHaveCount(0)
  expect(await listBeliefs()).toEqual(['I sing.', 'The tide forgives.'])
})

test('an echo becomes ready, is delivered once, and a sealed one opens then', async ({ page, keeper }) => {
  test.slow()
  const { token, id, api } = await signInWithKeeper(page, keeper)
  await page.goto(`/keeper/${id}/echo-writer`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Harbour Year - Echo Writer')
  await page.getByRole('button', { name: 'Write an Echo' }).first().click()
  const form = page.getByRole('form', { name: 'New echo' })
  await form.getByRole('button', { name: 'Create Echo' }).click()
  await expect(form.getByText('Message is required')).toBeVisible()
  await form.getByLabel('Message').fill('You were not afraid of it.')
  await form.getByLabel('When a topic comes up again').fill('The boat')
  const days = form.getByLabel('After a number of quiet days')
  for (const invalidDays of ['-5', '1.5', '0', '3651']) {
    await days.fill(invalidDays)
    await expect(days, 'typed text is shown unchanged').toHaveValue(invalidDays)
    await expect(form.getByRole('status')).toHaveText('Comes back when “The boat” comes up again.')
    await form.getByRole('button', { name: 'Create Echo' }).click()
    await expect(days).toHaveAccessibleDescription(/^Use a whole number of days from 1 to 3650\./)
    await expect(days).toBeFocused()
    await expect(form.getByRole('alert'), 'nothing is sent').toHaveCount(0)
  }
  await days.fill('30')
  await expect(form.getByRole('status')).toHaveText(
    'Comes back when “The boat” comes up again, or after 30 days without a moment or a reflection.',
  )
  await form.getByRole('switch', { name: 'Seal this echo' }).check({ force: true })
  await expectNoViolations(page, 'writing an echo')
  await form.getByRole('button', { name: 'Create Echo' }).click()
  await expect(page.getByText('You sealed this echo.')).toBeVisible()
  await expect(page.getByText('You were not afraid of it.')).toHaveCount(0)
  await expect(getSummaryValue(page, 'Pending')).toHaveText('1')
  await expect(page.getByRole('button', { name: /^Edit the echo from \w+ \d+, \d{4}, \d+:\d\d\s[AP]M$/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Break the seal' })).toHaveCount(0)

  await keeper.callApi(`${api}/reflections`, { topic: 'the boat', content: 'I took the boat out.' }, { token })
  await expect(page.getByText('“The boat” came up again.')).toBeVisible({ timeout: 3000 })
  await expect(getSummaryValue(page, 'Ready')).toHaveText('1')
  await page.getByRole('button', { name: 'Break the seal' }).click()
  await expect(getSummaryValue(page, 'Delivered')).toHaveText('1')
  await page.getByRole('tab', { name: /^Delivered/ }).click()
  await expect(page.getByText('You were not afraid of it.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Edit the echo/ }), 'a delivered echo cannot be edited').toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Delete the echo from \w+ \d+, \d{4}: You were not/ })).toBeVisible()
  await page.getByRole('tab', { name: /^All/ }).click()
  await expectNoViolations(page, 'the echo writer')
})

test('an overdue echo is emailed once after a server start @long', async ({ keeper, mailbox }) => {
  const { token } = await registerPerson(keeper, 'ada')
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  await keeper.callApi(
    `/api/keeper/keepers/${id}/echoes`,
    { message: 'The tide turns.', triggerDate: '2020-01-01' },
    { token },
  )
  await keeper.restart()
  const mail = await mailbox.waitForMail('ada@willowbrook.example')
  expect(mail.subject).toBe('An echo is ready in The Harbour Year')
  await keeper.restart()
  await keeper.restart('SIGKILL')
  expect(mailbox.mails).toHaveLength(1)
})

test('logbook entries are tagged, filtered, shown by year, renamed and exported', async ({ page, keeper, watch }) => {
  test.slow()
  const { token, id, api } = await signInWithKeeper(page, keeper)
  const earlierEntry = { label: 'First watch', entry: 'I took the night.', category: 'Job', tags: ['harbour'] }
  await keeper.callApi(`${api}/logbook-entries`, { ...earlierEntry, occurredOn: '2024-05-01' }, { token })
  await keeper.callApi(`${api}/moments`, { body: 'The door stood open all night.' }, { token })
  await page.goto(`/keeper/${id}/identity-logbook`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Harbour Year - Identity Logbook')
  await page.getByRole('button', { name: 'Add Logbook Entry' }).first().click()
  const form = page.getByRole('form', { name: 'New logbook entry' })
  await form.getByRole('button', { name: 'Add Logbook Entry' }).click()
  await expect(form.getByText('Entry, label, and category are required')).toBeVisible()
  await form.getByLabel('Label').fill('The one who stays')
  await form.getByRole('textbox', { name: 'Entry' }).fill('I stand at the door.')
  await form.getByLabel('Category').fill('Work')
  const tags = form.getByLabel('Tags')
  for (const tag of ['staying', ' staying ', 'harbour']) {
    await tags.fill(tag)
    await tags.press('Enter')
  }
  await expect(form.getByRole('button', { name: /^Remove / })).toHaveCount(2)
  watch.expectLine(/status of 400/)
  const longTag = 'a whole sentence is no tag '.repeat(4).trim()
  await tags.fill(longTag)
  await tags.press('Enter')
  await form.getByRole('button', { name: 'Add Logbook Entry' }).click()
  await expect(tags).toHaveAccessibleDescription('Use at most 80 characters.')
  await form.getByRole('button', { name: `Remove ${longTag}` }).click()
  await form.getByRole('button', { name: 'Choose a moment' }).click()
  const moments = page.getByRole('dialog', { name: 'Choose a moment' })
  await moments.getByRole('searchbox', { name: 'Search moments' }).fill('door '.repeat(50))
  await moments.getByRole('button', { name: /The door stood open all night/ }).click()
  await expect(form.getByRole('group', { name: 'Moment' })).toContainText('The door stood open all night.')
  await expectNoViolations(page, 'a new logbook entry')
  await form.getByRole('button', { name: 'Add Logbook Entry' }).click()
  await expect(getSummaryValue(page, 'Total Entries')).toHaveText('2')
  await expect(getSummaryValue(page, 'Categories')).toHaveText('2')
  await expect(getSummaryValue(page, 'Tags')).toHaveText('2')

  const listedHeadings = page.getByRole('list', { name: 'Logbook entries' }).getByRole('heading')
  await page.getByRole('group', { name: 'Tag' }).getByRole('button', { name: 'staying' }).click()
  await expect(listedHeadings).toHaveText(['The one who stays'])
  await page.getByRole('group', { name: 'Tag' }).getByRole('button', { name: 'All tags' }).click()
  await page.getByRole('tab', { name: 'Year by year' }).click()
  await expect(page.getByRole('heading', { name: '2024' })).toBeVisible()
  await expect(page.getByText('Who I was: Job')).toBeVisible()

  await page.getByRole('tab', { name: 'Entries' }).click()
  await expect(page.getByRole('link', { name: 'Open moment of The one who stays' })).toHaveAttribute(
    'href',
    /\/moments\?moment=\w+$/,
  )
  await page.getByRole('button', { name: 'Rename or merge' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current name').selectOption('Job')
  await dialog.getByLabel('New name').fill('Work')
  await expect(dialog.getByText('Work is already in use, so the two are merged.')).toBeVisible()
  await expectNoViolations(page, 'renaming')
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(getSummaryValue(page, 'Categories')).toHaveText('1')

  await page.getByRole('button', { name: 'Export' }).click()
  const downloadEvent = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Markdown' }).click()
  const file = await readFile(await (await downloadEvent).path(), 'utf8')
  expect(file).toContain('## 2024\n\n### Who I was: Work\n\n#### 2024-05-01 First watch\n\nI took the night.')

  await page.getByRole('tab', { name: 'Entries' }).click()
  await page.getByRole('button', { name: 'Earlier versions of First watch' }).click()
  await expect(dialog.locator('li')).toContainText('Job')
  await expectNoViolations(page, 'earlier versions')
  await dialog.getByRole('button', { name: 'Restore this version' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(getSummaryValue(page, 'Categories'), 'as before the renaming').toHaveText('2')
  await expectNoViolations(page, 'the logbook')
})

test("a partly cleared date keeps the entry's day @long", async ({ page, keeper }) => {
  const { token, id, api } = await signInWithKeeper(page, keeper)
  const entryInput = { label: 'First watch', entry: 'I took the night.', category: 'Job', occurredOn: '2024-05-01' }
  await keeper.callApi(`${api}/logbook-entries`, entryInput, { token })
  await page.goto(`/keeper/${id}/identity-logbook`)
  await page.getByRole('button', { name: 'Edit First watch' }).click()
  const day = page.getByRole('form', { name: 'Edit First watch' }).getByLabel('Day')
  await day.press('Backspace')
  await expect(day).toHaveValue('2024-05-01')
  await day.fill('2024-05-02')
  await page.getByRole('button', { name: 'Save Logbook Entry' }).click()
  await expect(day).toHaveCount(0)
  expect(await keeper.callApi<unknown[]>(`${api}/logbook-entries`, undefined, { token })).toMatchObject([
    { occurredOn: '2024-05-02' },
  ])
})

test('samples load without API calls and fit a phone without violations @long', async ({ page, keeper }) => {
  test.slow()
  await registerAndSignIn(page, keeper, 'ada')
  await page.setViewportSize({ width: 390, height: 844 })
  const sampleRequests: string[] = []
  page.on(
    'request',
    (request) => request.url().includes('/api/keeper/keepers/demo') && sampleRequests.push(request.url()),
  )
  for (const [pathSegment, name] of [
    ['voice-panel', 'Voice Panel'],
    ['echo-writer', 'Echo Writer'],
    ['identity-logbook', 'Identity Logbook'],
  ]) {
    await page.goto(`/keeper/demo/${pathSegment}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Demo Keeper - ${name}`)
    await expect(page.getByText('This is a sample.')).toBeVisible()
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(scrollWidth, `${pathSegment} fits`).toBeLessThanOrEqual(390)
    await expectNoViolations(page, pathSegment ?? '')
  }
  const entryItems = page.getByRole('list', { name: 'Logbook entries' }).getByRole('listitem')
  const count = await entryItems.count()
  await page
    .getByRole('button', { name: /^Delete / })
    .first()
    .click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(entryItems).toHaveCount(count - 1)
  await page.getByRole('link', { name: 'Back to Keepers' }).click()
  await expect(page.getByRole('heading', { name: 'All Keepers' })).toBeVisible()
  await page.goBack()
  await expect(entryItems, 'as it was').toHaveCount(count)
  expect(sampleRequests).toEqual([])
})

test("failed loads can be retried, and another's keeper isn't found @long", async ({
  page,
  keeper,
  anotherPage,
  watch,
}) => {
  const { id } = await signInWithKeeper(page, keeper)
  watch.expectLine(/500|Failed to load resource/)
  let isBroken = true
  await page.route('**/echoes', (route) =>
    isBroken ? route.fulfill({ status: 500, json: { success: false, error: 'Something failed.' } }) : route.continue(),
  )
  await page.goto(`/keeper/${id}/echo-writer`)
  await expect(page.getByText('Error: Failed to fetch echoes')).toBeVisible()
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('tab', { name: /^Pending/ })).toBeVisible()

  const keeperUrl = `**/api/keeper/keepers/${id}`
  await page.route(keeperUrl, (route) =>
    route.fulfill({ status: 500, json: { success: false, error: 'It is stuck.' } }),
  )
  await page.reload()
  await expect(page.getByText('Error: It is stuck.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Return to Keepers' })).toBeVisible()
  await page.unroute(keeperUrl)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('tab', { name: /^Pending/ })).toBeVisible()

  const benPage = await anotherPage()
  watch.expectLine(/404/)
  await registerAndSignIn(benPage, keeper, 'ben')
  await benPage.goto(`/keeper/${id}/voice-panel`)
  await expect(benPage.getByText('Keeper not found')).toBeVisible()
  await expect(benPage.getByRole('link', { name: 'Return to Keepers' })).toBeVisible()
})
