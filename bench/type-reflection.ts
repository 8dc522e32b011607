import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { formatMs, percentile, registerPerson, report, startKeeper } from './measure.ts'
import { measureKeyLatency, openSignedInBrowser } from './measure-frames.ts'

// Typing in a long reflection stays light. Baseline: a bare textarea of the same size on an empty page.

const port = 15_859
const url = `http://127.0.0.1:${port}`
const maxLatencyMs = new Map([
  [5_000, 16],
  [20_000, 24],
])
const sentence =
  'Per told me on the quay, between one bun and the next, that the ferry was late and that no one minded. '
const wordsPerSentence = 21
const keyCount = 120

const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const keeper = await startKeeper({ PORT: String(port), KEEPER_DATA_DIR: dataDir })
const token = await registerPerson(url)
const { browser, page, devtools } = await openSignedInBrowser(url, token)
const createdKeeper = await fetch(`${url}/api/keeper/keepers`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  body: JSON.stringify({ title: 'The Harbour Year', purpose: 'p', keeperType: 'journal' }),
})
const { data } = (await createdKeeper.json()) as { data: { id: string } }

for (const [wordCount, maxMs] of maxLatencyMs) {
  const text = createText(wordCount)
  await page.goto(`${url}/keeper/${data.id}/reflection-journal`)
  const sheet = page.getByRole('textbox', { name: 'Reflection', exact: true })
  await sheet.fill(text)
  await page.getByText(/^[\d,]+ words/).waitFor()
  const measured = await measureTyping(sheet)
  const size = await sheet.boundingBox()
  await sheet.fill('')
  await page.waitForTimeout(1000)

  await page.goto('about:blank')
  await page.setContent('<!doctype html><textarea></textarea>')
  const bareTextarea = page.getByRole('textbox')
  await bareTextarea.evaluate((area, { width, height }) => {
    area.style.cssText = `width: ${width}px; height: ${height}px; font: 20px/34px Georgia; padding: 26px 44px`
  }, size ?? { width: 606, height: 600 })
  await bareTextarea.fill(text)
  const baseline = await measureTyping(bareTextarea)
  report(
    `key to frame with ${wordCount} words`,
    `p50 ${formatMs(percentile(measured, 0.5))}, p95 ${formatMs(percentile(measured, 0.95))}, longest ${formatMs(Math.max(...measured))}; ` +
      `bare textarea p50 ${formatMs(percentile(baseline, 0.5))}, p95 ${formatMs(percentile(baseline, 0.95))}`,
    `p95 at most ${maxMs} ms`,
    percentile(measured, 0.95) <= maxMs,
  )
}
await browser.close()
await keeper.stop()
rmSync(dataDir, { recursive: true })

/** Types half of the keys in the middle of the text and half at its end. */
async function measureTyping(textbox: Locator): Promise<number[]> {
  const latencies: number[] = []
  for (const share of [0.5, 1]) {
    await textbox.evaluate((element, positionShare) => {
      const area = element as HTMLTextAreaElement
      const offset = Math.floor(area.value.length * positionShare)
      area.focus()
      area.setSelectionRange(offset, offset)
    }, share)
    await page.keyboard.type('x')
    await page.waitForTimeout(1000)
    latencies.push(...(await measureKeyLatency(page, devtools, keyCount / 2)))
  }
  return latencies
}

function createText(wordCount: number): string {
  const sentences = Array.from({ length: Math.ceil(wordCount / wordsPerSentence) }, (_, index) =>
    index % 40 === 39 ? `${sentence.trim()}\n\n` : sentence,
  )
  return sentences.join('').trim()
}
