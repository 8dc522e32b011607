import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { storeSession } from '#tests/journeys/store-session.ts'
import { browserArguments, findBrowser } from '../scripts/find-browser.ts'
import { median, registerPerson, report, startKeeper } from './measure.ts'

// Lighthouse isn't a dependency (176 MB, reports errors to third parties): `npm install --no-save lighthouse@13.5.0`.
// Arguments limit it to a screen and to pages: `node bench/page-quality.ts phone / /admin/users`.

interface LighthouseResult {
  finalDisplayedUrl: string
  categories: Record<string, { score: number | null }>
  environment: { benchmarkIndex: number }
}

interface Lighthouse {
  default(
    url: string,
    flags: {
      port: number
      disableStorageReset: boolean
      logLevel: 'error'
      onlyCategories: string[]
      throttling?: { cpuSlowdownMultiplier: number }
    },
    /** By default a simulated phone. */
    config: unknown,
  ): Promise<{ lhr: LighthouseResult } | undefined>
  desktopConfig: unknown
}

const [port, devtoolsPort] = [15_863, 15_864]
const url = `http://127.0.0.1:${port}`
const categories = ['performance', 'accessibility', 'best-practices']
const minScores = { desktop: { landing: 100, inside: 95 }, phone: { landing: 98, inside: 90 } }
type Screen = keyof typeof minScores
const [onlyScreen, ...onlyPaths] = process.argv.slice(2)
/** Pages below the bar are measured again, because single results vary by a point or two; the median counts. */
const rounds = 3
/** `benchmarkIndex` of a computer that matches a mid-tier phone when slowed down 4 times (Lighthouse's documentation of throttling). */
const referenceIndex = 1750
const referenceSlowdown = 4

const lighthouse = await importIfInstalled('lighthouse')
if (lighthouse) await measure(lighthouse)
else
  report(
    'Lighthouse',
    'not installed: npm install --no-save lighthouse@13.5.0',
    Object.entries(minScores)
      .map(([screen, { landing, inside }]) => `${screen}: ${landing} on the landing page, ${inside} inside`)
      .join('; '),
    false,
  )

async function importIfInstalled(name: string): Promise<Lighthouse | undefined> {
  try {
    return (await import(name)) as Lighthouse
  } catch (reason) {
    if ((reason as { code?: string }).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw reason
  }
}

async function measure({ default: runLighthouse, desktopConfig }: Lighthouse): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
  const keeper = await startKeeper({ PORT: String(port), KEEPER_DATA_DIR: join(dataDir, 'data') })
  const token = await registerPerson(url, 'bench@keeper.example', keeper.setupToken)
  const callApi = async <Data>(path: string, body?: unknown): Promise<Data> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, {
      headers,
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    const parsedBody = (await answer.json()) as { data?: Data }
    if (!answer.ok || parsedBody.data === undefined) throw new Error(`${path} answered ${answer.status}`)
    return parsedBody.data
  }
  const { user } = await callApi<{ user: { id: string } }>('/api/kam/auth/session')
  const { id } = await callApi<{ id: string }>('/api/keeper/keepers', {
    title: 'The Harbour Year',
    purpose: 'Keep what the harbour says.',
    keeperType: 'journal',
  })
  for (let number = 0; number < 30; number++)
    await callApi(`/api/keeper/keepers/${id}/moments`, { body: `The ferry was late, and no one minded (${number}).` })

  const openBrowser = async () =>
    chromium.launchPersistentContext(join(dataDir, 'profile'), {
      executablePath: process.env.CHROMIUM || (await findBrowser()),
      baseURL: url,
      args: [...browserArguments, `--remote-debugging-port=${devtoolsPort}`],
    })
  const flags = {
    port: devtoolsPort,
    disableStorageReset: true,
    logLevel: 'error',
    onlyCategories: categories,
  } as const
  let benchmarkIndex = referenceIndex
  const measureScores = async (screen: Screen, path: string) => {
    // The profiler visits all objects of a renderer when it starts, so a renderer that is used again blocks for 200 ms.
    const browser = await openBrowser()
    // Speed differs between computers and over time, so the simulated phone's slowdown follows the previous result.
    const cpuSlowdownMultiplier = (referenceSlowdown * benchmarkIndex) / referenceIndex
    const result =
      screen === 'desktop'
        ? await runLighthouse(url + path, flags, desktopConfig)
        : await runLighthouse(url + path, { ...flags, throttling: { cpuSlowdownMultiplier } }, undefined)
    await browser.close()
    if (result?.lhr.finalDisplayedUrl !== url + path) throw new Error(`${path} led to ${result?.lhr.finalDisplayedUrl}`)
    benchmarkIndex = result.lhr.environment.benchmarkIndex
    return categories.map((category) => Math.round((result.lhr.categories[category]?.score ?? 0) * 100))
  }
  const reportPage = async (screen: Screen, path: string) => {
    const minScore = minScores[screen][path === '/' ? 'landing' : 'inside']
    const roundScores = [await measureScores(screen, path)]
    if (roundScores[0]?.some((score) => score < minScore))
      for (let round = 1; round < rounds; round++) roundScores.push(await measureScores(screen, path))
    const scores = categories.map((_, index) => median(roundScores.map((scoresOfRound) => scoresOfRound[index] ?? 0)))
    report(
      `Lighthouse of ${path.replace(id, ':id')} (${screen})`,
      `performance, accessibility, best practices: ${scores.join(', ')}; benchmark index ${benchmarkIndex.toFixed(0)}`,
      `${minScore} each`,
      scores.every((score) => score >= minScore),
    )
  }
  const reportPages = async (paths: readonly string[]) => {
    for (const screen of ['desktop', 'phone'] as const) {
      if (onlyScreen && onlyScreen !== screen) continue
      for (const path of paths)
        if (onlyPaths.length === 0 || onlyPaths.includes(path.replace(id, ':id'))) await reportPage(screen, path)
    }
  }
  // Sets `benchmarkIndex` for the first phone result.
  await measureScores('desktop', '/')
  await reportPages(['/', '/login'])
  const browser = await openBrowser()
  const page = await browser.newPage()
  await storeSession(page, { token, user })
  await browser.close()
  const innerPaths = [
    '/root',
    '/root/api-keys',
    '/keeper',
    `/keeper/${id}/dashboard`,
    `/keeper/${id}/moments`,
    '/studio/agents',
    '/library',
    '/admin/users',
  ]
  await reportPages(innerPaths)
  await keeper.stop()
  rmSync(dataDir, { recursive: true, maxRetries: 5 })
}
