export interface TimedTest {
  title: string
  startedAt: Date
  durationMs: number
}

interface JsonResult {
  startTime: string
  duration: number
  status: string
  error?: { message: string }
}

interface JsonSuite {
  suites?: JsonSuite[]
  specs?: { title: string; tests: { results: JsonResult[] }[] }[]
}

/** @returns titles in the order of the files */
export const listTitles = ({ suites = [], specs = [] }: JsonSuite): string[] => [
  ...specs.map(({ title }) => title),
  ...suites.flatMap(listTitles),
]

/** Tests of Playwright's JSON report, by time. @throws if one failed: its speech would be that of another page */
export function listTests({ suites = [], specs = [] }: JsonSuite): TimedTest[] {
  const suiteTests = specs.map(({ title, tests }) => {
    const result = tests[0]?.results[0]
    if (result?.status !== 'passed')
      throw new Error(`“${title}” ended as ${result?.status ?? 'not run'}: ${result?.error?.message}`)
    return { title, startedAt: new Date(result.startTime), durationMs: result.duration }
  })
  return [...suiteTests, ...suites.flatMap(listTests)].toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
}

const speechLine = /^(\d\d):(\d\d):(\d\d)\.(\d{3})\d* - SPEECH OUTPUT: '(.*)'\s?\[?\{'established/gm

/** Orca's last line about a new browser window is one of these. */
const lastWindowLines = ['Selection deleted.', 'Finished loading.']

/** @param log Orca's debug log, which has times of day in UTC */
export function listSpeech(log: string, { startedAt, durationMs }: TimedTest): string[] {
  const lines: string[] = []
  const dayStart = Date.UTC(startedAt.getUTCFullYear(), startedAt.getUTCMonth(), startedAt.getUTCDate())
  for (const [, hours, minutes, seconds, ms, text = ''] of log.matchAll(speechLine)) {
    const spokenAt = dayStart + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(ms)
    if (spokenAt >= startedAt.getTime() && spokenAt <= startedAt.getTime() + durationMs && text.trim() !== '')
      lines.push(hideOneTimeValues(text.trim()))
  }
  // Earlier lines are about the browser's window.
  return lines.slice(Math.max(...lastWindowLines.map((line) => lines.indexOf(line))) + 1)
}

const hideOneTimeValues = (text: string) =>
  text.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1').replace(/kpi_[\w-]+/g, 'kpi_…')
