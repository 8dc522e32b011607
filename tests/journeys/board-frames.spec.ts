import type { Page } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import type { Board, NewFrame } from '#contract/boards/boards.ts'
import { createEmptyContent } from '#contract/boards/frame-content.ts'
import { type FrameType, frameTypes } from '#contract/boards/frame-types.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, getConversation, registerAndSignIn, test } from './fixtures.ts'
import { getFrame, getUnsavedNote } from './locators.ts'

type ApiCall = <Data>(to: string, body?: unknown, method?: string) => Promise<Data>

const saveBoard = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(getUnsavedNote(page)).toBeHidden()
}

// Wide enough for three adjacent frames.
test.use({ viewport: { width: 1600, height: 900 } })

let frameCount = 0
function createFrame(type: FrameType, name: string, content: Record<string, unknown> = {}): NewFrame {
  const { description, category, icon, pattern } = frameTypes[type]
  const index = frameCount++
  return {
    id: crypto.randomUUID().replaceAll('-', ''),
    data: {
      frameType: type,
      name,
      description,
      category,
      icon,
      slug: name.toLowerCase().replace(/[^a-z]+/g, '-'),
      position: { x: (index % 3) * 340, y: Math.floor(index / 3) * 320 },
      size: { width: 320, height: 300 },
      content: { ...createEmptyContent(type), ...content },
    },
    FrameConfig: { engagementMode: pattern },
  }
}

async function openBoard(
  page: Page,
  keeper: BuiltKeeper,
  createFrames: (callApi: ApiCall) => Promise<NewFrame[]> | NewFrame[],
) {
  frameCount = 0
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const callApi: ApiCall = async (to, body, method = body ? 'POST' : 'GET') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await (
      await fetch(keeper.url + to, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    ).json()
    return 'success' in answer ? answer.data : answer
  }
  const frames = await createFrames(callApi)
  const board = await callApi<Board>('/api/boards', { name: 'The Harbour Year' })
  await callApi(`/api/boards/${board.id}`, { frames }, 'PATCH')
  await page.goto(`/studio/board-studio?board=${board.id}`)
  await expect(getFrame(page, frames[0]?.data.name ?? '')).toBeVisible()
  return { callApi, id: board.id, fetchBoard: () => callApi<Board>(`/api/board-data/${board.id}`) }
}

const getContent = (board: Board, name: string) => board.frames.find(({ data }) => data.name === name)?.data.content

const createAgent = (callApi: ApiCall, name: string) =>
  callApi<Agent>('/api/kip/agents', {
    name,
    purpose: 'Knows the harbour.',
    status: 'ready',
    model_provider: 'openai',
    memory_enabled: true,
  })

