import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMain } from '#server/start/require-node.ts'
import { root } from './fingerprint.ts'

const chromiumPackage = '@sparticuz/chromium@153.0.0'
const npmBrowserFolder = join(root, '.cache/browser')

/** Headless builds of Chromium, which run the journeys in three quarters of the time. */
const headlessCommands = ['chromium-headless-shell', 'chrome-headless-shell']
const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const defaultPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/** Works without a graphics card and as root, and makes no background requests. */
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Returns the first Chromium that starts, preferably headless; installs one if there is none. */
export async function findBrowser(): Promise<string> {
  const headlessPath = [process.env.CHROMIUM, ...headlessCommands.map(findOnPath)].find(canStartBrowser)
  if (headlessPath) return headlessPath
  const installedPath = [await getPlaywrightBrowser(), ...commands.map(findOnPath), ...defaultPaths].find(
    canStartBrowser,
  )
  if (installedPath)
    return (isDisposableMachine() && installWithApt('chromium-headless-shell', 60_000)) || installedPath
  const downloadedPath =
    installWithApt('chromium-headless-shell') ?? installWithApt('chromium') ?? (await installFromNpm())
  if (downloadedPath) return downloadedPath
  throw new Error('Couldn’t find or install Chromium for the journeys. Install it, or set CHROMIUM=/path/to/chromium')
}

async function getPlaywrightBrowser(): Promise<string> {
  const { chromium } = await import('@playwright/test')
  return chromium.executablePath()
}

function findOnPath(command: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, command)).find((file) => existsSync(file))
}

/** Some distributions ship a `chromium` that only prints where to get one. */
function canStartBrowser(browserPath: string | undefined): browserPath is string {
  return (
    !!browserPath &&
    existsSync(browserPath) &&
    spawnSync(browserPath, ['--version', '--no-sandbox'], { timeout: 20_000 }).status === 0
  )
}

function isDisposableMachine(): boolean {
  return Boolean(process.env.CI) || existsSync('/.dockerenv')
}

/** Installs the package of the same name as the command. */
function installWithApt(name: string, downloadTimeoutMs = 600_000): string | undefined {
  if (process.getuid?.() !== 0 || !findOnPath('apt-get')) return undefined
  console.log(`Installing Debian’s ${name} for the journeys with apt-get…`)
  const deadline = Date.now() + downloadTimeoutMs
  const install = ['install', '--yes', '--no-install-recommends', '--no-remove', name]
  for (const options of [['update'], [...install, '--download-only'], install]) {
    // Only downloads time out; a started installation is always finished.
    const timeoutMs = options === install ? undefined : Math.max(1, deadline - Date.now())
    const run = spawnSync('apt-get', ['-qq', ...options], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      encoding: 'utf8',
      timeout: timeoutMs,
    })
    if (run.status === 0 || options[0] === 'update') continue
    console.log(`That didn’t work: ${run.stderr.trim().split('\n').at(-1) || 'timed out'}`)
    return undefined
  }
  return [findOnPath(name)].find(canStartBrowser)
}

async function installFromNpm(): Promise<string | undefined> {
  const npm = process.env.npm_execpath
  if (process.platform !== 'linux' || process.arch !== 'x64' || !npm) return undefined
  console.log(`No Chromium found. Installing the npm package ${chromiumPackage}…`)
  try {
    const options = [
      'install',
      '--prefix',
      npmBrowserFolder,
      '--no-save',
      '--ignore-scripts',
      '--loglevel=error',
      chromiumPackage,
    ]
    execFileSync(process.execPath, [npm, ...options], { stdio: ['ignore', 'ignore', 'inherit'] })
    const entry = createRequire(join(npmBrowserFolder, 'package.json')).resolve('@sparticuz/chromium')
    const { default: packagedChromium } = (await import(pathToFileURL(entry).href)) as {
      default: { executablePath(): Promise<string> }
    }
    const browserPath = await packagedChromium.executablePath()
    return canStartBrowser(browserPath) ? browserPath : undefined
  } catch (error) {
    console.log(`That didn’t work: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

if (isMain(import.meta)) console.log(await findBrowser())
