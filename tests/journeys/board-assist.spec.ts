import type { RunDetail } from '#contract/agents/runs.ts'
import type { Board } from '#contract/boards/boards.ts'
import { parseConversation } from '../model-conversation.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'
import { getFrame } from './locators.ts'

/** For calls without an envelope. */
async function callBareApi<Data>(keeper: BuiltKeeper, token: string, path: string, body?: unknown): Promise<Data> {
  const response = await fetch(keeper.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Data
}

test.describe('without a provider', () => {
  test.use({ settings: { OPENAI_BASE_URL: '', ANTHROPIC_BASE_URL: '', TOGETHER_BASE_URL: '' } })

  test('proposed frames are reviewed one by one, and undo removes them @long', async ({ page, keeper }) => {
    const { token } = await registerAndSignIn(page, keeper, 'ada')
    const board = await callBareApi<Board>(keeper, token, '/api/boards', { name: 'Choir' })
    await page.goto(`/studio/board-studio?board=${board.id}&tab=assist`)
    await page.getByLabel('Board purpose').fill('A weekly plan for the choir, and who belongs to it')
    await page.keyboard.press('Control+Enter')
    const proposals = page.locator('[data-proposal]')
    await expect(proposals.first()).toBeVisible()
    await expect(page.getByText('mock', { exact: false }).first()).toBeVisible()
    const count = await proposals.count()
    expect(count).toBeGreaterThan(1)
    const fetchSavedBoard = () => callBareApi<Board>(keeper, token, `/api/board-data/${board.id}`)
    expect((await fetchSavedBoard()).frames).toHaveLength(2)

    const first = proposals.nth(1)
    const name = (await first.getByRole('heading').first().innerText()).replace(
      /\s(Process Frame|People Overview)$/,
      '',
    )
    await first.getByRole('button', { name: /^Accept/ }).click()
    await expect(first).toHaveAttribute('data-state', 'accepted')
    await proposals.nth(0).getByRole('button', { name: /^Skip/ }).click()
    await expect(proposals.nth(0)).toHaveAttribute('data-state', 'skipped')
    expect((await fetchSavedBoard()).frames, 'nothing is saved before Save').toHaveLength(2)
    await expectNoViolations(page, 'proposals')

    await page.getByRole('tab', { name: 'Edit' }).click()
    await expect(getFrame(page, name)).toBeVisible()
    await page.keyboard.press('Control+s')
    await expect.poll(async () => (await fetchSavedBoard()).frames.length).toBe(3)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect(getFrame(page, name)).toHaveCount(0)
  })
})

test.describe('a coordinator', () => {
  test.use({
    providerBehavior: {
      answer(_, request) {
        const { results, tools, system } = parseConversation(request)
        const askTools = tools.filter((name) => name.startsWith('ask_'))
        if (askTools.length > 0 && results.length === 0)
          return { calls: askTools.map((name) => ({ name, arguments: { input: 'What do you see?' } })) }
        return { text: results.length > 0 ? `They said: ${results.join(' ')}` : `I see ${system.split(' ')[0]}.` }
      },
    },
  })

  test("a coordinator's run is a board, replayable without a provider", async ({ page, keeper, modelProviders }) => {
    const { token } = await registerAndSignIn(page, keeper, 'ada')
    const createAgent = (body: object) => keeper.callApi<{ id: string }>('/api/kip/agents', body, { token })
    for (const name of ['Anna', 'Bert', 'Cleo']) await createAgent({ name, purpose: `${name}s harbour` })
    const bundle = ['anna', 'bert', 'cleo']
    const trio = { name: 'Trio', purpose: 'Asks the three.', agent_class: 'Coordinator', config: { bundle } }
    const { id } = await createAgent(trio)
    const { run_id } = await keeper.callApi<{ run_id: string }>(
      '/api/kip/agents',
      { action: 'run', agentId: id, input: 'What is there?' },
      { token },
    )
    const requestCount = modelProviders.openai.requests.length
    const run = await keeper.callApi<RunDetail>(`/api/kip/runs/${run_id}`, undefined, { token })
    await modelProviders.openai.close()

    await page.goto(`/studio/board-studio?runId=${run_id}`)
    for (const name of ['Trio', 'Anna', 'Bert', 'Cleo']) await expect(getFrame(page, name)).toBeVisible()
    await expect(getFrame(page, 'Anna')).toContainText('I see Annas.')
    await expect(page.locator('[data-run-agent][data-state="done"]')).toHaveCount(4)
    const tokens = (run.usage?.input_tokens ?? 0) + (run.usage?.output_tokens ?? 0)
    await expect(page.getByLabel('Totals for all agents')).toContainText(tokens.toLocaleString('en-US'))
    await expectNoViolations(page, 'a run as a board')

    const time = page.getByRole('slider')
    await time.focus()
    await page.keyboard.press('Home')
    await expect(getFrame(page, 'Anna')).toHaveAttribute('data-state', 'waiting')
    await page.keyboard.press('End')
    await expect(getFrame(page, 'Anna')).toHaveAttribute('data-state', 'done')
    expect(modelProviders.openai.requests).toHaveLength(requestCount)

    await page.getByRole('button', { name: 'Save as a board' }).click()
    await expect(page).toHaveURL(/board=/)
    await expect(page.getByRole('region', { name: /Anna/ }).first()).toBeVisible()
  })
})
