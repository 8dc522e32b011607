/// <reference lib="dom" />
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from '@playwright/test'
import { report } from '../bench/measure.ts'
import { keeperMedia, mediaTypes } from '../contract/keepers/media.ts'
import { moments } from '../contract/keepers/moments.ts'
import { startEnginesWithoutRunner } from '../tests/engines.ts'
import { createPermissionWorld } from '../tests/permission-matrix-world.ts'
import { toRequest } from '../tests/test-app.ts'
import { serveBuilt, signInAs, startBrowser } from './browser/keeper-in-browser.ts'
import { closeAll, findOpeners, goTo, press, settle } from './browser/walk.ts'
import { type HostileDocument, hostileDocuments } from './stealing-documents/documents.ts'

// Documents that try to steal the token, opened in every way, get and send nothing; without the page policy, they do.

interface TheftReport {
  tokens: string[]
  /** Navigations of a document's own window or frame, which no policy prevents and which carry nothing. */
  navigations: string[]
  runs: string[]
  requests: string[]
}
// `--blobs` runs only the last part.
const { values } = parseArgs({ options: { blobs: { type: 'boolean', default: false } } })
const stopEngines = await startEnginesWithoutRunner()
const world = await createPermissionWorld('sqlite')
const served = await serveBuilt(world.app.services)
const browser = await startBrowser()
const ada = await world.app.as('ada')
const token = ada.token ?? ''
let currentWay = ''

async function createContext(
  bypassCSP: boolean,
  theft: TheftReport,
  serviceWorkers: 'allow' | 'block' = 'block',
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: served.url, bypassCSP, serviceWorkers, reducedMotion: 'reduce' })
  context.setDefaultTimeout(6000)
  await context.exposeFunction('reportToGate', (message: string) => {
    if (message.startsWith('token ')) theft.tokens.push(currentWay)
    else theft.runs.push(`${currentWay}: ${message}`)
  })
  await context.route(
    (url) => /^(https?|wss?):/.test(url.href) && !url.href.startsWith(`${served.url}/`),
    (route) => {
      const target = `${currentWay}: ${route.request().url().slice(0, 120)}`
      if (route.request().isNavigationRequest() && !target.includes(token)) theft.navigations.push(target)
      else theft.requests.push(target)
      return route.abort()
    },
  )
  return context
}

const blobWays = {
  'a new window': (url: string) => void window.open(url),
  'a new window by a link': (url: string) => {
    const link = document.createElement('a')
    Object.assign(link, { href: url, target: '_blank', rel: 'opener' })
    document.body.append(link)
    link.click()
  },
  'a frame': (url: string) => {
    const frame = document.createElement('iframe')
    frame.src = url
    document.body.append(frame)
  },
  'a frame in a sandbox': (url: string) => {
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', '')
    frame.src = url
    document.body.append(frame)
  },
  'an object': (url: string) => {
    const object = document.createElement('object')
    object.data = url
    document.body.append(object)
  },
  'an embed': (url: string) => {
    const embed = document.createElement('embed')
    embed.src = url
    document.body.append(embed)
  },
  'a picture': (url: string) => {
    const image = document.createElement('img')
    image.src = url
    document.body.append(image)
  },
  'a script': (url: string) => {
    const script = document.createElement('script')
    script.src = url
    document.body.append(script)
  },
  'a worker': (url: string) => void new Worker(url),
  'a style sheet': (url: string) => {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'stylesheet', href: url })
    document.head.append(link)
  },
  'this window itself': (url: string) => {
    location.href = url
  },
} as const

async function openAsBlobs(
  bypassCSP: boolean,
  documents: readonly HostileDocument[],
): Promise<{ theft: TheftReport; opened: number }> {
  const theft: TheftReport = { tokens: [], navigations: [], runs: [], requests: [] }
  const context = await createContext(bypassCSP, theft)
  let opened = 0
  const openPage = async () => {
    const page = await context.newPage()
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined))
    return page
  }
  for (const [name, openBlob] of Object.entries(blobWays)) {
    let page = await openPage()
    for (const { name: file, type, bytes } of documents) {
      currentWay = `${file} as ${name}`
      const url = await createBlobIn(page, type, bytes).catch(async () => {
        // A document can navigate its window away.
        await page.close()
        page = await openPage()
        await signInAs(page, token, ada.id)
        return createBlobIn(page, type, bytes)
      })
      // Trusted Types refuse some of these.
      await page.evaluate(openBlob as (url: string) => void, url).catch(() => undefined)
      if (name === 'this window itself') await page.waitForURL(/^blob:/, { timeout: 1000 }).catch(() => undefined)
      opened++
      await page.waitForTimeout(100).catch(() => undefined)
      for (const other of context.pages()) if (other !== page) await other.close().catch(() => undefined)
    }
    await page.waitForTimeout(300).catch(() => undefined)
    await page.close()
  }
  await context.close()
  return { theft, opened }
}

