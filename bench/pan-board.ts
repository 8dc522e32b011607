import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createEmptyContent } from '#contract/boards/frame-content.ts'
import { frameTypes, getFrameLibrary } from '#contract/boards/frame-types.ts'
import { formatMs, mean, percentile, registerPerson, report, startKeeper } from './measure.ts'
import { type FrameMeasurement, measureFrames, openSignedInBrowser, sendWheelEvents } from './measure-frames.ts'

// Panning 500 frames stays at 60 frames per second. The ratio to an empty board counts: without a GPU, software renders.

const port = 15_857
const url = `http://127.0.0.1:${port}`
const frameCount = 500
const panMs = 5000
const frameBudgetMs = 16.7 + 0.5
const maxSlowdown = 1.25

const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const keeper = await startKeeper({
  PORT: String(port),
  KEEPER_DATA_DIR: dataDir,
  KEEPER_REGISTRATIONS_PER_HOUR: '1000',
})
const token = await registerPerson(url)
const [emptyBoardId, fullBoardId] = [await createBenchBoard(0), await createBenchBoard(frameCount)]

const { browser, page, devtools } = await openSignedInBrowser(url, token)

for (const zoom of [1, 0.5, 0.25]) {
  const baseline = await measurePanning(emptyBoardId, zoom)
  const measured = await measurePanning(fullBoardId, zoom)
  const [p50, p95] = [percentile(measured.intervalsMs, 0.5), percentile(measured.intervalsMs, 0.95)]
  const ratio = mean(measured.intervalsMs) / mean(baseline.intervalsMs)
  report(
    `panning ${frameCount} frames at ${zoom * 100} %`,
    `a frame every ${formatMs(p50)} (p95 ${formatMs(p95)}), ${formatLateShare(measured.intervalsMs)} late, ${formatMs(measured.workMs)} of main-thread work each; ` +
      `empty every ${formatMs(percentile(baseline.intervalsMs, 0.5))} (p95 ${formatMs(percentile(baseline.intervalsMs, 0.95))}), ${formatLateShare(baseline.intervalsMs)} late, ${formatMs(baseline.workMs)} of work; ` +
      `${ratio.toFixed(2)} times as long`,
    `p50 on time, or at most ${maxSlowdown} times as long if the empty board is late too`,
    p50 <= frameBudgetMs || (percentile(baseline.intervalsMs, 0.5) > frameBudgetMs && ratio <= maxSlowdown),
  )
}
await browser.close()
await keeper.stop()
rmSync(dataDir, { recursive: true })

async function measurePanning(boardId: string, zoom: number): Promise<FrameMeasurement> {
  await page.goto(`${url}/studio/board-studio?board=${boardId}`)
  await page.locator('.react-flow__pane').waitFor()
  await zoomTo(page, zoom)
  await page.waitForTimeout(3000)
  const readTransform = () =>
    page.locator('.react-flow__viewport').evaluate((viewport: HTMLElement) => viewport.style.transform)
  const initialTransform = await readTransform()
  const frames = await measureFrames(page, devtools, panMs, () =>
    sendWheelEvents(devtools, { durationMs: panMs, x: 700, y: 450 }, (tick) => ({
      deltaX: 34 * Math.cos(tick / 40),
      deltaY: 34 * Math.sin(tick / 40),
    })),
  )
  if ((await readTransform()) === initialTransform) throw new Error('the board did not move')
  return frames
}

async function zoomTo(targetPage: Page, zoom: number): Promise<void> {
  await targetPage.keyboard.press('Control+0')
  await targetPage.mouse.move(600, 400)
  await targetPage.keyboard.down('Control')
  for (let step = 0; step < 40; step++) {
    const currentZoom =
      Number.parseInt((await targetPage.getByRole('button', { name: /^Zoom, / }).textContent()) ?? '', 10) / 100
    if (Math.abs(currentZoom - zoom) < 0.02) break
    await targetPage.mouse.wheel(0, currentZoom > zoom ? Math.min(100, 260 * Math.log2(currentZoom / zoom)) : -20)
    await targetPage.waitForTimeout(60)
  }
  await targetPage.keyboard.up('Control')
}

async function createBenchBoard(count: number): Promise<string> {
  const { id } = await callApi<{ id: string }>('POST', '/api/boards', { name: `${count} frames` })
  const types = getFrameLibrary(null)
  const frames = Array.from({ length: count }, (_, index) => {
    const frameType = types[index % types.length] ?? 'code_snippet'
    const { name, description, category, icon, pattern } = frameTypes[frameType]
    return {
      id: index.toString(16).padStart(31, '0') + (count % 16).toString(16),
      data: {
        frameType,
        name: `${name} ${index}`,
        description,
        category,
        icon,
        slug: `frame-${index}`,
        position: { x: (index % 25) * 340, y: Math.floor(index / 25) * 280 },
        size: { width: 300, height: 240 },
        content:
          frameType === 'code_snippet'
            ? { code: 'const saved = 1\n'.repeat(8), language: 'typescript' }
            : createEmptyContent(frameType),
      },
      FrameConfig: { engagementMode: pattern },
    }
  })
  await callApi('PATCH', `/api/boards/${id}`, { frames })
  return id
}

async function callApi<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Answer
}

function formatLateShare(intervalsMs: number[]): string {
  return `${((intervalsMs.filter((intervalMs) => intervalMs > frameBudgetMs).length / intervalsMs.length) * 100).toFixed(0)} %`
}
