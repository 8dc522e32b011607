import type { Page } from '@playwright/test'
import { expect, getConversation, registerAndSignIn, test } from './fixtures.ts'

/** Replaces agent runs with one that the test scripts event by event. */
async function scriptRun(page: Page): Promise<(event: string, data: unknown) => Promise<void>> {
  await page.addInitScript(() => {
    const originalFetch = window.fetch
    const encoder = new TextEncoder()
    const scripted = window as unknown as { sendEvent: (event: string, data: unknown) => void }
    window.fetch = (input, init) => {
      if (init?.method !== 'POST' || !String(input).endsWith('/api/kip/agents')) return originalFetch(input, init)
      const body = new ReadableStream({
        start(controller) {
          scripted.sendEvent = (event, data) => {
            controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
            if (event === 'done' || event === 'error') controller.close()
          }
        },
      })
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    }
  })
  return (event, data) =>
    page.evaluate(
      ([name, value]) => (window as unknown as { sendEvent: (...args: unknown[]) => void }).sendEvent(name, value),
      [event, data] as const,
    )
}

const run_id = 'run-1'
const createDoneData = (response: string) => ({
  response,
  run_id,
  session_id: null,
  output: { type: 'text', text: response },
  mock_mode: false,
  model: 'gpt-4o',
  usage: { input_tokens: 1, output_tokens: 1, cost_usd: null, estimated: false },
  processing_time_ms: 5,
})

test('model thinking is collapsed above the answer and not copied or stored @long', async ({ page, keeper }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  await keeper.callApi('/api/kip/agents', { name: 'Scribe', purpose: 'Writes.', agent_class: 'Lead' }, { token })
  const sendEvent = await scriptRun(page)
  await page.goto('/scribe')
  const conversation = getConversation(page, 'Scribe')
  await page.getByLabel('Write to Scribe').fill('Good morning')
  await page.keyboard.press('Enter')
  await expect(conversation.getByText('Thinking', { exact: true })).toBeVisible()
  await sendEvent('start', { run_id, session_id: null })
  await sendEvent('reasoning', { delta: 'The user greets me. ' })
  await sendEvent('something-new', { of: 'a later server' })
  await sendEvent('reasoning', { delta: 'I will be brief.' })
  const title = conversation.locator('summary')
  await expect(title).toContainText('Thinking…')
  await expect(title).toContainText('I will be brief.')
  const thought = conversation.getByText('The user greets me. I will be brief.', { exact: true }).last()
  await expect(thought).toBeHidden()
  await title.click()
  await expect(thought).toBeVisible()
  await title.click()

  await sendEvent('text', { delta: 'Good ' })
  await expect(title).toHaveText('Thought')
  await sendEvent('text', { delta: 'morning.' })
  await sendEvent('done', createDoneData('Good morning.'))
  const answer = conversation.getByRole('listitem').filter({ hasText: 'Good morning.' }).last()
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
  await expect(title).toHaveText('Thought')
  await expect(thought).toBeHidden()
  await expect(page.locator('[aria-live=polite]').filter({ hasText: 'greets' })).toHaveCount(0)
  await answer.hover()
  await answer.getByRole('button', { name: 'Copy message' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Good morning.')
  await page.reload()
  await expect(page.getByLabel('Write to Scribe')).toBeVisible()
  await expect(page.getByText('Thought')).toHaveCount(0)
})

test('a run that spent its tokens on thinking says so and shows no success @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  await keeper.callApi('/api/kip/agents', { name: 'Scribe', purpose: 'Writes.', agent_class: 'Lead' }, { token })
  const sendEvent = await scriptRun(page)
  await page.goto('/scribe')
  const conversation = getConversation(page, 'Scribe')
  await page.getByLabel('Write to Scribe').fill('Think hard')
  await page.keyboard.press('Enter')
  await expect(conversation.getByText('Thinking', { exact: false })).toBeVisible()
  await sendEvent('start', { run_id, session_id: null })
  await sendEvent('reasoning', { delta: 'Hm.' })
  const message =
    'The model spent all 4,000 tokens on thinking and wrote no answer. Raise max tokens in the agent’s form.'
  await sendEvent('error', { code: 'max-tokens', message, run_id, processing_time_ms: 5, response: '' })
  await expect(page.getByText(message)).toBeVisible()
  await expect(conversation.getByText('I apologize', { exact: false })).toHaveCount(1)
  await expect(page.getByText('I processed your request successfully.')).toHaveCount(0)
})