async function createBlobIn(page: Page, mime: string, bytes: Buffer): Promise<string> {
  if (!page.url().startsWith(served.url)) await signInAs(page, token, ada.id)
  // /debug is open to everyone, so signing in or out doesn't leave it.
  if (!page.url().endsWith('/debug')) await page.goto('/debug')
  return page.evaluate(
    ([type, data]) => {
      const decoded = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
      return URL.createObjectURL(new Blob([decoded], { type }))
    },
    [mime, bytes.toString('base64')] as const,
  )
}

async function openInLibrary(): Promise<{
  theft: TheftReport
  views: number
  downloads: number
  otherFindings: string[]
}> {
  const theft: TheftReport = { tokens: [], navigations: [], runs: [], requests: [] }
  const otherFindings: string[] = []
  let [views, downloads] = [0, 0]
  const context = await createContext(false, theft, 'allow')
  const page = await context.newPage()
  page.on('popup', (popup) => otherFindings.push(`a window opened: ${popup.url()}`))
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && !frame.url().startsWith(served.url)) otherFindings.push(`went to ${frame.url()}`)
  })
  await signInAs(page, token, ada.id)
  await page.goto('/library')
  await settle(page)
  for (const { name, type, bytes } of hostileDocuments) {
    currentWay = `uploading ${name}`
    await page.getByLabel('Choose documents').setInputFiles({ name, mimeType: type, buffer: bytes })
    const card = page.getByRole('article', { name, exact: true })
    const refused = page.getByRole('button', { name: `Dismiss ${name}` })
    const keepBoth = page.getByRole('button', { name: 'Keep both' })
    await card.or(refused).or(keepBoth).first().waitFor()
    if (await keepBoth.isVisible().catch(() => false)) await keepBoth.click()
    if (await refused.isVisible().catch(() => false)) {
      await refused.click()
      continue
    }
    currentWay = `viewing ${name}`
    await page.getByRole('button', { name: `View ${name}` }).click()
    const dialog = page.getByRole('dialog', { name })
    await dialog.waitFor()
    await page.waitForTimeout(400)
    views++
    for (const tab of await dialog.getByRole('tab').or(dialog.getByRole('radio')).all()) {
      await tab.click({ force: true, timeout: 2000 }).catch(() => undefined)
      await page.waitForTimeout(200)
      views++
    }
    for (const frame of page.frames().slice(1)) {
      const element = await frame.frameElement()
      if ((await element.getAttribute('sandbox')) !== '') otherFindings.push(`${name} is in a frame without a sandbox`)
    }
    const foreign = await dialog.locator('script, object, embed, a[href^="javascript:"], [onload], [onerror]').count()
    if (foreign > 0) otherFindings.push(`${name} created ${foreign} elements`)
    const download = dialog.getByRole('button', { name: 'Download' })
    if (await download.isVisible().catch(() => false)) {
      const downloadEvent = page.waitForEvent('download', { timeout: 4000 }).catch(() => undefined)
      await download.click()
      const saved = await downloadEvent
      if (saved) downloads++
      else otherFindings.push(`${name} was not downloaded`)
      await saved?.cancel()
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
  const cached = await page.evaluate(async (secret) => {
    const cachedUrls: string[] = []
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) {
        const message = await (await caches.match(request))?.clone().text()
        if (message?.includes(secret) || message?.includes('harmless words') || /\/api\//.test(request.url))
          cachedUrls.push(request.url)
      }
    return cachedUrls
  }, token)
  for (const finding of cached) otherFindings.push(`the service worker caches ${finding}`)
  await context.close()
  return { theft, views, downloads, otherFindings }
}

async function openFromServer(): Promise<{
  theft: TheftReport
  acceptedCount: number
  refusedCount: number
  opened: number
  otherFindings: string[]
}> {
  const theft: TheftReport = { tokens: [], navigations: [], runs: [], requests: [] }
  const otherFindings: string[] = []
  const keeperId = await world.createKeeper()
  const ids: string[] = []
  let refusedCount = 0
  for (const { name, bytes } of hostileDocuments)
    for (const mime of Object.values(mediaTypes).flat()) {
      const headers = { authorization: `Bearer ${token}` }
      const uploadInput = {
        params: { id: keeperId },
        query: { name },
        bytes: { mime, data: new Uint8Array(bytes) },
        headers,
      }
      const { path, init } = toRequest(keeperMedia.upload, uploadInput)
      const answer = await world.app.fetch(path, init)
      if (answer.status !== 200) refusedCount++
      else ids.push(((await answer.json()) as { data: { id: string } }).data.id)
    }
  for (let from = 0; from < ids.length; from += 20) {
    const body = { body: 'With files.', mediaIds: ids.slice(from, from + 20) }
    await world.asAda(moments.create, { params: { id: keeperId }, body })
  }
  const context = await createContext(true, theft)
  const page = await context.newPage()
  let opened = 0
  await context.route(/\/api\/keeper\/media\//, async (route) => {
    const headers = { ...route.request().headers(), authorization: `Bearer ${token}` }
    await route.continue({ headers })
  })
  for (const id of ids) {
    const { path } = toRequest(keeperMedia.bytes, { params: { id } })
    for (const range of [undefined, 'bytes=0-99999', 'bytes=5-']) {
      const response = await fetch(`${served.url}${path}`, {
        headers: { authorization: `Bearer ${token}`, ...(range && { range }) },
      })
      const [type, disposition] = [
        response.headers.get('content-type') ?? '',
        response.headers.get('content-disposition') ?? '',
      ]
      await response.body?.cancel()
      if (/html|svg|xml|javascript/.test(type)) otherFindings.push(`${path} is ${type}`)
      if (!disposition.startsWith('attachment')) otherFindings.push(`${path} is displayed, not saved: ${disposition}`)
      if (/[^\x20-\x7e]/.test(disposition)) otherFindings.push(`${path} is called ${disposition}`)
      opened++
    }
    currentWay = `${path} as a page`
    if (!page.url().startsWith(`${served.url}/login`)) {
      await signInAs(page, token, ada.id)
      await page.goto('/login')
    }
    const saved = page.waitForEvent('download', { timeout: 3000 }).catch(() => undefined)
    await page.goto(path).catch(() => undefined)
    if (!(await saved)) otherFindings.push(`${path} opened as a page`)
    opened++
    for (const name of [
      'a frame',
      'an object',
      'an embed',
      'a picture',
      'a script',
      'a worker',
      'a style sheet',
    ] as const) {
      currentWay = `${path} as ${name}`
      await page.evaluate(blobWays[name] as (url: string) => void, path).catch(() => undefined)
      opened++
    }
    await page.waitForTimeout(150)
  }
  await context.close()
  const policyContext = await createContext(false, theft)
  const momentsPage = await policyContext.newPage()
  await signInAs(momentsPage, token, ada.id)
  await momentsPage.goto('/root')
  await settle(momentsPage)
  for (const address of [`/keeper/${keeperId}/moments`, `/keeper/${keeperId}/moments?view=media`]) {
    currentWay = address
    await goTo(momentsPage, address)
    for (const opener of await findOpeners(momentsPage)) {
      if (await press(momentsPage, opener)) opened++
      await closeAll(momentsPage)
      if (new URL(momentsPage.url()).pathname + new URL(momentsPage.url()).search !== address)
        await goTo(momentsPage, address)
    }
  }
  await policyContext.close()
  return { theft, acceptedCount: ids.length, refusedCount, opened, otherFindings }
}

