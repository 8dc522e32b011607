/// <reference lib="dom" />
import type { BrowserContext, Page } from '@playwright/test'

export interface Traces {
  runs: string[]
  requests: string[]
  dialogs: string[]
  navigations: string[]
  /** Elements and attributes that only injected markup can create. */
  foreign: string[]
  exceptions: string[]
}
export const createTraces = (): Traces => ({
  runs: [],
  requests: [],
  dialogs: [],
  navigations: [],
  foreign: [],
  exceptions: [],
})
export const countTraces = (traces: Traces) => Object.values(traces).reduce((total, { length }) => total + length, 0)

/** Records actions of all pages and blocks requests to other origins. */
export async function watchContext(context: BrowserContext, origins: string[], traces: Traces): Promise<void> {
  await context.exposeFunction('reportToGate', (mark: string) => traces.runs.push(mark))
  await context.addInitScript(() => {
    const report = (window as unknown as { reportToGate(mark: string): void }).reportToGate
    Object.assign(window, { __ran: (mark: unknown) => report(String(mark)) })
  })
  const isSameOrigin = (url: string) =>
    !/^(https?|wss?):/.test(url) || origins.some((origin) => url.startsWith(`${origin}/`))
  await context.route(
    (url) => !isSameOrigin(url.href),
    (route) => {
      traces.requests.push(route.request().url())
      return route.abort()
    },
  )
  const watch = (page: Page) => {
    page.on('dialog', (dialog) => {
      if (dialog.type() !== 'beforeunload') traces.dialogs.push(`${dialog.type()} ${dialog.message()}`)
      void (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss())
    })
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && !isSameOrigin(frame.url())) traces.navigations.push(frame.url())
    })
    page.on('pageerror', ({ message }) => traces.exceptions.push(message))
    page.on('popup', (popup) => {
      traces.navigations.push(`popup ${popup.url()}`)
      void popup.close()
    })
  }
  context.on('page', watch)
}

export async function scan(page: Page): Promise<{ foreign: string[]; marks: string[] }> {
  const frames = await Promise.all(page.frames().map((frame) => frame.evaluate(scanFrame).catch(() => undefined)))
  return {
    foreign: frames.flatMap((frame) => frame?.foreign ?? []),
    marks: [...new Set(frames.flatMap((frame) => frame?.marks ?? []))],
  }
}

function scanFrame(): { foreign: string[]; marks: string[] } {
  const mark = /x\d+f\d+x/g
  const foreign: string[] = []
  const marks = new Set<string>()
  const note = (element: Element, why: string) => foreign.push(`${why}: ${element.outerHTML.slice(0, 200)}`)
  const noteMarks = (text: string | null) => {
    for (const [markText] of text?.matchAll(mark) ?? []) marks.add(markText)
  }
  const unexpectedElements =
    'object,embed,base,portal,frameset,marquee,math,foreignObject,animate,set,form[action],meta[http-equiv]'
  const urlAttributes = [
    'href',
    'src',
    'action',
    'formaction',
    'xlink:href',
    'poster',
    'srcset',
    'data',
    'background',
    'ping',
  ]
  const harmlessUrl = /^(https?:\/\/|mailto:|blob:|data:image\/(png|jpeg|webp|gif)|#|\/(?![/\\])|\.{0,2}\/|\?|$)/i
  const visit = (root: Document | ShadowRoot) => {
    noteMarks(root instanceof Document ? root.documentElement.outerHTML : root.innerHTML)
    for (const element of root.querySelectorAll('*')) {
      const { localName } = element
      if (element.matches(unexpectedElements)) note(element, 'an unexpected element')
      if (element instanceof HTMLUnknownElement) note(element, 'an unknown element')
      if (localName === 'iframe' && element.getAttribute('sandbox') !== '') note(element, 'a frame without a sandbox')
      const external = element.getAttribute('src') ?? element.getAttribute('href') ?? ''
      if (localName === 'script' && !external.startsWith('/') && !external.startsWith(`${location.origin}/`))
        note(element, 'a script')
      if (localName === 'link' && /^https?:|^\/\//.test(external) && !external.startsWith(`${location.origin}/`))
        note(element, 'an external link')
      // A sealed page has its own style sheet.
      if (localName === 'style' && location.protocol !== 'blob:') note(element, 'a style')
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on')) note(element, 'a handler')
        // Footnotes use prefixed IDs; sealed pages are separate documents without scripts, where IDs are harmless.
        const isDocumentAnchor = name === 'id' && (value.startsWith('user-content-') || location.protocol === 'blob:')
        if (
          ['id', 'name', 'class', 'is', 'slot', 'form', 'style'].includes(name) &&
          value.match(mark) &&
          !isDocumentAnchor
        )
          note(element, `injected ${name}`)
        if (name === 'style' && /url\(|expression|@import/i.test(value)) note(element, 'a style that loads something')
        if (urlAttributes.includes(name) && !harmlessUrl.test(value) && !/^[\w-]+$/.test(value))
          note(element, `suspicious ${name}`)
        if (name !== 'href' && urlAttributes.includes(name) && value.includes('evil.example'))
          note(element, `external ${name}`)
      }
      if (
        element instanceof HTMLAnchorElement &&
        element.hostname.endsWith('evil.example') &&
        !/noopener/.test(element.getAttribute('rel') ?? '')
      )
        note(element, 'a link without noopener')
      if ('value' in element) noteMarks(String(element.value))
      if (element.shadowRoot) visit(element.shadowRoot)
    }
  }
  visit(document)
  if (Object.keys(Object.prototype).length > 0) foreign.push('Object.prototype has a new property')
  if (!(document.body instanceof HTMLElement) || typeof document.getElementById !== 'function')
    foreign.push('a document property was overridden')
  return { foreign, marks: [...marks] }
}
