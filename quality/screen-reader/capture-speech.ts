import { execFileSync, type StdioOptions, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../scripts/fingerprint.ts'
import { listSpeech, listTests, listTitles, type TimedTest } from './parse-speech.ts'

// Writes down Orca’s speech during the tasks by keyboard, in Debian's Chromium. No gate, because it needs Debian's packages.

const packages = ['orca', 'speech-dispatcher', 'at-spi2-core', 'dbus', 'xvfb', 'openbox', 'xdotool', 'chromium']
const commands = ['orca', 'speech-dispatcher', 'dbus-run-session', 'Xvfb', 'openbox', 'xdotool', 'chromium']
const missing = commands.filter((command) => !existsSync(`/usr/bin/${command}`))
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(', ')}. Install them with: apt-get install ${packages.join(' ')}`)
  process.exit(1)
}
let earlierWindows: string[] = []
if (process.env.KEEPER_SPEECH_FOLDER) await captureSpeech(process.env.KEEPER_SPEECH_FOLDER)
else runInOwnDesktop()

/** Runs in a new D-Bus session, so that no screen reader of this desktop starts to speak. */
function runInOwnDesktop(): void {
  const folder = mkdtempSync(join(tmpdir(), 'keeper-speech-'))
  const environment = {
    ...process.env,
    KEEPER_SPEECH_FOLDER: folder,
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    DISPLAY: ':97',
    TZ: 'UTC',
    LC_ALL: 'C.UTF-8',
    ACCESSIBILITY_ENABLED: '1',
  }
  try {
    execFileSync('dbus-run-session', ['--', process.execPath, import.meta.filename], {
      cwd: root,
      env: environment,
      stdio: 'inherit',
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function captureSpeech(folder: string): Promise<void> {
  writeSpeechSettings(folder)
  const log = join(folder, 'orca.log')
  const start = (command: string, args: string[] = [], stdio: StdioOptions = 'ignore') =>
    spawn(command, args, { stdio, cwd: root })
  const desktop = [start('Xvfb', [process.env.DISPLAY ?? '', '-screen', '0', '1440x900x24'])]
  await sleep(1000)
  desktop.push(start('openbox'), start('/usr/libexec/at-spi-bus-launcher', ['--launch-immediately']))
  await sleep(1000)
  desktop.push(start('/usr/bin/python3', ['quality/screen-reader/run-orca.py', log]))
  const focusTimer = setInterval(focusPagesOfNewWindows, 100)
  try {
    await waitForSpeech(log)
    const tasks: TimedTest[] = []
    // Each title gets its own browser, because a second window of a running browser isn't the active one.
    for (const title of listTitles(JSON.parse(await runTests('--list'))))
      tasks.push(...listTests(JSON.parse(await runTests('--grep', title))))
    writeSpeech(readFileSync(log, 'utf8'), tasks)
  } finally {
    clearInterval(focusTimer)
    for (const child of desktop) child.kill('SIGKILL')
  }
}

/** @returns Playwright's JSON report */
async function runTests(...options: string[]): Promise<string> {
  const config = 'quality/screen-reader/playwright.config.ts'
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--config', config, ...options]
  return text(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: root }).stdout)
}

/** A new window has its focus in the address bar, and a screen reader hears nothing of the page until that changes. */
function focusPagesOfNewWindows(): void {
  const { stdout } = spawnSync('xdotool', ['search', '--onlyvisible', '--class', 'chromium'], { encoding: 'utf8' })
  const windows = stdout.split('\n').filter((id) => id !== '')
  for (const window of windows.filter((id) => !earlierWindows.includes(id)))
    spawnSync('xdotool', ['windowactivate', '--sync', window, 'key', 'ctrl+F6'])
  // Replaced, not extended: a new window can reuse the number of a closed one.
  earlierWindows = windows
}

/** Speech goes nowhere: without a sound card, the usual modules wait forever. */
function writeSpeechSettings(home: string): void {
  const folder = join(home, '.config/speech-dispatcher')
  mkdirSync(join(folder, 'modules'), { recursive: true })
  writeFileSync(
    join(folder, 'speechd.conf'),
    'AddModule "silent" "sd_generic" "silent.conf"\nDefaultModule "silent"\nLanguageDefaultModule "en" "silent"\n',
  )
  writeFileSync(
    join(folder, 'modules/silent.conf'),
    'GenericExecuteSynth "true"\nGenericLanguage "en" "en" "utf-8"\nAddVoice "en" "MALE1" "en"\n',
  )
}

async function waitForSpeech(log: string): Promise<void> {
  for (let seconds = 0; seconds < 60; seconds++) {
    if (existsSync(log) && readFileSync(log, 'utf8').includes('SPEECH OUTPUT')) return
    await sleep(1000)
  }
  throw new Error('Orca said nothing within a minute.')
}

function writeSpeech(log: string, tests: TimedTest[]): void {
  const version = /Launching version (\S+)/.exec(log)?.[1] ?? ''
  const tasks = tests.map((test) => {
    const lines = listSpeech(log, test)
    if (lines.length < 3) throw new Error(`Orca said ${lines.length} lines during “${test.title}”.`)
    return `## ${test.title.replace(' @long', '')}\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`
  })
  const head = `# What a screen reader says

\`node quality/screen-reader/capture-speech.ts\` wrote this: the speech of Orca ${version} in Chromium during the tasks of
[accessibility.md](accessibility.md), done by keyboard alone. A line is one utterance; the next key interrupts it.
`
  writeFileSync(join(root, 'docs/speech.md'), `${head}\n${tasks.join('\n')}`)
  console.log(`Wrote docs/speech.md: ${tasks.length} tasks`)
}