test('steps and code are edited by keyboard and undone @long', async ({ page, keeper, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const code = "const keeper = 'x' // kept  \r\n\tif (a) {\r\n\r\n}\r\n"
  const { fetchBoard } = await openBoard(page, keeper, () => [
    createFrame('process_frame', 'Evening round'),
    createFrame('code_snippet', 'A command', { code, language: 'typescript' }),
  ])
  const round = getFrame(page, 'Evening round')
  const add = round.getByRole('textbox', { name: 'Add a step' })
  for (const title of ['Gather moments', 'Draft reflection', 'Wait']) {
    await add.fill(title)
    await add.press('Enter')
  }
  const getStep = (title: string) => round.getByRole('button', { name: new RegExp(`^${title}\\b`) })
  await getStep('Gather moments').press('Space')
  await expect(getStep('Gather moments')).toHaveAccessibleName(/in progress/)
  await getStep('Gather moments').press('Space')
  await expect(getStep('Gather moments')).toHaveAccessibleName(/done/)
  await expect(round.getByRole('list', { name: 'Steps, 1 of 3 done' })).toBeVisible()

  await getStep('Wait').press('Alt+ArrowUp')
  await expect(getStep('Wait'), 'the moved step keeps the focus').toBeFocused()
  await getStep('Wait').press('F2')
  await round.getByRole('textbox', { name: 'Step name: Wait' }).fill('Wait one day')
  await page.keyboard.press('Enter')
  await getStep('Draft reflection').press('Delete')
  await expect(getStep('Draft reflection')).toBeHidden()
  await page.keyboard.press('Control+z')
  await expect(getStep('Draft reflection')).toBeVisible()
  const list = Array.from({ length: 59 }, (_, index) => `Round ${index + 1}`).join('\n')
  await page.evaluate((text) => navigator.clipboard.writeText(text), list)
  await add.press('Control+v')
  await expect(getStep('Round 57')).toBeVisible()
  await expect(add, 'lines that do not fit stay').toHaveValue('Round 58\nRound 59')
  await expect(round.getByText('A frame can have up to 60 steps. The remaining lines stay here.')).toBeVisible()
  await getStep('Round 57').press('Control+z')
  await expect(getStep('Round 57')).toBeHidden()
  await add.fill('Not a step yet')
  await page.getByRole('tab', { name: 'Preview' }).click()
  await expect(add).toHaveValue('Not a step yet')
  await page.getByRole('tab', { name: 'Edit' }).click()
  await expect(add).toHaveValue('Not a step yet')

  const snippet = getFrame(page, 'A command')
  await expect(snippet.locator('code .text-info', { hasText: 'const' })).toBeVisible()
  await snippet.getByRole('button', { name: 'Copy code' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)

  await snippet.getByRole('button', { name: 'Edit code' }).click()
  const box = snippet.getByRole('textbox', { name: 'Code' })
  await expect(box).toBeFocused()
  await box.press('Control+End')
  await page.keyboard.type('done()')
  await page.keyboard.press('Escape')
  await expect(snippet.getByRole('button', { name: 'Edit code' })).toBeFocused()
  await expect(snippet.locator('code')).toContainText('done()')
  await expectNoViolations(page, 'steps and code')
  await saveBoard(page)
  const savedBoard = await fetchBoard()
  expect(getContent(savedBoard, 'A command')).toMatchObject({ code: `${code}done()` })
  expect(getContent(savedBoard, 'Evening round')).toMatchObject({
    steps: [
      { title: 'Gather moments', state: 'done' },
      { title: 'Wait one day', state: 'todo' },
      { title: 'Draft reflection', state: 'todo' },
    ],
  })
})

test("previews show their entity or sandboxed page, or that it's missing @long", async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 404/)
  const html =
    '<h1>Harbour</h1><script>parent.stolen = localStorage.keeper_token</script><img src="https://evil.example/x.png" onerror="parent.stolen=1"><p style="color:red">A <b>page</b>.</p>'
  const outside: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('evil.example')) outside.push(request.url())
  })
  const { fetchBoard } = await openBoard(page, keeper, async (callApi) => {
    const { id } = await callApi<{ id: string }>('/api/keeper/keepers', {
      title: 'Harbour',
      purpose: 'What the year brought.',
      keeperType: 'journal',
    })
    await callApi(`/api/keeper/keepers/${id}/moments`, { title: 'The lamp', body: 'She lit it **twice**.' })
    return [
      createFrame('preview', 'On this day'),
      createFrame('preview', 'Another', { entity: 'keeper', entityId: '0123456789abcdef0123456789abcdef' }),
      createFrame('preview', 'The keeper', { entity: 'keeper', entityId: id }),
      createFrame('preview', 'Notes', { kind: 'page', html }),
    ]
  })
  const missingFrame = getFrame(page, 'Another')
  await expect(missingFrame.getByText('This keeper was deleted or isn’t shared with you.')).toBeVisible()
  await expect(getFrame(page, 'The keeper').getByText('What the year brought.')).toBeVisible()

  const day = getFrame(page, 'On this day')
  await day.getByRole('button', { name: 'A moment' }).click()
  await day.getByRole('button', { name: /^Harbour/ }).click()
  await day.getByRole('searchbox', { name: 'Search moments' }).fill('zzz')
  await expect(day.getByText('Nothing found for “zzz”.')).toBeVisible()
  await day.getByRole('searchbox', { name: 'Search moments' }).fill('lamp '.repeat(50))
  await expect(day.getByRole('button', { name: /^The lamp/ })).toBeVisible()
  await day.getByRole('searchbox').press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(day.locator('strong', { hasText: 'twice' })).toBeVisible()

  const box = getFrame(page, 'Notes').locator('iframe')
  await expect(box).toHaveAttribute('sandbox', '')
  await expect(box.contentFrame().getByRole('heading', { name: 'Harbour' })).toBeVisible()
  await expect(getFrame(page, 'Notes').getByText('Scripts, styles, forms and links are removed.')).toBeVisible()
  expect(await page.evaluate(() => 'stolen' in window)).toBe(false)
  expect(outside).toEqual([])
  await expectNoViolations(page, 'previews')
  await saveBoard(page)
  expect(getContent(await fetchBoard(), 'On this day')).toMatchObject({ kind: 'entity', entity: 'moment' })
})

