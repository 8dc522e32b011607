import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CDPSession } from '@playwright/test'
import { formatMs, mean, percentile, registerPerson, report, startKeeper } from './measure.ts'
import { type FrameMeasurement, measureFrames, openSignedInBrowser, sendWheelEvents } from './measure-frames.ts'

// Scrolling 2,000 documents, as cards and as a list, stays at 60 frames per second. Baseline: an equally tall empty box.

const port = 15_858
const url = `http://127.0.0.1:${port}`
const documentCount = 2000
const scrollMs = 5000
const frameBudgetMs = 16.7 + 0.5
const maxSlowdown = 1.25

const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const keeper = await startKeeper({ PORT: String(port), KEEPER_DATA_DIR: dataDir })
const token = await registerPerson(url)
const { browser, page, devtools, user } = await openSignedInBrowser(url, token)

await page.goto(`${url}/library`)
await page.getByText('No documents found').waitFor()
await page.evaluate(() => {
  const box = document.createElement('div')
  box.style.height = '100000px'
  document.querySelector('main')?.append(box)
})
const baseline = await measureScrolling(devtools)
await fillLibrary(user.id)

for (const layout of ['cards', 'list']) {
  await page.evaluate((value) => localStorage.setItem('keeper-library-layout', value), layout)
  await page.goto(`${url}/library`)
  await page.getByRole('article').first().waitFor()
  await page.waitForTimeout(3000)
  const measured = await measureScrolling(devtools)
  const [p50, p95] = [percentile(measured.intervalsMs, 0.5), percentile(measured.intervalsMs, 0.95)]
  const ratio = mean(measured.intervalsMs) / mean(baseline.intervalsMs)
  const renderedCount = await page.getByRole('article').count()
  report(
    `scrolling ${documentCount} documents as ${layout}`,
    `a frame every ${formatMs(p50)} (p95 ${formatMs(p95)}), ${formatMs(measured.workMs)} of main-thread work each, ${renderedCount} of them rendered; ` +
      `empty every ${formatMs(percentile(baseline.intervalsMs, 0.5))} (p95 ${formatMs(percentile(baseline.intervalsMs, 0.95))}), ${formatMs(baseline.workMs)} of work; ` +
      `${ratio.toFixed(2)} times as long`,
    `p50 on time, or at most ${maxSlowdown} times as long if the empty page is late too; fewer than 100 rendered`,
    renderedCount < 100 &&
      (p50 <= frameBudgetMs || (percentile(baseline.intervalsMs, 0.5) > frameBudgetMs && ratio <= maxSlowdown)),
  )
}
await browser.close()
await keeper.stop()
rmSync(dataDir, { recursive: true })

async function measureScrolling(session: CDPSession): Promise<FrameMeasurement> {
  const frames = await measureFrames(page, session, scrollMs, () =>
    sendWheelEvents(session, { durationMs: scrollMs, x: 800, y: 600 }, () => ({ deltaX: 0, deltaY: 60 })),
  )
  if ((await page.evaluate(() => scrollY)) < 2000) throw new Error('the page did not scroll')
  return frames
}

async function fillLibrary(person: string): Promise<void> {
  await page.evaluate(
    ({ name, count }) =>
      new Promise<void>((resolve, reject) => {
        const openRequest = indexedDB.open(name)
        openRequest.onerror = () => reject(openRequest.error)
        openRequest.onsuccess = () => {
          const transaction = openRequest.result.transaction(['documents', 'blobs', 'texts'], 'readwrite')
          const types = ['pdf', 'json', 'markdown', 'text', 'other']
          for (let index = 0; index < count; index++) {
            const id = index.toString(16).padStart(32, '0')
            transaction.objectStore('documents').put({
              id,
              name: `Document ${index} of the harbour year`,
              type: types[index % 5],
              format: 'text',
              size: index * 1000,
              uploadedAt: new Date(1_700_000_000_000 + index * 60_000).toISOString(),
              blobKey: id,
              sha256: null,
              description:
                index % 2 ? 'What was said of the boathouse, and by whom, in the order in which it was said.' : '',
              tags: ['house', 'legal', 'harbour', 'tides'].slice(0, index % 5),
            })
            transaction.objectStore('blobs').put(new Blob(['words']), id)
            transaction.objectStore('texts').put({ id, text: 'words', state: 'read' })
          }
          transaction.oncomplete = () => {
            openRequest.result.close()
            resolve()
          }
          transaction.onerror = () => reject(transaction.error)
        }
      }),
    { name: `keeper-library-${person}`, count: documentCount },
  )
}