const formatReport = ({ tokens, runs, requests, navigations }: TheftReport) =>
  `${tokens.length} tokens, ${runs.length} runs, ${requests.length} requests, ${navigations.length} navigations`
const isHarmless = ({ tokens, runs, requests }: TheftReport) => tokens.length + runs.length + requests.length === 0
const printReport = (theft: TheftReport, otherFindings: string[] = []) => {
  for (const finding of [...theft.tokens, ...theft.runs, ...theft.requests, ...otherFindings].slice(0, 15))
    console.log(`  ${finding}`)
}

const count = hostileDocuments.length
if (!values.blobs) await reportOpenedDocuments()
await reportBlobs()
await browser.close()
served.close()
await world.app.close()
await stopEngines()
process.exit()

async function reportOpenedDocuments(): Promise<void> {
  const library = await openInLibrary()
  printReport(library.theft, library.otherFindings)
  report(
    `${count} documents in the library, in every view, downloaded, with the service worker`,
    `${formatReport(library.theft)}, ${library.otherFindings.length} other findings (${library.views} views, ${library.downloads} downloads)`,
    '0, 0, 0, 0',
    isHarmless(library.theft) &&
      library.theft.navigations.length === 0 &&
      library.otherFindings.length === 0 &&
      library.views > 10,
  )
  const server = await openFromServer()
  printReport(server.theft, server.otherFindings)
  report(
    `${count} documents as files of moments, by URL, in full and in part, without the page policy`,
    `${formatReport(server.theft)}, ${server.otherFindings.length} other findings (${server.acceptedCount} accepted, ${server.refusedCount} refused by their bytes, ${server.opened} openings)`,
    '0, 0, 0, 0',
    isHarmless(server.theft) &&
      server.theft.navigations.length === 0 &&
      server.otherFindings.length === 0 &&
      server.acceptedCount > 0,
  )
}

async function reportBlobs(): Promise<void> {
  const blobs = await openAsBlobs(false, hostileDocuments)
  printReport(blobs.theft)
  report(
    `${count} documents as blobs of a page, ${Object.keys(blobWays).length} ways`,
    `${formatReport(blobs.theft)} in ${blobs.opened} openings`,
    '0, 0, 0',
    isHarmless(blobs.theft),
  )
  const control = await openAsBlobs(true, hostileDocuments)
  report(
    'control: the same ways without the page policy',
    `${control.theft.tokens.length} tokens stolen, ${control.theft.requests.length} requests`,
    'at least 6 tokens must be stolen',
    control.theft.tokens.length >= 6 && control.theft.requests.length > 0,
  )
}