test('two chats with one agent stay separate, even after a reload', async ({ page, keeper, modelProviders }) => {
  const { fetchBoard } = await openBoard(page, keeper, async (callApi) => {
    const { id } = await createAgent(callApi, 'Harbour Reader')
    return [createFrame('dialog', 'Left', { agentId: id }), createFrame('dialog', 'Right')]
  })
  const [left, right] = [getFrame(page, 'Left'), getFrame(page, 'Right')]
  await right.getByRole('button', { name: /^Harbour Reader/ }).click()
  await left.getByRole('textbox', { name: 'Write to Harbour Reader' }).fill('What about Ida?')
  await page.keyboard.press('Enter')
  await right.getByRole('textbox', { name: 'Write to Harbour Reader' }).fill('And the lamp?')
  await page.keyboard.press('Enter')
  const getSideConversation = (side: typeof left) =>
    side.getByRole('list', { name: 'Conversation with Harbour Reader' })
  await expect(getSideConversation(left).getByRole('listitem')).toHaveCount(2)
  await expect(getSideConversation(right).getByRole('listitem')).toHaveCount(2)
  await expect(getSideConversation(left)).toContainText('What about Ida?')
  await expect(getSideConversation(left)).not.toContainText('lamp')
  await expect(getSideConversation(right)).not.toContainText('Ida')
  await expect(getConversation(page, 'Harbour Reader').locator('[aria-busy="true"]')).toHaveCount(0)
  await saveBoard(page)
  const board = await fetchBoard()
  const sessions = ['Left', 'Right'].map((name) => getContent(board, name)?.sessionId)
  expect(new Set(sessions).size).toBe(2)
  expect(sessions.every((id) => typeof id === 'string')).toBe(true)
  expect(modelProviders.openai.requests.length).toBeGreaterThanOrEqual(2)

  await left.locator('[data-frame-head]').click()
  await page.keyboard.press('Control+d')
  const copiedFrame = page.getByRole('region', { name: 'Left', exact: true }).nth(1)
  await expect(copiedFrame.getByRole('textbox', { name: 'Write to Harbour Reader' })).toBeVisible()
  await expect(copiedFrame.getByText('What about Ida?')).toHaveCount(0)
  await page.keyboard.press('Control+z')

  await page.reload()
  await expect(getSideConversation(left)).toContainText('What about Ida?')
  await expect(getSideConversation(right)).toContainText('And the lamp?')
  await expect(getSideConversation(left)).not.toContainText('lamp')
  await expectNoViolations(page, 'two chats')
})

test('an agent runs in a frame, and the run survives without a provider @long', async ({
  page,
  keeper,
  modelProviders,
  watch,
}) => {
  await openBoard(page, keeper, async (callApi) => {
    const { id } = await createAgent(callApi, 'Harbour Reader')
    return [createFrame('agent_preview', 'Try it', { agentId: id, input: 'What is open?' })]
  })
  const agentFrame = getFrame(page, 'Try it')
  await agentFrame.getByRole('textbox', { name: 'Input for Harbour Reader' }).press('Control+Enter')
  const trace = agentFrame.getByRole('region', { name: 'Trace' })
  await expect(trace).toBeVisible()
  await expect(
    agentFrame.getByText('tokens', { exact: true }).or(agentFrame.getByText('tokens (approx.)')),
  ).toBeVisible()
  await trace.getByRole('treeitem').first().click()
  await expect(trace.getByText(/tokens · cost|agent|model/).first()).toBeVisible()
  await saveBoard(page)
  const requestCount = modelProviders.openai.requests.length
  await modelProviders.openai.close()
  await page.reload()
  await expect(trace).toBeVisible()
  await expectNoViolations(page, 'a run in a frame')
  expect(modelProviders.openai.requests.length, 'nothing was run again').toBe(requestCount)

  watch.expectLine(/Failed to load resource/)
  await page.route('**/api/kip/agents**', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionrefused') : route.continue(),
  )
  await agentFrame.getByRole('textbox', { name: 'Input for Harbour Reader' }).press('Control+Enter')
  await expect(agentFrame.getByText('This is a mock answer from Harbour Reader')).toBeVisible()
  await expect(agentFrame.getByText('Mock answer', { exact: true })).toBeVisible()
  await expect(agentFrame.getByText('The server can’t be reached.', { exact: true })).toBeVisible()
})

