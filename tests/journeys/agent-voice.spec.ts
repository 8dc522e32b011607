import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const getModel = (page: Page) => page.getByRole('combobox', { name: 'Model', exact: true })

test('an agent gets a voice, speaks, and its recording is played and downloaded @long', async ({
  page,
  keeper,
  modelProviders,
  watch,
}) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/studio/agents' })
  await page.getByRole('button', { name: 'Create New Agent' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Reader')
  await page.getByRole('textbox', { name: 'Purpose', exact: true }).fill('Reads aloud.')
  await page.getByRole('button', { name: 'Change the model' }).click()
  await page.getByRole('radio', { name: 'elevenlabs' }).check({ force: true })
  const voice = page.getByRole('combobox', { name: 'Voice' })
  await expect(voice).toHaveAccessibleDescription(
    'If you don’t choose one, the account’s first voice is used, currently Rachel.',
  )
  await expect(page.getByText('No voice chosen, so the account’s first voice is used')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create Agent' }), 'it can be chosen later').toBeEnabled()
  await voice.selectOption({ label: 'Adam' })
  await expect(page.getByText('No voice chosen, so the account’s first voice is used')).toHaveCount(0)
  await page.getByRole('button', { name: 'Create Agent' }).click()
  await expect(page.getByRole('link', { name: 'Reader' })).toBeVisible()

  const agents = await keeper.callApi<Agent[]>('/api/kip/agents', undefined, { token })
  const agentId = agents.find(({ name }) => name === 'Reader')?.id
  const run = await keeper.callApi<{ run_id: string }>(
    '/api/kip/agents',
    { action: 'run', agentId, input: 'Good evening, dear house.' },
    { token },
  )
  expect(modelProviders.elevenlabs.requests.at(-1)?.path).toContain('/text-to-speech/pNInz6obpgDQGcFmaJgB')

  await page.goto(`/studio/kip/logs?run=${run.run_id}`)
  const recording = page.getByRole('group', { name: 'Recording' }).first()
  const play = recording.getByRole('button', { name: 'Play' })
  await expect(play).toBeVisible()
  const sound = recording.locator('audio')
  await expect(sound).toHaveAttribute('src', /^blob:/)
  await expect.poll(() => readDuration(sound), 'its length is shown').toBeGreaterThan(0)
  expect(await sound.evaluate((element: HTMLAudioElement) => element.paused), 'it does not autoplay').toBe(true)
  await expect(recording).toContainText(/0:00 \/ 0:0\d/)
  const position = recording.getByRole('slider', { name: 'Position' })
  await position.focus()
  await page.keyboard.press('End')
  await expect(position).toHaveAttribute('aria-valuetext', /^0:0[1-9] of/)
  await page.keyboard.press('Home')
  await play.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => sound.evaluate((element: HTMLAudioElement) => element.currentTime)).toBeGreaterThan(0)

  const downloading = page.waitForEvent('download')
  await recording.getByRole('button', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^reader-.*\.mp3$/)
  const bytes = await readFile(await download.path())
  expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xfb])

  const src = await sound.getAttribute('src')
  watch.expectLine(/ERR_FILE_NOT_FOUND/)
  await page.getByRole('link', { name: 'Manage Agents' }).first().click()
  await expect(page.getByRole('button', { name: 'Create New Agent' })).toBeVisible()
  const blobState = await page.evaluate(
    (url) =>
      new Promise((resolve) => {
        const reloadedAudio = new Audio(url ?? '')
        reloadedAudio.addEventListener('error', () => resolve('revoked'))
        reloadedAudio.addEventListener('loadedmetadata', () => resolve('available'))
      }),
    src,
  )
  expect(blobState).toBe('revoked')
})

test.describe('a recording that fails to load', () => {
  test('says why and can be retried @long', async ({ page, keeper, watch }) => {
    watch.expectLine(/ERR_FAILED/)
    const { token } = await registerAndSignIn(page, keeper, 'ada')
    const config = { voice_id: '21m00Tcm4TlvDq8ikWAM', voice_name: 'Rachel' }
    const body = { name: 'Reader', purpose: 'Reads aloud.', model_provider: 'elevenlabs', config }
    const { id } = await keeper.callApi<Agent>('/api/kip/agents', body, { token })
    const run = await keeper.callApi<{ run_id: string }>(
      '/api/kip/agents',
      { action: 'run', agentId: id, input: 'Hello.' },
      { token },
    )
    await page.route('**/audio', (route) => route.abort())
    await page.goto(`/studio/kip/logs?run=${run.run_id}`)
    const problem = page.getByRole('alert').filter({ hasText: 'The recording couldn’t be loaded.' })
    await expect(problem).toBeVisible()
    await page.unroute('**/audio')
    await problem.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()
    await expect(page.getByText('Spoke 6 characters as Rachel').first()).toBeVisible()
  })
})

test('the model list shows its source, accepts other names and refreshes @long', async ({
  page,
  keeper,
  modelProviders,
  watch,
}) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/studio/agents' })
  await page.getByRole('button', { name: 'Create New Agent' }).click()
  await page.getByRole('button', { name: 'Change the model' }).click()
  const host = new URL(modelProviders.openai.baseUrl).host
  await expect(page.getByText(`From local server ${host}, just now`)).toBeVisible()
  const options = page.getByRole('listbox', { name: 'Model' }).getByRole('option')
  await getModel(page).fill('')
  await page.keyboard.press('ArrowDown')
  await expect(options, 'without the models for embeddings, transcription and pictures').toHaveText([
    'gpt-4o',
    'gpt-4o-mini',
    'gpt-4-turbo',
    'gpt-5-mini',
  ])
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  await getModel(page).fill('mini')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(getModel(page)).toHaveValue('gpt-5-mini')
  await getModel(page).fill('my-own-model')
  await getModel(page).blur()
  await expect(getModel(page)).toHaveAccessibleDescription('Not in this list, so it’s sent as typed.')

  const requestCount = modelProviders.openai.requests.length
  modelProviders.openai.script(['status-401'])
  const refresh = page.getByRole('button', { name: 'Refresh models' })
  await refresh.click()
  await expect(page.getByText(/OpenAI did not accept the key/)).toBeVisible()
  await expect(page.getByText('The built-in list')).toBeVisible()
  expect(modelProviders.openai.requests.length).toBe(requestCount + 1)
  await refresh.click()
  await expect(page.getByText(`From local server ${host}, just now`)).toBeVisible()
  await expect(page.getByText(/did not accept the key/)).toHaveCount(0)
  watch.expectLine(/status of 429/)
  for (let attempts = 0; attempts < 5; attempts++) {
    const modelsResponse = page.waitForResponse(/\/api\/kip\/models\?.*fresh/)
    await refresh.click()
    await modelsResponse
  }
  await expect(page.getByText(/wait a minute to refresh again/)).toBeVisible()
  await expect(getModel(page)).toHaveValue('my-own-model')
})

function readDuration(sound: Locator): Promise<number> {
  return sound.evaluate((element: HTMLAudioElement) => (Number.isFinite(element.duration) ? element.duration : 0))
}
