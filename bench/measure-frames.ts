import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { storeSession } from '#tests/journeys/store-session.ts'
import { browserArguments, findBrowser } from '../scripts/find-browser.ts'

export interface FrameMeasurement {
  between: number[]
  /** Main-thread work per frame in ms. */
  work: number
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
  milliseconds: number,
  act: () => Promise<void>,
): Promise<FrameMeasurement> {
  const worked = await measureWorkMs(session)
  const counting = page.evaluate<number[]>(`new Promise((resolve) => {
    const times = []
    const until = performance.now() + ${milliseconds}
    function tick(now) {
      times.push(now)
      if (now < until) requestAnimationFrame(tick)
      else resolve(times.slice(1).map((time, index) => time - times[index]))
    }
    requestAnimationFrame(tick)
  })`)
  await act()
  const between = await counting
  return { between, work: ((await measureWorkMs(session)) - worked) / between.length }
}

const beatMs = 16

export async function sendWheelEvents(
  session: CDPSession,
  { milliseconds, x, y }: { milliseconds: number; x: number; y: number },
  getDistance: (beat: number) => { deltaX: number; deltaY: number },
): Promise<void> {
  const startedAt = performance.now()
  const sent: Promise<unknown>[] = []
  for (let beat = 0; performance.now() - startedAt < milliseconds; beat++) {
    sent.push(session.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, ...getDistance(beat) }))
    const wait = (beat + 1) * beatMs - (performance.now() - startedAt)
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
  }
  await Promise.all(sent)
}

async function measureWorkMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
}