test('a picture is uploaded and described, and invalid settings are refused @long', async ({ page, keeper }) => {
  const { fetchBoard } = await openBoard(page, keeper, () => [
    createFrame('media_card', 'Front'),
    createFrame('code_snippet', 'Other'),
  ])
  const card = getFrame(page, 'Front')
  const chooser = card.getByLabel('Choose a picture')
  await chooser.setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
  await expect(card.getByText('note.txt isn’t supported. Choose a JPEG, PNG, WebP or GIF picture.')).toBeVisible()
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await chooser.setInputFiles({ name: 'lamp.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') })
  await expect(card.locator('img')).toBeVisible()
  await card.getByRole('textbox', { name: 'Title' }).fill('The lamp')
  await saveBoard(page)
  expect(getContent(await fetchBoard(), 'Front')).toMatchObject({ title: 'The lamp', mediaId: expect.any(String) })

  await getFrame(page, 'Front').locator('[data-frame-head]').click()
  const opener = page.getByRole('button', { name: 'Settings', exact: true })
  await opener.click()
  const dialog = page.getByRole('dialog', { name: 'Frame Settings' })
  await dialog.getByLabel('Frame Name').fill('Cover page')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await opener.click()
  await expect(dialog.getByLabel('Frame Name'), 'the typed text is still there').toHaveValue('Cover page')
  await dialog.getByLabel('Slug').fill('other')
  await expect(dialog.getByText('Another frame on this board has this slug.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Use other-2' }).click()
  await dialog.getByRole('radio', { name: /^form/ }).check({ force: true })
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByText(/^Media Card doesn’t work in form\. Choose dialogic/)).toBeVisible()
  await expectNoViolations(page, 'frame settings')
  await dialog.getByRole('radio', { name: /^gallery/ }).check({ force: true })
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(opener, 'the focus has not moved').toBeFocused()
  await expect(getFrame(page, 'Cover page')).toBeVisible()
  await expect(getUnsavedNote(page)).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(getFrame(page, 'Front')).toBeVisible()
  await page.keyboard.press('Control+Shift+z')
  await saveBoard(page)
  expect((await fetchBoard()).frames[0]).toMatchObject({
    data: { name: 'Cover page', slug: 'other-2' },
    FrameConfig: { engagementMode: 'gallery' },
  })
  await page.reload()
  await expect(getFrame(page, 'Cover page').getByRole('img', { name: 'The lamp' })).toBeVisible()
})

test("editing an agent in a frame doesn't overwrite a concurrent change @long", async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 409/)
  let agent: Agent | undefined
  const { callApi } = await openBoard(page, keeper, async (call) => {
    agent = await createAgent(call, 'Harbour Reader')
    return [createFrame('config_panel', 'Reader', { entity: 'agent', entityId: agent.id })]
  })
  const panel = getFrame(page, 'Reader')
  const purpose = panel.getByRole('textbox', { name: 'Purpose' })
  await purpose.fill('Reads the harbour book.')
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(panel.getByText('Saved', { exact: true })).toBeVisible()
  const fetchAgent = () => callApi<Agent>(`/api/kip/agents?id=${agent?.id}`)
  expect((await fetchAgent()).purpose).toBe('Reads the harbour book.')

  await purpose.fill('Counts the boats.')
  await callApi('/api/kip/agents', { id: agent?.id, purpose: 'Sings of the harbour.' }, 'PUT')
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('Sings of the harbour.')
  expect((await fetchAgent()).purpose, 'nothing is overwritten without asking').toBe('Sings of the harbour.')
})

test('a frame whose code fails to load can be retried alone @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/ERR_FAILED|A frame failed|Failed to load frame|dynamically imported module/)
  const code = '**/assets/code-snippet-*.js'
  await page.route(code, (route) => route.abort())
  await openBoard(page, keeper, () => [
    createFrame('process_frame', 'Evening round'),
    createFrame('code_snippet', 'Broken', { code: 'x' }),
  ])
  await expect(
    getFrame(page, 'Broken').getByText('Failed to load frame. The rest of the board isn’t affected.'),
  ).toBeVisible()
  await getFrame(page, 'Evening round').getByRole('textbox', { name: 'Add a step' }).fill('Goes on')
  await page.keyboard.press('Enter')
  await expect(getFrame(page, 'Evening round').getByRole('button', { name: /^Goes on/ })).toBeVisible()
  await page.unroute(code)
  await getFrame(page, 'Broken').getByRole('button', { name: 'Try Again' }).click()
  await expect(getFrame(page, 'Broken').getByRole('button', { name: 'Copy code' })).toBeVisible()
})

test('zooming out keeps the content of the frame in use @long', async ({ page, keeper }) => {
  await openBoard(page, keeper, () => [createFrame('media_card', 'The light'), createFrame('media_card', 'Other')])
  const getFrameBody = (name: string) => getFrame(page, name).locator('figure')
  const [usedBody, otherBody] = [
    await getFrameBody('The light').elementHandle(),
    await getFrameBody('Other').elementHandle(),
  ]
  const isConnected = (handle: typeof usedBody) => handle?.evaluate((node) => node.isConnected)
  await getFrameBody('The light').click()
  await page.getByRole('region', { name: 'Board canvas' }).focus()
  for (let times = 0; times < 12; times++) await page.keyboard.press('Control+-')
  await expect.poll(() => isConnected(otherBody)).toBe(false)
  expect(await isConnected(usedBody)).toBe(true)
  await expect(getFrameBody('The light'), 'not readable at this zoom').toHaveCount(0)
  await page.keyboard.press('Control+0')
  await expect(getFrameBody('The light')).toBeVisible()
  await expect(getFrameBody('Other')).toBeVisible()
  expect(await isConnected(usedBody)).toBe(true)
})
