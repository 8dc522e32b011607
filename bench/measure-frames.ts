import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { storeSession } from '#tests/journeys/store-session.ts'
import { browserArguments, findBrowser } from '../scripts/find-browser.ts'

export interface FrameMeasurement {
  intervalsMs: number[]
  /** Main-thread work per frame in ms. */
  workMs: number
}

export async function openSignedInBrowser(
  url: string,
  token: string,
): Promise<{ browser: Browser; page: Page; devtools: CDPSession; user: { id: string } }> {
  const answer = await fetch(`${url}/api/kam/auth/session`, { headers: { authorization: `Bearer ${token}` } })
  const { user } = ((await answer.json()) as { data: { user: { id: string } } }).data
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || (await findBrowser()),
    args: browserArguments,
  })
  const viewport = { width: 1440, height: 900 }
  const context = await browser.newContext({ viewport, baseURL: url, serviceWorkers: 'block' })
  const page = await context.newPage()
  await storeSession(page, { token, user })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  return { browser, page, devtools, user }
}

export async function measureFrames(
  page: Page,
  session: CDPSession,
  durationMs: number,
  act: () => Promise<void>,
): Promise<FrameMeasurement> {
  const workBefore = await measureWorkMs(session)
  const frameTimes = page.evaluate<number[]>(`new Promise((resolve) => {
    const times = []
    const until = performance.now() + ${durationMs}
    function tick(now) {
      times.push(now)
      if (now < until) requestAnimationFrame(tick)
      else resolve(times.slice(1).map((time, index) => time - times[index]))
    }
    requestAnimationFrame(tick)
  })`)
  await act()
  const intervalsMs = await frameTimes
  return { intervalsMs, workMs: ((await measureWorkMs(session)) - workBefore) / intervalsMs.length }
}

const tickMs = 16

export async function sendWheelEvents(
  session: CDPSession,
  { durationMs, x, y }: { durationMs: number; x: number; y: number },
  getDistance: (tick: number) => { deltaX: number; deltaY: number },
): Promise<void> {
  const startedAt = performance.now()
  const sent: Promise<unknown>[] = []
  for (let tick = 0; performance.now() - startedAt < durationMs; tick++) {
    sent.push(session.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, ...getDistance(tick) }))
    const waitMs = (tick + 1) * tickMs - (performance.now() - startedAt)
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  await Promise.all(sent)
}

/** @returns for each key press, the ms until the frame that shows it is handed to the compositor */
export async function measureKeyLatency(page: Page, session: CDPSession, keyCount: number): Promise<number[]> {
  await page.evaluate(`{
    window.keyLatencies = []
    const afterFrame = new MessageChannel()
    let pressedAt = 0
    afterFrame.port1.onmessage = () => window.keyLatencies.push(performance.now() - pressedAt)
    window.recordKey = (event) => {
      pressedAt = event.timeStamp
      requestAnimationFrame(() => afterFrame.port2.postMessage(null))
    }
    addEventListener('keydown', window.recordKey, true)
  }`)
  const characters = 'harbour lamp '
  for (let index = 0; index < keyCount; index++) {
    const key = characters[index % characters.length] ?? ' '
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key, unmodifiedText: key })
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key })
    await page.waitForTimeout(minKeyPauseMs + Math.random() * minKeyPauseMs)
  }
  return page.evaluate<number[]>(`{
    removeEventListener('keydown', window.recordKey, true)
    window.keyLatencies
  }`)
}

const minKeyPauseMs = 60

async function measureWorkMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
}
