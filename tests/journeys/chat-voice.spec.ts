import type { Page } from '@playwright/test'
import { expect, getConversation, registerAndSignIn, test } from './fixtures.ts'

declare global {
  interface Window {
    playSpeech: (text: string[]) => void
    spoken: string[]
    finishSpeaking: () => void
  }
}

/** Fakes speech recognition; `playSpeech` plays what it understands. */
async function fakeSpeechRecognition(page: Page): Promise<void> {
  await page.addInitScript(() => {
    class Recognition {
      onresult: ((event: object) => void) | undefined
      onend: (() => void) | undefined
      start() {
        window.playSpeech = (text) => this.onresult?.({ results: text.map((transcript) => [{ transcript }]) })
      }
      stop() {
        window.playSpeech = () => {}
        this.onend?.()
      }
      abort() {
        this.stop()
      }
    }
    Object.assign(window, { SpeechRecognition: Recognition, webkitSpeechRecognition: Recognition })
  })
}

/** Fakes speech synthesis and records what it says. */
async function fakeSpeechSynthesis(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.spoken = []
    const voice = {
      queue: [] as SpeechSynthesisUtterance[],
      speak(utterance: SpeechSynthesisUtterance) {
        window.spoken.push(utterance.text)
        voice.queue.push(utterance)
      },
      cancel() {
        voice.queue = []
      },
    }
    window.finishSpeaking = () => voice.queue.at(-1)?.onend?.(new Event('end') as SpeechSynthesisEvent)
    Object.defineProperty(window, 'speechSynthesis', { value: voice })
  })
}

test("dictation appends to Ada's text, and typing stops it without overwriting @long", async ({ page, keeper }) => {
  await fakeSpeechRecognition(page)
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  const box = page.getByLabel('Write to Kip')
  await box.fill('About the tin:')
  await page.getByRole('button', { name: /^Dictate/ }).click()
  await expect(page.getByText('Listening')).toBeVisible()
  await page.evaluate(() => window.playSpeech(['where', 'is it']))
  await expect(box).toHaveValue('About the tin: where is it')
  await page.evaluate(() => window.playSpeech(['where', 'was it']))
  await expect(box).toHaveValue('About the tin: where was it')
  await box.press('End')
  await page.keyboard.type('?')
  await expect(page.getByText('Listening')).toHaveCount(0)
  await page.evaluate(() => window.playSpeech(['something else']))
  await expect(box).toHaveValue('About the tin: where was it?')
})

test('without speech support the browser shows no speech buttons @long', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['SpeechRecognition', 'webkitSpeechRecognition']) Reflect.deleteProperty(window, name)
    Reflect.deleteProperty(window, 'speechSynthesis')
  })
  await page.goto('/kip')
  await page.getByLabel('Write to Kip').fill('Hello')
  await page.getByLabel('Write to Kip').press('Enter')
  await expect(getConversation(page).getByText('That is all.')).toBeVisible()
  await expect(page.getByRole('button', { name: /dictate/i })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /read/i })).toHaveCount(0)
})

test.describe('an answer with markup', () => {
  test.use({
    providerBehavior: { answer: () => 'The **tin** is here. Look at [the shelf](https://willowbrook.example/).' },
  })

  test('an answer is read aloud without markup and can be stopped @long', async ({ page, keeper }) => {
    await fakeSpeechSynthesis(page)
    await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
    await page.getByLabel('Write to Kip').fill('Where?')
    await page.getByLabel('Write to Kip').press('Enter')
    const answer = getConversation(page).getByRole('listitem').filter({ hasText: 'The tin is here.' })
    await answer.hover()
    await answer.getByRole('button', { name: 'Read aloud' }).click()
    expect(await page.evaluate(() => window.spoken.join(' '))).toBe('The tin is here. Look at the shelf.')
    await answer.getByRole('button', { name: 'Stop reading' }).click()
    await expect(answer.getByRole('button', { name: 'Stop reading' })).toHaveCount(0)
    await answer.hover()
    await answer.getByRole('button', { name: 'Read aloud' }).click()
    await page.evaluate(() => window.finishSpeaking())
    await expect(answer.getByRole('button', { name: 'Stop reading' })).toHaveCount(0)
  })
})

test.describe('a provider that thinks long', () => {
  test.use({ providerBehavior: { answer: () => ({ text: 'At last.', afterMs: 3500 }) } })

  test('after a second the page shows how long the agent has been thinking @long', async ({ page }) => {
    await page.goto('/kip')
    await page.getByLabel('Write to Kip').fill('Hello')
    await page.getByLabel('Write to Kip').press('Enter')
    await expect(getConversation(page).getByText(/^Thinking, [12] s$/)).toBeVisible()
    await expect(getConversation(page).getByText('At last.')).toBeVisible()
    await expect(getConversation(page).getByText(/Thinking/)).toHaveCount(0)
  })
})

test('a speaking agent answers with a recording that survives a reload @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const config = { voice_id: '21m00Tcm4TlvDq8ikWAM', voice_name: 'Rachel' }
  const body = {
    name: 'Reader',
    purpose: 'Reads aloud.',
    agent_class: 'Lead',
    memory_enabled: true,
    model_provider: 'elevenlabs',
    config,
  }
  const { slug } = await keeper.callApi<{ slug: string }>('/api/kip/agents', body, { token })
  await page.goto(`/${slug}`)
  await page.getByLabel('Write to Reader').fill('Hello.')
  await page.getByLabel('Write to Reader').press('Enter')
  const conversation = getConversation(page, 'Reader')
  for (const round of ['as it came', 'after a reload']) {
    await test.step(round, async () => {
      await expect(conversation.getByRole('button', { name: 'Play' })).toBeVisible()
      await expect(conversation.locator('audio')).toHaveAttribute('src', /^blob:/)
      await expect(conversation.getByText('Spoke 6 characters as Rachel')).toBeVisible()
    })
    await page.reload()
  }
  const file = page.waitForEvent('download')
  await conversation.getByRole('button', { name: 'Download' }).click()
  expect((await file).suggestedFilename()).toMatch(/\.mp3$/)
})
